package refresh

import (
	"cmp"
	"context"
	"slices"

	"channelapi/shared/channels"
)

// probes is how many channels are tried for the one fetch that tells whether t.me still refuses us: others may be at one.
const probes = 3

// probe fetches one page, of the most popular channel that should be there, and lifts the suspicion if t.me serves us
// again. That somebody else got a page since is as good. It names the channel that the report tells of now, if any.
func (k *tick) probe(ctx context.Context) string {
	names, users := usernames(k.candidates())
	for i, name := range names[:min(probes, len(names))] {
		known := k.st.of(name).known(k.start)
		r := k.p.Pages.RenewPages(ctx, users[i:i+1], channels.RenewOptions{Until: k.until()})[0]
		switch {
		case r.Fate == channels.Renewed && !r.Empty, r.Fate == channels.Fresh && r.FetchedAt.Unix() > k.st.Suspect.Since:
			k.st.Suspect.lift()
			k.take(name, known, r, false)
			return name
		case r.Fate == channels.Failed, known && (r.Fate == channels.Missing || r.Empty):
			k.st.Suspect.deepen(k.now())
			k.take(name, known, r, true)
			return name
		case r.Fate == channels.Missing, r.Empty: // perhaps there never was one
			k.take(name, known, r, false)
			return name
		case r.Fate == channels.Cooling:
			return ""
		}
	}
	return ""
}

// candidates are the popular channels, those first that were there until the suspicion arose, then those that nothing is
// known of, then those that failed before it.
func (k *tick) candidates() []string {
	class := func(name string) int {
		switch n := k.st.of(name); {
		case n.Fails > 0:
			return 2
		case n.known(k.start):
			return 0
		}
		return 1
	}
	names := slices.Clone(k.plan.names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(class(a), class(b)) })
	return names
}
