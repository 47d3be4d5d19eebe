package refresh

import (
	"sync"
	"time"

	"channelapi/shared/channels"
)

const (
	// refusal is how much must go wrong in a row, without a success between, for t.me to be taken to refuse us. A known
	// channel that is suddenly gone weighs twice a failure: four of them, or eight failures.
	refusal      = 8
	weightGone   = 2
	weightFailed = 1
	// firstQuiet and longestQuiet bound how long nothing is fetched then.
	firstQuiet   = 2 * time.Minute
	longestQuiet = 16 * time.Minute
)

// suspicion is that t.me refuses us, as it shows when channels that are known to be there vanish all at once, or when it
// fails without end. A single channel that goes is a channel that was deleted. The streak outlives a tick, since there
// may be few channels.
type suspicion struct {
	Streak int `json:"w,omitempty"`
	// Since and Until are Unix seconds; 0: not suspected. Quiet is how long the silence lasts, in seconds.
	Since int64 `json:"s,omitempty"`
	Until int64 `json:"u,omitempty"`
	Quiet int64 `json:"q,omitempty"`
}

// holds tells whether t.me is suspected.
func (s *suspicion) holds() bool { return s.Until > 0 }

// silent tells whether nothing at all is to be fetched yet.
func (s *suspicion) silent(now time.Time) bool {
	left := time.Unix(s.Until, 0).Sub(now)
	return s.holds() && left > slack && left <= longestQuiet // more than that is a clock that was set back
}

// deepen begins the suspicion, or doubles the silence where a probe confirmed it.
func (s *suspicion) deepen(now time.Time) {
	quiet := firstQuiet
	if s.holds() {
		quiet = min(2*time.Duration(s.Quiet)*time.Second, longestQuiet)
	} else {
		s.Since = now.Unix()
	}
	s.Quiet = int64(max(quiet, firstQuiet) / time.Second)
	s.Until = now.Add(time.Duration(s.Quiet) * time.Second).Unix()
}

// lift ends it.
func (s *suspicion) lift() { *s = suspicion{} }

// watch looks at each fetch as it ends. It is safe for concurrent use.
type watch struct {
	mu      sync.Mutex
	streak  int
	refused bool
	cooling bool
	// gone are the names that failed since the last success: where t.me refuses us, it was not their fault. Those that
	// ever failed are told of again where a good page was spared.
	gone, told map[string]bool
}

func newWatch(streak int) *watch {
	return &watch{streak: streak, gone: make(map[string]bool), told: make(map[string]bool)}
}

// saw takes the end of a fetch and tells whether more may begin. A channel is known if it was there the last time: one
// that is gone for long is no news.
func (w *watch) saw(name string, known bool, r channels.PageRenewal) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	weight := 0
	switch {
	case r.Fate == channels.Cooling:
		w.cooling = true
	case r.Fate == channels.Failed && !r.Spared:
		weight = weightFailed
	case r.Spared && w.told[name]:
	case (known || r.Spared) && (r.Fate == channels.Missing || r.Empty):
		weight = weightGone
	case r.Fate == channels.Renewed && !r.Empty:
		w.streak = 0
		clear(w.gone)
	}
	if weight > 0 {
		w.streak += weight
		w.gone[name], w.told[name] = true, true
	}
	w.refused = w.refused || w.streak >= refusal
	return !w.refused && !w.cooling
}
