package functions

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/tmetest"
)

// at is the moment of all answers, so that ages and validators are alike.
func at() time.Time { return time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC) }

func site(t *testing.T) string {
	t.Helper()
	pages, err := tmetest.Saved(os.DirFS("../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(pages)
	t.Cleanup(s.Close)
	return "TELEGRAM_URL=" + s.URL
}

// TestSameAsLambda asks for what every event asks for, by HTTP and as the event, a cold App each time: the answers are
// alike to the byte.
func TestSameAsLambda(t *testing.T) {
	t.Parallel()
	upstream := site(t)
	files, err := filepath.Glob("../testdata/events/*-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events: %v", err)
	}
	asked := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		payload, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := plain(t, payload)
		if r == nil {
			continue
		}
		asked++
		byHTTP := New(apptest.Over(t, app.Options{Now: at}, upstream), Options{})
		asEvent := New(apptest.Over(t, app.Options{Now: at}, upstream), Options{})
		got := httptest.NewRecorder()
		byHTTP.ServeHTTP(got, r)
		function, _, _ := strings.Cut(name, "-")
		want := invoke(t, asEvent.functions[owner(r.URL.Path)], payload)
		if string(owner(r.URL.Path)) != function {
			t.Errorf("%s goes to %s", name, owner(r.URL.Path))
		}
		if got.Code != want.Status {
			t.Errorf("%s: status %d, want %d", name, got.Code, want.Status)
		}
		for _, h := range []http.Header{got.Header(), want.Header} {
			h.Del("X-Process-Time")
			h.Del("X-Request-Id")
		}
		if diff := cmp.Diff(want.Header, got.Header()); diff != "" {
			t.Errorf("%s: header (-event +http):\n%s", name, diff)
		}
		if !bytes.Equal(got.Body.Bytes(), want.Body) {
			t.Errorf("%s: body of %d bytes, want %d: %.200q", name, got.Body.Len(), len(want.Body), got.Body)
		}
	}
	if asked < 70 {
		t.Errorf("only %d of %d events can be asked for by HTTP", asked, len(files))
	}
}

func invoke(t *testing.T, h http.Handler, payload []byte) gateway.Answer {
	t.Helper()
	f, ok := h.(lambda.Handler)
	if !ok {
		t.Fatalf("%T takes no events", h)
	}
	out, err := f.Invoke(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	a, err := gateway.Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// plain makes the request that an event stands for; nil for what only the gateway can say: stages, mapping keys, other
// payload versions, function URLs, request ids in the answer, bodies that are not what the event claims.
func plain(t *testing.T, payload []byte) *http.Request {
	t.Helper()
	var ev events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &ev); err != nil {
		t.Fatal(err)
	}
	_, route, _ := strings.Cut(ev.RouteKey, " ")
	if ev.Version != "2.0" || !strings.HasPrefix(ev.RawPath, strings.SplitN(route, "{", 2)[0]) || ev.RequestContext.Stage != "$default" ||
		strings.Contains(ev.RequestContext.DomainName, "lambda-url") {
		return nil
	}
	body := []byte(ev.Body)
	if ev.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(ev.Body); err != nil {
			return nil
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), ev.RequestContext.HTTP.Method, "/", bytes.NewReader(body))
	r.URL.Path, r.URL.RawQuery, r.Host = ev.RawPath, ev.RawQueryString, ev.RequestContext.DomainName
	for k, v := range ev.Headers {
		r.Header.Set(k, v)
	}
	for _, c := range ev.Cookies {
		r.Header.Add("Cookie", c)
	}
	return r
}

// TestOwners: every route of the template leads to the function that owner gives.
func TestOwners(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	routes := 0
	for name, r := range template.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		var f struct {
			Events map[string]struct {
				Type       string    `yaml:"Type"`
				Properties yaml.Node `yaml:"Properties"`
			} `yaml:"Events"`
		}
		if err := r.Properties.Decode(&f); err != nil {
			t.Fatal(err)
		}
		for _, e := range f.Events {
			var route struct {
				Path string `yaml:"Path"`
			}
			if e.Type != "HttpApi" {
				continue
			}
			if err := e.Properties.Decode(&route); err != nil {
				t.Fatal(err)
			}
			routes++
			path := strings.NewReplacer("$default", "/no/such/path", "{proxy+}", "x/1").Replace(route.Path)
			if got, want := string(owner(path)), strings.ToLower(strings.TrimSuffix(name, "Function")); got != want {
				t.Errorf("%s goes to %s, and to %s in the template", route.Path, got, want)
			}
		}
	}
	if routes < 10 {
		t.Errorf("found %d routes in the template", routes)
	}
}

// TestBasePath: behind a proxy that keeps its prefix, the functions are found below it.
func TestBasePath(t *testing.T) {
	t.Parallel()
	h := New(apptest.Over(t, app.Options{}, site(t), "BASE_PATH=api/v1"), Options{})
	for path, want := range map[string]int{
		"/api/v1/v1/post/harbor_news/4150": http.StatusOK, "/v1/post/harbor_news/4150": http.StatusOK, "/api/v10/v1/post/harbor_news/4150": http.StatusNotFound,
	} {
		got := httptest.NewRecorder()
		h.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		if got.Code != want {
			t.Errorf("GET %s = %d %s, want %d", path, got.Code, got.Body, want)
		}
	}
}

// TestTimeout: a request ends in time though the upstream does not.
func TestTimeout(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(over) })
	h := New(apptest.Over(t, app.Options{}, "TELEGRAM_URL="+hanging.URL, "UPSTREAM_TIMEOUT=1s"), Options{Timeout: 100 * time.Millisecond})
	got := httptest.NewRecorder()
	h.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/body/harbor_news", http.NoBody))
	if got.Code != http.StatusServiceUnavailable {
		t.Errorf("a request that hangs = %d %s, want 503", got.Code, got.Body)
	}
}
