package refresh

import (
	"strconv"
	"testing"
	"time"

	"channelapi/shared/channels"
)

// Each letter is the end of a fetch: + a page, e a page without posts, m missing, f failed, c a pause; capitals are of
// channels that are known to have posts.
func TestWatch(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before int
		seen   string
		stops  bool
	}{
		"all is well":                          {seen: "++++++++++++"},
		"a channel was deleted":                {seen: "++M+++M+M+++M+M"},
		"known channels vanish all at once":    {seen: "++MMMM", stops: true},
		"or have no posts all at once":         {seen: "+EEEE", stops: true},
		"three of them and a page":             {seen: "MMM+MMM"},
		"names that nobody ever had":           {seen: "mmmmmmmmmmmmmmmm"},
		"channels that never had posts":        {seen: "eeeeeeeeeeeeeeee"},
		"an empty channel is no proof":         {seen: "MMeMM", stops: true},
		"failures in a row":                    {seen: "FfFfFfFf", stops: true},
		"one failure less":                     {seen: "FfFfFfF"},
		"failures between pages":               {seen: "fffffff+fffffff+fffffff"},
		"failures and vanished ones":           {seen: "ffMfM", before: 1, stops: true},
		"few channels, over several ticks":     {seen: "MM", before: 4, stops: true},
		"a pause that t.me asked for":          {seen: "+c", stops: true},
		"names that do not exist between them": {seen: "MmMmMmM", stops: true},
	} {
		w := newWatch(tt.before)
		goOn := true
		for i, c := range tt.seen {
			r, known := seen(c)
			goOn = w.saw(strconv.Itoa(i), known, r)
		}
		if goOn == tt.stops {
			t.Errorf("%s: after %q goes on = %v, want %v", name, tt.seen, goOn, !tt.stops)
		}
	}
}

func seen(c rune) (r channels.PageRenewal, known bool) {
	known = c >= 'A' && c <= 'Z'
	switch c | 0x20 {
	case 'e':
		return channels.PageRenewal{Fate: channels.Renewed, Empty: true}, known
	case 'm':
		return channels.PageRenewal{Fate: channels.Missing}, known
	case 'f':
		return channels.PageRenewal{Fate: channels.Failed}, known
	case 'c':
		return channels.PageRenewal{Fate: channels.Cooling}, known
	}
	return channels.PageRenewal{Fate: channels.Renewed}, true
}

func TestWatchForgivesOnSuccess(t *testing.T) {
	t.Parallel()
	w := newWatch(0)
	for i, c := range "fM+fM" {
		r, known := seen(c)
		w.saw(strconv.Itoa(i), known, r)
	}
	if len(w.gone) != 2 || !w.gone["3"] || !w.gone["4"] {
		t.Errorf("failed since the last success: %v, want 3 and 4", w.gone)
	}
}

// A page that was spared is told of a second time: it counts once, and even if nothing was known of the channel before.
func TestWatchSpared(t *testing.T) {
	t.Parallel()
	gone := channels.PageRenewal{Fate: channels.Missing}
	spared := channels.PageRenewal{Fate: channels.Missing, Spared: true}
	w := newWatch(0)
	for i := range 3 {
		name := strconv.Itoa(i)
		w.saw(name, true, gone)
		w.saw("page", true, channels.PageRenewal{Fate: channels.Renewed})
		if !w.saw(name, true, spared) || w.streak != 0 {
			t.Errorf("streak = %d after a page, want nothing counted twice", w.streak)
		}
	}
	w = newWatch(0)
	for i := range 4 {
		name := strconv.Itoa(i)
		first, second := w.saw(name, false, gone), w.saw(name, false, spared)
		if last := i == 3; !first || second == last {
			t.Errorf("channel %d, not known before: goes on %v, then %v", i, first, second)
		}
	}
}

func TestSuspicion(t *testing.T) {
	t.Parallel()
	var s suspicion
	if s.holds() || s.silent(noon) {
		t.Error("suspected from the start")
	}
	now := noon
	for i, want := range []time.Duration{2, 4, 8, 16, 16} {
		s.deepen(now)
		if !s.holds() || !s.silent(now) || !s.silent(now.Add(want*time.Minute-2*slack)) {
			t.Errorf("step %d: not silent for %d min", i, want)
		}
		if now = now.Add(want * time.Minute); s.silent(now) {
			t.Errorf("step %d: silent after %d min", i, want)
		}
	}
	if s.Since != noon.Unix() {
		t.Errorf("since %d, want the first %d", s.Since, noon.Unix())
	}
	if s.silent(noon.Add(-24 * time.Hour)) {
		t.Error("a clock that was set back keeps it silent for a day")
	}
	if s.lift(); s.holds() || s.Quiet != 0 {
		t.Errorf("lifted: %+v", s)
	}
}
