package cache

import (
	"context"
	"errors"
	"time"
)

// batch is what finished tasks want of the store, a round trip a kind.
type batch struct {
	publish, renew []Publication
	pause          []Swap
	release        []Claim
	hand           []Renewal
	start          time.Duration    // of a pause that the source asked for
	unpublished    map[string]error // by token
}

// finish publishes what was loaded, gives back what could not be, and ends the tasks. The answers are given
// only then: nothing runs after them.
func (r *run) finish(ts []*task) {
	now := r.c.now()
	b := batch{unpublished: map[string]error{}}
	outs := make([]outcome, len(ts))
	for i, t := range ts {
		if t.holds != holdsNone && now.Sub(t.since) >= r.c.lease {
			t.holds = holdsNone // past its time it publishes nothing
			r.c.stats.lostLeases.Add(1)
			b.unpublished[t.token] = errLeaseLost
		}
		if t.stopped && t.err == nil && t.value.Class > Good {
			t.err = errAbandoned // what a cancelled load takes for a failure of the source is none
		}
		if t.err != nil {
			outs[i] = r.failedLoad(t, now, &b)
		} else {
			outs[i] = r.loadedOutcome(t, now, &b)
		}
	}
	r.send(&b)
	for i, t := range ts {
		if err := b.unpublished[t.token]; err != nil && t.background && outs[i].err == nil && outs[i].fate != Spared {
			outs[i].fate, outs[i].err = Failed, err
		}
		r.done(t, outs[i])
	}
}

// failedLoad is for a load with nothing to remember, or none at all.
func (r *run) failedLoad(t *task, now time.Time, b *batch) outcome {
	o := outcome{failed: true, err: t.err}
	switch {
	case t.stopped:
		o.err = errAbandoned
		if t.holds != holdsNone {
			b.hand = append(b.hand, Renewal{Key: t.req.Key, Token: t.token})
			b.release = append(b.release, r.claimOf(t)) // taken out again if the hand-over works
		}
	case errors.Is(t.err, ErrStopped) && t.holds != holdsNone:
		b.release = append(b.release, r.claimOf(t))
	case t.rest > 0 && t.holds == holdsValue:
		d := min(t.rest, coolNegative)
		b.publish = append(b.publish, r.publication(t, Value{Class: classCooling, FetchedAt: now, FreshFor: d}, now))
	case t.holds == holdsValue:
		b.release = append(b.release, r.claimOf(t))
	case t.holds == holdsLease && r.c.holdsOff(t.copy, now):
		b.pause = append(b.pause, r.pausing(t, pauseFor(t, now)))
	case t.holds == holdsLease:
		b.release = append(b.release, r.claimOf(t))
	case r.c.holdsOff(t.copy, now):
		t.copy.hush(now, pause(t.copy, now))
	}
	return o
}

// pauseFor is how long a renewal is left alone: until the source's pause is over, if that is what stopped it.
func pauseFor(t *task, now time.Time) time.Duration {
	if t.rest > 0 {
		return t.rest
	}
	return pause(t.copy, now)
}

// loadedOutcome is for a value, which replaces what is known unless it is a failure and that is a good copy.
func (r *run) loadedOutcome(t *task, now time.Time, b *batch) outcome {
	if t.refill {
		return r.refilled(t, now, b)
	}
	v := t.loadedValue(now)
	t.value, t.fetched = v, true
	e := newEntry(t.req.Key, v, now)
	if v.Cool > 0 {
		b.start = max(b.start, min(v.Cool, maxPause))
		r.c.cool(now, v.Cool)
	}
	if v.Class == Negative {
		r.c.stats.negatives.Add(1)
	}
	spared := v.Class != Good && r.c.holdsOff(t.copy, now)
	switch {
	case spared && t.holds == holdsLease:
		b.pause = append(b.pause, r.pausing(t, pause(t.copy, now)))
	case spared && t.holds == holdsNone:
		t.copy.hush(now, pause(t.copy, now))
	case t.holds == holdsValue:
		b.publish = append(b.publish, r.publication(t, v, now))
	case t.holds == holdsLease:
		b.renew = append(b.renew, r.publication(t, v, now))
	}
	if spared {
		return outcome{neg: e, failed: true, fate: Spared}
	}
	t.copy = nil
	r.c.memory.put(e, now)
	if v.Class == Negative {
		return outcome{neg: e, origin: FromMiss, failed: true}
	}
	return outcome{copy: e, origin: FromMiss, loaded: true}
}

// refilled is for a copy that is fresh, and goes back into the store as it is.
func (r *run) refilled(t *task, now time.Time, b *batch) outcome {
	if t.holds == holdsValue {
		b.publish = append(b.publish, r.publication(t, t.copy.value, now))
	}
	t.copy.checked.Store(now.UnixNano())
	return outcome{}
}

func (r *run) leaseAt(t *task) string {
	if t.holds == holdsValue {
		return r.c.valueKey(t.req.Key)
	}
	return r.c.leaseKey(t.req.Key)
}

func (r *run) claimOf(t *task) Claim { return Claim{Key: r.leaseAt(t), Token: t.token} }

func (r *run) pausing(t *task, d time.Duration) Swap {
	return Swap{Key: r.leaseAt(t), Old: t.token, New: markOf(pauseMark, t.token), TTL: d}
}

func (r *run) publication(t *task, v Value, now time.Time) Publication {
	p := Publication{
		Token: t.token, Key: r.c.valueKey(t.req.Key), LeaseKey: r.c.leaseKey(t.req.Key),
		Value: encode(v), TTL: r.c.hardTTL(v, t.req.Policy),
	}
	if t.holds == holdsLease || v.Class == Good || v.Class == Doubtful {
		p.Mark, p.MarkTTL = markOf(freshMark, t.token), v.FreshFor-now.Sub(v.FetchedAt)
	}
	return p
}

// send brings a batch to the store. What fails is made good by the leases' end.
func (r *run) send(b *batch) {
	if len(b.hand) > 0 && r.hand(b.hand) == nil {
		b.release = withoutTokens(b.release, b.hand)
	}
	r.sendPublications(b, b.publish, Store.Publish)
	r.sendPublications(b, b.renew, Store.PublishRenewals)
	if b.start > 0 && r.c.store != nil { // nothing carried it
		r.sendCool(Riders{StartCool: b.start})
	}
	if len(b.pause) > 0 {
		_ = r.c.ask(r.ctx, func(s Store) error {
			_, err := s.Swap(r.ctx, b.pause)
			return err
		})
	}
	if len(b.release) > 0 {
		_ = r.c.ask(r.ctx, func(s Store) error { return s.Release(r.ctx, b.release) })
	}
}

type publisher func(Store, context.Context, []Publication, Riders) ([]bool, time.Duration, error)

func (r *run) sendPublications(b *batch, pubs []Publication, publish publisher) {
	if len(pubs) == 0 {
		return
	}
	now := r.c.now()
	riders := r.c.wantCool(now, false)
	riders.StartCool = b.start
	var written []bool
	err := r.c.ask(r.ctx, func(s Store) (err error) {
		var rest time.Duration
		riders.Bumps = r.c.bumps()
		if written, rest, err = publish(s, r.ctx, pubs, riders); err == nil {
			r.c.readCool(now, riders, rest)
		}
		return err
	})
	if err == nil {
		b.start = 0
		for i, ok := range written {
			if !ok {
				r.c.stats.lostLeases.Add(1)
				b.unpublished[pubs[i].Token] = errLeaseLost
			}
		}
		return
	}
	for _, p := range pubs {
		b.unpublished[p.Token] = err
	}
	if answered(err) { // refused: others need not wait for the lease's end
		_ = r.c.ask(r.ctx, func(s Store) error { return s.Release(r.ctx, claimsOf(pubs)) })
	}
}

func (r *run) sendCool(riders Riders) {
	_ = r.c.ask(r.ctx, func(s Store) error {
		_, _, err := s.Publish(r.ctx, nil, riders)
		return err
	})
}

// claimsOf names both places where a publication's token may be; elsewhere it does nothing.
func claimsOf(pubs []Publication) []Claim {
	cs := make([]Claim, 0, len(pubs))
	for _, p := range pubs {
		key := p.Key
		if p.Token[0] == renewToken {
			key = p.LeaseKey
		}
		cs = append(cs, Claim{Key: key, Token: p.Token})
	}
	return cs
}

func withoutTokens(cs []Claim, handed []Renewal) (left []Claim) {
	tokens := map[string]bool{}
	for _, h := range handed {
		tokens[h.Token] = true
	}
	for _, c := range cs {
		if !tokens[c.Token] {
			left = append(left, c)
		}
	}
	return left
}
