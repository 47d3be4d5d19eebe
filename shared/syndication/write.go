package syndication

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"channelapi/shared/telegram"
)

// Write gives the feed in a format. Only a format that is none makes it fail.
func Write(format Format, f Feed, rq Request) (Document, error) {
	var render func(head, []entry, int) ([]byte, int)
	switch format {
	case RSS:
		render = writeRSS
	case Atom:
		render = writeAtom
	case JSONFeed:
		render = writeJSON
	default:
		return Document{}, &telegram.InvalidError{Field: "format", Reason: fmt.Sprintf("%q is no feed format", format)}
	}
	items := choose(f.Items, rq)
	entries := make([]entry, len(items))
	for i := range items {
		entries[i] = newEntry(&items[i], rq)
	}
	room := rq.MaxBytes
	if room <= 0 {
		room = DefaultMaxBytes
	}
	body, written := render(newHead(f, entries, rq), entries, room)
	return Document{Bytes: body, ContentType: format.ContentType(), Items: written, Truncated: written < len(entries)}, nil
}

// choose leaves out service posts and repeated ones, sorts newest first and cuts. A post without a date stands where
// its id puts it in its channel.
func choose(items []Item, rq Request) []Item {
	seen := make(map[string]bool, len(items))
	kept := make([]Item, 0, len(items))
	for _, it := range items {
		id := itemID(it)
		if seen[id] || it.Post.Type == telegram.PostService && !rq.Service {
			continue
		}
		seen[id] = true
		kept = append(kept, it)
	}
	moments := moments(kept)
	slices.SortStableFunc(kept, func(a, b Item) int {
		return cmp.Or(
			cmp.Compare(moments[itemID(b)], moments[itemID(a)]),
			cmp.Compare(key(a.Channel.Username), key(b.Channel.Username)),
			cmp.Compare(b.Post.ID, a.Post.ID))
	})
	if rq.Limit > 0 && len(kept) > rq.Limit {
		kept = kept[:rq.Limit]
	}
	return kept
}

// moments gives each item's time for sorting: its date, or that of the newest dated post before it in its channel.
func moments(items []Item) map[string]int64 {
	byID := slices.Clone(items)
	slices.SortFunc(byID, func(a, b Item) int { return cmp.Compare(a.Post.ID, b.Post.ID) })
	last := make(map[string]int64)
	at := make(map[string]int64, len(items))
	for _, it := range byID {
		channel := key(it.Channel.Username)
		if d := it.Post.Footer.Date; d != nil {
			last[channel] = d.Unix
		}
		at[itemID(it)] = last[channel]
	}
	return at
}

func key(username string) string { return strings.ToLower(username) }

func itemID(it Item) string {
	return fmt.Sprintf("https://t.me/%s/%d", key(it.Channel.Username), it.Post.ID)
}
