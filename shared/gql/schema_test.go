package gql

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/gql/gqltest"
)

// The answer to the schema query of tools.
type (
	said struct {
		Schema struct {
			Types []saidType
		} `json:"__schema"`
	}
	saidType struct {
		Kind, Name, Description string
		Fields                  []saidField
		EnumValues              []saidField
	}
	saidField struct {
		Name, Description string
		Args              []saidField
		Type              typeRef
	}
	typeRef struct {
		Kind, Name string
		OfType     *typeRef
	}
)

func (r typeRef) String() string {
	switch r.Kind {
	case "NON_NULL":
		return r.OfType.String() + "!"
	case "LIST":
		return "[" + r.OfType.String() + "]"
	}
	return r.Name
}

// own gives the types that the server tells of, without those that GraphQL itself has.
func own(t *testing.T) []saidType {
	t.Helper()
	var s said
	got := ask(t, New(Options{Service: &fake{}}), gqltest.SchemaQuery, nil)
	if err := json.Unmarshal(got.Data, &s); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(s.Schema.Types, func(ty saidType) bool {
		return strings.HasPrefix(ty.Name, "__") || ty.Kind == "SCALAR" && ty.Name != "Long"
	})
}

// write gives a type in the words of the schema's file.
func (ty saidType) write() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q\n", ty.Description)
	switch ty.Kind {
	case "SCALAR":
		fmt.Fprintf(&b, "scalar %s\n", ty.Name)
		return b.String()
	case "ENUM":
		fmt.Fprintf(&b, "enum %s {\n", ty.Name)
	default:
		fmt.Fprintf(&b, "type %s {\n", ty.Name)
	}
	for _, v := range ty.EnumValues {
		fmt.Fprintf(&b, "  %q\n  %s\n", v.Description, v.Name)
	}
	for _, f := range ty.Fields {
		var args []string
		for _, a := range f.Args {
			args = append(args, a.Name+": "+a.Type.String())
		}
		list := ""
		if args != nil {
			list = "(" + strings.Join(args, ", ") + ")"
		}
		fmt.Fprintf(&b, "  %q\n  %s%s: %s\n", f.Description, f.Name, list, f.Type)
	}
	b.WriteString("}\n")
	return b.String()
}

// TestSchemaFile: the file says what the server tells of itself, word by word.
func TestSchemaFile(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(file)), "\n\n")
	var got []string
	for _, ty := range own(t) {
		got = append(got, strings.TrimSpace(ty.write()))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schema (-file +server):\n%s", diff)
	}
}

// TestEverythingIsDocumented: each type, field and value has a sentence of its own.
func TestEverythingIsDocumented(t *testing.T) {
	t.Parallel()
	isSentence := func(s string) bool { return len(s) > 3 && strings.HasSuffix(s, ".") }
	types := own(t)
	if len(types) < 30 {
		t.Errorf("the server tells of %d types", len(types))
	}
	for _, ty := range types {
		if !isSentence(ty.Description) {
			t.Errorf("%s says %q of itself", ty.Name, ty.Description)
		}
		for _, f := range slices.Concat(ty.Fields, ty.EnumValues) {
			if !isSentence(f.Description) {
				t.Errorf("%s.%s says %q of itself", ty.Name, f.Name, f.Description)
			}
		}
	}
}
