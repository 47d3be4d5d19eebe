package scrape

import (
	"math"
	"testing"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"0": 0, "1": 1, "999": 999, "1.05K": 1050, "1.11K": 1110, "436.6K": 436600, "208K": 208000, "9.99M": 9990000,
		"11.3M": 11300000, "12.5M": 12500000, "1.48M": 1480000, "2B": 2000000000, "6 400 358": 6400358,
		"11\u00a0286\u00a0994": 11286994, "1,234": 1234, "6 400 358 subscribers": 6400358, "16%": 16, " 57 ": 57,
	} {
		if got, ok := count(in); !ok || got != want {
			t.Errorf("count(%q) = %d, %v, want %d", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "K", "views", ".5", "-1", "99999999999999999999", "1234567890123456"} {
		if got, ok := count(in); ok {
			t.Errorf("count(%q) = %d, want none", in, got)
		}
	}
}

func TestDecimalTimes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		d    decimal
		unit uint64
		want int64
		ok   bool
	}{
		{decimal{15, 1}, 1, 2, true}, // half up
		{decimal{14, 1}, 1, 1, true},
		{decimal{999999999999999, 0}, 1e3, 999999999999999000, true},
		{decimal{999999999999999, 0}, 1e9, 0, false},
		{decimal{123456789012345, 14}, 1e9, 1234567890, true},
	} {
		if got, ok := tt.d.times(tt.unit); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%+v.times(%d) = %d, %v, want %d, %v", tt.d, tt.unit, got, ok, tt.want, tt.ok)
		}
	}
	if _, ok := (decimal{math.MaxInt64, 0}).times(2); ok {
		t.Error("an overflow was given as a number")
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"12 B": 12, "1 KB": 1024, "2.1 MB": 2202010, "1.5 GB": 1610612736, "700.4 KB": 717210,
	} {
		if got, ok := size(in); !ok || got != want {
			t.Errorf("size(%q) = %d, %v, want %d", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "MB", "2.1", "2.1 XB", "The Buoys", "3 Doors Down"} {
		if got, ok := size(in); ok {
			t.Errorf("size(%q) = %d, want none", in, got)
		}
	}
}

func TestSeconds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"0:00": 0, "0:27": 27, "1:30": 90, "27:40": 1660, "1:02:05": 3725, "100:00:00": 360000} {
		if got, ok := seconds(in); !ok || got != want {
			t.Errorf("seconds(%q) = %d, %v, want %d", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "27", "1:2:3:4", "0:60", "-1:00", "a:b", "9999999999:00"} {
		if got, ok := seconds(in); ok {
			t.Errorf("seconds(%q) = %d, want none", in, got)
		}
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2026-06-09T19:33:51+00:00": "2026-06-09T19:33:51+00:00",
		"2024-03-01T02:30:00+03:00": "2024-02-29T23:30:00+00:00",
		"2026-06-09T19:33:51Z":      "2026-06-09T19:33:51+00:00",
	} {
		if got := date(in); got == nil || got.String != want {
			t.Errorf("date(%q) = %+v, want %s", in, got, want)
		}
	}
	for _, in := range []string{"", "yesterday", "2026-06-09", "2026-06-09T19:33:51", "2026-13-09T19:33:51+00:00", "9999-12-31T23:59:59-07:00"} {
		if got := date(in); got != nil {
			t.Errorf("date(%q) = %+v, want none", in, got)
		}
	}
}
