package tmetest

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func saved(t *testing.T) http.Handler {
	t.Helper()
	h, err := Saved(os.DirFS(pagesDir))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSavedPages(t *testing.T) {
	t.Parallel()
	h := saved(t)
	for _, tt := range []struct{ uri, want string }{
		{"/s/harbor_news", `data-url="/harbor_news"`},
		{"/s/Harbor_News", `data-post="harbor_news/4252"`},
		{"/s/harbor_news/4192", `data-post="harbor_news/4192"`},
		{"/s/harbor_news/4192", `scrollToPost":"harbor_news\/4192`},
		{"/s/harbor_news/4192", `<link rel="next" href="/s/harbor_news?after=`},
		{"/s/harbor_news/4192", `data-url="/harbor_news/4192"`},
		{"/s/harbor_news?before=4180", `data-after="4179"`},
		{"/s/harbor_news?before=4101", "No posts found"},
		{"/s/harbor_news?after=99999", "No posts found"},
		{"/s/harbor_news?q=lighthouse", `value="lighthouse"`},
		{"/s/harbor_news?q=lighthouse&before=4200", `href="/s/harbor_news?q=lighthouse&amp;before=`},
		{"/s/harbor_news?q=zzznothing", "No posts found"},
		{"/s/gorod_segodnya?q=%D0%BC%D0%BE%D1%81%D1%82", "мост"},
		{"/harbor_news", "Preview channel"},
		{"/harbor_news/4192?embed=1&mode=tme", `data-post="harbor_news/4192"`},
		{"/harbor_news/4192", "tgme_page_post"},
		{"/harbor_news/9999?embed=1", "Post not found"},
		{"/cabinet_of_posts/14?embed=1", `data-post="Cabinet_Of_Posts/13"`},
		{"/closed_cabinet", "12 345 subscribers"},
		{"/closed_cabinet/1?embed=1", errRestrictedEscaped},
		{"/nobody_here/1?embed=1", "Channel with username @nobody_here not found"},
		{"/nobody_here", "noindex, nofollow"},
	} {
		w := get(t, h, tt.uri)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s: status %d, %d bytes without %q", tt.uri, w.Code, w.Body.Len(), tt.want)
		}
		if got := w.Header().Get("X-Upstream"); got != "recorded" {
			t.Errorf("%s: X-Upstream %q, want recorded", tt.uri, got)
		}
		wantBalanced(t, tt.uri, w.Body.Bytes())
	}
	for _, name := range []string{"closed_cabinet", "tram_lovers_chat", "odile_marsh", "tide_clock_bot", "nobody_here", "kinds"} {
		w := get(t, h, "/s/"+name)
		if w.Code != http.StatusFound || w.Header().Get("Location") != "https://t.me/"+name || w.Header().Get("X-Upstream") != "recorded" {
			t.Errorf("/s/%s: status %d, headers %v; want a redirect to its landing page", name, w.Code, w.Header())
		}
	}
}

var errRestrictedEscaped = escape(errRestricted)

// TestSavedServesFiles holds every file to the request that it is named for.
func TestSavedServesFiles(t *testing.T) {
	t.Parallel()
	h := saved(t)
	files, err := filepath.Glob(pagesDir + "/*/*.html")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d saved pages, error %v", len(files), err)
	}
	for _, f := range files {
		name := filepath.Base(filepath.Dir(f))
		kind, arg, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f), ".html"), "-")
		uri := map[string]string{
			"latest": "/s/" + name, "around": "/s/" + name + "/" + arg, "before": "/s/" + name + "?before=" + arg,
			"after": "/s/" + name + "?after=" + arg, "search": "/s/" + name + "?q=" + arg, "landing": "/" + name, "embed": "/" + name + "/" + arg + "?embed=1",
		}[kind]
		if name == "kinds" || uri == "" {
			continue
		}
		want, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := get(t, h, uri).Body.Bytes(); !slices.Equal(got, want) {
			t.Errorf("%s gives %d bytes, want the %d of %s", uri, len(got), len(want), f)
		}
		wantBalanced(t, f, want)
	}
}

func TestSavedRefusesNothing(t *testing.T) {
	t.Parallel()
	h, err := Saved(fstest.MapFS{
		"odd_name/latest.html":   {Data: []byte("<html>no posts at all</html>")},
		"odd_name/notes.txt":     {Data: []byte("x")},
		"odd_name/before-x.html": {Data: []byte(`<section class="tgme_channel_history"><div class="tgme_widget_message_wrap"></div></section>`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if w := get(t, h, "/s/odd_name"); w.Code != http.StatusOK || w.Body.Len() == 0 {
		t.Errorf("a page without posts: status %d, %d bytes", w.Code, w.Body.Len())
	}
	if _, err := Saved(os.DirFS("no-such-directory")); err == nil {
		t.Error("a directory that is not there: no error")
	}
}
