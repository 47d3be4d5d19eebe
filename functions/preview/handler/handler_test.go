package handler_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"channelapi/functions/preview/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

func landing(name string, kind telegram.Kind) tmetest.Landing {
	l := tmetest.Landing{Preview: telegram.Preview{Username: name, Type: kind, Channel: telegram.PreviewChannel{Title: "Title of " + name}}}
	if kind != telegram.KindUser {
		count := int64(2620)
		l.Count = &count
	}
	return l
}

func site() tmetest.Options {
	return tmetest.Options{
		Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)},
		Landings: []tmetest.Landing{
			landing("tram_group", telegram.KindGroup), landing("some_person", telegram.KindUser),
			landing("clock_bot", telegram.KindBot), landing("closed_news", telegram.KindChannel),
		},
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	a, _ := apptest.New(t, site())
	h := handler.New(a)
	for name, want := range map[string]telegram.Preview{
		"alpha_news":  {Type: telegram.KindChannel, HasPublicPage: true},
		"tram_group":  {Type: telegram.KindGroup},
		"some_person": {Type: telegram.KindUser},
		"clock_bot":   {Type: telegram.KindBot},
		"closed_news": {Type: telegram.KindChannel},
	} {
		got := apptest.Do(t, h, http.MethodGet, "/v1/preview/"+name, "")
		var p telegram.Preview
		if err := json.Unmarshal(got.Body, &p); err != nil || got.Status != http.StatusOK {
			t.Errorf("preview of %s = %d %s, %v", name, got.Status, got.Body, err)
			continue
		}
		if p.Type != want.Type || p.HasPublicPage != want.HasPublicPage || p.Channel.Title == "" || p.Username != name {
			t.Errorf("preview of %s = %+v", name, p)
		}
		if cc := got.Header.Get("Cache-Control"); !strings.HasPrefix(cc, "public, max-age=7200,") {
			t.Errorf("Cache-Control = %q, want two hours", cc)
		}
	}
	if got := apptest.Do(t, h, http.MethodGet, "/v1/preview/nobody_here", ""); got.Status != http.StatusNotFound {
		t.Errorf("preview of a missing name = %d, want 404", got.Status)
	}
}

func TestPreviews(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	upstream.Fail("/some_person", tmetest.Status(500), 0)
	got := apptest.Do(t, h, http.MethodPost, "/v1/previews",
		`{"channels":["@Alpha_News","https://t.me/tram_group","nobody_here","some_person","alpha_news"]}`)
	var m map[string]telegram.Preview
	if err := json.Unmarshal(got.Body, &m); err != nil || got.Status != http.StatusOK {
		t.Fatalf("previews = %d %s, %v", got.Status, got.Body, err)
	}
	if len(m) != 3 || m["Alpha_News"].Username != "alpha_news" || m["alpha_news"].Username != "alpha_news" || m["tram_group"].Type != telegram.KindGroup {
		t.Errorf("previews = %v, want the names as asked for", m)
	}
	if x := got.Header.Get("X-Missing"); x != "some_person" {
		t.Errorf("X-Missing = %q, want some_person alone", x)
	}
	if cc := got.Header.Get("Cache-Control"); cc != "public, max-age=2" {
		t.Errorf("Cache-Control = %q, want a short one: a name is missing", cc)
	}
	if n := upstream.Count("/alpha_news"); n != 1 {
		t.Errorf("fetches of two spellings = %d, want 1", n)
	}
}

func TestPreviewsAllFailing(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]tmetest.Fault{"502": tmetest.Status(502), "other page": tmetest.NotHTML()} {
		a, upstream := apptest.New(t, site())
		upstream.Fail("*", fault, 0)
		got := apptest.Do(t, handler.New(a), http.MethodPost, "/v1/previews", `{"channels":["alpha_news","tram_group"]}`)
		if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: all failing = %d %s, want 503 with Retry-After", name, got.Status, got.Body)
		}
	}
}

func TestPreviewsNoneExists(t *testing.T) {
	t.Parallel()
	a, _ := apptest.New(t, site())
	got := apptest.Do(t, handler.New(a), http.MethodPost, "/v1/previews", `{"channels":["nobody_here","nobody_there"]}`)
	if got.Status != http.StatusOK || string(got.Body) != "{}" {
		t.Errorf("none exists = %d %s, want an empty object", got.Status, got.Body)
	}
}

func TestPreviewsBadPayload(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	for body, want := range map[string]int{
		``: 400, `{`: 400, `["alpha_news"]`: 422, `{}`: 422, `{"channels":[]}`: 422,
		`{"channels":"alpha_news"}`: 422, `{"channels":["ab"]}`: 422,
		`{"channels":["` + strings.Repeat(`aaaa","`, 100) + `aaaa"]}`: 422,
	} {
		if got := apptest.Do(t, h, http.MethodPost, "/v1/previews", body, "Content-Type", "application/json"); got.Status != want {
			t.Errorf("previews of %.40q = %d %s, want %d", body, got.Status, got.Body, want)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}

func TestPreviewsSwitchedOff(t *testing.T) {
	t.Parallel()
	a, _ := apptest.New(t, site(), "ENABLE_PREVIEWS=off")
	got := apptest.Do(t, handler.New(a), http.MethodGet, "/v1/preview/alpha_news", "")
	if got.Status != http.StatusServiceUnavailable || !strings.Contains(string(got.Body), "feature_disabled") {
		t.Errorf("switched off = %d %s", got.Status, got.Body)
	}
}
