package cache

import "time"

// ahead are the renewals to claim while others load: as many as there are slots, once none waits for a slot. A visitor
// is served their old copies meanwhile, so that it does not matter that the claims are early.
func (r *run) ahead() (ts []*task) {
	if len(r.in(stReady, 1)) > 0 {
		return nil
	}
	for _, t := range r.in(stClaim, r.c.o.Slots) {
		if t.background {
			ts = append(ts, t)
		}
	}
	return ts
}

// unseen are the renewals of absent values to lead now. It is done before what was loaded is published, or slots would
// be idle meanwhile, but never ahead of free slots: a visitor who asks for one of them has to wait for it.
func (r *run) unseen() (ts []*task) {
	free := r.free()
	for _, t := range r.in(stLead, len(r.tasks)) {
		if t.background && len(ts) < free {
			ts = append(ts, t)
		}
	}
	return ts
}

// leadRenewals is lead for renewals, which are of no use where they cannot be kept.
func (r *run) leadRenewals(ts []*task) {
	now := r.c.now()
	err := ErrRefused
	var replies [][]byte
	if r.c.writable(now) {
		replies, err = r.askLead(ts, now)
	}
	for i, t := range ts {
		switch {
		case err == nil:
			r.led(t, replies[i], now)
		case maybeDone(err): // finish gives it back, or a visitor would wait for it until its end
			t.holds, t.since, t.err, t.state = holdsValue, now, err, stLoaded
		default:
			r.done(t, outcome{err: err})
		}
	}
}

// halt ends what has not begun, if nothing may begin any more: what holds a lease by way of finish. In a pause that the
// source asked for, renewals are not even claimed.
func (r *run) halt() {
	now := r.c.now()
	if !r.until.IsZero() && !now.Before(r.until) {
		r.halted = true
	}
	rest := r.c.cooling(now)
	if !r.halted && rest == 0 {
		return
	}
	for _, t := range r.tasks {
		switch begun := t.state >= stLoading && t.state != stWait; {
		case begun:
		case r.halted && t.holds != holdsNone:
			t.err, t.state = ErrStopped, stLoaded
		case r.halted:
			r.done(t, outcome{failed: true, err: ErrStopped})
		case t.background && t.holds == holdsNone:
			r.done(t, outcome{failed: true, err: &CoolError{Rest: rest}})
		}
	}
}

// claimable are the tasks in stClaim, without those that would have to be loaded here while there is no slot.
func (r *run) claimable() (ts []*task) {
	free := r.free()
	now := r.c.now()
	for _, t := range r.in(stClaim, len(r.tasks)) {
		if !r.outOfBand(t, now) {
			if free <= 0 {
				continue
			}
			free--
		}
		ts = append(ts, t)
	}
	return ts
}

// outOfBand tells whether t's copy is served while someone else renews it.
func (r *run) outOfBand(t *task, now time.Time) bool {
	return r.c.o.Renewer != nil && !t.background && r.c.judge(t.copy, t.req.Policy, now) >= servable
}
