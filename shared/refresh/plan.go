package refresh

import (
	"cmp"
	"slices"
	"time"
)

// plan is what a tick is to do.
type plan struct {
	// names are all that it looks after, the most popular first.
	names []string
	// due are to be renewed, what is most urgent first.
	due []string
	// fresh need nothing, as far as is known.
	fresh   []string
	waiting int
}

// makePlan picks the first top of popular, passing over names that t.me did not have, which would otherwise take the
// place of channels; what of them is known to be fresh needs nothing, what failed lately waits. Then come those that the
// last tick left, and those with the oldest pages: they are about to expire. Of what no page is known comes first, since
// somebody waits for it at the next request; of two alike, the more popular one.
func makePlan(popular []string, st state, now time.Time, fresh time.Duration, top int) plan {
	var p plan
	rank := make(map[string]int, top)
	for _, name := range popular {
		n := st.Notes[name]
		if n == nil {
			n = &note{}
		}
		if n.waits(now) && n.Fetched == 0 {
			p.waiting++
			continue
		}
		if len(p.names) == top {
			break
		}
		rank[name] = len(p.names)
		p.names = append(p.names, name)
		switch age, ok := n.age(now); {
		case n.waits(now):
			p.waiting++
		case ok && age < fresh:
			p.fresh = append(p.fresh, name)
		default:
			p.due = append(p.due, name)
		}
	}
	slices.SortFunc(p.due, func(a, b string) int { return urgency(st, rank, a, b) })
	return p
}

func urgency(st state, rank map[string]int, a, b string) int {
	var m, n note
	if got := st.Notes[a]; got != nil {
		m = *got
	}
	if got := st.Notes[b]; got != nil {
		n = *got
	}
	if m.Left != n.Left {
		if m.Left {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(m.Fetched, n.Fetched), cmp.Compare(rank[a], rank[b]))
}

// drop takes out a channel that was looked after already.
func (p *plan) drop(name string) {
	is := func(other string) bool { return other == name }
	p.due, p.fresh = slices.DeleteFunc(p.due, is), slices.DeleteFunc(p.fresh, is)
}

// lag is the age of the oldest page of names, of those that have one and did not fail: a channel that was deleted is no
// sign that ticks do not keep up.
func lag(names []string, st state, now time.Time) time.Duration {
	var oldest time.Duration
	for _, name := range names {
		if n := st.Notes[name]; n != nil && n.Fails == 0 {
			if age, ok := n.age(now); ok {
				oldest = max(oldest, age)
			}
		}
	}
	return oldest
}
