package api_test

import (
	"net/http"
	"testing"
)

// FuzzRequest holds that no path, query or payload gets further than a parser or a refusal.
func FuzzRequest(f *testing.F) {
	for _, s := range [][3]string{
		{"/v1/body/https://t.me/s/name?before=1", "position=5", ""},
		{"/v1/more/@name/before/5", "", ""},
		{"/v1/media/t.me/name/5/5/0", "thumb=1", ""},
		{"/v1/search/name", "q=%D0%B6&before=7", ""},
		{"/v1/feed", "channels=a_name,b_name&has=photo&q=x", `{"channels":["name"],"limit":5,"has":"photo"}`},
		{"/v1/previews", "", "\uFEFF{\"channels\":[\"name\",7,null]}"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	edge := newEdge(contract())
	f.Fuzz(func(t *testing.T, path, query, body string) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			ev := newEvent(method, path).with("rawQueryString", query).with("body", body)
			switch a := invoke(t, edge, ev.bytes(t)); a.Status {
			case 200, 400, 404, 405, 422:
			default:
				t.Errorf("%s %q?%q %q = %d %s", method, path, query, body, a.Status, a.Body)
			}
		}
	})
}
