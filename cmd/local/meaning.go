package main

import (
	"context"
	"fmt"
	"path/filepath"

	"channelapi/shared/channels"
	"channelapi/shared/telegram"
)

// primePages is how many pages of each recorded channel go into the index at start, the newest included.
const primePages = 5

// prime fills the embedded index, where there is one, with the posts of the recorded channels, which no tick would do
// before they are asked for.
func (s *server) prime(ctx context.Context) error {
	if s.index == nil || s.upstream.why == "" {
		return nil
	}
	latest, err := filepath.Glob(filepath.Join(s.root, "testdata", "pages", "*", "latest.html"))
	if err != nil {
		return fmt.Errorf("list recorded channels: %w", err)
	}
	for _, page := range latest {
		name, err := telegram.ParseUsername("channel", filepath.Base(filepath.Dir(page)))
		if err != nil {
			continue // no channel's folder
		}
		if err := s.primeChannel(ctx, name); err != nil {
			return fmt.Errorf("index recorded posts of %s: %w", name, err)
		}
	}
	return nil
}

func (s *server) primeChannel(ctx context.Context, name telegram.Username) error {
	service := s.app.Service.Uncounted()
	body, _, err := channels.Value[telegram.ChannelBody](service.Body(ctx, name, 0))
	if err != nil {
		return err
	}
	posts, at := body.Content.Posts, body.Meta.Offset.Before
	for page := 1; page < primePages && at > 0; page++ {
		more, _, err := channels.Value[telegram.More](service.More(ctx, name, telegram.Before, at))
		if err != nil {
			break // older pages are recorded for some channels only
		}
		posts, at = append(posts, more.Posts...), more.Meta.Offset.Before
	}
	return s.index.Upsert(ctx, channels.Indexed(body.Channel.Username, posts))
}
