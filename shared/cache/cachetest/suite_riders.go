package cachetest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/popular"
)

const scoreKey = "{s}:1"

// sums reads the scores in scoreKey and others of the same weight.
func sums(t *testing.T, s Subject, buckets ...popular.Bucket) map[string]float64 {
	t.Helper()
	scores, ok := s.Store.(popular.Store)
	if !ok {
		t.Fatalf("%T is no popular.Store", s.Store)
	}
	if len(buckets) == 0 {
		buckets = []popular.Bucket{{Key: scoreKey, Weight: 1}}
	}
	got, err := scores.SumScores(t.Context(), buckets)
	if err != nil {
		t.Fatalf("SumScores: %v", err)
	}
	out := map[string]float64{}
	for _, c := range got {
		out[c.Name] += c.Score
	}
	return out
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-4*math.Abs(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// bump reads nothing, so that only the bumps have an effect.
func bump(t *testing.T, s Subject, bumps ...cache.Bump) {
	t.Helper()
	if got, err := s.Store.MGet(t.Context(), []string{"v:{none}"}, bumps...); err != nil || got[0] != nil {
		t.Errorf("MGet of nothing with %v = %q, %v", bumps, got, err)
	}
}

// testBumps has each operation that can carry counts carry one, and do what it does without.
func testBumps(t *testing.T, s Subject) {
	riders := func(member string) cache.Riders {
		return cache.Riders{Bumps: []cache.Bump{{Key: scoreKey, Member: member, By: 1.5}, {Key: scoreKey, Member: "all", By: 0.25}}}
	}
	if got, _, err := s.Store.Lead(t.Context(), claim("v:{k}", lead1), riders("lead")); err != nil || got[0] != nil {
		t.Errorf("Lead = %q, %v", got, err)
	}
	if got, _, err := s.Store.Publish(t.Context(), publication(lead1, value), riders("publish")); err != nil || !got[0] {
		t.Errorf("Publish = %v, %v", got, err)
	}
	if got, err := s.Store.MGet(t.Context(), []string{"v:{k}"}, riders("mget").Bumps...); err != nil || string(got[0]) != value {
		t.Errorf("MGet = %q, %v", got, err)
	}
	if err := s.Store.Release(t.Context(), []cache.Claim{{Key: "l:{k}", Token: "F" + lead1[1:]}}); err != nil {
		t.Fatal(err)
	}
	both := riders("claim")
	both.ReadCool, both.StartCool = true, 30*time.Second
	got, rest, err := s.Store.ClaimRenewals(t.Context(), claim("l:{k}", renew1), []string{"v:{k}"}, both)
	between(t, "rest read beside bumps", rest, err)
	if err == nil && (got[0].Holder != nil || string(got[0].Header) != value[:cache.HeaderLen]) {
		t.Errorf("ClaimRenewals = %q", got)
	}
	if got, _, err := s.Store.PublishRenewals(t.Context(), publication(renew1, newer), riders("renew")); err != nil || !got[0] {
		t.Errorf("PublishRenewals = %v, %v", got, err)
	}
	all := sums(t, s)
	for _, op := range []string{"lead", "publish", "mget", "claim", "renew"} {
		near(t, "score by "+op, all[op], 1.5)
	}
	near(t, "score by all", all["all"], 5*0.25)
	check(t, "members", len(all), 6)
	check(t, "value", read(t, s, "v:{k}"), newer)
}

func testBumpExpires(t *testing.T, s Subject) {
	bump(t, s, cache.Bump{Key: scoreKey, Member: "a", By: 1, TTL: time.Second}, cache.Bump{Key: scoreKey, Member: "b", By: 2})
	check(t, "members", len(sums(t, s)), 2)
	s.Pass(1100 * time.Millisecond)
	check(t, "members after the set's time", len(sums(t, s)), 0)
}

// testBumpFails has a count that cannot be added up: what it rode with answers all the same.
func testBumpFails(t *testing.T, s Subject) {
	if err := s.Store.Set(t.Context(), "v:{k}", []byte(value), time.Minute); err != nil {
		t.Fatal(err)
	}
	got, err := s.Store.MGet(t.Context(), []string{"v:{k}"}, cache.Bump{Key: "v:{k}", Member: "a", By: 1, TTL: time.Minute})
	if err != nil || string(got[0]) != value {
		t.Errorf("MGet = %q, %v", got, err)
	}
	check(t, "value", read(t, s, "v:{k}"), value)
	replies, rest, err := s.Store.Lead(t.Context(), claim("v:{x}", lead1), cache.Riders{
		StartCool: 30 * time.Second, ReadCool: true, Bumps: []cache.Bump{{Key: "v:{k}", Member: "a", By: 1}},
	})
	between(t, "rest read beside a bump that failed", rest, err)
	if len(replies) != 1 || replies[0] != nil {
		t.Errorf("Lead = %q", replies)
	}
}

func testSumScores(t *testing.T, s Subject) {
	check(t, "members of nothing", len(sums(t, s)), 0)
	bump(t, s,
		cache.Bump{Key: scoreKey, Member: "a", By: 8}, cache.Bump{Key: scoreKey, Member: "b", By: 2},
		cache.Bump{Key: "{s}:2", Member: "b", By: 100}, cache.Bump{Key: "{s}:2", Member: "ünïcode \x00\n", By: 3})
	got := sums(t, s, popular.Bucket{Key: scoreKey, Weight: 0.5}, popular.Bucket{Key: "{s}:none", Weight: 1}, popular.Bucket{Key: "{s}:2", Weight: 1.25})
	near(t, "a", got["a"], 4)
	near(t, "b", got["b"], 126)
	near(t, "a name of any bytes", got["ünïcode \x00\n"], 3.75)
	check(t, "members", len(got), 3)
}

// testCutScores leaves the members with the highest scores, and sets a time to live once.
func testCutScores(t *testing.T, s Subject) {
	for i := range 20 {
		bump(t, s, cache.Bump{Key: scoreKey, Member: fmt.Sprint("m", i), By: float64(i + 1)})
	}
	got := sums(t, s, popular.Bucket{Key: scoreKey, Weight: 1, Keep: 5, TTL: time.Second}, popular.Bucket{Key: "{s}:none", Weight: 1, Keep: 5, TTL: time.Second})
	check(t, "members left", len(got), 5)
	for i := 15; i < 20; i++ {
		near(t, fmt.Sprint("m", i), got[fmt.Sprint("m", i)], float64(i+1))
	}
	check(t, "members left for good", len(sums(t, s, popular.Bucket{Key: scoreKey, Weight: 1, TTL: time.Hour})), 5)
	check(t, "members of what is small enough", len(sums(t, s, popular.Bucket{Key: scoreKey, Weight: 1, Keep: 50})), 5)
	s.Pass(1100 * time.Millisecond)
	check(t, "members after the set's time", len(sums(t, s)), 0)
}

// testLock is a lock as Cache has it, on the store under test.
func testLock(t *testing.T, s Subject) {
	a, b := cache.New(cache.Options{Store: s.Store}), cache.New(cache.Options{Store: s.Store, Version: "other"})
	defer a.Close()
	defer b.Close()
	take := func(who *cache.Cache, ttl time.Duration, want bool) func() {
		t.Helper()
		release, won, err := who.Lock(t.Context(), "tick", ttl)
		if err != nil || won != want {
			t.Errorf("Lock = %v, %v, want %v", won, err, want)
		}
		return func() { release(t.Context()) }
	}
	first := take(a, time.Minute, true)
	loser := take(b, time.Minute, false)
	loser()
	take(b, time.Minute, false)
	first()
	late := take(b, 40*time.Millisecond, true)
	s.Pass(80 * time.Millisecond)
	again := take(a, time.Minute, true)
	late() // is no longer its own
	take(b, time.Minute, false)
	again()
	take(b, time.Minute, true)
}
