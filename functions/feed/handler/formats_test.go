package handler_test

import (
	"bytes"
	"testing"

	"github.com/mmcdole/gofeed"

	"channelapi/shared/lambdahttp/gateway"
)

// parse reads a document of any format.
func parse(t testing.TB, a gateway.Answer) *gofeed.Feed {
	t.Helper()
	body, err := a.Plain()
	if err != nil {
		t.Fatal(err)
	}
	f, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil || a.Status != 200 {
		t.Fatalf("%d: %v: %.300s", a.Status, err, body)
	}
	return f
}

// links gives the ids of a document's items.
func links(t testing.TB, a gateway.Answer) []string {
	t.Helper()
	f := parse(t, a)
	list := make([]string, len(f.Items))
	for i, it := range f.Items {
		list[i] = it.GUID
	}
	return list
}
