package scrape

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSource(t *testing.T) {
	t.Parallel()
	const user = `<div class="tgme_widget_message_user">`
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"no noise", "<p>a</p>", "<p>a</p>"},
		{"drawings", "a<svg x><g></g></svg>b<svg></svg>c", "abc"},
		{"all kinds", "a<style>x</style>b" + user + "<a></a></div>c<svg></svg>", "abc"},
		{"noise at both ends", "<svg></svg>a<svg></svg>", "a"},
		{"one inside another", user + "<svg></svg></div>a", "a"},
		{"no end", "a<svg>b", "a<svg>b"},
		{"no end for one, another behind", "a<svg>b<style></style>c", "a<svg>bc"},
		{"holds a post", "<svg><div data-post></div></svg><svg></svg>", "<svg><div data-post></div></svg><svg></svg>"},
	} {
		got, err := io.ReadAll(iotest.OneByteReader(newSource([]byte(tt.in))))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// A hostile page must not make the search for ends quadratic: with it this would take minutes.
func TestSourceOfOpenDrawings(t *testing.T) {
	t.Parallel()
	in := bytes.Repeat([]byte("<svg "), 1<<20)
	got, err := io.ReadAll(newSource(in))
	if err != nil || !bytes.Equal(got, in) {
		t.Errorf("%d bytes, %v, want all %d", len(got), err, len(in))
	}
}

func TestFlatten(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<b>", 700) + "core" + strings.Repeat("</b>", 700)
	page := "<div><br><img src=x>" + deep + "</div><p>next</p>"
	flat, err := flatten([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	kept := flatDepth - 1 // the <div> is open too
	want := "<div><br><img src=x>" + strings.Repeat("<b>", kept) + "core" + strings.Repeat("</b>", kept) + "</div><p>next</p>"
	if string(flat) != want {
		t.Errorf("flatten = %q, want %q", flat, want)
	}
	// Elements that are never closed end where the element around them does.
	flat, err = flatten([]byte("<div>" + strings.Repeat("<b>", 700) + "core</div><p>next</p>"))
	if err != nil || !strings.HasSuffix(string(flat), "core</div><p>next</p>") {
		t.Errorf("flatten of unclosed elements = …%q, %v", flat[max(0, len(flat)-40):], err)
	}
	if _, err := flatten(bytes.Repeat([]byte("<b>"), maxTracked+1)); !errors.Is(err, errTooDeep) {
		t.Errorf("flatten of endless nesting: %v, want errTooDeep", err)
	}
}

func TestIsDocument(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]bool{
		"<!DOCTYPE html>\n<html>":              true,
		"\n<!-- saved -->\n<HTML lang=en>":     true,
		`<div class="tgme_widget_message_wrap`: false,
		"":                                     false,
	} {
		if got := isDocument([]byte(page)); got != want {
			t.Errorf("isDocument(%q) = %v, want %v", page, got, want)
		}
	}
}
