package redisstore_test

import (
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
)

// TestReplyLost has the connection die between an operation and its reply: the store runs it again, and the second
// run recognises what the first one did.
func TestReplyLost(t *testing.T) {
	t.Parallel()
	for name, addr := range map[string]string{
		"scripts": cachetest.Require(t).Addr,
		"native":  newModern(t, true).Addr(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := cachetest.NewProxy(t, addr)
			s := open(t, redisstore.Options{URL: "redis://" + p.Addr, Lazy: true})
			runTwice(t, s, func() {}) // the server's abilities are asked for
			if _, err := s.MGet(t.Context(), []string{"k"}); err != nil {
				t.Fatal(err)
			}
			before, _ := p.Counts()
			runTwice(t, s, p.LoseReply)
			if after, _ := p.Counts(); after-before < 5 {
				t.Errorf("%d new connections, want one an operation", after-before)
			}
		})
	}
}

// runTwice runs each operation of the protocol on keys of its own, with lose called before it.
func runTwice(t *testing.T, s *redisstore.Store, lose func()) {
	t.Helper()
	ctx := t.Context()
	if err := s.Release(ctx, []cache.Claim{{Key: "v:{k}", Token: "E-value"}, {Key: "l:{k}", Token: "Frenewal"}, {Key: "m", Token: "Lnew"}}); err != nil {
		t.Fatal(err)
	}
	claim := cache.Claim{Key: "v:{k}", Token: "Lfirst", Lease: time.Minute}
	lose()
	if got, _, err := s.Lead(ctx, []cache.Claim{claim}, cache.Riders{}); err != nil || got[0] != nil && string(got[0]) != claim.Token {
		t.Errorf("Lead = %q, %v, want the claim", got, err)
	}
	pub := cache.Publication{Token: claim.Token, Key: claim.Key, LeaseKey: "l:{k}", Value: []byte("E-first"), TTL: time.Minute}
	lose()
	if got, _, err := s.Publish(ctx, []cache.Publication{pub}, cache.Riders{}); err != nil || !got[0] {
		t.Errorf("Publish = %v, %v, want it written", got, err)
	}
	renewal := cache.Claim{Key: "l:{k}", Token: "Rrenewal", Lease: time.Minute}
	lose()
	got, _, err := s.ClaimRenewals(ctx, []cache.Claim{renewal}, []string{claim.Key}, cache.Riders{})
	if err != nil || got[0].Holder != nil && string(got[0].Holder) != renewal.Token || string(got[0].Header) != "E-first" {
		t.Errorf("ClaimRenewals = %q, %v, want the claim", got, err)
	}
	pub.Token, pub.Mark, pub.MarkTTL, pub.Value = renewal.Token, "Frenewal", time.Minute, []byte("E-value")
	lose()
	if got, _, err := s.PublishRenewals(ctx, []cache.Publication{pub}, cache.Riders{}); err != nil || !got[0] {
		t.Errorf("PublishRenewals = %v, %v, want it written", got, err)
	}
	if _, _, err := s.Lead(ctx, []cache.Claim{{Key: "m", Token: "Lold", Lease: time.Minute}}, cache.Riders{}); err != nil {
		t.Fatal(err)
	}
	lose()
	if got, err := s.Swap(ctx, []cache.Swap{{Key: "m", Old: "Lold", New: "Lnew", TTL: time.Minute}}); err != nil || !got[0].OK {
		t.Errorf("Swap = %v, %v, want it done", got, err)
	}
	lose()
	if err := s.Release(ctx, []cache.Claim{{Key: "m", Token: "Lnew"}}); err != nil {
		t.Errorf("Release = %v", err)
	}
}
