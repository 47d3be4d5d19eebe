package handler_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/openapi/openapitest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// clock is a wall clock that moves only when told to.
type clock struct{ nanos atomic.Int64 }

func (c *clock) now() time.Time {
	return time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC).Add(time.Duration(c.nanos.Load()))
}
func (c *clock) advance(d time.Duration) { c.nanos.Add(int64(d)) }

// site has channels to read, and a name of every other sort.
func site() tmetest.Options {
	members := int64(2620)
	landing := func(name string, kind telegram.Kind) tmetest.Landing {
		return tmetest.Landing{Preview: telegram.Preview{
			Username: name, Type: kind, Count: &members, Channel: telegram.PreviewChannel{Title: "Title of " + name},
		}}
	}
	return tmetest.Options{
		Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 45, 1), tmetest.Generate("Beta_News", 45, 2), tmetest.Generate("bad_news", 5, 3)},
		Landings: []tmetest.Landing{landing("tram_group", telegram.KindGroup), landing("closed_news", telegram.KindChannel)},
	}
}

// open gives the function's handler over a fake t.me, with a clock of its own.
func open(t testing.TB, settings ...string) (lambda.Handler, *tmetest.Server, *clock) {
	t.Helper()
	a, upstream, c := openApp(t, settings...)
	return handler.New(a), upstream, c
}

func openApp(t testing.TB, settings ...string) (*app.App, *tmetest.Server, *clock) {
	t.Helper()
	c := new(clock)
	upstream := tmetest.New(t, site())
	return apptest.Over(t, app.Options{Now: c.now}, append([]string{"TELEGRAM_URL=" + upstream.URL}, settings...)...), upstream, c
}

// answer is a GraphQL answer.
type answer struct {
	gateway.Answer
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
}

// codes are the errors' codes by their fields.
func (a answer) codes() map[string]string {
	m := map[string]string{}
	for _, e := range a.Errors {
		m[strings.Trim(fmt.Sprint(e.Path), "[]")] = fmt.Sprint(e.Extensions["code"])
	}
	return m
}

// read decodes an answer, which always has the schema's form.
func read(t testing.TB, got gateway.Answer) answer {
	t.Helper()
	a := answer{Answer: got}
	body, err := got.Plain()
	if err != nil {
		t.Fatal(err)
	}
	if err := openapitest.Validate("GraphQLAnswer", body); err != nil {
		t.Errorf("%v: %.300s", err, body)
	}
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("answer %.300s: %v", body, err)
	}
	return a
}

// ask sends a query by POST, with variables as JSON where there are any.
func ask(t testing.TB, h lambda.Handler, query string, variables ...string) answer {
	t.Helper()
	payload := map[string]any{"query": query}
	if len(variables) > 0 {
		payload["variables"] = json.RawMessage(variables[0])
	}
	b, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, apptest.Do(t, h, http.MethodPost, "/graphql", string(b), "Content-Type", "application/json"))
}

// get sends parameters, given as name, value pairs, by GET.
func get(t testing.TB, h lambda.Handler, pairs ...string) answer {
	t.Helper()
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return read(t, apptest.Do(t, h, http.MethodGet, "/graphql?"+q.Encode(), ""))
}

const (
	pageControl    = "public, max-age=10, s-maxage=10, stale-while-revalidate=10, stale-if-error=600"
	feedControl    = "public, max-age=30, s-maxage=30, stale-while-revalidate=30, stale-if-error=600"
	previewControl = "public, max-age=7200, s-maxage=7200, stale-while-revalidate=7200, stale-if-error=600"
)

// headers compares those that caches go by.
func (a answer) headers(t testing.TB, what, control, source string) {
	t.Helper()
	if cc, x := a.Header.Get("Cache-Control"), a.Header.Get("X-Cache"); cc != control || x != source || a.Status != http.StatusOK {
		t.Errorf("%s: %d, Cache-Control %q, X-Cache %q; want %q, %q: %.300s", what, a.Status, cc, x, control, source, a.Body)
	}
	if tag := a.Header.Get("ETag"); tag == "" && control != "no-store" {
		t.Errorf("%s: ETag = %q with %s", what, tag, control)
	}
}
