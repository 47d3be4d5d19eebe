package channels

import (
	"testing"
	"time"
)

// TestPolicyOfNoStaleness: the cache takes 0 for its default, and a STALE_MAX of 0 means never.
func TestPolicyOfNoStaleness(t *testing.T) {
	t.Parallel()
	for staleMax, want := range map[time.Duration][2]time.Duration{
		0: {-1, -1}, 2 * time.Second: {2 * time.Second, 2 * time.Second}, time.Hour: {time.Hour, mediaMax},
	} {
		s := Service{o: Options{StaleMax: staleMax}}
		if page, media := s.policy(kindBody).StaleMax, s.mediaPolicy().StaleMax; page != want[0] || media != want[1] {
			t.Errorf("STALE_MAX %v gives pages %v and media %v, want %v", staleMax, page, media, want)
		}
	}
}
