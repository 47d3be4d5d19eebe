package lambdahttp

import (
	"bytes"
	"net/http"
)

// FromHTTP runs a plain http.Handler and gives what it wrote, so that it is negotiated, logged and sent like any other
// answer. Streaming and hijacking are not there.
func FromHTTP(h http.Handler, r *http.Request) Response {
	rec := &recorder{header: make(http.Header)}
	h.ServeHTTP(rec, r)
	resp := Response{
		Status:       rec.status,
		ContentType:  rec.header.Get("Content-Type"),
		CacheControl: rec.header.Get("Cache-Control"),
		Header:       rec.header,
	}
	for _, k := range []string{"Content-Type", "Cache-Control", "Content-Length"} {
		rec.header.Del(k)
	}
	if rec.body.Len() > 0 {
		resp.Body = Bytes(rec.body.Bytes())
	}
	return resp
}

// recorder is a ResponseWriter that keeps everything.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	if r.header.Get("Content-Type") == "" {
		r.header.Set("Content-Type", http.DetectContentType(b))
	}
	return r.body.Write(b)
}
