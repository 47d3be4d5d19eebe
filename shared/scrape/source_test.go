package scrape

import (
	"bytes"
	"io"
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
