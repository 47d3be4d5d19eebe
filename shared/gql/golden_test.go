package gql

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
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
			if _, errs := gqlparser.LoadQueryWithRules(parsedSchema, string(query), nil); errs != nil {
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
