package tme_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telegram"
	"channelapi/shared/tme"
	"channelapi/shared/tmetest"
)

func name(t testing.TB, s string) telegram.Username {
	t.Helper()
	u, err := telegram.ParseUsername("channel", s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// quick makes a client that does not wait between retries.
func quick(t testing.TB, o tme.Options) *tme.Client {
	t.Helper()
	if o.Backoff == nil {
		o.Backoff = func(int) time.Duration { return 0 }
	}
	c, err := tme.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// served makes a client of a server of its own.
func served(t testing.TB, h http.Handler, o tme.Options) *tme.Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	o.BaseURL = s.URL
	return quick(t, o)
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	u := name(t, "Harbor_News")
	for want, call := range map[string]func(c *tme.Client) (tme.Page, error){
		"/s/harbor_news":                   func(c *tme.Client) (tme.Page, error) { return c.Channel(t.Context(), u, 0) },
		"/s/harbor_news/17":                func(c *tme.Client) (tme.Page, error) { return c.Channel(t.Context(), u, 17) },
		"/s/harbor_news?before=17":         func(c *tme.Client) (tme.Page, error) { return c.More(t.Context(), u, telegram.Before, 17) },
		"/s/harbor_news?after=17":          func(c *tme.Client) (tme.Page, error) { return c.More(t.Context(), u, telegram.After, 17) },
		"/s/harbor_news?q=%23a+b%26c":      func(c *tme.Client) (tme.Page, error) { return c.Search(t.Context(), u, "#a b&c", 0) },
		"/s/harbor_news?before=9&q=x":      func(c *tme.Client) (tme.Page, error) { return c.Search(t.Context(), u, "x", 9) },
		"/harbor_news":                     func(c *tme.Client) (tme.Page, error) { return c.Landing(t.Context(), u) },
		"/harbor_news/17?embed=1&mode=tme": func(c *tme.Client) (tme.Page, error) { return c.Embed(t.Context(), u, 17) },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			var got string
			c := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.Method + " " + r.URL.RequestURI()
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte("<html>a page</html>"))
			}), tme.Options{})
			p, err := call(c)
			if err != nil {
				t.Fatal(err)
			}
			if got != "GET "+want {
				t.Errorf("asked %q, want GET %q", got, want)
			}
			if string(p.Body) != "<html>a page</html>" || p.Recorded {
				t.Errorf("got body %q, recorded %t", p.Body, p.Recorded)
			}
		})
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	var statuses []int
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ua := r.UserAgent(); ua != "test" {
			t.Errorf("user agent %q, want test", ua)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Upstream", "recorded")
		_, _ = w.Write([]byte("<p>kept</p>"))
	})
	c := served(t, h, tme.Options{
		UserAgent: "test", Now: func() time.Time { return at },
		Observe: func(status int, _ time.Duration) { statuses = append(statuses, status) },
	})
	got, err := c.Channel(t.Context(), name(t, "harbor_news"), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := tme.Page{Body: []byte("<p>kept</p>"), FetchedAt: at, Recorded: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{200}, statuses); diff != "" {
		t.Errorf("observed statuses (-want +got):\n%s", diff)
	}
}

// TestFake reads every kind of page of the fake t.me, compressed.
func TestFake(t *testing.T) {
	t.Parallel()
	s := tmetest.New(t, tmetest.Options{Gzip: true, Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 60, 1)}})
	c := quick(t, tme.Options{BaseURL: s.URL})
	u := name(t, "harbor_news")
	for what, get := range map[string]func() (tme.Page, error){
		"js-message_history": func() (tme.Page, error) { return c.Channel(t.Context(), u, 0) },
		"scrollToPost":       func() (tme.Page, error) { return c.Channel(t.Context(), u, 20) },
		"data-after":         func() (tme.Page, error) { return c.More(t.Context(), u, telegram.Before, 30) },
		"No posts found":     func() (tme.Page, error) { return c.Search(t.Context(), u, "zzz", 0) },
		"Preview channel":    func() (tme.Page, error) { return c.Landing(t.Context(), u) },
		"Telegram Widget":    func() (tme.Page, error) { return c.Embed(t.Context(), u, 1) },
	} {
		if p, err := get(); err != nil || !strings.Contains(string(p.Body), what) {
			t.Errorf("page with %q: error %v, %d bytes without it", what, err, len(p.Body))
		}
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, o := range []tme.Options{
		{BaseURL: "t.me"}, {BaseURL: "ftp://t.me"}, {BaseURL: "https://"}, {BaseURL: "https://t.me?x=1"}, {BaseURL: "http://a b"},
		{Concurrency: -1}, {MaxBody: -1}, {DialTimeout: -1}, {Timeout: -1},
	} {
		if c, err := tme.New(o); err == nil {
			t.Errorf("New(%+v) gave %v, want an error", o, c)
		}
	}
	if _, err := tme.New(tme.Options{}); err != nil {
		t.Errorf("New with defaults: %v", err)
	}
}
