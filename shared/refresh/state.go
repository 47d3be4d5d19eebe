package refresh

import (
	"encoding/json"
	"fmt"
	"time"

	"channelapi/shared/channels"
)

const (
	// firstWait and longestWait bound how long a channel that fails is left alone; the wait doubles in between.
	firstWait   = time.Minute
	longestWait = 30 * time.Minute
	// slack lets a tick that comes a little early still take what was put off by a minute.
	slack = 5 * time.Second
	// keepState is how long the state is kept. It is longer than anything in it counts for a tick; what was given to the
	// index is remembered as long, so that a channel that is asked for once a day is not indexed each time.
	keepState = 24 * time.Hour
)

// note is what is remembered of a channel from one tick to the next. Times are Unix seconds; 0: never.
type note struct {
	// Fetched is when the page was fetched that is known to be kept.
	Fetched int64 `json:"f,omitempty"`
	// Empty says that it has no posts, so that finding none again is no news.
	Empty bool `json:"e,omitempty"`
	// Fails counts failures in a row, Next is when it may be tried again.
	Fails int   `json:"n,omitempty"`
	Next  int64 `json:"t,omitempty"`
	// Left says that the tick stopped before it.
	Left bool `json:"l,omitempty"`
	// Indexed is the newest post that was given to the index, Looked when its page was last looked through for posts.
	Indexed int   `json:"i,omitempty"`
	Looked  int64 `json:"k,omitempty"`
}

// known tells whether a page with posts is kept, so that its channel cannot just not exist.
func (n *note) known(now time.Time) bool {
	return n.Fetched > 0 && !n.Empty && now.Sub(time.Unix(n.Fetched, 0)) < time.Hour
}

// waits tells whether it failed too lately to be tried.
func (n *note) waits(now time.Time) bool {
	left := time.Unix(n.Next, 0).Sub(now)
	return n.Next > 0 && left > slack && left <= longestWait // more than that is a clock that was set back
}

// age is that of the page, false where none is known.
func (n *note) age(now time.Time) (time.Duration, bool) {
	age := now.Sub(time.Unix(n.Fetched, 0))
	return max(0, age), n.Fetched > 0 && age > -slack // what is yet to come is of a clock that was set back
}

// failed puts off the next try.
func (n *note) failed(now time.Time) {
	n.Fails++
	n.Next = now.Add(backoff(n.Fails)).Unix()
}

// took notes a page that is good.
func (n *note) took(r channels.PageRenewal) {
	n.Fails, n.Next, n.Left = 0, 0, false
	if !r.FetchedAt.IsZero() {
		n.Fetched, n.Empty = r.FetchedAt.Unix(), r.Empty
	}
}

// backoff is 1, 2, 4 … 30 min after the n-th failure in a row.
func backoff(n int) time.Duration {
	if n > 6 {
		return longestWait
	}
	return min(firstWait<<(n-1), longestWait)
}

// state is what one tick leaves to the next.
type state struct {
	Notes   map[string]*note `json:"c"`
	Suspect suspicion        `json:"s"`
}

// readState reads what write wrote; nothing is an empty state.
func readState(text []byte) (state, error) {
	st := state{Notes: make(map[string]*note)}
	if len(text) == 0 {
		return st, nil
	}
	if err := json.Unmarshal(text, &st); err != nil {
		return state{Notes: make(map[string]*note)}, fmt.Errorf("read the state of the last tick: %w", err)
	}
	if st.Notes == nil {
		st.Notes = make(map[string]*note)
	}
	for name, n := range st.Notes {
		if n == nil {
			delete(st.Notes, name)
		}
	}
	return st, nil
}

func (st *state) write() ([]byte, error) {
	text, err := json.Marshal(st)
	if err != nil {
		return nil, fmt.Errorf("write the state of a tick: %w", err)
	}
	return text, nil
}

// of gives a channel's note, a new one where there is none.
func (st *state) of(name string) *note {
	n := st.Notes[name]
	if n == nil {
		n = &note{}
		st.Notes[name] = n
	}
	return n
}

// prune forgets what no tick will ask for: channels that are no longer popular, unless they are to be left alone for a
// while yet, or were lately given to the index; and never more than limit of those.
func (st *state) prune(popular map[string]bool, now time.Time, limit int) {
	kept := 0
	for name, n := range st.Notes {
		if popular[name] {
			continue
		}
		looked := n.Looked > 0 && now.Sub(time.Unix(n.Looked, 0)) < keepState
		if kept >= limit || !n.waits(now) && !looked {
			delete(st.Notes, name)
			continue
		}
		n.Left = false
		kept++
	}
}
