package lambdahttp_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
)

// seeds gives the event files and the collected event cases.
func seeds(f *testing.F) [][]byte {
	f.Helper()
	var all [][]byte
	for _, pattern := range []string{"events/*.json", "cases/apigw-*/input.json", "cases/xff-spoof/input.json"} {
		files, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds by %s: %v", pattern, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatalf("read seed: %v", err)
			}
			all = append(all, split(b)...)
		}
	}
	return all
}

// split takes apart a case that holds several events.
func split(b []byte) (all [][]byte) {
	var list []json.RawMessage
	var named map[string]json.RawMessage
	if json.Unmarshal(b, &list) == nil {
		for _, e := range list {
			all = append(all, e)
		}
		return all
	}
	if json.Unmarshal(b, &named) == nil && named["plain"] == nil && named["requestContext"] != nil {
		return [][]byte{b}
	}
	for _, e := range named {
		all = append(all, e)
	}
	return all
}

// FuzzEvent holds that whatever arrives is answered by a valid response, that the handler sees only what it is promised,
// and that the answer is the same in every encoding.
func FuzzEvent(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	long := strings.Repeat("much text ", 200)
	f.Fuzz(func(t *testing.T, payload []byte) {
		var path string
		e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
			path = r.URL.Path
			body, err := io.ReadAll(r.Body)
			if err != nil || len(body) > lambdahttp.MaxBody || !utf8.Valid(body) {
				t.Errorf("body of %d bytes, valid %t, error %v", len(body), utf8.Valid(body), err)
			}
			if !strings.HasPrefix(path, "/") || !utf8.ValidString(path) || r.Method == "" || r.Host == "" {
				t.Errorf("request %q %q of %q", r.Method, path, r.Host)
			}
			return lambdahttp.Response{
				ContentType: "text/plain", Body: lambdahttp.Bytes(path + long), ETag: 1,
				Header: http.Header{"X-Base": {lambdahttp.BaseURL(r)}},
			}
		}), lambdahttp.Options{Log: quiet(), Now: func() time.Time { return time.Unix(0, 0) }})
		out, err := e.Invoke(t.Context(), payload)
		if err != nil {
			t.Fatalf("Invoke: %v", err)
		}
		if !utf8.Valid(out) {
			t.Fatalf("response is not UTF-8: %q", out)
		}
		a, err := gateway.Decode(out)
		if err != nil {
			t.Fatalf("Decode(%s): %v", out, err)
		}
		if a.Header.Get("X-Request-Id") == "" {
			t.Errorf("no request id: %v", a.Header)
		}
		for k, values := range a.Header {
			if strings.ContainsAny(k+strings.Join(values, ""), "\r\n\x00") {
				t.Errorf("header %q: %q", k, values)
			}
		}
		plain, err := a.Plain()
		if err != nil {
			t.Fatalf("Plain: %v", err)
		}
		if a.Status == http.StatusOK && len(plain) > 0 && !bytes.Equal(plain, []byte(path+long)) {
			t.Errorf("body = %.80q, want that of %q", plain, path)
		}
	})
}
