package cache

import (
	"errors"
	"time"
)

// peek reads what many tasks ask for at once, without claiming what is absent.
func (r *run) peek(ts []*task) {
	replies, err := r.mget(ts)
	switch {
	case errors.Is(err, ErrTooLarge):
		for _, t := range ts { // in smaller batches, which Lead makes anyway
			t.state = stLead
		}
	case err != nil:
		r.without(ts, time.Time{})
	default:
		for i, t := range ts {
			if replies[i] == nil {
				t.state = stLead
				continue
			}
			r.found(t, replies[i])
		}
	}
}

func (r *run) mget(ts []*task) (replies [][]byte, err error) {
	keys := make([]string, len(ts))
	for i, t := range ts {
		keys[i] = r.c.valueKey(t.req.Key)
	}
	err = r.c.ask(r.ctx, func(s Store) error {
		replies, err = s.MGet(r.ctx, keys, r.c.bumps()...)
		return err
	})
	return replies, err
}

// lead reads each task's value or, where it is absent, claims it.
func (r *run) lead(ts []*task) {
	now := r.c.now()
	if r.c.store == nil {
		r.without(ts, time.Time{})
		return
	}
	if !r.c.writable(now) || r.c.cooling(now) > 0 {
		r.readOnly(ts)
		return
	}
	replies, err := r.askLead(ts, now)
	switch {
	case isRefused(err):
		r.readOnly(ts)
	case err != nil:
		// A claim whose reply never came may have been made: publish by the fence all the same.
		var sent time.Time
		if maybeDone(err) {
			sent = now
		}
		r.without(ts, sent)
	default:
		for i, t := range ts {
			r.led(t, replies[i], now)
		}
	}
}

func (r *run) askLead(ts []*task, now time.Time) (replies [][]byte, err error) {
	claims := make([]Claim, len(ts))
	for i, t := range ts {
		t.token = newToken(leadToken, now)
		claims[i] = Claim{Key: r.c.valueKey(t.req.Key), Token: t.token, Lease: r.c.lease}
	}
	var riders Riders // a single read must stay a single command
	if len(ts) > 1 {
		riders = r.c.wantCool(now, true)
	}
	err = r.c.ask(r.ctx, func(s Store) (err error) {
		var rest time.Duration
		riders.Bumps = r.c.bumps()
		if replies, rest, err = s.Lead(r.ctx, claims, riders); err == nil {
			r.c.readCool(now, riders, rest)
		}
		return err
	})
	return replies, err
}

// led takes the reply to a claim that was sent at sent.
func (r *run) led(t *task, reply []byte, sent time.Time) {
	if reply == nil || string(reply) == t.token {
		t.holds, t.since, t.unsure = holdsValue, sent, false
		if r.c.judge(t.copy, t.req.Policy, r.c.now()) == fresh {
			t.refill, t.state = true, stLoaded // the store lost, or evicted, what L1 still has
			return
		}
		r.ready(t)
		return
	}
	r.found(t, reply)
}

// found takes what a value's key holds.
func (r *run) found(t *task, b []byte) {
	if b[0] == leadToken {
		if t.background {
			r.done(t, outcome{err: ErrDropped})
			return
		}
		r.waitFor(t, b, stLead)
		return
	}
	now := r.c.now()
	e, err := r.c.decodeEntry(t.req.Key, b, now)
	if err != nil || e.value.Class == classPlain {
		t.header, t.state = header(b), stClaim
		return
	}
	t.header = header(b)
	t.origin = FromL2
	if !t.until.IsZero() {
		t.origin = FromWait
	}
	isFresh := r.c.judge(e, t.req.Policy, now) == fresh
	doubted := isFresh && r.c.holdsOff(t.copy, now)
	switch {
	case e.value.Class == Good, e.value.Class == Doubtful && !doubted:
		t.copy = r.c.memory.put(e, now)
		r.judged(t, now)
	case isFresh: // a failure, or what counts as one beside the good copy of L1
		t.neg = e
		if e.value.Class != classCooling {
			r.c.memory.put(e, now)
		}
		r.done(t, outcome{failed: true})
	default:
		t.state = stClaim
	}
}

// judged goes on with a copy that L2 holds now.
func (r *run) judged(t *task, now time.Time) {
	v := r.c.judge(t.copy, t.req.Policy, now)
	switch {
	case v == fresh:
		r.done(t, outcome{})
	case v == servable && (t.copy.isQuiet(now) || !r.c.writable(now)):
		r.done(t, outcome{})
	case r.c.cooling(now) > 0:
		r.cooled(t, now)
	default:
		t.state = stClaim
	}
}

// readOnly reads where nothing may be claimed: the store takes no writes, or nothing may be fetched.
func (r *run) readOnly(ts []*task) {
	replies, err := r.mget(ts)
	if err != nil {
		r.without(ts, time.Time{})
		return
	}
	now := r.c.now()
	for i, t := range ts {
		if e, err := r.c.decodeEntry(t.req.Key, replies[i], now); err == nil && r.usable(t, e, now) {
			r.done(t, outcome{failed: t.neg != nil})
			continue
		}
		r.without([]*task{t}, time.Time{})
	}
}

// usable takes a value that was only read, and tells whether it answers without a fetch.
func (r *run) usable(t *task, e *entry, now time.Time) bool {
	v := r.c.judge(e, t.req.Policy, now)
	switch e.value.Class {
	case Good, Doubtful:
		t.origin = FromL2
		t.copy = r.c.memory.put(e, now)
		return v >= servable
	case Negative, classCooling:
		if v == fresh {
			t.neg = e
			return true
		}
	}
	return false
}

// without goes on where the store is no help: what L1 has, if it may be served, else a fetch of this process's
// own. sent, unless zero, is when a claim was sent that may have been made.
func (r *run) without(ts []*task, sent time.Time) {
	now := r.c.now()
	for _, t := range ts {
		if e := r.c.memory.get(t.req.Key); e != nil && e.value.Class == Negative && r.c.judge(e, t.req.Policy, now) == fresh {
			r.done(t, outcome{neg: e, failed: true})
			continue
		}
		v := r.c.judge(t.copy, t.req.Policy, now)
		switch {
		case v == fresh, v == servable && r.c.store != nil, v >= kept && t.copy.isQuiet(now):
			r.done(t, outcome{failed: true})
			continue
		case !sent.IsZero():
			t.holds, t.since, t.unsure = holdsValue, sent, true
		case t.background && r.c.store != nil && r.c.cooling(now) == 0:
			r.done(t, outcome{err: ErrUnavailable}) // it would be fetched for nobody
			continue
		}
		r.ready(t)
	}
}

// header is the beginning of a value, to know it again by.
func header(b []byte) []byte { return b[:min(len(b), HeaderLen)] }
