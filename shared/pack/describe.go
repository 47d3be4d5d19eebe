package pack

import (
	"strings"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

// describe fills an entry from its post; range and hash are the writer's.
func (ix *indexer) describe(e *Entry, p *telegram.Post) {
	e.ID, e.Album = p.ID, p.Album
	if p.Footer.Date != nil {
		e.Unix = p.Footer.Date.Unix
	}
	if p.Footer.ViewsCount != nil {
		e.Views = *p.Footer.ViewsCount
	}
	e.Flags = flagsOf(p)
	countMedia(e, p.Content.Media)
	if p.Content.Poll != nil {
		e.Flags |= HasPoll
		e.Polls = 1
	}
	for _, r := range p.Content.Reacts {
		e.Reactions += sign(r.Emoji) * r.Total
	}
	if p.Forwarded != nil {
		e.Source = sourceOf(p.Forwarded.URL)
	}
	if t := p.Content.Text; t != nil {
		e.Length = utf8.RuneCountInString(t.String)
		ix.hashtags = hashtags(ix.hashtags[:0], t)
		e.Hashtags = ix.hashtags
		var terms []uint32
		if e.Flags&Service == 0 {
			e.TextHash, terms = ix.prints.compute(t.String)
		}
		ix.terms = appendTerms(ix.terms[:0], terms)
		e.Terms = ix.terms
	}
}

func flagsOf(p *telegram.Post) Flag {
	var f Flag
	switch p.Type {
	case telegram.PostService:
		f |= Service
	case telegram.PostUnsupported:
		f |= Unsupported
	case telegram.PostMessage:
	}
	if p.Forwarded != nil {
		f |= Forwarded
	}
	if p.Footer.Edited {
		f |= Edited
	}
	if p.Content.PreviewLink != nil || hasLink(p.Content.Text) {
		f |= HasLink
	}
	return f
}

func hasLink(t *telegram.Text) bool {
	if t == nil {
		return false
	}
	for i := range t.Entities {
		if e := t.Entities[i].Type; e == telegram.EntityURL || e == telegram.EntityTextLink {
			return true
		}
	}
	return false
}

func countMedia(e *Entry, media []telegram.Media) {
	for i := range media {
		switch media[i].Type {
		case telegram.MediaImage:
			e.Photos++
			e.Flags |= HasPhoto
		case telegram.MediaVideo, telegram.MediaRoundVideo:
			e.Videos++
			e.Flags |= HasVideo
		case telegram.MediaGIF:
			e.GIFs++
		case telegram.MediaDocument:
			e.Flags |= HasDocument
		case telegram.MediaVoice, telegram.MediaSticker, telegram.MediaAudio:
		}
	}
}

// sign says what a reaction tells of a post. A heart comes with and without the variation selector.
func sign(emoji string) int64 {
	switch strings.TrimSuffix(emoji, "\uFE0F") {
	case "👍", "❤", "😂", "🔥", "💯", "👏", "🎉", "🥰":
		return 1
	case "👎", "😡", "😢", "🤬", "🤡":
		return -1
	}
	return 0
}

// hashtags appends the keys of the hashtags that the entities mark in t.
func hashtags(dst []uint32, t *telegram.Text) []uint32 {
	at, units := 0, 0 // a byte of the string and the number of UTF-16 units before it
	for i := range t.Entities {
		e := &t.Entities[i]
		if e.Type != telegram.EntityHashtag || e.Offset < units {
			continue
		}
		start, _ := seek(t.String, at, units, e.Offset)
		at, units = seek(t.String, start, e.Offset, e.Offset+e.Length)
		if key := HashtagKey(t.String[start:at]); key != 0 {
			dst = append(dst, key)
		}
	}
	return dst
}

// seek goes on from byte at, before which there are so many UTF-16 units, until there are as many as want.
func seek(s string, at, units, want int) (int, int) {
	for units < want && at < len(s) {
		switch c := s[at]; {
		case c < utf8.RuneSelf:
			at++
		default:
			r, n := utf8.DecodeRuneInString(s[at:])
			if r > 0xFFFF {
				units++
			}
			at += n
		}
		units++
	}
	return at, units
}
