package channels

import (
	"time"

	"channelapi/shared/cache"
)

const (
	// previewFresh and previewStale are the ages of landing pages: titles and pictures change seldom.
	previewFresh = 2 * time.Hour
	previewStale = 24 * time.Hour
	// feedStale and feedRenew are the ages of pages inside a feed, which shows many at once.
	feedStale = 5 * time.Minute
	feedRenew = time.Minute
	// mediaMax is the greatest age of a page whose media addresses are handed out: they expire within minutes to hours.
	mediaMax = 5 * time.Minute
)

// freshFor gives how long an answer of a kind is fresh.
func (s *Service) freshFor(k kind) time.Duration {
	if k == kindPreview {
		return previewFresh
	}
	return s.o.PageFresh
}

// policy gives how old an answer of a kind may be.
func (s *Service) policy(k kind) cache.Policy {
	switch k {
	case kindPreview:
		return cache.Policy{StaleMax: previewStale, KeepMax: previewStale}
	case kindRelated, kindFind: // fresh, or an old one because the index fails
		return cache.Policy{StaleMax: -1}
	default:
	}
	return cache.Policy{StaleMax: never(s.o.StaleMax)}
}

// feedPolicy is that of the pages that feeds are made of.
func feedPolicy() cache.Policy { return cache.Policy{StaleMax: feedStale, RenewAfter: feedRenew} }

// mediaPolicy is that of redirects to media: fresh enough, or not at all.
func (s *Service) mediaPolicy() cache.Policy {
	return cache.Policy{StaleMax: never(min(s.o.StaleMax, mediaMax)), KeepMax: mediaMax}
}

// never turns "stale for no time at all" into the cache's word for it: its own 0 stands for the default.
func never(staleMax time.Duration) time.Duration {
	if staleMax == 0 {
		return -1
	}
	return staleMax
}
