package cache

import (
	"context"
	"time"
)

// state is what a task needs next.
type state uint8

const (
	stPeek    state = iota // reading, without a claim
	stLead                 // reading or claiming
	stClaim                // claiming a renewal
	stSwap                 // exchanging the token, for a full lease
	stReady                // loading
	stLoading              // the load's end
	stLoaded               // publishing or giving back
	stWait                 // the time of the next look at another's lease
	stDone
)

// hold is where a task's lease lives.
type hold uint8

const (
	holdsNone hold = iota
	holdsValue
	holdsLease
)

// task is one key on its way to an outcome.
type task struct {
	f      *flight
	req    Request
	state  state
	token  string
	holds  hold
	since  time.Time // when the claim was sent
	copy   *entry    // best known
	origin Source    // of copy
	neg    *entry
	before time.Time // when the good copy that a renewal found was fetched
	header []byte    // of the value in L2, where it is to be renewed

	next       state     // after stWait
	due, until time.Time // of the next look at another's lease, and of the last; until is zero before the first

	cancel context.CancelFunc // of the load
	value  Value              // loaded
	err    error              // of the load
	rest   time.Duration      // nothing was loaded, because of a pause that lasts so long

	unsure     bool // whether the lease was taken
	refill     bool // copy is to be published, nothing to be loaded
	stopped    bool // told to give up
	fetched    bool // value is the load's, in the form that is kept
	background bool // a renewal that someone else asked for: drops out where another is at it
}

// run takes tasks to their outcomes, in one goroutine, in as few round trips as it can: whatever several tasks
// need of the store at the same time goes into one. Only loads run beside it.
type run struct {
	c       *Cache
	ctx     context.Context // the run is its context's owner
	tasks   []*task
	open    int
	loading int
	loaded  chan *task
	kick    chan struct{}
	kicked  bool // some flight was abandoned

	until  time.Time // nothing begins from then on; zero: no such end
	halted bool      // nor from now on
	report func(*task, Report)
}

// newRun makes a run for at most n tasks. Its context is detached from the caller's, whose values it keeps.
func (c *Cache) newRun(ctx context.Context, n int) *run {
	return &run{
		c:      c,
		ctx:    context.WithoutCancel(ctx),
		loaded: make(chan *task, n), // a load's end never blocks
		kick:   make(chan struct{}, 1),
	}
}

func (r *run) add(f *flight, req Request, first state) *task {
	t := &task{f: f, req: req, state: first, origin: FromL1}
	if e := r.c.memory.get(req.Key); e != nil {
		if e.value.Class == Good || e.value.Class == Doubtful {
			t.copy = e
		}
	}
	r.tasks = append(r.tasks, t)
	r.open++
	return t
}

// loop runs until every task is done.
func (r *run) loop() {
	for r.open > 0 {
		r.giveUp()
		r.drain()
		r.halt()
		if !r.step() && r.open > 0 {
			r.wait()
		}
	}
}

// step does the most pressing thing that some tasks need: first what others wait for.
func (r *run) step() bool {
	for _, t := range r.in(stReady, len(r.tasks)) {
		r.ready(t) // those without a slot must not lose their leases, nor fetch in a pause
	}
	for _, s := range []struct {
		do func([]*task)
		ts []*task
	}{
		{r.start, r.in(stReady, r.free())}, // no round trip
		{r.claim, r.ahead()},
		{r.leadRenewals, r.unseen()},
		{r.finish, r.in(stLoaded, len(r.tasks))},
		{r.swap, r.in(stSwap, len(r.tasks))},
		{r.peek, r.in(stPeek, len(r.tasks))},
		{r.claim, r.claimable()},
		{r.lead, r.in(stLead, r.free())},
	} {
		if len(s.ts) > 0 {
			s.do(s.ts)
			return true
		}
	}
	return false
}

// in returns up to limit tasks in a state.
func (r *run) in(s state, limit int) (ts []*task) {
	for _, t := range r.tasks {
		if len(ts) >= limit {
			break
		}
		if t.state == s {
			ts = append(ts, t)
		}
	}
	return ts
}

// free is how many loads may still begin: claims beyond that would keep others waiting.
func (r *run) free() int { return r.c.o.Slots - r.loading }

// wait blocks until a load ended, a look at another's lease is due, or a flight was abandoned.
func (r *run) wait() {
	var timer <-chan time.Time
	if d, ok := r.untilDue(); ok {
		t := time.NewTimer(d)
		defer t.Stop()
		timer = t.C
	}
	select {
	case t := <-r.loaded:
		r.take(t)
	case <-r.kick:
		r.kicked = true
	case <-timer:
		r.wake()
	}
}

// take notes the end of a load, and of those that end at nearly the same time: they are published together.
func (r *run) take(t *task) {
	linger := time.NewTimer(r.c.o.RoundTrip / 20)
	defer linger.Stop()
	for {
		t.state = stLoaded
		r.loading--
		if r.loading == 0 {
			return
		}
		select {
		case t = <-r.loaded:
		case <-linger.C:
			return
		}
	}
}

// drain takes the loads that ended during a round trip, so that their slots are in use again at once.
func (r *run) drain() {
	for {
		select {
		case t := <-r.loaded:
			t.state = stLoaded
			r.loading--
		default:
			return
		}
	}
}

func (r *run) untilDue() (d time.Duration, ok bool) {
	now := r.c.now()
	if !r.until.IsZero() && !r.halted {
		d, ok = max(0, r.until.Sub(now)), true
	}
	for _, t := range r.tasks {
		if t.state != stWait {
			continue
		}
		if left := max(0, t.due.Sub(now)); !ok || left < d {
			d, ok = left, true
		}
	}
	return d, ok
}

// wake puts those whose time has come, or nearly, back to work: one round trip serves them all.
func (r *run) wake() {
	soon := r.c.now().Add(pollEvery / 10)
	for _, t := range r.tasks {
		if t.state == stWait && !t.due.After(soon) {
			t.state = t.next
		}
	}
}

// done ends a task.
func (r *run) done(t *task, o outcome) {
	if o.copy == nil {
		o.copy = t.copy
	}
	if o.neg == nil {
		o.neg = t.neg
	}
	if o.origin == "" {
		o.origin = t.origin
	}
	t.state = stDone
	r.open--
	if r.report != nil {
		o.report = t.reported(o)
		r.report(t, o.report)
	}
	r.c.flights.land(t.f, o)
}
