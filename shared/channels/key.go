package channels

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"channelapi/shared/telegram"
)

// kind says which load fills a key.
type kind string

const (
	kindBody    kind = "body"    // the newest page (pos 0) or the page around a post; posts are found in it
	kindMore    kind = "more"    // the page before or after a post
	kindSearch  kind = "search"  // t.me's own search inside a channel
	kindPost    kind = "post"    // what the embed page gave for a post that is not on its page
	kindPreview kind = "preview" // the landing page
	kindRelated kind = "related" // posts near in meaning to a post
	kindFind    kind = "find"    // posts near in meaning to a text
)

// key names one stored answer. Its text form is also what a renewal's event carries, so it must lead back to the load.
type key struct {
	kind  kind
	name  telegram.Username
	dir   telegram.Direction
	pos   int
	query string
	limit int    // related and find
	since int64  // find: Unix seconds
	among string // find: names as asked for, by commas; "" for all channels
}

// String gives kind:name:dir:pos:query without the parts that the kind has no use for. Names are in lower case: all
// spellings of a channel share an entry. It is find:limit:since:names:query for a search in many channels, whose answer
// names them as they were asked for.
func (k key) String() string {
	if k.kind == kindFind {
		return fmt.Sprintf("%s:%d:%d:%s:%s", k.kind, k.limit, k.since, k.among, url.QueryEscape(k.query))
	}
	s := string(k.kind) + ":" + k.name.Key()
	switch k.kind {
	case kindBody, kindPost:
		s += ":" + strconv.Itoa(k.pos)
	case kindMore:
		s += ":" + string(k.dir) + ":" + strconv.Itoa(k.pos)
	case kindRelated:
		s += ":" + strconv.Itoa(k.pos) + ":" + strconv.Itoa(k.limit)
	case kindSearch:
		s += ":" + strconv.Itoa(k.pos) + ":" + url.QueryEscape(k.query)
	}
	return s
}

// parseKey reads what String wrote. It is strict, since keys arrive in events.
func parseKey(s string) (key, error) {
	part := strings.Split(s, ":")
	k := key{kind: kind(part[0])}
	want := map[kind]int{kindBody: 3, kindPost: 3, kindMore: 4, kindSearch: 4, kindPreview: 2, kindRelated: 4, kindFind: 5}[k.kind]
	if want == 0 || len(part) != want {
		return key{}, fmt.Errorf("key %q: %w", s, telegram.ErrInvalid)
	}
	if k.kind == kindFind {
		return parseFind(s, part)
	}
	var err error
	if k.name, err = telegram.ParseUsername("key", part[1]); err != nil {
		return key{}, err
	}
	switch k.kind {
	case kindBody, kindPost:
		k.pos, err = parsePos(part[2])
	case kindMore:
		if k.dir, err = telegram.ParseDirection("key", part[2]); err == nil {
			k.pos, err = parsePos(part[3])
		}
	case kindRelated:
		if k.pos, err = telegram.ParsePostID("key", part[2]); err == nil {
			k.limit, err = parseNearLimit(part[3])
		}
	case kindSearch:
		if k.pos, err = parsePos(part[2]); err == nil {
			k.query, err = url.QueryUnescape(part[3])
		}
	}
	if err != nil || k.String() != s {
		return key{}, fmt.Errorf("key %q: %w", s, telegram.ErrInvalid)
	}
	return k, nil
}

// parsePos reads a position; 0 stands for none.
func parsePos(s string) (int, error) {
	if s == "0" {
		return 0, nil
	}
	return telegram.ParsePostID("key", s)
}

// parseFind reads the parts of a search in many channels.
func parseFind(s string, part []string) (key, error) {
	k := key{kind: kindFind, among: part[3]}
	var errs [4]error
	k.limit, errs[0] = parseNearLimit(part[1])
	k.since, errs[1] = strconv.ParseInt(part[2], 10, 64)
	k.query, errs[2] = url.QueryUnescape(part[4])
	if k.among != "" {
		_, errs[3] = telegram.ParseUsernames("key", strings.Split(k.among, ","))
	}
	if err := errors.Join(errs[:]...); err != nil || k.since < 0 || k.String() != s {
		return key{}, fmt.Errorf("key %q: %w", s, telegram.ErrInvalid)
	}
	return k, nil
}

// parseNearLimit reads the number of posts wanted.
func parseNearLimit(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > telegram.MaxNear {
		return 0, fmt.Errorf("limit %q: %w", s, telegram.ErrInvalid)
	}
	return n, nil
}
