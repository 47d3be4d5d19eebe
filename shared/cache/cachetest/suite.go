// Package cachetest holds what tests of caches share: an in-memory Store and the conformance suite that every
// Store must pass. Production code does not import it.
package cachetest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"channelapi/shared/cache"
)

// Subject is an empty Store under test.
type Subject struct {
	Store cache.Store
	// Pass lets time pass for the store: it may wait, or move a clock.
	Pass func(d time.Duration)
}

// Run holds a Store to what cache.Store promises. open gives a new, empty one.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(t *testing.T, s Subject)
	}{
		{"lead", testLead},
		{"lead many", testLeadMany},
		{"lead expires", testLeadExpires},
		{"publish", testPublish},
		{"publish late", testPublishLate},
		{"publish twice", testPublishTwice},
		{"publish many", testPublishMany},
		{"claim renewal", testClaimRenewal},
		{"publish renewal", testPublishRenewal},
		{"publish renewal late", testPublishRenewalLate},
		{"swap", testSwap},
		{"release", testRelease},
		{"read and write", testReadWrite},
		{"cool", testCool},
		{"binary", testBinary},
		{"large", testLarge},
		{"bumps", testBumps},
		{"bump expires", testBumpExpires},
		{"bump fails", testBumpFails},
		{"sum scores", testSumScores},
		{"cut scores", testCutScores},
		{"lock", testLock},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, open(t))
		})
	}
}

const (
	lease  = 5 * time.Second
	lead1  = "Lfirst.1"
	lead2  = "Lsecond.2"
	renew1 = "Rthird.3"
	renew2 = "Rfourth.4"
	value  = "E-a value whose header is longer than twenty bytes"
	newer  = "E-another value, longer than twenty bytes too"
)

func testLead(t *testing.T, s Subject) {
	check(t, "first Lead", leadOne(t, s, lead1), "")
	check(t, "second Lead", leadOne(t, s, lead2), lead1)
	check(t, "first Lead, run twice", leadOne(t, s, lead1), lead1)
}

func testLeadMany(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	replies, _, err := s.Store.Lead(t.Context(), []cache.Claim{
		{Key: "v:{a}", Token: lead2, Lease: lease}, {Key: "v:{k}", Token: lead2, Lease: lease}, {Key: "v:{b}", Token: lead2, Lease: lease},
	}, cache.Riders{})
	if err != nil {
		t.Fatal(err)
	}
	if replies[0] != nil || string(replies[1]) != lead1 || replies[2] != nil {
		t.Errorf("Lead of three = %q, want nil, %q, nil", replies, lead1)
	}
}

func testLeadExpires(t *testing.T, s Subject) {
	if _, _, err := s.Store.Lead(t.Context(), []cache.Claim{{Key: "v:{k}", Token: lead1, Lease: 40 * time.Millisecond}}, cache.Riders{}); err != nil {
		t.Fatal(err)
	}
	s.Pass(80 * time.Millisecond)
	check(t, "Lead after the holder's lease", leadOne(t, s, lead2), "")
	check(t, "the first holder's Publish", publishOne(t, s, lead1, value), false)
	check(t, "the second holder's Publish", publishOne(t, s, lead2, value), true)
}

func testPublish(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	check(t, "Publish", publishOne(t, s, lead1, value), true)
	check(t, "value", read(t, s, "v:{k}"), value)
	check(t, "Lead of a value", leadOne(t, s, lead2), value)
	holder, header := claimOne(t, s, renew1)
	check(t, "holder in the freshness window", holder, "F"+lead1[1:])
	check(t, "header", header, value[:cache.HeaderLen])
}

func testPublishLate(t *testing.T, s Subject) {
	check(t, "Publish without a lease", publishOne(t, s, lead1, value), false)
	check(t, "value", read(t, s, "v:{k}"), "")
	leadOne(t, s, lead2)
	check(t, "Publish under another's lease", publishOne(t, s, lead1, value), false)
	check(t, "placeholder", read(t, s, "v:{k}"), lead2)
}

func testPublishTwice(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	publishOne(t, s, lead1, value)
	publishOne(t, s, lead1, value)
	check(t, "value", read(t, s, "v:{k}"), value)
	check(t, "late Publish over a value", publishOne(t, s, lead2, newer), false)
	check(t, "value afterwards", read(t, s, "v:{k}"), value)
}

func testPublishMany(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	pubs := publication(lead1, value)
	other := pubs[0]
	other.Key, other.LeaseKey, other.MarkTTL = "v:{none}", "l:{none}", 0
	written, _, err := s.Store.Publish(t.Context(), append([]cache.Publication{other}, pubs...), cache.Riders{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "written without lease", written[0], false)
	check(t, "written with lease", written[1], true)
	if written, _, err := s.Store.Publish(t.Context(), nil, cache.Riders{StartCool: time.Second}); err != nil || len(written) != 0 {
		t.Errorf("Publish of nothing = %v, %v", written, err)
	}
}

func testClaimRenewal(t *testing.T, s Subject) {
	holder, header := claimOne(t, s, renew1)
	check(t, "holder", holder, "")
	check(t, "header of nothing", header, "")
	holder, _ = claimOne(t, s, renew2)
	check(t, "second claim's holder", holder, renew1)
	holder, _ = claimOne(t, s, renew1)
	check(t, "holder, run twice", holder, renew1)
}

func testPublishRenewal(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	pubs := publication(lead1, value)
	pubs[0].MarkTTL = 0
	if _, _, err := s.Store.Publish(t.Context(), pubs, cache.Riders{}); err != nil {
		t.Fatal(err)
	}
	claimOne(t, s, renew1)
	check(t, "PublishRenewals", renewOne(t, s, renew1, newer), true)
	check(t, "value", read(t, s, "v:{k}"), newer)
	check(t, "PublishRenewals, run twice", renewOne(t, s, renew1, newer), true)
	holder, header := claimOne(t, s, renew2)
	check(t, "holder in the freshness window", holder, "F"+renew1[1:])
	check(t, "header", header, newer[:cache.HeaderLen])
}

func testPublishRenewalLate(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	publishOne(t, s, lead1, value)
	check(t, "PublishRenewals without a lease", renewOne(t, s, renew1, newer), false)
	check(t, "value", read(t, s, "v:{k}"), value)
}

func testSwap(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	publishOne(t, s, lead1, value)
	if _, err := s.Store.Swap(t.Context(), []cache.Swap{{Key: "none", Old: "", New: "x", TTL: lease}}); err != nil {
		t.Fatal(err)
	}
	check(t, "a key that Swap must not make", read(t, s, "none"), "")
	if _, _, err := s.Store.Lead(t.Context(), claim("v:{m}", lead1), cache.Riders{}); err != nil {
		t.Fatal(err)
	}
	swaps := []cache.Swap{
		{Key: "v:{m}", Old: lead1, New: lead2, TTL: lease, Value: "v:{k}"},
		{Key: "v:{m}", Old: lead1, New: "Lthird", TTL: lease},
		{Key: "v:{m}", Old: "x", New: lead2, TTL: lease, Value: "none"},
	}
	got, err := s.Store.Swap(t.Context(), swaps)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "Swap", got[0].OK, true)
	check(t, "header beside it", string(got[0].Header), value[:cache.HeaderLen])
	check(t, "Swap of a token that is gone", got[1].OK, false)
	check(t, "header of nothing", len(got[2].Header), 0)
	check(t, "content", read(t, s, "v:{m}"), lead2)
}

func testRelease(t *testing.T, s Subject) {
	leadOne(t, s, lead1)
	release := func(token string) {
		t.Helper()
		if err := s.Store.Release(t.Context(), []cache.Claim{{Key: "v:{none}", Token: token}, {Key: "v:{k}", Token: token}}); err != nil {
			t.Fatal(err)
		}
	}
	release(lead2)
	check(t, "content after another's Release", read(t, s, "v:{k}"), lead1)
	release(lead1)
	check(t, "content after Release", read(t, s, "v:{k}"), "")
	release(lead1)
	check(t, "Lead after Release", leadOne(t, s, lead2), "")
}

func testReadWrite(t *testing.T, s Subject) {
	for _, v := range []string{value, newer} {
		if err := s.Store.Set(t.Context(), "v:{k}", []byte(v), time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Store.MGet(t.Context(), []string{"v:{a}", "v:{k}", "v:{b}"})
	if err != nil {
		t.Fatal(err)
	}
	if got[0] != nil || string(got[1]) != newer || got[2] != nil {
		t.Errorf("MGet = %q, want nil, %q, nil", got, newer)
	}
	if err := s.Store.Set(t.Context(), "v:{s}", []byte(value), 40*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	s.Pass(80 * time.Millisecond)
	check(t, "value after its time", read(t, s, "v:{s}"), "")
}

func testCool(t *testing.T, s Subject) {
	_, rest, err := s.Store.Lead(t.Context(), claim("v:{k}", lead1), cache.Riders{ReadCool: true})
	if err != nil || rest != 0 {
		t.Errorf("rest before = %v, %v, want 0", rest, err)
	}
	_, rest, err = s.Store.Publish(t.Context(), publication(lead1, value), cache.Riders{StartCool: 30 * time.Second, ReadCool: true})
	between(t, "rest read with the start", rest, err)
	_, rest, err = s.Store.ClaimRenewals(t.Context(), claim("l:{k}", renew1), []string{"v:{k}"}, cache.Riders{ReadCool: true})
	between(t, "rest read by ClaimRenewals", rest, err)
	_, rest, err = s.Store.PublishRenewals(t.Context(), publication(renew1, value), cache.Riders{ReadCool: true})
	between(t, "rest read by PublishRenewals", rest, err)
	_, rest, err = s.Store.Lead(t.Context(), claim("v:{x}", lead1), cache.Riders{})
	if err != nil || rest != 0 {
		t.Errorf("rest that was not asked for = %v, %v, want 0", rest, err)
	}
}

func between(t *testing.T, what string, rest time.Duration, err error) {
	t.Helper()
	if err != nil || rest < 20*time.Second || rest > 30*time.Second {
		t.Errorf("%s = %v, %v, want nearly 30s", what, rest, err)
	}
}

func testBinary(t *testing.T, s Subject) {
	var b strings.Builder
	for i := range 256 {
		b.WriteByte(byte(i))
	}
	leadOne(t, s, lead1)
	check(t, "Publish of all bytes", publishOne(t, s, lead1, "E"+b.String()), true)
	check(t, "value", read(t, s, "v:{k}"), "E"+b.String())
}

func testLarge(t *testing.T, s Subject) {
	big := "E" + string(bytes.Repeat([]byte("0123456789abcdef"), 1<<16))
	leadOne(t, s, lead1)
	check(t, "Publish of 1 MiB", publishOne(t, s, lead1, big), true)
	check(t, "length of Lead", len(leadOne(t, s, lead2)), len(big))
}
