package channels

import (
	"channelapi/shared/cache"
	"channelapi/shared/pack"
)

// Text is the JSON of an answer with the places of a page's posts in it, for those who read only parts. The bytes are
// shared and must not be changed.
type Text struct {
	JSON []byte
	// Posts are in the order of the page; nil for answers that are no page.
	Posts []pack.Span
}

// Text gives an answer for reading parts of it.
func (a Answer) Text() (Text, error) {
	b, ok := a.Body.(stored)
	if !ok {
		json, err := a.Body.Identity()
		return Text{JSON: json}, err
	}
	return b.text()
}

// text unpacks a pack. One that memory answered with, so that it is asked for again and again, is kept unpacked beside it:
// unpacking takes longer than reading a few posts.
func (b stored) text() (t Text, err error) {
	if b.result.Origin == cache.FromL1 {
		t.JSON = b.kept.Twin(b.result, "json", func([]byte) []byte {
			json, err := b.pack.JSON(nil)
			if err != nil {
				return nil // tried again below, where the error can be told
			}
			return json
		})
	}
	if t.JSON == nil {
		t.JSON, err = b.pack.JSON(nil)
	}
	if err == nil && (b.pack.Kind() == pack.Body || b.pack.Kind() == pack.More) {
		t.Posts, err = b.pack.Posts()
	}
	return t, err
}
