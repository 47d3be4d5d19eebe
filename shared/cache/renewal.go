package cache

import (
	"bytes"
	"context"
	"time"
)

// handOver bounds the call of a Renewer.
const handOver = 2 * time.Second

// claim claims the renewal of values that are not fresh, or whose state is not known.
func (r *run) claim(ts []*task) {
	now := r.c.now()
	claims, values := make([]Claim, len(ts)), make([]string, len(ts))
	for i, t := range ts {
		t.token = newToken(renewToken, now)
		claims[i] = Claim{Key: r.c.leaseKey(t.req.Key), Token: t.token, Lease: r.c.lease}
		values[i] = r.c.valueKey(t.req.Key)
	}
	riders := r.c.wantCool(now, true)
	var got []Renewable
	err := r.c.ask(r.ctx, func(s Store) (err error) {
		var rest time.Duration
		riders.Bumps = r.c.bumps()
		if got, rest, err = s.ClaimRenewals(r.ctx, claims, values, riders); err == nil {
			r.c.readCool(now, riders, rest)
		}
		return err
	})
	if err != nil {
		r.unclaimed(ts, now, err)
		return
	}
	var hand []*task
	var free []Claim
	var again []*task
	for i, t := range ts {
		t.since = now
		switch won := got[i].Holder == nil || string(got[i].Holder) == t.token; r.claimed(t, got[i], won) {
		case claimHand:
			hand = append(hand, t)
		case claimAgain:
			again = append(again, t)
			fallthrough
		case claimFree:
			if won {
				free = append(free, claims[i])
			}
		}
	}
	r.settleClaims(hand, again, free)
}

// unclaimed goes on where claiming failed.
func (r *run) unclaimed(ts []*task, sent time.Time, err error) {
	now := r.c.now()
	for _, t := range ts {
		switch {
		case t.background:
			r.done(t, outcome{err: err})
		case r.c.judge(t.copy, t.req.Policy, now) >= servable:
			r.done(t, outcome{failed: true})
		case maybeDone(err):
			t.holds, t.since, t.unsure = holdsLease, sent, true
			r.ready(t)
		default:
			r.ready(t)
		}
	}
}

// claimResult is what is to be done after a claim, beside what claimed has done.
type claimResult uint8

const (
	claimDone  claimResult = iota // nothing
	claimFree                     // the lease, if won, is not needed
	claimAgain                    // nor is it, and the value is to be read again
	claimHand                     // the lease goes to the Renewer
)

// claimed goes on with one task. A claim is worth something only if the value is still the one that was to be
// renewed: between reading it and claiming, another process may have renewed it and given its lease back.
func (r *run) claimed(t *task, got Renewable, won bool) claimResult {
	now := r.c.now()
	t.foundHeader(got.Header)
	if t.header == nil {
		return r.claimedUnseen(t, got, won, now)
	}
	if !bytes.Equal(got.Header, t.header) {
		return claimAgain
	}
	if won {
		t.holds = holdsLease
		if r.c.cooling(now) == 0 && r.outOfBand(t, now) {
			return claimHand
		}
		r.ready(t)
		return claimDone
	}
	r.c.stats.renewalsLost.Add(1)
	r.lost(t, got.Holder, now)
	return claimDone
}

// claimedUnseen is for a background renewal without a token: only now is it known what there is.
func (r *run) claimedUnseen(t *task, got Renewable, won bool, now time.Time) claimResult {
	switch e := headerEntry(got.Header); {
	case len(got.Header) == 0:
		t.state = stLead
		return claimFree
	case e != nil && r.c.judge(e, t.req.Policy, now) == fresh:
		r.done(t, standing(e, now))
		return claimFree
	case !won || got.Header[0] == leadToken:
		r.dropped(t, got.Holder)
		return claimFree
	default:
		t.copy, t.header, t.holds = e, got.Header, holdsLease
		r.ready(t)
		return claimDone
	}
}

// foundHeader notes how old the good copy is that a renewal finds.
func (t *task) foundHeader(header []byte) {
	if e := headerEntry(header); e != nil && (e.value.Class == Good || e.value.Class == Doubtful) {
		t.before = e.value.FetchedAt
	}
}

// standing is the outcome where what there is needs no renewal, be it a failure.
func standing(e *entry, now time.Time) outcome {
	switch e.value.Class {
	case Negative:
		return outcome{neg: e, failed: true}
	case classCooling:
		return outcome{failed: true, err: &CoolError{Rest: e.value.FreshFor - e.age(now)}}
	}
	return outcome{copy: e}
}

// dropped ends a renewal whose lease key holds something else.
func (r *run) dropped(t *task, holder []byte) {
	o := outcome{err: ErrDropped}
	if len(holder) > 0 && holder[0] == pauseMark {
		o.fate = Paused
	}
	r.done(t, o)
}

// lost is for a claim that another holds.
func (r *run) lost(t *task, holder []byte, now time.Time) {
	switch servable := r.c.judge(t.copy, t.req.Policy, now) >= servable; {
	case t.background:
		r.dropped(t, holder)
	case holder[0] == renewToken && !servable:
		r.waitFor(t, holder, stClaim)
	case holder[0] == renewToken:
		t.copy.hush(now, quietAfterLoss)
		r.done(t, outcome{})
	case t.copy == nil && holder[0] != pauseMark: // renewed a moment ago, and spoilt in the store since
		r.ready(t)
	default: // renewing failed a moment ago; or it succeeded, but by this clock the value is old already
		t.copy.hush(now, quietAfterLoss)
		r.done(t, outcome{failed: true, err: ErrRenewal})
	}
}

// settleClaims hands claims to the Renewer, gives back those that are not needed, and reads again what changed,
// which is usually the value that another process has just renewed.
func (r *run) settleClaims(hand, again []*task, free []Claim) {
	if len(free) > 0 {
		_ = r.c.ask(r.ctx, func(s Store) error { return s.Release(r.ctx, free) })
	}
	for _, t := range again {
		t.state = stPeek
	}
	if len(hand) == 0 {
		return
	}
	renewals := make([]Renewal, len(hand))
	for i, t := range hand {
		renewals[i] = Renewal{Key: t.req.Key, Token: t.token}
	}
	err := r.hand(renewals)
	now := r.c.now()
	for _, t := range hand {
		if err != nil {
			r.ready(t)
			continue
		}
		t.copy.hush(now, quietAfterLoss)
		r.done(t, outcome{})
	}
}

// hand gives renewals to the Renewer.
func (r *run) hand(renewals []Renewal) error {
	if r.c.o.Renewer == nil || r.c.store == nil {
		return ErrUnavailable
	}
	ctx, cancel := context.WithTimeout(r.ctx, handOver)
	defer cancel()
	err := r.c.o.Renewer.Renew(ctx, renewals)
	if err == nil {
		r.c.stats.renewals.Add(uint64(len(renewals)))
	}
	return err
}

// swap exchanges tokens for new ones with a full lease: when a renewal arrives, so that the same event, delivered
// again, finds its token gone; and when a lease has become too short to load under.
func (r *run) swap(ts []*task) {
	now := r.c.now()
	swaps := make([]Swap, len(ts))
	for i, t := range ts {
		swaps[i] = Swap{Key: r.leaseAt(t), Old: t.token, New: newToken(t.token[0], now), TTL: r.c.lease}
		if t.holds == holdsLease {
			swaps[i].Value = r.c.valueKey(t.req.Key)
		}
	}
	var got []Swapped
	err := r.c.ask(r.ctx, func(s Store) (err error) {
		got, err = s.Swap(r.ctx, swaps)
		return err
	})
	for i, t := range ts {
		switch {
		case err == nil && got[i].OK:
			t.token, t.since = swaps[i].New, now
			if t.background {
				t.copy, t.header = headerEntry(got[i].Header), got[i].Header
				t.foundHeader(t.header)
			}
			r.ready(t)
		case t.background && err == nil:
			r.c.stats.renewalsDropped.Add(1)
			r.done(t, outcome{err: ErrDropped})
		case t.background:
			r.done(t, outcome{err: err})
		default:
			r.c.stats.lostLeases.Add(1)
			t.holds = holdsNone
			t.state = stLead
		}
	}
}
