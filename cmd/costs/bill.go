package main

// line is one line of a bill: what it costs at list price, and what is left once the free allowances are used.
type line struct {
	name       string
	list, left float64
}

// bill is a month.
type bill struct {
	requests float64
	flow     flow
	lines    []line
	commands float64 // to Redis
	fetches  float64
	seconds  float64 // a request's duration, as a mean
}

func (b bill) total() (list, left float64) {
	for _, l := range b.lines {
		list += l.list
		left += l.left
	}
	return list, left
}

// paid gives a line for an amount of which some is free.
func paid(name string, amount, free, price float64) line {
	return line{name, amount * price, max(0, amount-free) * price}
}

// plus adds lines under the first one's name.
func plus(l line, more ...line) line {
	for _, m := range more {
		l.list += m.list
		l.left += m.left
	}
	return l
}

// month computes the bill of a number of requests. cdn puts CloudFront in front, rtt is the round trip to Redis.
func month(requests float64, cdn bool, rtt float64, p prices, m measures, a assumptions) bill {
	rate := requests / a.month
	if cdn {
		rate = throughCDN(rate, a)
	}
	f := traffic(rate, m, a, rtt)
	reach, renewals, ticks := f.asked*a.month, f.stale*a.month, a.month/a.every
	if a.top == 0 {
		ticks = 0 // the schedule is off
	}
	b := bill{requests: requests, flow: f, fetches: f.fetches() * a.month, seconds: f.duration(m, a, rtt)}

	perRequest := f.l2*m.hitCommands + f.stale*m.staleCommands + f.old*m.oldCommands + f.miss*m.missCommands
	requestCommands := (perRequest + f.counts) * a.month
	renewalCommands := renewals * m.renewalCommands
	tickCommands := ticks*m.tickCommands + f.ticked*a.month*m.tickPageCommands
	b.commands = requestCommands + renewalCommands + tickCommands
	freeShare := func(commands float64) float64 { return p.freeRedisCommands * commands / b.commands }

	refreshSeconds := renewals*(a.handle+a.fetch+m.renewalTrips*rtt) + ticks*f.tickSeconds
	requestGBs, refreshGBs := reach*b.seconds*a.gatewayGB, refreshSeconds*a.refreshGB
	invocations := reach + renewals + ticks
	gb := func(n, kb float64) float64 { return n * kb / 1e6 }
	logs := gb(reach, m.lineKB+a.platformKB+a.accessKB+a.blobKB) + gb(renewals+ticks, m.lineKB+a.platformKB+a.blobKB)
	b.lines = []line{
		paid("Lambda: requests", invocations, p.freeLambdaRequests, p.lambdaMillion/1e6),
		paid("Lambda: GB-seconds of answering", requestGBs, p.freeLambdaGBSeconds*requestGBs/(requestGBs+refreshGBs), p.lambdaGBSecond),
		paid("Lambda: GB-seconds of renewing", refreshGBs, p.freeLambdaGBSeconds*refreshGBs/(requestGBs+refreshGBs), p.lambdaGBSecond),
		paid("HTTP API", reach, 0, p.httpAPIMillion/1e6),
		transfer(requests, gb(requests, m.answerKB), cdn, p),
		paid("Redis: commands of requests", requestCommands, freeShare(requestCommands), p.redisCommand),
		paid("Redis: commands of renewals asked for", renewalCommands, freeShare(renewalCommands), p.redisCommand),
		paid("Redis: commands of ticks", tickCommands, freeShare(tickCommands), p.redisCommand),
		paid("Redis: traffic", gb((f.l2+f.stale+f.fetches())*a.month, m.answerKB), p.freeRedisGB, p.redisGB),
		plus(paid("Logs", logs, p.freeLogsGB, p.logsGB), paid("", logs*a.retention, p.freeLogsGB, p.logsStoredGB)),
		plus(paid("Metrics, alarms, schedule", a.metrics, p.freeMetrics, p.metricMonth), paid("", a.alarms, p.freeAlarms, p.alarmMonth),
			paid("", ticks, p.freeSchedules, p.scheduleMillion/1e6)),
	}
	return b
}

// transfer is what leaves AWS, or CloudFront where it stands in front.
func transfer(requests, gb float64, cdn bool, p prices) line {
	const name = "Traffic out; CloudFront's traffic and requests"
	if cdn {
		return plus(paid(name, gb, p.freeCDNGB, p.cdnGB), paid("", requests, p.freeCDNRequests, p.cdnMillion/1e6))
	}
	return paid(name, gb, p.freeTransferGB, p.transferGB)
}
