package refresh

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMakePlan(t *testing.T) {
	t.Parallel()
	const fresh = 10 * time.Second
	for name, tt := range map[string]struct {
		popular []string
		notes   map[string]*note
		top     int
		want    plan
	}{
		"nobody asks": {top: 3},
		"the oldest first, unknown ones before them": {
			popular: []string{"a", "b", "c", "d"}, top: 4,
			notes: map[string]*note{"a": {Fetched: ago(20 * time.Second)}, "b": {Fetched: ago(70 * time.Second)}, "d": {Fetched: ago(40 * time.Second)}},
			want:  plan{names: []string{"a", "b", "c", "d"}, due: []string{"c", "b", "d", "a"}},
		},
		"what was left comes before all": {
			popular: []string{"a", "b", "c"}, top: 3,
			notes: map[string]*note{"a": {}, "b": {Fetched: ago(time.Hour)}, "c": {Fetched: ago(time.Minute), Left: true}},
			want:  plan{names: []string{"a", "b", "c"}, due: []string{"c", "a", "b"}},
		},
		"of two alike the more popular one": {
			popular: []string{"z", "b", "a"}, top: 3,
			want: plan{names: []string{"z", "b", "a"}, due: []string{"z", "b", "a"}},
		},
		"what is fresh needs nothing, what failed waits": {
			popular: []string{"a", "b", "c"}, top: 3,
			notes: map[string]*note{"a": {Fetched: ago(5 * time.Second)}, "b": {Fetched: ago(2 * time.Minute), Next: ago(-time.Minute)}, "c": {Fetched: ago(fresh)}},
			want:  plan{names: []string{"a", "b", "c"}, due: []string{"c"}, fresh: []string{"a"}, waiting: 1},
		},
		"no more than the top": {
			popular: []string{"a", "b", "c"}, top: 2,
			want: plan{names: []string{"a", "b"}, due: []string{"a", "b"}},
		},
		"names that do not exist take no channel's place": {
			popular: []string{"x", "a", "y", "b"}, top: 2,
			notes: map[string]*note{"x": {Next: ago(-time.Minute)}, "y": {Next: ago(-time.Hour / 2)}},
			want:  plan{names: []string{"a", "b"}, due: []string{"a", "b"}, waiting: 2},
		},
		"a clock that was set back": {
			popular: []string{"a"}, top: 1, notes: map[string]*note{"a": {Fetched: ago(-time.Hour)}},
			want: plan{names: []string{"a"}, due: []string{"a"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := makePlan(tt.popular, state{Notes: tt.notes}, noon, fresh, tt.top)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(plan{})); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLag(t *testing.T) {
	t.Parallel()
	st := state{Notes: map[string]*note{"a": {Fetched: ago(30 * time.Second)}, "b": {Fetched: ago(80 * time.Second)}, "c": {}, "gone": {Fetched: 1, Fails: 2}, "other": {Fetched: 1}}}
	if got := lag([]string{"a", "b", "c", "d", "gone"}, st, noon); got != 80*time.Second {
		t.Errorf("lag = %v, want that of the oldest popular page", got)
	}
	if got := lag([]string{"c", "d"}, st, noon); got != 0 {
		t.Errorf("lag without pages = %v, want 0", got)
	}
}
