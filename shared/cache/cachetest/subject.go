package cachetest

import (
	"testing"
	"time"

	"channelapi/shared/cache"
)

func claim(key, token string) []cache.Claim {
	return []cache.Claim{{Key: key, Token: token, Lease: lease}}
}

func publication(token, value string) []cache.Publication {
	return []cache.Publication{{
		Token: token, Key: "v:{k}", LeaseKey: "l:{k}", Value: []byte(value), TTL: time.Minute,
		Mark: "F" + token[1:], MarkTTL: 10 * time.Second,
	}}
}

func leadOne(t *testing.T, s Subject, token string) string {
	t.Helper()
	replies, _, err := s.Store.Lead(t.Context(), claim("v:{k}", token), cache.Riders{})
	if err != nil {
		t.Fatalf("Lead(%q): %v", token, err)
	}
	return string(replies[0])
}

func publishOne(t *testing.T, s Subject, token, value string) bool {
	t.Helper()
	written, _, err := s.Store.Publish(t.Context(), publication(token, value), cache.Riders{})
	if err != nil {
		t.Fatalf("Publish(%q): %v", token, err)
	}
	return written[0]
}

func claimOne(t *testing.T, s Subject, token string) (holder, header string) {
	t.Helper()
	got, _, err := s.Store.ClaimRenewals(t.Context(), claim("l:{k}", token), []string{"v:{k}"}, cache.Riders{})
	if err != nil {
		t.Fatalf("ClaimRenewals(%q): %v", token, err)
	}
	return string(got[0].Holder), string(got[0].Header)
}

func renewOne(t *testing.T, s Subject, token, value string) bool {
	t.Helper()
	written, _, err := s.Store.PublishRenewals(t.Context(), publication(token, value), cache.Riders{})
	if err != nil {
		t.Fatalf("PublishRenewals(%q): %v", token, err)
	}
	return written[0]
}

func read(t *testing.T, s Subject, key string) string {
	t.Helper()
	got, err := s.Store.MGet(t.Context(), []string{key})
	if err != nil {
		t.Fatalf("MGet(%q): %v", key, err)
	}
	return string(got[0])
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
