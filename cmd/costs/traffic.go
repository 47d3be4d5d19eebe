package main

import "math"

// flow is what happens in a second, as a mean.
type flow struct {
	asked             float64 // requests
	l1, l2            float64 // of them answered fresh from memory or from L2
	stale             float64 // answered stale, with a renewal handed on
	old, miss         float64 // waited for t.me: with a copy too old to be served, and with none
	ticked            float64 // pages renewed by ticks
	listed            float64 // channels that the ticks look after
	counted, counts   float64 // asks that are counted, and the commands that carry the counts
	environments      float64 // of a function that are busy, as a mean
	cold, tickSeconds float64 // share of requests in a new environment; a tick's duration
}

// fetches is how many pages are fetched in a second.
func (f flow) fetches() float64 { return f.stale + f.old + f.miss + f.ticked }

// duration is how long a request takes in its function, as a mean.
func (f flow) duration(m measures, a assumptions, rtt float64) float64 {
	if f.asked == 0 {
		return 0
	}
	waits := f.l2*m.hitTrips*rtt + f.stale*(m.staleTrips*rtt+a.invoke) + f.old*(m.oldTrips*rtt+a.fetch) + f.miss*(m.missTrips*rtt+a.fetch)
	return a.handle + waits/f.asked + f.cold*(a.start+m.coldTrips*rtt)
}

// traffic spreads a rate of requests over the channels and adds up what the cache makes of each. Requests come at random
// (Poisson); a channel's page is asked for by its newest one.
func traffic(rate float64, m measures, a assumptions, rtt float64) flow {
	weights, sum := make([]float64, a.channels), 0.0
	for i := range weights {
		weights[i] = math.Pow(float64(i+1), -a.zipf)
		sum += weights[i]
	}
	each, room := make([]flow, a.channels), float64(a.top)
	for i, w := range weights {
		each[i] = channel(rate*w/sum, room, a)
		room -= each[i].listed
	}
	f := flow{environments: 1}
	for range 5 { // how many environments there are depends on how long requests take, and the other way round
		busy := f.environments
		f = flow{cold: max(math.Exp(-rate*a.idle/busy), 0.001)}
		for _, c := range each {
			f.add(c.in(busy, a))
		}
		f.counts += intervals(f.counted, a.bucket, busy) // each gets its time to live
		f.environments = max(1, rate*f.duration(m, a, rtt))
	}
	pages := f.ticked * a.every
	f.tickSeconds = a.handle + m.tickTrips*rtt + math.Ceil(pages/a.slots)*(a.fetch+m.renewalTrips*rtt)
	return f
}

// add adds what happens to another channel.
func (f *flow) add(o flow) {
	f.asked += o.asked
	f.l1 += o.l1
	f.l2 += o.l2
	f.stale += o.stale
	f.old += o.old
	f.miss += o.miss
	f.ticked += o.ticked
	f.listed += o.listed
	f.counted += o.counted
	f.counts += o.counts
}

// channel follows one channel that is asked for r times a second: part of the time on the list of the ticks, as long as
// more popular ones leave it room there, and else by itself.
func channel(r, room float64, a assumptions) flow {
	f := flow{asked: r, listed: min(listed(r, a), room)}
	f.part(ticking(r, a), f.listed)
	f.part(alone(r, a), 1-f.listed)
	if a.top > 0 { // else nobody counts
		f.counted = a.sampled*r + f.old + f.miss
	}
	return f
}

// listed is the share of the time in which an ask of the last half hour was counted. A channel that is on the list is
// counted by sampling alone, and leaves it half an hour after the last that was; (exp(vT) − 1)/v is how long that takes as
// a mean. One that is not comes back with the first ask that is sampled, or that had to wait.
func listed(r float64, a assumptions) float64 {
	by := alone(r, a)
	stays, comes := a.sampled*r, a.sampled*r+(1-a.sampled)*(by.old+by.miss)
	gone := math.Exp(-stays * a.forget)
	on, off := (1-gone)/stays, gone/comes
	return on / (on + off)
}

// in adds what becomes of a channel in so many environments. Each asks L2, then answers from memory for a while, and so on
// as long as the page is fresh; and it gathers counts for a while before a round trip takes them along.
func (f flow) in(environments float64, a assumptions) flow {
	hits := max(0, f.asked-f.stale-f.old-f.miss)
	f.l2 = min(hits, f.fetches()*a.fresh*environments/(min(a.trust, a.fresh)+environments/f.asked))
	f.l1 = hits - f.l2
	f.counts = intervals(f.counted, a.hold, environments)
	return f
}

// intervals is how often in a second something is done that each of n environments does at most once in so long, at what
// happens rate times a second in all: the next time is when the interval ends, or, if nothing happened in it, at what
// happens next.
func intervals(rate, interval, n float64) float64 {
	each := rate / n
	return n / (interval + math.Exp(-each*interval)/each)
}

// part adds what happens in a share of the time.
func (f *flow) part(o flow, share float64) {
	f.stale += o.stale * share
	f.old += o.old * share
	f.miss += o.miss * share
	f.ticked += o.ticked * share
}

// alone is a channel that no tick looks after. A fetch begins a cycle: the page is fresh for F, then whoever asks first
// has it fetched again, and the cycle lasts F + 1/r as a mean. That request finds a copy that may be served, one that is
// too old, or none.
func alone(r float64, a assumptions) flow {
	cycles := 1 / (a.fresh + 1/r)
	servable, kept := math.Exp(-r*(a.staleMax-a.fresh)), math.Exp(-r*a.keep)
	return flow{stale: cycles * (1 - servable), old: cycles * (servable - kept), miss: cycles * kept}
}

// ticking is a channel on the list: once it is no longer fresh, what comes first has it fetched, a request, which finds a
// copy that may be served since ticks come often enough for that, or the next tick. The seconds between ticks are gone
// through one by one, with the chances of how long the page is fresh yet.
func ticking(r float64, a assumptions) flow {
	const settling, rounds = 4, 12
	asked := 1 - math.Exp(-r)
	left := make([]float64, int(a.fresh)+1) // by the seconds that are left
	left[0] = 1
	var f flow
	for round := range settling + rounds {
		if round == settling {
			f = flow{}
		}
		f.ticked += left[0]
		left[len(left)-1] += left[0]
		left[0] = 0
		for range int(a.every) {
			fetched := left[0] * asked
			f.stale += fetched
			left[1] += left[0] - fetched // has none left afterwards either
			copy(left, left[1:])
			left[len(left)-1] = fetched
		}
	}
	f.stale /= rounds * a.every
	f.ticked /= rounds * a.every
	return f
}

// throughCDN is the rate of requests that reach the API behind CloudFront, each edge of which keeps a page while it is
// fresh and asks for it once more then.
func throughCDN(rate float64, a assumptions) float64 {
	sum, reach := 0.0, 0.0
	for i := range a.channels {
		sum += math.Pow(float64(i+1), -a.zipf)
	}
	for i := range a.channels {
		r := rate * math.Pow(float64(i+1), -a.zipf) / sum
		reach += r / (1 + r/a.edges*a.fresh)
	}
	return reach
}
