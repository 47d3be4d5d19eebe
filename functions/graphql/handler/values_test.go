package handler_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	body "channelapi/functions/body/handler"
	feed "channelapi/functions/feed/handler"
	"channelapi/functions/graphql/handler"
	post "channelapi/functions/post/handler"
	preview "channelapi/functions/preview/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

const pagesDir = "../../../testdata/pages"

// rig asks the same App by GraphQL and by the other functions.
type rig struct {
	graphql, body, post, preview, feed lambda.Handler
	schema                             *ast.Schema
}

// newRig is over the recorded pages, which hold every kind of post.
func newRig(t *testing.T) rig { return newRigWith(t, nil) }

// newRigWith has an index of posts too.
func newRigWith(t *testing.T, index meaning.Index) rig {
	t.Helper()
	pages, err := tmetest.Saved(os.DirFS(pagesDir))
	if err != nil {
		t.Fatal(err)
	}
	upstream := httptest.NewServer(pages)
	t.Cleanup(upstream.Close)
	return rigOver(t, upstream.URL, index)
}

// rigOver is over any site.
func rigOver(t *testing.T, site string, index meaning.Index) rig {
	t.Helper()
	a := apptest.Over(t, app.Options{Now: new(clock).now, Index: index}, "TELEGRAM_URL="+site)
	sdl, err := os.ReadFile("../../../shared/gql/schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: string(sdl)})
	if err != nil {
		t.Fatal(err)
	}
	return rig{
		graphql: handler.New(a), body: body.New(a), post: post.New(a), preview: preview.New(a), feed: feed.New(a), schema: schema,
	}
}

// everything is a selection of all fields of a type.
func (r rig) everything(typeName string) string {
	var b strings.Builder
	for _, f := range r.schema.Types[typeName].Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		b.WriteString(f.Name + " ")
		if kid := f.Type.Name(); r.schema.Types[kid].Kind == ast.Object {
			b.WriteString("{ " + r.everything(kid) + "} ")
		}
	}
	return b.String()
}

// same holds that a root field with everything in it is what another function answers.
func (r rig) same(t *testing.T, field string, h lambda.Handler, method, target, payload string) {
	t.Helper()
	root, _, _ := strings.Cut(field, "(")
	def := r.schema.Query.Fields.ForName(root)
	got := ask(t, r.graphql, "{ "+field+" { "+r.everything(def.Type.Name())+"} }")
	rest := apptest.Do(t, h, method, target, payload)
	var want any
	if err := json.Unmarshal(rest.Body, &want); err != nil || rest.Status != http.StatusOK || got.Errors != nil {
		t.Fatalf("%s: %d %v, %v; GraphQL: %v", target, rest.Status, err, rest.Status, got.Errors)
	}
	if diff := cmp.Diff(want, plain(got.Data[root])); diff != "" {
		t.Errorf("%s (-%s +GraphQL):\n%s", field, target, diff)
	}
}

// plain turns what GraphQL says into the words of the JSON answers, which leave out what is null.
func plain(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, w := range v {
			if w != nil {
				m[snake(k)] = plain(w)
			}
		}
		return m
	}
	return v
}

func snake(camel string) string {
	if camel == "score" {
		return "_score"
	}
	var b strings.Builder
	for _, r := range camel {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// TestSameValues: GraphQL says of every recorded channel and post what the other functions say.
func TestSameValues(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	latest, err := filepath.Glob(pagesDir + "/*/latest.html")
	if err != nil || len(latest) < 6 {
		t.Fatalf("%d recorded channels: %v", len(latest), err)
	}
	const g = http.MethodGet
	var names []string
	for _, file := range latest {
		name := filepath.Base(filepath.Dir(file))
		names = append(names, name)
		r.same(t, fmt.Sprintf("body(channel: %q)", name), r.body, g, "/v1/body/"+name, "")
		r.same(t, fmt.Sprintf("preview(name: %q)", name), r.preview, g, "/v1/preview/"+name, "")
		r.same(t, fmt.Sprintf("feed(channels: [%q])", name), r.feed, g, "/v1/feed?channels="+name, "")
		r.same(t, fmt.Sprintf("search(channel: %q, query: \"the\")", name), r.body, g, "/v1/search/"+name+"?q=the", "")
		var page telegram.ChannelBody
		if err := json.Unmarshal(apptest.Do(t, r.body, g, "/v1/body/"+name, "").Body, &page); err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Content.Posts[max(0, len(page.Content.Posts)-3):] {
			r.same(t, fmt.Sprintf("post(channel: %q, id: %d)", name, p.ID), r.post, g, fmt.Sprintf("/v1/post/%s/%d", name, p.ID), "")
		}
		at := page.Content.Posts[0].ID
		r.same(t, fmt.Sprintf("body(channel: %q, position: %d)", name, at), r.body, g, fmt.Sprintf("/v1/body/%s?position=%d", name, at), "")
		r.same(t, fmt.Sprintf("more(channel: %q, direction: BEFORE, position: %d)", name, at), r.body, g, fmt.Sprintf("/v1/more/%s/before/%d", name, at), "")
		r.same(t, fmt.Sprintf("more(channel: %q, direction: AFTER, position: %d)", name, at), r.body, g, fmt.Sprintf("/v1/more/%s/after/%d", name, at), "")
		r.same(t, fmt.Sprintf("search(channel: %q, query: \"a\", before: %d)", name, at), r.body, g, fmt.Sprintf("/v1/search/%s?q=a&before=%d", name, at), "")
	}
	for _, name := range []string{"odile_marsh", "tide_clock_bot", "tram_lovers_chat", "closed_cabinet"} {
		r.same(t, fmt.Sprintf("preview(name: %q)", name), r.preview, g, "/v1/preview/"+name, "")
	}
	list := strings.Join(names, `","`)
	r.same(t, `feed(channels: ["`+list+`"], limit: 40)`, r.feed, g, "/v1/feed?limit=40&channels="+strings.Join(names, ","), "")
	r.same(t, `feed(channels: ["`+list+`","no_such_channel"], limit: 7)`, r.feed, http.MethodPost, "/v1/feed", `{"channels":["`+list+`","no_such_channel"],"limit":7}`)
}

// TestSamePreviews: previews are a list in the order asked, under the names asked for.
func TestSamePreviews(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const names = `["odile_marsh","@Harbor_News","no_such_channel","https://t.me/tide_clock_bot"]`
	got := ask(t, r.graphql, `{ previews(names: `+names+`) { `+r.everything("NamedPreview")+`} }`)
	rest := apptest.Do(t, r.preview, http.MethodPost, "/v1/previews", `{"channels":`+names+`}`)
	var want map[string]any
	if err := json.Unmarshal(rest.Body, &want); err != nil || got.Errors != nil {
		t.Fatalf("%s: %v; GraphQL: %v", rest.Body, err, got.Errors)
	}
	list, _ := plain(got.Data["previews"]).([]any)
	var order []string
	for _, v := range list {
		p, _ := v.(map[string]any)
		name, _ := p["name"].(string)
		order = append(order, name)
		delete(p, "name")
		if diff := cmp.Diff(want[name], any(p)); diff != "" {
			t.Errorf("%s (-previews +GraphQL):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{"odile_marsh", "Harbor_News", "tide_clock_bot"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// TestSameFeedPages: a cursor of one way is one of the other.
func TestSameFeedPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ids := func(v any) (list []string) {
		m, _ := v.(map[string]any)
		posts, _ := m["result"].([]any)
		for _, p := range posts {
			m, _ := p.(map[string]any)
			list = append(list, fmt.Sprint(m["url"]))
		}
		return list
	}
	cursor := ""
	for range 3 {
		target := "/v1/feed?channels=quay_gazette,signal_noise&limit=4"
		args := `channels: ["quay_gazette","signal_noise"], limit: 4`
		if cursor != "" {
			target += "&cursor=" + cursor
			args += fmt.Sprintf(", cursor: %q", cursor)
		}
		got := ask(t, r.graphql, `{ feed(`+args+`) { result { url } meta { cursor } } }`)
		var want map[string]any
		if err := json.Unmarshal(apptest.Do(t, r.feed, http.MethodGet, target, "").Body, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ids(want), ids(got.Data["feed"])); diff != "" || len(ids(want)) != 4 {
			t.Errorf("%s (-feed +GraphQL):\n%s", target, diff)
		}
		meta, _ := want["meta"].(map[string]any)
		if cursor, _ = meta["cursor"].(string); cursor == "" {
			t.Fatal("no cursor")
		}
	}
}
