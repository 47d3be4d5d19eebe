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

// Publication is a value to be written under a lease.
type Publication struct {
	// Token must still hold the lease: in Key itself for Publish, in LeaseKey for PublishRenewals.
	Token string
	// Key is the value's key, LeaseKey that of the renewal lease beside it.
	Key, LeaseKey string
	Value         []byte
	TTL           time.Duration
	// Mark is what LeaseKey holds for MarkTTL afterwards, so that no renewal is claimed meanwhile; nothing is
	// left there if MarkTTL is not positive.
	Mark    string
	MarkTTL time.Duration
}

// Swap replaces Old, a key's content, by New, if it is still there.
type Swap struct {
	Key, Old, New string
	TTL           time.Duration
	// Value, if set, names a value whose header is read in the same round trip.
	Value string
}

// Swapped is the outcome of a Swap.
type Swapped struct {
	OK     bool
	Header []byte
}

// Renewable is the outcome of claiming a renewal.
type Renewable struct {
	// Holder is nil or the claim's own token where the lease was won, else what the lease key holds.
	Holder []byte
	// Header is the first HeaderLen bytes of the value; empty when the value is gone.
	Header []byte
}

// Bump adds By to a member's score in a sorted set.
type Bump struct {
	Key, Member string
	By          float64
	// TTL, if positive, is the set's from then on.
	TTL time.Duration
}

// Riders are what rides in a round trip that runs anyway. The zero value is nothing, and costs nothing.
type Riders struct {
	// ReadCool asks for the rest of the pause that a source asked for.
	ReadCool bool
	// StartCool, if positive, starts a pause of that length.
	StartCool time.Duration
	// Bumps are added up in no order. They change nothing in how the round trip ends: one that fails loses them, one
	// that runs twice may count them twice.
	Bumps []Bump
}

// Store is L2. A method takes one round trip whatever the length of its arguments, once a store knows what its
// server can do, and may be run twice with the same arguments to the same effect.
//
// An error is ErrRefused, ErrBusy, ErrTooLarge or the context's own; anything else is a failure of the
// transport. Bytes that a Store returns belong to the caller; those it is given are only read.
type Store interface {
	// MGet reads values; an absent one is nil. bumps ride as in Riders.
	MGet(ctx context.Context, keys []string, bumps ...Bump) ([][]byte, error)
	// Set writes without any fence.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) error
	// Lead reads each key or, where it is absent, puts the claim's token there. A reply is nil where the claim
	// was won, else what the key holds, which is the own token if the command ran twice.
	Lead(ctx context.Context, claims []Claim, riders Riders) (replies [][]byte, rest time.Duration, err error)
	// Publish writes each value whose key still holds the token, and tells which were written.
	Publish(ctx context.Context, pubs []Publication, riders Riders) (written []bool, rest time.Duration, err error)
	// ClaimRenewals puts each token into its key where that is free, and reads the header of values[i].
	ClaimRenewals(ctx context.Context, claims []Claim, values []string, riders Riders) (won []Renewable, rest time.Duration, err error)
	// PublishRenewals writes each value whose lease key still holds the token, and tells which were written.
	PublishRenewals(ctx context.Context, pubs []Publication, riders Riders) (written []bool, rest time.Duration, err error)
	// Swap exchanges contents.
	Swap(ctx context.Context, swaps []Swap) ([]Swapped, error)
	// Release deletes each key that still holds the claim's token.
	Release(ctx context.Context, claims []Claim) error
}

// Metered is implemented by a Store that counts what it sends.
type Metered interface {
	Counts() (roundTrips, commands uint64)
}
