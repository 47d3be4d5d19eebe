package gql

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"

	"channelapi/shared/telegram"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

// Each query of testdata parses, keeps to the schema, and is answered as its golden says.
func TestGolden(t *testing.T) {
	t.Parallel()
	queries, err := filepath.Glob("testdata/queries/*.graphql")
	if err != nil || len(queries) == 0 {
		t.Fatalf("no queries: %v", err)
	}
	answers, err := filepath.Glob("testdata/queries/*.json")
	if err != nil || len(answers) != len(queries) && !*update {
		t.Errorf("%d answers to %d queries: %v", len(answers), len(queries), err)
	}
	for _, file := range queries {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".graphql"), func(t *testing.T) {
			t.Parallel()
			query, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, errs := gqlparser.LoadQueryWithRules(loadSchema(), string(query), nil); errs != nil {
				t.Fatalf("parse: %v", errs)
			}
			got := ask(t, New(Options{Service: &fake{}}), string(query), map[string]any{"channel": "quiet_garden"})
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, []byte(got.body), "", "  "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
			golden := strings.TrimSuffix(file, "graphql") + "json"
			if *update {
				if err := os.WriteFile(golden, pretty.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

// A page of twenty posts with every field of the schema.
func BenchmarkFullBody(b *testing.B) {
	page := telegram.ChannelBody{Channel: sampleChannel("quiet_garden")}
	for id := range 20 {
		page.Content.Posts = append(page.Content.Posts, samplePost(id+1))
	}
	s := New(Options{Service: onePage{&fake{}, page}})
	query := `{ body(channel: "quiet_garden") { ` + everything("ChannelBody") + "} }"
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
		if a := s.Answer(r); a.Status != http.StatusOK || a.NoStore {
			b.Fatalf("%d %s", a.Status, a.Body)
		}
	}
}

// onePage is a service with one page in it.
type onePage struct {
	*fake
	page telegram.ChannelBody
}

func (o onePage) Body(context.Context, string, *int) (Text, error) { return bodyText(o.page) }

func (o onePage) ReadTogether(context.Context, func(Service)) Service { return o }
