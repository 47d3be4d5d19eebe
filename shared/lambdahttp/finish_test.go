package lambdahttp_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
)

var long = strings.Repeat(`{"text":"a <b> & ж"}`, 100)

func TestNegotiation(t *testing.T) {
	t.Parallel()
	short := strings.Repeat("a", 1023)
	tests := []struct {
		accept, body, want string
	}{
		{"", long, ""},
		{"identity", long, ""},
		{"gzip", long, "gzip"},
		{"x-gzip", long, "gzip"},
		{"GZIP", long, "gzip"},
		{"zstd", long, "zstd"},
		{"gzip, deflate, br, zstd", long, "zstd"},
		{"gzip, deflate, br, zstd", short, ""},
		{"gzip", strings.Repeat("a", 1024), "gzip"},
		{"zstd;q=0.5, gzip;q=0.8", long, "gzip"},
		{"zstd; q=0.8, gzip ;q=0.8", long, "zstd"},
		{"zstd;q=0, gzip", long, "gzip"},
		{"zstd;q=0,gzip;q=0", long, ""},
		{"zstd;q=0.001", long, "zstd"},
		{"*", long, "zstd"},
		{"*;q=0", long, ""},
		{"*;q=0, gzip", long, "gzip"},
		{"zstd;q=0, *", long, "gzip"},
		{"br, deflate", long, ""},
		{"gzip;q=0.5, identity", long, ""},
		{"gzip;q=0.5, identity;q=0.4", long, "gzip"},
		{"gzip, identity;q=1.0", long, "gzip"},
		{"identity;q=0", long, ""},
		{"identity;q=0, gzip", short, "gzip"},
		{"identity;q=0, *;q=0.1", short, "zstd"},
		{"gzip;q=2, zstd;q=nan, br", long, ""},
		{"gzip;x=1", long, "gzip"},
		{",,;q=1,", long, ""},
	}
	for _, tt := range tests {
		t.Run(tt.accept, func(t *testing.T) {
			t.Parallel()
			handler := func(*http.Request) lambdahttp.Response { return text(tt.body) }
			a := ask(t, handler, get("/x").header("accept-encoding", tt.accept).bytes(t))
			if got := a.Header.Get("Content-Encoding"); got != tt.want {
				t.Fatalf("Content-Encoding = %q, want %q", got, tt.want)
			}
			if a.Base64 != (tt.want != "") {
				t.Errorf("base64 = %t for %q", a.Base64, tt.want)
			}
			if got := a.Header.Get("Vary"); got != "Accept-Encoding" {
				t.Errorf("Vary = %q", got)
			}
			plain, err := a.Plain()
			if err != nil || string(plain) != tt.body {
				t.Errorf("body differs, error %v", err)
			}
			head := ask(t, handler, get("/x").method("HEAD").header("accept-encoding", tt.accept).bytes(t))
			if len(head.Body) != 0 || head.Header.Get("Content-Encoding") != tt.want || head.Status != 200 {
				t.Errorf("HEAD = %d %v with %d bytes, want GET's header alone", head.Status, head.Header, len(head.Body))
			}
		})
	}
}

// ready is a body that is compressed already, and counts what is asked of it.
type ready struct {
	plain, zstd, gzip []byte
	asked             []string
}

func (r *ready) Len() int { return len(r.plain) }

func (r *ready) Identity() ([]byte, error) {
	r.asked = append(r.asked, "identity")
	return r.plain, nil
}
func (r *ready) Zstd() ([]byte, error) { r.asked = append(r.asked, "zstd"); return r.zstd, nil }
func (r *ready) Gzip() ([]byte, error) { r.asked = append(r.asked, "gzip"); return r.gzip, nil }

func TestReadyFramesAreSentUnchanged(t *testing.T) {
	t.Parallel()
	zw, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatalf("NewWriter: %v", err)
	}
	frame := zw.EncodeAll([]byte(long), nil)
	tests := []struct {
		accept string
		body   *ready
		want   []byte
		asked  []string
	}{
		{"zstd", &ready{plain: []byte(long), zstd: frame}, frame, []string{"zstd"}},
		{"gzip", &ready{plain: []byte(long), gzip: []byte("\x1f\x8b twin")}, []byte("\x1f\x8b twin"), []string{"gzip"}},
		{"", &ready{plain: []byte(long), zstd: frame}, []byte(long), []string{"identity"}},
		{"gzip", &ready{plain: []byte(long), zstd: frame}, nil, []string{"gzip", "identity"}},
	}
	for _, tt := range tests {
		a := ask(t, func(*http.Request) lambdahttp.Response { return lambdahttp.Response{Body: tt.body} },
			get("/x").header("accept-encoding", tt.accept).bytes(t))
		if tt.want != nil && !bytes.Equal(a.Body, tt.want) {
			t.Errorf("accept %q: body is not the frame", tt.accept)
		}
		if diff := cmp.Diff(tt.asked, tt.body.asked); diff != "" {
			t.Errorf("accept %q: asked (-want +got):\n%s", tt.accept, diff)
		}
	}
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	now := time.Unix(6*3600*35, 0)
	e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
		resp := text(long)
		resp.ETag, resp.Perishable = 0xabc, r.URL.Path == "/perishable"
		resp.CacheControl, resp.Header = "public, max-age=10", http.Header{"Age": {"3"}}
		if r.URL.Path == "/error" {
			resp.Status = http.StatusBadGateway
		}
		return resp
	}), lambdahttp.Options{Log: quiet(), Now: func() time.Time { return now }})
	const plain, perishable = `W/"0000000000000abc"`, `W/"0000000000000abc-z"`
	tests := []struct {
		method, path, match string
		status              int
		etag                string
	}{
		{"GET", "/", "", 200, plain},
		{"GET", "/", plain, 304, plain},
		{"HEAD", "/", plain, 304, plain},
		{"POST", "/", plain, 200, plain},
		{"GET", "/", `"0000000000000abc"`, 304, plain},
		{"GET", "/", `"x", W/"y",` + plain, 304, plain},
		{"GET", "/", `"x, ` + plain + `"`, 200, plain},
		{"GET", "/", "*", 304, plain},
		{"GET", "/", `"0000000000000abd"`, 200, plain},
		{"GET", "/", `0000000000000abc`, 200, plain},
		{"GET", "/", `W/`, 200, plain},
		{"GET", "/", `"open`, 200, plain},
		{"GET", "/", ` , ,` + plain, 304, plain},
		{"GET", "/perishable", perishable, 304, perishable},
		{"GET", "/perishable", plain, 200, perishable},
		{"GET", "/error", "*", 502, ""},
	}
	for _, tt := range tests {
		for _, coding := range []string{"", "gzip", "zstd"} {
			a := askEdge(t, e, get(tt.path).method(tt.method).header("if-none-match", tt.match).
				header("accept-encoding", coding).bytes(t))
			if a.Status != tt.status || a.Header.Get("Etag") != tt.etag {
				t.Errorf("%s %s %s: %d %s, want %d %s", tt.method, tt.path, tt.match, a.Status, a.Header.Get("Etag"), tt.status, tt.etag)
			}
			if tt.status != http.StatusNotModified {
				continue
			}
			if len(a.Body) != 0 || a.Header.Get("Content-Type") != "" || a.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s %s: a 304 with content: %v", tt.method, tt.match, a.Header)
			}
			for _, k := range []string{"Cache-Control", "Vary", "Age"} {
				if a.Header.Get(k) == "" {
					t.Errorf("%s %s: a 304 without %s", tt.method, tt.match, k)
				}
			}
		}
	}
}

func TestPerishableValidatorChangesEverySixHours(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_740_823_200, 0)
	e := lambdahttp.New(lambdahttp.HandlerFunc(func(*http.Request) lambdahttp.Response {
		resp := text("x")
		resp.ETag, resp.Perishable = 1, true
		return resp
	}), lambdahttp.Options{Log: quiet(), Now: func() time.Time { return now }})
	tags := make(map[string]int)
	for range 24 { // every half hour of half a day
		tags[askEdge(t, e, get("/x").bytes(t)).Header.Get("Etag")]++
		now = now.Add(30 * time.Minute)
	}
	if len(tags) != 3 {
		t.Errorf("%d validators in 12 hours, want 3 blocks touched: %v", len(tags), tags)
	}
}

func TestBinaryBodies(t *testing.T) {
	t.Parallel()
	var a gateway.Answer
	png := []byte("\x89PNG\r\n\x1a\n\x00\xff")
	a = ask(t, func(*http.Request) lambdahttp.Response {
		return lambdahttp.Response{ContentType: "image/png", Body: lambdahttp.Bytes(png)}
	}, get("/x").bytes(t))
	if !a.Base64 || !bytes.Equal(a.Body, png) {
		t.Errorf("body = %q, base64 %t", a.Body, a.Base64)
	}
	a = ask(t, func(*http.Request) lambdahttp.Response { return lambdahttp.Response{Status: http.StatusNoContent} }, get("/x").bytes(t))
	if a.Base64 || len(a.Body) != 0 || a.Status != 204 || a.Header.Get("Content-Type") != "" {
		t.Errorf("no content = %d %v %q", a.Status, a.Header, a.Body)
	}
}

// Feed documents are cut by their length with two bytes for each of these; a tab in six would let them grow past Lambda's limit.
func TestShortEscapes(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("\t\r\n\"\\", 600_000)
	a := ask(t, func(*http.Request) lambdahttp.Response { return text(body) }, get("/x").bytes(t))
	if a.Status != http.StatusOK || string(a.Body) != body {
		t.Errorf("answer = %d of %d bytes, want the %d that were written", a.Status, len(a.Body), len(body))
	}
}
