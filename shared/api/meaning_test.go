package api_test

import (
	"errors"
	"testing"
	"time"

	"channelapi/shared/api"
	"channelapi/shared/telegram"
)

func TestParseSince(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]time.Time{
		"2026-02-03":                  time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC),
		" 2026-02-03 ":                time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC),
		"2026-02-03T04:05:06Z":        time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		"2026-02-03T04:05:06.5+02:00": time.Date(2026, 2, 3, 2, 5, 6, 500_000_000, time.UTC),
		"0001-01-01":                  {},
	} {
		if got, err := api.ParseSince(given); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("ParseSince(%q) = %v, %v, want %v", given, got, err, want)
		}
	}
	for _, given := range []string{"", "yesterday", "2026-02-30", "2026-2-3", "1738555506", "2026-02-03 04:05:06", "2026-02-03T04:05"} {
		if got, err := api.ParseSince(given); !errors.Is(err, telegram.ErrInvalid) {
			t.Errorf("ParseSince(%q) = %v, %v, want ErrInvalid", given, got, err)
		}
	}
}
