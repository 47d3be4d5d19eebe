package refresh

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/channels"
)

// noon is a moment on a full second, as the state keeps them.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) int64 { return noon.Add(-d).Unix() }

func TestBackoff(t *testing.T) {
	t.Parallel()
	want := []time.Duration{1, 2, 4, 8, 16, 30, 30}
	for i, minutes := range want {
		if got := backoff(i + 1); got != minutes*time.Minute {
			t.Errorf("backoff(%d) = %v, want %d min", i+1, got, minutes)
		}
	}
	if got := backoff(1 << 40); got != longestWait {
		t.Errorf("backoff of very many = %v, want %v", got, longestWait)
	}
}

func TestNoteWaits(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		next int64
		want bool
	}{
		"never failed":              {0, false},
		"failed a moment ago":       {ago(-50 * time.Second), true},
		"a tick that comes early":   {ago(-slack), false},
		"long enough ago":           {ago(time.Second), false},
		"a clock that was set back": {ago(-24 * time.Hour), false},
	} {
		if got := (&note{Next: tt.next}).waits(noon); got != tt.want {
			t.Errorf("%s: waits = %v, want %v", name, got, tt.want)
		}
	}
}

func TestNoteForgetsFailures(t *testing.T) {
	t.Parallel()
	n := &note{Left: true}
	n.failed(noon)
	n.failed(noon)
	if n.Fails != 2 || n.Next != ago(-2*time.Minute) {
		t.Errorf("after two failures %+v, want the next try in 2 min", n)
	}
	n.took(channels.PageRenewal{Fate: channels.Renewed, FetchedAt: noon, Empty: true})
	if diff := cmp.Diff(&note{Fetched: noon.Unix(), Empty: true}, n); diff != "" {
		t.Errorf("after a success (-want +got):\n%s", diff)
	}
	if n.known(noon) {
		t.Error("a channel without posts counts as known to have some")
	}
	n.Empty = false
	if !n.known(noon) || n.known(noon.Add(2*time.Hour)) {
		t.Error("a page counts as kept for an hour, neither less nor more")
	}
}

func TestStateRoundTrip(t *testing.T) {
	t.Parallel()
	want := state{
		Notes:   map[string]*note{"alpha": {Fetched: 5, Fails: 2, Next: 9, Left: true, Indexed: 7, Looked: 3}, "beta": {}},
		Suspect: suspicion{Streak: 3, Since: 1, Until: 2, Quiet: 120},
	}
	text, err := want.write()
	if err != nil {
		t.Fatal(err)
	}
	got, err := readState(text)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("read what was written: %v (-want +got):\n%s", err, diff)
	}
}

func TestReadStateOfOthers(t *testing.T) {
	t.Parallel()
	for text, wantErr := range map[string]bool{
		"": false, "{}": false, `{"c":null}`: false, `{"c":{"a":null},"new":1}`: false, "[": true, `{"c":[]}`: true,
	} {
		st, err := readState([]byte(text))
		if (err != nil) != wantErr {
			t.Errorf("readState(%q): %v, want an error: %v", text, err, wantErr)
		}
		st.of("alpha").Fails = 1 // must not panic
		if got := len(st.Notes); got != 1 {
			t.Errorf("readState(%q) has %d notes beside the new one", text, got-1)
		}
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	st := state{Notes: map[string]*note{
		"popular": {Fetched: ago(0)},
		"failing": {Next: ago(-time.Minute), Left: true},
		"indexed": {Looked: ago(time.Hour), Indexed: 4},
		"old":     {Looked: ago(25 * time.Hour)},
		"gone":    {Fetched: ago(time.Minute)},
	}}
	st.prune(map[string]bool{"popular": true}, noon, 10)
	want := map[string]*note{
		"popular": {Fetched: ago(0)}, "failing": {Next: ago(-time.Minute)}, "indexed": {Looked: ago(time.Hour), Indexed: 4},
	}
	if diff := cmp.Diff(want, st.Notes); diff != "" {
		t.Errorf("pruned (-want +got):\n%s", diff)
	}
	for i := range 50 {
		st.of(fmt.Sprint("failing", i)).failed(noon)
	}
	if st.prune(nil, noon, 10); len(st.Notes) != 10 {
		t.Errorf("%d notes of channels that are not popular, want 10", len(st.Notes))
	}
}
