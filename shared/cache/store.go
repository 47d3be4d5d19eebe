package cache

import (
	"context"
	"time"
)

// Claim is a lease: the key it lives in, the token of its holder, and how long it holds.
type Claim struct {
	Key   string
	Token string
	Lease time.Duration
}

// Publication is a value to be written under a claim.
type Publication struct {
	// Claim is the lease that must still be held: in the value's own key, or in LeaseKey for a renewal.
	Claim Claim
	// Key is the value's key, LeaseKey the renewal lease's beside it.
	Key, LeaseKey string
	Value         []byte
	TTL           time.Duration
	// Mark is what LeaseKey is set to for MarkTTL, so that no renewal is claimed meanwhile; none if MarkTTL is 0.
	Mark    string
	MarkTTL time.Duration
}

// Swap replaces a key's Old content by New, if it is there.
type Swap struct {
	Key, Old, New string
	TTL           time.Duration
}

// Renewable is the outcome of claiming a renewal.
type Renewable struct {
	// Holder is who holds the lease now: nil or the claim's own token where it was won.
	Holder []byte
	// Header is the beginning of the value; empty when the value is gone.
	Header []byte
}

// Cool is a reading or setting of the pause that rides in a pipeline.
type Cool struct {
	// Read asks for the rest of the pause, which is returned.
	Read bool
	// Set, if positive, starts a pause of that length.
	Set time.Duration
}

// Store is L2. Every method is one round trip, whatever the length of its arguments, and may be run twice.
//
// A failure is ErrMiss (Get only), ErrRefused, ErrBusy, ErrTooLarge, the context's error, or, for anything
// else, a failure of transport. Bytes that a Store returns belong to the caller; those it is given are only
// read.
type Store interface {
	// Get reads one value.
	Get(ctx context.Context, key string) ([]byte, error)
	// MGet reads many; an absent one is nil.
	MGet(ctx context.Context, keys []string) ([][]byte, error)
	// Set writes without any fence.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
	// Lead reads each key or, where it is absent, puts the claim's token there. A reply is nil where the claim
	// was won, else what the key holds, which may be the own token if the command ran twice.
	Lead(ctx context.Context, claims []Claim, cool Cool) ([][]byte, time.Duration, error)
	// Publish writes each value whose key still holds the claim's token, and tells which were written.
	Publish(ctx context.Context, pubs []Publication, cool Cool) ([]bool, time.Duration, error)
	// ClaimRenewals puts each token into its lease key if that is free, and reads the beginning of the value.
	ClaimRenewals(ctx context.Context, claims []Claim, values []string, cool Cool) ([]Renewable, time.Duration, error)
	// PublishRenewals writes each value whose lease key still holds the claim's token.
	PublishRenewals(ctx context.Context, pubs []Publication, cool Cool) ([]bool, time.Duration, error)
	// Swap exchanges contents, and tells which were exchanged.
	Swap(ctx context.Context, swaps []Swap) ([]bool, error)
	// Release deletes each key that still holds the claim's token.
	Release(ctx context.Context, claims []Claim) error
}

// Metered is implemented by a Store that counts what it sends.
type Metered interface {
	Counts() (roundTrips, commands uint64)
}
