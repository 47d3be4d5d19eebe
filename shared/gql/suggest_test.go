package gql

import (
	"net/http"
	"strings"
	"testing"
)

// TestNoSuggestions: a wrong name is told to be wrong; the right ones of the schema stay untold, whether or not
// introspection is on.
func TestNoSuggestions(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		query     string
		variables map[string]any
		secret    string
	}{
		"field":             {`{ preview(name: "abcd") { usernam } }`, nil, "username"},
		"root field":        {`{ previe(name: "abcd") { username } }`, nil, "preview"},
		"argument":          {`{ preview(nam: "abcd") { username } }`, nil, ""},
		"optional argument": {`{ body(channel: "abcd", positio: 1) { meta { truncated } } }`, nil, "position"},
		"argument of posts": {`{ body(channel: "abcd") { content { posts(firs: 1) { id } } } }`, nil, "first"},
		"type":              {`{ ... on Quer { preview(name: "abcd") { username } } }`, nil, "Query"},
		"fragment's type":   {`{ ...F } fragment F on Chanel { username }`, nil, "Channel"},
		"variable's type":   {`query($n: Strin!) { preview(name: $n) { username } }`, map[string]any{"n": "abcd"}, ""},
		"enum":              {`{ more(channel: "abcd", direction: BEFOR, position: 1) { posts { id } } }`, nil, "BEFORE"},
		"enum as a string":  {`{ more(channel: "abcd", direction: "BEFORE1", position: 1) { posts { id } } }`, nil, "AFTER"},
		"enum by variable":  {`query($d: Direction!) { more(channel: "abcd", direction: $d, position: 1) { posts { id } } }`, map[string]any{"d": "AFTE"}, "AFTER"},
		"scalar with kids":  {`{ preview(name: "abcd") { username { string } } }`, nil, "Did you mean"},
		"no kids":           {`{ preview(name: "abcd") }`, nil, "{ ... }"},
		"directive":         {`{ preview(name: "abcd") @skp(if: true) { username } }`, nil, "skip"},
		"fragment":          {`{ ...Fo } fragment Foo on Query { __typename }`, nil, "Did you mean"},
	} {
		for _, off := range []bool{false, true} {
			f := &fake{}
			got := ask(t, New(Options{Service: f, NoIntrospection: off}), tt.query, tt.variables)
			if got.status != http.StatusBadRequest || len(got.Errors) == 0 || f.count() != 0 {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
			for _, e := range got.Errors {
				if strings.Contains(e.Message, "Did you mean") || strings.Contains(e.Message, "did you mean") {
					t.Errorf("%s suggests: %s", name, e.Message)
				}
				if tt.secret != "" && containsWord(e.Message, tt.secret) && !containsWord(tt.query, tt.secret) {
					t.Errorf("%s tells %s: %s", name, tt.secret, e.Message)
				}
			}
		}
	}
}

// containsWord looks for a whole word, in any case.
func containsWord(s, word string) bool {
	if strings.ContainsAny(word, " {") {
		return strings.Contains(s, word)
	}
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", r)
	}) {
		if w == word {
			return true
		}
	}
	return false
}
