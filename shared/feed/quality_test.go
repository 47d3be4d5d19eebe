package feed_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"channelapi/shared/feed"
)

// pair is a line of testdata/duplicates: two posts and whether they tell the same.
type pair struct {
	ID        string `json:"id"`
	Lang      string `json:"lang"`
	Kind      string `json:"kind"`
	Half      string `json:"half"`
	Duplicate bool   `json:"duplicate"`
	A         string `json:"a"`
	B         string `json:"b"`
}

func pairs(t testing.TB, half string) []pair {
	t.Helper()
	b, err := os.ReadFile("../../testdata/duplicates/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []pair
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		var p pair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("read %s: %v", lines.Bytes(), err)
		}
		if p.Half == half {
			list = append(list, p)
		}
	}
	return list
}

// tally counts right and wrong verdicts.
type tally struct{ hit, miss, wrong, right int }

func (n *tally) add(got, want bool) {
	switch {
	case got && want:
		n.hit++
	case want:
		n.miss++
	case got:
		n.wrong++
	default:
		n.right++
	}
}

func (n tally) precision() float64 { return float64(n.hit) / max(float64(n.hit+n.wrong), 1) }
func (n tally) recall() float64    { return float64(n.hit) / max(float64(n.hit+n.miss), 1) }
func (n tally) f1() float64 {
	return 2 * float64(n.hit) / max(float64(2*n.hit+n.miss+n.wrong), 1)
}

// verdicts puts all posts of a half into one feed, each in a channel of its own, and tells which pairs were merged;
// across is the number of merges of posts that are no pair.
func verdicts(t testing.TB, list []pair) (merged []bool, across int) {
	t.Helper()
	c := newCodec(t)
	var sources []feed.Source
	for i, p := range list {
		for side, text := range []string{p.A, p.B} {
			post := message(1, float64(20-10*side), text)
			sources = append(sources, source(t, c, fmt.Sprintf("pair_%d_%d", i, side), post))
		}
	}
	d, _ := show(t, sources, feed.Query{}, 2*len(sources))
	merged = make([]bool, len(list))
	for _, p := range d.Result {
		cluster := map[int]int{}
		var i, side int
		for _, name := range append([]feed.Duplicate{{Channel: p.Channel.Username}}, p.Duplicates...) {
			if _, err := fmt.Sscanf(name.Channel, "pair_%d_%d", &i, &side); err != nil {
				t.Fatal(err)
			}
			cluster[i]++
		}
		for i, n := range cluster {
			merged[i] = merged[i] || n == 2
		}
		across += len(cluster) - 1
	}
	return merged, across
}

// TestQuality reports precision, recall and F1 of near-duplicate removal on the held-out half of testdata/duplicates,
// beside three usual measures. Each of those decides by a threshold that is best on the tuning half, alone and behind
// the same guard for short and numeric texts that the feed has; the feed's own bounds were chosen on that half too.
func TestQuality(t *testing.T) {
	t.Parallel()
	tuning, held := pairs(t, "tune"), pairs(t, "held")
	if len(tuning)+len(held) < 300 {
		t.Fatalf("only %d pairs", len(tuning)+len(held))
	}
	merged, across := verdicts(t, held)
	var ours tally
	kinds := map[string]*tally{}
	for i, p := range held {
		ours.add(merged[i], p.Duplicate)
		kind := p.Lang + " " + p.Kind
		if kinds[kind] == nil {
			kinds[kind] = new(tally)
		}
		kinds[kind].add(merged[i], p.Duplicate)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[kind]
		t.Logf("%-12s %2d merged, %2d missed, %2d wrongly merged, %2d kept apart", kind, k.hit, k.miss, k.wrong, k.right)
	}
	t.Logf("%d merges of posts that are no pair", across)
	t.Logf("%-30s %9s %9s %9s", "held-out half", "precision", "recall", "F1")
	t.Logf("%-30s %9.3f %9.3f %9.3f", "feed", ours.precision(), ours.recall(), ours.f1())
	if ours.f1() < 0.84 {
		t.Errorf("F1 = %.3f, want at least 0.84", ours.f1())
	}
	for _, r := range rivals() {
		for _, guarded := range []bool{false, true} {
			bound := tune(tuning, r.likes(tuning, guarded))
			n := judge(held, r.likes(held, guarded), bound)
			name := r.name
			if guarded {
				name += ", guarded"
			}
			t.Logf("%-30s %9.3f %9.3f %9.3f   from %.2f on", name, n.precision(), n.recall(), n.f1(), bound)
			if n.f1() >= ours.f1() {
				t.Errorf("%s: F1 = %.3f, the feed's is %.3f", name, n.f1(), ours.f1())
			}
		}
	}
}

// BenchmarkDuplicates reports the same figures beside the budgets; its time is that of packing and ranking the held-out half.
func BenchmarkDuplicates(b *testing.B) {
	tuning, held := pairs(b, "tune"), pairs(b, "held")
	var ours tally
	for b.Loop() {
		ours = tally{}
		merged, _ := verdicts(b, held)
		for i, p := range held {
			ours.add(merged[i], p.Duplicate)
		}
	}
	b.ReportMetric(ours.precision(), "precision")
	b.ReportMetric(ours.recall(), "recall")
	b.ReportMetric(ours.f1(), "F1")
	for _, r := range rivals() {
		n := judge(held, r.likes(held, false), tune(tuning, r.likes(tuning, false)))
		b.ReportMetric(n.f1(), strings.ReplaceAll(r.name, " ", "-")+"-F1")
	}
}
