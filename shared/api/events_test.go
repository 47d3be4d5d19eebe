package api_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/api"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/telegram"
)

const events = "../../testdata/events"

// parsed makes a Handler that answers with what a parser made of the request, as JSON.
func parsed[T any](parse func(api.Params) (T, error)) api.Handler {
	return func(_ *http.Request, p api.Params) (lambdahttp.Response, error) {
		rq, err := parse(p)
		if err != nil {
			return lambdahttp.Response{}, err
		}
		text, err := json.Marshal(flat(rq))
		return lambdahttp.Response{ContentType: api.JSON, Body: lambdahttp.Bytes(text)}, err
	}
}

// flat puts names in place of Usernames, which do not marshal.
func flat(rq any) any {
	names := func(list []telegram.Username) (all []string) {
		for _, n := range list {
			all = append(all, n.String())
		}
		return all
	}
	switch rq := rq.(type) {
	case api.BodyRequest:
		return map[string]any{"channel": rq.Channel.String(), "position": rq.Position}
	case api.MoreRequest:
		return map[string]any{"channel": rq.Channel.String(), "direction": rq.Direction, "position": rq.Position}
	case api.SearchRequest:
		return map[string]any{"channel": rq.Channel.String(), "q": rq.Query, "before": rq.Before}
	case api.PostRequest:
		return map[string]any{"channel": rq.Channel.String(), "id": rq.ID}
	case api.MediaRequest:
		return map[string]any{"channel": rq.Channel.String(), "id": rq.ID, "n": rq.N, "thumb": rq.Thumb}
	case telegram.Username:
		return rq.String()
	case []telegram.Username:
		return names(rq)
	case api.RelatedRequest:
		return map[string]any{"channel": rq.Channel.String(), "id": rq.ID, "limit": rq.Limit}
	case api.FindRequest:
		return map[string]any{"q": rq.Q, "channels": names(rq.Channels), "since": rq.Since.Format(time.RFC3339), "limit": rq.Limit}
	case api.FeedRequest:
		return map[string]any{
			"channels": names(rq.Channels), "limit": rq.Limit, "cursor": rq.Cursor, "format": rq.Format, "title": rq.Title,
			"types": rq.Types, "has": rq.Has, "no_forwarded": rq.NoForwarded, "q": rq.Q, "not": rq.Not, "hashtag": rq.Hashtag,
		}
	}
	return rq
}

func ok(*http.Request, api.Params) (lambdahttp.Response, error) {
	return lambdahttp.Response{ContentType: api.JSON, Body: lambdahttp.Bytes(`"ok"`)}, nil
}

func fails(err error) api.Handler {
	return func(*http.Request, api.Params) (lambdahttp.Response, error) { return lambdahttp.Response{}, err }
}

// contract gives the whole table of endpoints over handlers that only parse.
func contract() *api.Router {
	const get, post = http.MethodGet, http.MethodPost
	return api.NewRouter(
		api.Route{Method: get, Pattern: "/v1/body/{channel}", Handler: parsed(api.ParseBody)},
		api.Route{Method: get, Pattern: "/v1/more/{channel}/{direction}/{position}", Handler: parsed(api.ParseMore)},
		api.Route{Method: get, Pattern: "/v1/search/{channel}", Handler: parsed(api.ParseSearch)},
		api.Route{Method: get, Pattern: "/v1/post/{channel}/{id}", Handler: parsed(api.ParsePost)},
		api.Route{Method: get, Pattern: "/v1/media/{channel}/{id}/{n}", Handler: parsed(api.ParseMedia)},
		api.Route{Method: get, Pattern: "/v1/preview/{name}", Handler: parsed(api.ParsePreview)},
		api.Route{Method: post, Pattern: "/v1/previews", Handler: parsed(api.ParsePreviews)},
		api.Route{Method: get, Pattern: "/v1/feed", Handler: parsed(api.ParseFeed)},
		api.Route{Method: post, Pattern: "/v1/feed", Handler: parsed(api.ParseFeedPayload)},
		api.Route{Method: get, Pattern: "/v1/related/{channel}/{id}", Handler: parsed(api.ParseRelated)},
		api.Route{Method: get, Pattern: "/v1/find", Handler: parsed(api.ParseFind)},
		api.Route{Method: get, Pattern: "/graphql", Handler: ok},
		api.Route{Method: post, Pattern: "/graphql", Handler: ok},
		api.Route{Method: get, Pattern: "/healthz", Handler: ok},
		api.Route{Method: get, Pattern: "/openapi.json", Handler: ok},
		api.Route{Method: get, Pattern: "/", Handler: ok},
	)
}

func newEdge(h lambdahttp.Handler) *lambdahttp.Edge {
	return lambdahttp.New(h, lambdahttp.Options{Log: slog.New(slog.DiscardHandler)})
}

func invoke(t *testing.T, e *lambdahttp.Edge, payload []byte) gateway.Answer {
	t.Helper()
	out, err := e.Invoke(t.Context(), payload)
	if err != nil {
		t.Fatalf("Invoke: %v", err)
	}
	a, err := gateway.Decode(out)
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	return a
}

// want is an answer: what was parsed, or the code and the fields of a problem.
type want struct {
	status int
	body   string // JSON, compared by value
	code   string
	fields string // by spaces
}

const feedRest = `"cursor":"","format":"json","title":"","types":null,"has":null,"no_forwarded":false,"q":"","not":"","hashtag":""}`

func eventTable() map[string]want {
	latest := want{200, `{"channel":"harbor_news","position":0}`, "", ""}
	around := want{200, `{"channel":"harbor_news","position":4150}`, "", ""}
	page, answered := want{200, `"ok"`, "", ""}, func(body string) want { return want{200, body, "", ""} }
	invalid := func(fields string) want { return want{422, "", "invalid", fields} }
	bad, missing := want{400, "", "bad_request", ""}, want{404, "", "not_found", ""}
	notAllowed := want{405, "", "method_not_allowed", ""}
	post := answered(`{"channel":"harbor_news","id":4150}`)
	twoOf5 := answered(`{"channels":["quay_gazette","signal_noise"],"limit":5,` + feedRest)
	return map[string]want{
		"body-latest": latest, "body-around": around, "body-compressed": latest, "body-address": latest,
		"body-at-and-space": latest, "body-function-url": around, "body-function-url-address": latest, "body-stage": latest,
		"body-mapping-key": latest, "body-cookies": latest, "body-spoofed-address": latest,
		"body-head": {status: 200}, "body-options": {status: 204}, "body-delete": notAllowed,
		"body-bad-name-and-position": invalid("channel position"), "body-bad-cyrillic": invalid("channel"),
		"body-bad-nul": invalid("channel"), "body-bad-question": invalid("channel"), "body-bad-dots": missing,
		"body-bad-slash": missing, "body-bad-encoding": bad, "body-bad-query-encoding": bad,
		"body-bad-position-twice": invalid("position"),
		"body-unknown-channel":    answered(`{"channel":"no_such_channel","position":0}`),
		"body-group":              answered(`{"channel":"tram_lovers_chat","position":0}`),
		"body-no-preview":         answered(`{"channel":"closed_cabinet","position":0}`),
		"body-unknown-path":       missing, "body-payload-1.0": bad,
		"body-more-before":    answered(`{"channel":"harbor_news","direction":"before","position":4165}`),
		"body-more-after":     answered(`{"channel":"harbor_news","direction":"after","position":4150}`),
		"body-more-address":   answered(`{"channel":"harbor_news","direction":"before","position":4165}`),
		"body-more-bad":       invalid("direction position"),
		"body-more-short":     missing,
		"body-search":         answered(`{"channel":"harbor_news","q":"ferry","before":0}`),
		"body-search-plus":    answered(`{"channel":"harbor_news","q":"ferry & tide;","before":4200}`),
		"body-search-bad":     invalid("q before"),
		"body-search-missing": invalid("q"),
		"body-healthz":        page, "body-healthz-deep": page, "body-openapi": page, "body-page": page,

		"post-one": post, "post-address": post, "post-bad-id": invalid("id"), "post-bad-high": invalid("id"),
		"post-missing-id": missing, "post-unknown": answered(`{"channel":"harbor_news","id":9999999}`),
		"post-media":       answered(`{"channel":"harbor_news","id":4146,"n":1,"thumb":false}`),
		"post-media-thumb": answered(`{"channel":"harbor_news","id":4143,"n":0,"thumb":true}`),
		"post-media-bad":   invalid("n thumb"),

		"preview-channel": answered(`"harbor_news"`), "preview-address": answered(`"tide_clock_bot"`),
		"preview-user": answered(`"odile_marsh"`), "preview-bad": invalid("name"),
		"preview-many":        answered(`["harbor_news","Quay_Gazette","signal_noise"]`),
		"preview-many-base64": answered(`["harbor_news"]`), "preview-many-bad-array": invalid("payload"),
		"preview-many-bad-names":      invalid("channels[2] channels[3]"),
		"preview-many-bad-name-forms": invalid("channels[1] channels[2] channels[3]"),
		"preview-many-bad-type":       invalid("channels"), "preview-many-none": invalid("channels"),
		"preview-many-101": invalid("channels"), "preview-many-bad-json": bad, "preview-many-bad-empty": bad,
		"preview-many-bad-base64": bad, "preview-many-bad-utf8": bad, "preview-many-get": notAllowed,

		"feed-repeated": twoOf5, "feed-commas": twoOf5, "feed-no-map": twoOf5,
		"feed-spellings": answered(`{"channels":["quay_gazette"],"limit":0,` + feedRest),
		"feed-filters": answered(`{"channels":["quay_gazette","harbor_news"],"limit":0,"cursor":"c0ffee-1","format":"json",
			"title":"line","types":["message"],"has":["photo","video","poll"],"no_forwarded":true,"q":"ferry","not":"storm",
			"hashtag":"harbour"}`),
		"feed-rss":      answered(strings.Replace(`{"channels":["harbor_news"],"limit":0,`+feedRest, `"json"`, `"rss"`, 1)),
		"feed-jsonfeed": answered(strings.Replace(`{"channels":["harbor_news"],"limit":0,`+feedRest, `"json"`, `"jsonfeed"`, 1)),
		"feed-atom": answered(strings.NewReplacer(`"json"`, `"atom"`, `"title":""`, `"title":"none"`).
			Replace(`{"channels":["harbor_news"],"limit":0,` + feedRest)),
		"feed-bad":  invalid("channels[1] cursor format title has forwarded q hashtag limit type"),
		"feed-none": invalid("channels"), "feed-empty": invalid("channels"), "feed-101": invalid("channels"),
		"feed-post": answered(`{"channels":["quay_gazette","signal_noise"],"limit":5,"cursor":"","format":"json","title":"",
			"types":null,"has":["photo","video"],"no_forwarded":false,"q":"ferry","not":"","hashtag":""}`),
		"feed-post-query": answered(`{"channels":["quay_gazette"],"limit":7,"cursor":"","format":"json","title":"",
			"types":null,"has":["photo"],"no_forwarded":false,"q":"","not":"","hashtag":""}`),
		"feed-post-bad": invalid("channels[1] limit cursor has q"), "feed-post-twice": invalid("limit"),
		"feed-post-bad-limit": invalid("limit"), "feed-put": notAllowed,
		"feed-related":         answered(`{"channel":"harbor_news","id":4150,"limit":5}`),
		"feed-related-address": answered(`{"channel":"harbor_news","id":4150,"limit":0}`),
		"feed-related-unknown": answered(`{"channel":"harbor_news","id":9999999,"limit":0}`),
		"feed-related-bad":     invalid("channel id limit"),
		"feed-find":            answered(`{"q":"the ferry's captain","channels":null,"since":"0001-01-01T00:00:00Z","limit":5}`),
		"feed-find-filters":    answered(`{"q":"ferry","channels":["Harbor_News","quay_gazette"],"since":"2026-09-17T00:00:00Z","limit":100}`),
		"feed-find-russian":    answered(`{"q":"мосты города","channels":null,"since":"0001-01-01T00:00:00Z","limit":3}`),
		"feed-find-nothing":    answered(`{"q":"zzznothing","channels":null,"since":"0001-01-01T00:00:00Z","limit":0}`),
		"feed-find-bad":        invalid("q since limit channels[1]"), "feed-find-missing": invalid("q"),

		// Bodies of GraphQL are its own package's to judge.
		"graphql-post": page, "graphql-base64": page, "graphql-get": page, "graphql-browser": page,
		"graphql-response":  page,
		"graphql-bad-empty": page, "graphql-bad-base64": bad,
	}
}

func TestEveryEvent(t *testing.T) {
	t.Parallel()
	table := eventTable()
	files, err := filepath.Glob(events + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events in %s: %v", events, err)
	}
	edge := newEdge(contract())
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		w, known := table[name]
		if !known {
			t.Errorf("%s: no answer is written down for it", file)
			continue
		}
		delete(table, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			payload, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("read event: %v", err)
			}
			checkAnswer(t, invoke(t, edge, payload), w)
		})
	}
	for name := range table {
		t.Errorf("%s: no such event file", name)
	}
}

func checkAnswer(t *testing.T, a gateway.Answer, w want) {
	t.Helper()
	if a.Status != w.status {
		t.Fatalf("status = %d, want %d: %s", a.Status, w.status, a.Body)
	}
	body, err := a.Plain()
	if err != nil {
		t.Fatalf("Plain: %v", err)
	}
	if w.code == "" {
		if w.body == "" {
			if len(body) != 0 {
				t.Errorf("body = %s, want none", body)
			}
			return
		}
		var got, wanted any
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("body %s: %v", body, err)
		}
		if err := json.Unmarshal([]byte(w.body), &wanted); err != nil {
			t.Fatalf("wanted body %s: %v", w.body, err)
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		return
	}
	checkProblem(t, a, w)
}

func checkProblem(t *testing.T, a gateway.Answer, w want) {
	t.Helper()
	var p lambdahttp.Problem
	if err := json.Unmarshal(a.Body, &p); err != nil {
		t.Fatalf("problem %s: %v", a.Body, err)
	}
	fields := make([]string, 0, len(p.Errors))
	for _, f := range p.Errors {
		fields = append(fields, f.Field)
		if f.Reason == "" {
			t.Errorf("field %s without a reason", f.Field)
		}
	}
	if got := strings.Join(fields, " "); p.Code != w.code || got != w.fields {
		t.Errorf("problem = %s %q, want %s %q", p.Code, got, w.code, w.fields)
	}
	if ct := a.Header.Get("Content-Type"); ct != lambdahttp.ProblemType || p.Status != a.Status || p.Detail == "" || p.Title == "" {
		t.Errorf("%s of %d: %+v", ct, a.Status, p)
	}
	if allow := a.Header.Get("Allow"); (allow != "") != (a.Status == http.StatusMethodNotAllowed) {
		t.Errorf("Allow = %q with %d", allow, a.Status)
	}
}
