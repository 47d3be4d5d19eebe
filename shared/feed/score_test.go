package feed

import (
	"math"
	"math/rand/v2"
	"testing"

	"channelapi/shared/pack"
)

func TestScore(t *testing.T) {
	t.Parallel()
	const hour = 3600
	for _, tc := range []struct {
		name        string
		entry       pack.Entry
		subscribers int64
		age         int64
		want        float64
	}{
		{"nothing", pack.Entry{}, 1000, 0, 0},
		{"views", pack.Entry{Signals: pack.Signals{Views: 600}}, 1000, 0, 0.4 * 0.6 / 3 * 1.1},
		{"many views", pack.Entry{Signals: pack.Signals{Views: 1e9}}, 1000, 0, 0.4 * 10 / 3 * 1.1},
		{"no subscribers", pack.Entry{Signals: pack.Signals{Views: 3}}, 0, 0, 0.4 * 3 / 3 * 1.1},
		{"reactions", pack.Entry{Signals: pack.Signals{Reactions: 5000}}, 1000, 0, 0.4 * 1 / 3.0 * 1.1},
		{"bad reactions", pack.Entry{Signals: pack.Signals{Reactions: -2000}}, 1000, 0, 0.4 * -2 / 3.0 * 1.1},
		{"content", pack.Entry{Signals: pack.Signals{Photos: 1, Videos: 2, GIFs: 1, Polls: 1, Length: 250}}, 1, 0, 0.2 * 1.85 * 1.1},
		{"long text", pack.Entry{Signals: pack.Signals{Length: 4000}}, 1, 0, 0.2 * 0.2 * 1.1},
		{"at most 3", pack.Entry{Signals: pack.Signals{Photos: 30}}, 1, 0, 0.2 * 3 * 1.1},
		{"edited", pack.Entry{Flags: pack.Edited}, 1, 0, 0.02 * 1.1},
		{"half a day", pack.Entry{Flags: pack.Edited}, 1, 12 * hour, 0.02 * 1.0},
		{"a day", pack.Entry{Flags: pack.Edited}, 1, 24 * hour, 0.02 * 0.9},
		{"three days", pack.Entry{Flags: pack.Edited}, 1, 72 * hour, 0.02 * (0.8*math.Exp(-1.6) + 0.1)},
		{"two weeks", pack.Entry{Flags: pack.Edited}, 1, 336 * hour, 0.02 * 0.101},
		{"to come", pack.Entry{Flags: pack.Edited}, 1, -hour, 0.02 * 1.1},
	} {
		tc.entry.Unix = 1740823200
		if got := score(&tc.entry, tc.subscribers, tc.entry.Unix+tc.age); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("score of %s = %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestFreshnessNeverRisesAndHasNoSteps(t *testing.T) {
	t.Parallel()
	for s := int64(0); s < 40*24*3600; s += 600 {
		a, b := freshness(s), freshness(s+600)
		if b > a+1e-5 || a-b > 0.01 { // 0.0066 is 0.8·exp(−4.8) rounded
			t.Fatalf("freshness falls from %v to %v at %d s", a, b, s)
		}
	}
}

func TestVary(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		posts := make([]post, r.IntN(60))
		for i := range posts {
			posts[i] = post{Entry: &pack.Entry{ID: i}, channel: r.IntN(1 + r.IntN(6))}
		}
		out := vary(posts)
		left, last := map[int]int{}, map[int]int{}
		for _, p := range posts {
			left[p.channel]++
		}
		if len(out) != len(posts) {
			t.Fatalf("vary of seed %d gives %d posts of %d", seed, len(out), len(posts))
		}
		for i, p := range out {
			if i >= 2 && out[i-1].channel == p.channel && out[i-2].channel == p.channel && len(left) > 1 {
				t.Fatalf("seed %d: three of channel %d in a row at %d while others remain", seed, p.channel, i)
			}
			if before, ok := last[p.channel]; ok && p.ID < before {
				t.Fatalf("seed %d: post %d of channel %d stands behind %d", seed, p.ID, p.channel, before)
			}
			last[p.channel] = p.ID
			if left[p.channel]--; left[p.channel] == 0 {
				delete(left, p.channel)
			}
		}
	}
}
