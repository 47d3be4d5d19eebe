package upstash

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	vector "github.com/upstash/vector-go"

	"channelapi/shared/meaning"
)

// Upsert adds posts in batches of one week each. It stops at the first failure, or where ctx ends; what was sent before
// stays, and may be sent again.
func (x *Index) Upsert(ctx context.Context, posts []meaning.Post) error {
	weeks := byWeek(posts, x.o.Now())
	for _, week := range slices.Sorted(maps.Keys(weeks)) {
		for batch := range slices.Chunk(weeks[week], maxBatch) {
			err := x.call(ctx, x.o.WriteTimeout, "upsert posts", func(c *vector.Index) error {
				return c.Namespace(week).UpsertDataMany(batch)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// byWeek sorts posts into the namespaces of the weeks that are kept, each post once. Posts without words or too old are
// left out; one dated ahead belongs to the running week, since later ones are not looked into.
func byWeek(posts []meaning.Post, now time.Time) map[string][]vector.UpsertData {
	kept := meaning.KeptWeeks(now)
	weeks := make(map[string][]vector.UpsertData)
	seen := make(map[string]bool, len(posts))
	for i := len(posts) - 1; i >= 0; i-- { // the last of two counts
		p := &posts[i]
		key, text := meaning.Key(p.Channel, p.ID), meaning.Clip(p.Text)
		week := min(meaning.Week(time.Unix(p.Unix, 0)), kept[0])
		if text == "" || seen[key] || !slices.Contains(kept, week) {
			continue
		}
		seen[key] = true
		weeks[week] = append(weeks[week], vector.UpsertData{Id: key, Data: text, Metadata: map[string]any{
			"channel": strings.ToLower(p.Channel), "time": p.Unix, "url": p.URL,
		}})
	}
	return weeks
}

// Prune deletes the namespaces of weeks that are no longer kept; others' namespaces stay. It asks the service once a week
// and process.
func (x *Index) Prune(ctx context.Context, now time.Time) error {
	week := meaning.Week(now)
	x.mu.Lock()
	done := x.pruned == week
	x.mu.Unlock()
	if done {
		return nil
	}
	var names []string
	err := x.call(ctx, x.o.WriteTimeout, "list namespaces", func(c *vector.Index) (err error) {
		names, err = c.ListNamespaces()
		return err
	})
	if err != nil {
		return err
	}
	var errs []error
	oldest := meaning.KeptWeeks(now)[meaning.Weeks-1]
	for _, name := range names {
		if !meaning.IsWeek(name) || name >= oldest {
			continue
		}
		err := x.call(ctx, x.o.WriteTimeout, "delete namespace "+name, func(c *vector.Index) error {
			return c.Namespace(name).DeleteNamespace()
		})
		if !lacksNamespace(err) { // deleted by another process
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	x.mu.Lock()
	x.pruned = week
	x.mu.Unlock()
	return nil
}
