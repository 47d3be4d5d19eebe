package refresh

import (
	"context"
	"slices"
	"time"

	"channelapi/shared/channels"
	"channelapi/shared/telegram"
)

// atOnce is how many pages are renewed before what came of them is taken in: it bounds what lies in memory.
const atOnce = 256

// until is when nothing more may begin, so that all has ended in time.
func (k *tick) until() time.Time { return k.end.Add(-reserve - k.o.LoadTimeout) }

// renew renews what is due.
func (k *tick) renew(ctx context.Context) {
	w := newWatch(k.st.Suspect.Streak)
	for names := range slices.Chunk(k.plan.due, atOnce) {
		if k.report.Stopped != StopNone {
			k.leave(names)
			continue
		}
		k.renewSome(ctx, names, w)
	}
	k.st.Suspect.Streak = w.streak
	if w.refused {
		k.st.Suspect.deepen(k.now())
		k.st.Suspect.Streak = 0
	}
}

func (k *tick) renewSome(ctx context.Context, names []string, w *watch) {
	asked, users := usernames(names)
	known, failing := make([]bool, len(asked)), make([]bool, len(asked))
	for i, name := range asked {
		n := k.st.of(name)
		known[i], failing[i] = n.known(k.start), n.Fails > 0
	}
	got := k.p.Pages.RenewPages(ctx, users, channels.RenewOptions{
		Until:  k.until(),
		Unseen: func(i int) bool { return k.st.of(asked[i]).Fetched == 0 },
		Ended: func(i int, r channels.PageRenewal) bool {
			r.Spared = r.Spared && !failing[i]
			return w.saw(asked[i], known[i] && !failing[i], r)
		},
	})
	for i, r := range got {
		k.take(asked[i], known[i], r, w.refused && w.gone[asked[i]])
	}
	k.report.Stopped = stopOf(w, got)
	if k.report.Stopped != StopNone && k.report.Stopped != StopRefused && gaveUp(ctx) {
		k.report.Stopped = StopCancelled
	}
}

// stopOf tells why a batch was not renewed to its end.
func stopOf(w *watch, got []channels.PageRenewal) Stop {
	var ended [channels.Unkept + 1]int
	for _, r := range got {
		ended[r.Fate]++
	}
	switch {
	case w.refused:
		return StopRefused
	case ended[channels.Cooling] > 0:
		return StopCooling
	case ended[channels.Unkept] > len(got)/4: // a few are leases that were lost
		return StopStore
	case ended[channels.Skipped] > 0:
		return StopTime
	}
	return StopNone
}

// take notes what became of a channel. Where t.me refuses us it was not the channel's fault.
func (k *tick) take(name string, known bool, r channels.PageRenewal, refused bool) {
	n := k.st.of(name)
	gone := r.Fate == channels.Missing || r.Empty && known
	if r.Spared {
		n.Fetched = r.FetchedAt.Unix()
	}
	switch {
	case r.Fate == channels.Unkept, refused && (gone || r.Fate == channels.Failed):
		k.report.Failed++
		n.Left = true
	case r.Fate == channels.Failed, gone && (known || r.Spared):
		k.report.Failed++
		n.failed(k.now())
	case gone:
		k.report.Missing++
		n.failed(k.now())
		n.Fetched = 0
	case r.Fate == channels.Renewed:
		k.report.Renewed++
		n.took(r)
		if k.p.Indexer != nil {
			k.renewed = append(k.renewed, indexable{name, r})
		}
	case r.Fate == channels.Fresh:
		k.report.Fresh++
		n.took(r)
		k.unfetched = append(k.unfetched, name)
	case r.Fate == channels.Elsewhere:
		k.report.Dropped++
	default:
		k.leave([]string{name})
	}
}

// leave puts channels off to the next tick.
func (k *tick) leave(names []string) {
	for _, name := range names {
		k.st.of(name).Left = true
	}
	k.report.Left += len(names)
}

// usernames reads names; what is none is left out.
func usernames(names []string) (asked []string, users []telegram.Username) {
	for _, name := range names {
		if u, err := telegram.ParseUsername("popular", name); err == nil {
			asked, users = append(asked, name), append(users, u)
		}
	}
	return asked, users
}
