package channels

import (
	"errors"
	"testing"

	"channelapi/shared/telegram"
)

func username(t *testing.T, s string) telegram.Username {
	t.Helper()
	u, err := telegram.ParseUsername("name", s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestKeyRoundTrip(t *testing.T) {
	t.Parallel()
	name := username(t, "Alpha_News")
	for want, k := range map[string]key{
		"body:alpha_news:0":                    {kind: kindBody, name: name},
		"body:alpha_news:523":                  {kind: kindBody, name: name, pos: 523},
		"post:alpha_news:523":                  {kind: kindPost, name: name, pos: 523},
		"more:alpha_news:before:41":            {kind: kindMore, name: name, dir: telegram.Before, pos: 41},
		"more:alpha_news:after:41":             {kind: kindMore, name: name, dir: telegram.After, pos: 41},
		"search:alpha_news:0:a%3Ab+%D0%BC%25x": {kind: kindSearch, name: name, query: "a:b м%x"},
		"search:alpha_news:7:q":                {kind: kindSearch, name: name, pos: 7, query: "q"},
		"preview:alpha_news":                   {kind: kindPreview, name: name},
		"related:alpha_news:7:20":              {kind: kindRelated, name: name, pos: 7, limit: 20},
		"find:5:0::storm+%26%3Amore":           {kind: kindFind, query: "storm &:more", limit: 5},
		"find:100:1726790400:Alpha_News,beta_news:q": {
			kind: kindFind, query: "q", limit: 100, since: 1726790400, among: "Alpha_News,beta_news",
		},
	} {
		if got := k.String(); got != want {
			t.Errorf("key.String() = %q, want %q", got, want)
		}
		got, err := parseKey(want)
		if err != nil || got.String() != want || got.query != k.query || got.pos != k.pos || got.dir != k.dir || got.limit != k.limit || got.since != k.since || got.among != k.among {
			t.Errorf("parseKey(%q) = %+v, %v", want, got, err)
		}
	}
}

func TestParseKeyRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", ":", "body", "body:alpha_news", "body:alpha_news:-1", "body:alpha_news:01", "body:alpha_news:1:2", "body:x:0",
		"body:Alpha_News:0", "more:alpha_news:up:1", "search:alpha_news:0:%zz", "preview:alpha_news:0", "other:alpha_news",
		"query:abc", "body:alpha_news:99999999", "related:alpha_news:7", "related:alpha_news:7:0", "related:alpha_news:7:101",
		"related:alpha_news:0:20", "related:Alpha_News:7:20", "find:5:0:q", "find:0:0::q", "find:5:-1::q", "find:5:0:x:q", "find:5:0:alpha_news,:q",
		"find:5:0:@alpha_news:%zz", "find:05:0::q",
	} {
		if got, err := parseKey(s); !errors.Is(err, telegram.ErrInvalid) {
			t.Errorf("parseKey(%q) = %+v, %v; want ErrInvalid", s, got, err)
		}
	}
}
