package channels_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/channels"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
	"channelapi/shared/tme"
	"channelapi/shared/tmetest"
)

// slowPages takes its time for pages, and notes how long the embed page was given.
type slowPages struct {
	channels.Upstream
	clock *clock
	took  time.Duration
	given time.Duration
}

func (s *slowPages) Channel(ctx context.Context, name telegram.Username, pos int) (tme.Page, error) {
	s.clock.pass(s.took)
	return s.Upstream.Channel(ctx, name, pos)
}

func (s *slowPages) Embed(ctx context.Context, _ telegram.Username, _ int) (tme.Page, error) {
	end, _ := ctx.Deadline()
	s.given = time.Until(end)
	return tme.Page{}, telegram.ErrNotFound
}

// TestPostIsOneLoad: the page and the embed page together have the time of one load.
func TestPostIsOneLoad(t *testing.T) {
	t.Parallel()
	for took, want := range map[time.Duration]time.Duration{
		0: 5 * time.Second, 4 * time.Second: time.Second, 6 * time.Second: 500 * time.Millisecond,
	} {
		c := &clock{now: time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)}
		client, err := tme.New(tme.Options{Transport: tmetest.Transport(tmetest.NewHandler(alpha())), Now: c.Now})
		if err != nil {
			t.Fatal(err)
		}
		codec, err := pack.NewCodec()
		if err != nil {
			t.Fatal(err)
		}
		pages := cache.New(cache.Options{Now: c.Now})
		up := &slowPages{Upstream: client, clock: c, took: took}
		s := channels.New(channels.Parts{Upstream: up, Cache: pages, Feeds: pages, Codec: codec}, channels.Options{
			PageFresh: 10 * time.Second, StaleMax: 90 * time.Second, LoadTimeout: 5 * time.Second, Now: c.Now,
		})
		if _, err := s.Post(t.Context(), username(t, "alpha_news"), 9999); !errors.Is(err, telegram.ErrNotFound) {
			t.Errorf("post that is nowhere: %v, want not found", err)
		}
		if up.given > want || up.given < want-400*time.Millisecond {
			t.Errorf("after %v for the page the embed page was given %v, want %v", took, up.given, want)
		}
		pages.Close()
	}
}
