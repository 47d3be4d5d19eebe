package gql

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAskedAhead: the service is told beforehand what the resolvers then ask, in the same words.
func TestAskedAhead(t *testing.T) {
	t.Parallel()
	const query = `query($channel: String = "from_default", $at: Int, $dir: Direction! = AFTER, $names: [String!]!, $no: Boolean!) {
		body(channel: $channel) { channel { username } }
		around: body(channel: "abcd", position: $at) { meta { truncated } }
		...Rest
		left: preview(name: "out") @include(if: $no) { username }
	}
	fragment Rest on Query {
		more(channel: "abcd", direction: $dir, position: 7) { posts { id } }
		search(channel: "abcd", query: "salt", before: 9) @skip(if: $no) { posts { id } }
		post(channel: "abcd", id: 3) { id }
		preview(name: "abcd") { username }
		... on Query { previews(names: $names) { name } }
		feed(channels: $names, limit: 3) { result { id } }
		paged: feed(channels: $names) { ...Cursor }
	}
	fragment Cursor on Feed { meta { cursor } }`
	f := &fake{ahead: &fake{}}
	got := ask(t, New(Options{Service: f}), query, map[string]any{"at": 42, "names": []string{"abcd", "efgh"}, "no": false})
	if got.status != http.StatusOK || got.Errors != nil {
		t.Fatalf("%d %s", got.status, got.body)
	}
	want := []string{
		"body abcd", "body from_default", "feed [abcd efgh] false false", "feed [abcd efgh] true true", "more abcd after 7",
		"post abcd 3", "preview abcd", "previews [abcd efgh]", "search abcd salt true",
	}
	for who, calls := range map[string][]string{"ahead": f.ahead.calls, "by the resolvers": f.calls} {
		slices.Sort(calls)
		if diff := cmp.Diff(want, calls); diff != "" {
			t.Errorf("asked %s (-want +got):\n%s", who, diff)
		}
	}
}
