package meaning_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/meaning"
)

func TestKey(t *testing.T) {
	t.Parallel()
	if got := meaning.Key("Harbor_News", 12); got != "harbor_news/12" {
		t.Errorf("Key = %q", got)
	}
	channel, id, ok := meaning.ParseKey("harbor_news/12")
	if channel != "harbor_news" || id != 12 || !ok {
		t.Errorf("ParseKey = %q, %d, %t", channel, id, ok)
	}
	for _, bad := range []string{"", "/", "a", "a/", "/1", "a/b", "a/-1", "a/0", "a/01", "A/1", "a/1/2", "a/99999999999999999999"} {
		if _, _, ok := meaning.ParseKey(bad); ok {
			t.Errorf("ParseKey(%q) takes it", bad)
		}
	}
}

// TestWeeks: years of 52 and 53 weeks, and days that belong to another year's week.
func TestWeeks(t *testing.T) {
	t.Parallel()
	for day, want := range map[string][]string{
		"2026-09-20": {"2026-W38", "2026-W37", "2026-W36", "2026-W35"},
		"2026-01-01": {"2026-W01", "2025-W52", "2025-W51", "2025-W50"},
		"2021-01-03": {"2020-W53", "2020-W52", "2020-W51", "2020-W50"},
		"2024-12-30": {"2025-W01", "2024-W52", "2024-W51", "2024-W50"},
	} {
		now, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, meaning.KeptWeeks(now)); diff != "" {
			t.Errorf("weeks on %s (-want +got):\n%s", day, diff)
		}
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	// Half an hour into a Monday by UTC, a day after the clocks were set back.
	got := meaning.KeptWeeks(time.Date(2026, 10, 26, 0, 30, 0, 0, time.UTC).In(berlin))
	if diff := cmp.Diff([]string{"2026-W44", "2026-W43", "2026-W42", "2026-W41"}, got); diff != "" {
		t.Errorf("weeks by a local clock (-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{
		"2026-W38": true, "2026-W01": true, "2020-W53": true, "2026-W00": false, "2026-W54": false, "2026-W3": false, "2026-w38": false,
		"": false, "products": false, "2026-W3x": false, "+026-W38": false,
	} {
		if got := meaning.IsWeek(name); got != want {
			t.Errorf("IsWeek(%q) = %t, want %t", name, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " short\n", strings.Repeat("я", meaning.MaxText), strings.Repeat("x ", meaning.MaxText), strings.Repeat("語", meaning.MaxText)} {
		got := meaning.Clip(text)
		if len(got) > meaning.MaxText || !utf8.ValidString(got) || got != strings.TrimSpace(got) || !strings.HasPrefix(strings.TrimSpace(text), got) {
			t.Errorf("Clip of %d bytes gives %d: %.20q", len(text), len(got), got)
		}
		if len(text) > meaning.MaxText && len(got) < meaning.MaxText-4 {
			t.Errorf("Clip of %d bytes gives only %d", len(text), len(got))
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	a := []meaning.Hit{{Channel: "a", ID: 1, Score: 0.9}, {Channel: "b", ID: 1, Score: 0.5, Unix: 10}}
	b := []meaning.Hit{{Channel: "a", ID: 1, Score: 0.95}, {Channel: "c", ID: 2, Score: 0.5, Unix: 20}, {Channel: "d", ID: 1, Score: 0.1}}
	want := []meaning.Hit{{Channel: "a", ID: 1, Score: 0.95}, {Channel: "c", ID: 2, Score: 0.5, Unix: 20}, {Channel: "b", ID: 1, Score: 0.5, Unix: 10}}
	if diff := cmp.Diff(want, meaning.Merge(3, a, nil, b)); diff != "" {
		t.Errorf("Merge (-want +got):\n%s", diff)
	}
	if got := meaning.Merge(3); len(got) != 0 {
		t.Errorf("Merge of nothing = %v", got)
	}
}
