package channels_test

import (
	"testing"
	"time"

	"channelapi/shared/channels"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestHowLongAFeedIsKept: a name that nobody has does not shorten it, since it will be missing from the next feed too; a
// channel that failed does.
func TestHowLongAFeedIsKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault tmetest.Fault
		names []string
		kept  bool // after 5 s
	}{
		"whole":          {nil, []string{"alpha_news"}, true},
		"with no such":   {nil, []string{"alpha_news", "nobody_here"}, true},
		"with a failure": {tmetest.Status(500), []string{"alpha_news", "beta_news"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := alpha()
			site.Channels = append(site.Channels, tmetest.Generate("beta_news", 5, 2))
			s, upstream, clock := newService(t, site)
			if c.fault != nil {
				upstream.Fail("beta_news", c.fault, 0)
			}
			var asked []telegram.Username
			for _, n := range c.names {
				asked = append(asked, username(t, n))
			}
			first, err := s.Feed(t.Context(), channels.FeedRequest{Names: asked})
			if err != nil {
				t.Fatalf("first feed: %v", err)
			}
			clock.pass(5 * time.Second)
			second, err := s.Feed(t.Context(), channels.FeedRequest{Names: asked})
			if kept := second.FetchedAt.Equal(first.FetchedAt); err != nil || kept != c.kept {
				t.Errorf("after 5 s: kept %t, %v, want %t", kept, err, c.kept)
			}
		})
	}
}
