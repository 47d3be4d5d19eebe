package handler_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/functions/feed/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/feed"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// start is when the tests' clocks begin; all posts are older.
func start() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }

// clock is a wall clock that moves only when told to.
type clock struct{ nanos atomic.Int64 }

func (c *clock) now() time.Time          { return start().Add(time.Duration(c.nanos.Load())) }
func (c *clock) advance(d time.Duration) { c.nanos.Add(int64(d)) }

// open gives the feed's handler over a fake t.me, with a clock of its own.
func open(t testing.TB, site tmetest.Options, settings ...string) (lambda.Handler, *tmetest.Server, *clock) {
	t.Helper()
	c := new(clock)
	site.Now = c.now
	upstream := tmetest.New(t, site)
	return over(t, upstream, c, settings...), upstream, c
}

// over gives one more handler over a fake t.me, as another environment would be one.
func over(t testing.TB, upstream *tmetest.Server, c *clock, settings ...string) lambda.Handler {
	t.Helper()
	return handler.New(apptest.Over(t, app.Options{Now: c.now}, append([]string{"TELEGRAM_URL=" + upstream.URL}, settings...)...))
}

// note is a post of words, as many hours old.
func note(id int, hours float64, text string) telegram.Post {
	at := start().Add(-time.Duration(hours * float64(time.Hour)))
	views := int64(1000)
	return telegram.Post{
		ID: id, Type: telegram.PostMessage, Content: telegram.PostContent{Text: &telegram.Text{String: text, HTML: text}},
		Footer: telegram.Footer{
			Views: "1K", ViewsCount: &views,
			Date: &telegram.Date{String: at.Format("2006-01-02T15:04:05+00:00"), Unix: at.Unix()},
		},
	}
}

func channel(name string, posts ...telegram.Post) tmetest.Channel {
	return tmetest.Channel{
		Channel: telegram.Channel{
			Username: name, Title: telegram.RichText{String: "Title of " + name, HTML: "Title of " + name},
			Description: &telegram.RichText{String: "About " + name, HTML: "About " + name},
			Counts:      telegram.Counts{Subscribers: 5000},
		},
		Posts: posts,
	}
}

// notes gives n posts of unlike words, an hour apart, the oldest first.
func notes(name string, n int) tmetest.Channel {
	var posts []telegram.Post
	for id := 1; id <= n; id++ {
		posts = append(posts, note(id, float64(n-id)+0.5, fmt.Sprintf("%s story %s %d", name, strings.Repeat("x", id), id*7919)))
	}
	return channel(name, posts...)
}

// ask sends GET /v1/feed.
func ask(t testing.TB, h lambda.Handler, query string, headers ...string) gateway.Answer {
	t.Helper()
	return apptest.Do(t, h, http.MethodGet, "/v1/feed?"+query, "", headers...)
}

// read decodes a 200.
func read(t testing.TB, a gateway.Answer) feed.Decoded {
	t.Helper()
	body, err := a.Plain()
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != http.StatusOK {
		t.Fatalf("status = %d, want 200: %s", a.Status, body)
	}
	var d feed.Decoded
	if err := json.Unmarshal(body, &d); err != nil {
		t.Fatalf("body: %v", err)
	}
	return d
}

// ids names the posts of a feed, with their copies behind a +.
func ids(d feed.Decoded) []string {
	list := make([]string, len(d.Result))
	for i, p := range d.Result {
		list[i] = fmt.Sprintf("%s/%d", p.Channel.Username, p.ID)
		for _, c := range p.Duplicates {
			list[i] += fmt.Sprintf("+%s/%d", c.Channel, c.ID)
		}
	}
	return list
}

// query is a query string of name, value pairs.
func query(pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Add(pairs[i], pairs[i+1])
	}
	return q.Encode()
}

// code gives a problem's code, and its first field.
func code(t testing.TB, a gateway.Answer) (code, field string) {
	t.Helper()
	var p struct {
		Code   string
		Errors []struct{ Field string }
	}
	if err := json.Unmarshal(a.Body, &p); err != nil {
		t.Fatalf("problem %s: %v", a.Body, err)
	}
	if len(p.Errors) > 0 {
		field = p.Errors[0].Field
	}
	return p.Code, field
}

// page is a Fault that answers with a page of testdata/cases.
func page(t testing.TB, file string) tmetest.Fault {
	t.Helper()
	html, err := os.ReadFile(filepath.Join("../../../testdata/cases", file))
	if err != nil {
		t.Fatal(err)
	}
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(html)
		})
	}
}
