package feed

import (
	"bytes"

	"channelapi/shared/pack"
	"channelapi/shared/pack/words"
)

// filter tells which posts a query wants. The texts are read only if words are asked for, a page at a time.
type filter struct {
	query    Query
	notAfter int64 // 0: no bound
	json     []byte
	text     []byte
	token    []byte
}

// open makes ready for the posts of p.
func (f *filter) open(p pack.Pack) (err error) {
	if f.query.NeedsText() {
		f.json, err = p.JSON(f.json[:0])
	}
	return err
}

func (f *filter) wants(e *pack.Entry) bool {
	q := &f.query
	switch {
	case f.notAfter > 0 && e.Unix > f.notAfter,
		!q.Types.hold(e.Flags),
		q.Has != 0 && e.Flags&q.Has == 0,
		q.NoForwards && e.Flags&pack.Forwarded != 0,
		q.Hashtag != 0 && !holds(e.Hashtags, q.Hashtag):
		return false
	}
	return !q.NeedsText() || f.words(f.json[e.Start:e.End])
}

func (t Types) hold(flags pack.Flag) bool {
	switch {
	case flags&pack.Service != 0:
		return t&Services != 0
	case flags&pack.Unsupported != 0:
		return t == 0
	}
	return t == 0 || t&Messages != 0
}

func holds(tags []uint32, tag uint32) bool {
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}

// words looks for the query's words in the text and the poll's question of a post.
func (f *filter) words(post []byte) bool {
	f.text = appendValue(f.text[:0], post, `"content":{"text":{"string":"`)
	f.text = appendValue(append(f.text, '\n'), post, `"poll":{"question":"`)
	found := make([]bool, len(f.query.Words))
	missing, refused := len(found), false
	words.Scan(string(f.text), func(kind words.Kind, raw string) bool {
		f.token = words.Normal(f.token[:0], kind, raw)
		for i, w := range f.query.Words {
			if !found[i] && w == string(f.token) {
				found[i] = true
				missing--
			}
		}
		for _, w := range f.query.Not {
			refused = refused || w == string(f.token)
		}
		return !refused && (missing > 0 || len(f.query.Not) > 0)
	})
	return missing == 0 && !refused
}

// appendValue appends the string that follows prefix in the JSON of a post, with escapes undone as far as words need.
// Quotes inside JSON strings are escaped, so the prefix cannot be part of a text.
func appendValue(dst, post []byte, prefix string) []byte {
	_, rest, ok := bytes.Cut(post, []byte(prefix))
	if !ok {
		return dst
	}
	for {
		i := bytes.IndexAny(rest, `"\`)
		if i < 0 || rest[i] == '"' || i+1 == len(rest) {
			return append(dst, rest[:max(i, 0)]...)
		}
		dst = append(dst, rest[:i]...)
		switch c := rest[i+1]; c {
		case '"', '\\', '/':
			dst = append(dst, c)
			rest = rest[i+2:]
		case 'u': // only control characters, U+2028, U+2029 and U+FFFD are written so: none is part of a word
			dst = append(dst, ' ')
			rest = rest[min(i+6, len(rest)):]
		default:
			dst = append(dst, ' ')
			rest = rest[i+2:]
		}
	}
}
