package main

import (
	"fmt"
	"strings"
)

// column is one case of the tables.
type column struct {
	head string
	bill bill
}

// report writes the tables and what they rest on.
func report(p prices, m measures, a assumptions) string {
	at := func(n float64) bill { return month(n, false, a.far, p, m, a) }
	columns := []column{
		{"10 thousand", at(10e3)}, {"1 million", at(1e6)}, {"100 million", at(100e6)},
		{"100 million, CloudFront", month(100e6, true, a.far, p, m, a)},
		{"100 million, aggressive", month(100e6, false, a.far, p, m, aggressive(a))},
		{"100 million, Redis near", month(100e6, false, a.near, p, m, a)},
	}
	return "US dollars a month, at list prices:\n\n" + money(columns) + "\nWhat the model makes of the requests:\n\n" +
		flows(columns, a) + "\nWhat `REFRESH_TOP` buys:\n\n" + tops(p, m, a) + foundations(p, m, a)
}

// tops is the table of the price and worth of ticks.
func tops(p prices, m measures, a assumptions) string {
	var b strings.Builder
	b.WriteString("| `REFRESH_TOP` | a million: dollars | waited for t.me | 100 million: dollars | waited for t.me |\n|---:|---:|---:|---:|---:|\n")
	for _, top := range []int{0, 25, 50, 100, 200, 400} {
		a.top = top
		fmt.Fprintf(&b, "| %d |", top)
		for _, n := range []float64{1e6, 100e6} {
			got := month(n, false, a.far, p, m, a)
			list, _ := got.total()
			fmt.Fprintf(&b, " %s | %.1f %% |", dollars(list), 100*(got.flow.old+got.flow.miss)/got.flow.asked)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// table writes rows with a cell a column.
type table struct {
	strings.Builder
	columns []column
}

func newTable(columns []column) *table {
	t := &table{columns: columns}
	t.WriteString("| requests a month |")
	for _, c := range columns {
		t.WriteString(" " + c.head + " |")
	}
	t.WriteString("\n|---|" + strings.Repeat("---:|", len(columns)) + "\n")
	return t
}

func (t *table) row(name string, cell func(bill) string) {
	t.WriteString("| " + name + " |")
	for _, c := range t.columns {
		t.WriteString(" " + cell(c.bill) + " |")
	}
	t.WriteString("\n")
}

// money is the table of costs.
func money(columns []column) string {
	t := newTable(columns)
	for i, l := range columns[0].bill.lines {
		t.row(l.name, func(b bill) string { return dollars(b.lines[i].list) })
	}
	t.row("**together**", func(b bill) string { list, _ := b.total(); return "**" + dollars(list) + "**" })
	t.row("**after the free allowances**", func(b bill) string { _, left := b.total(); return "**" + dollars(left) + "**" })
	t.row("a million requests", func(b bill) string { list, _ := b.total(); return dollars(list / b.requests * 1e6) })
	return t.String()
}

// flows is the table of what happens to the requests.
func flows(columns []column, a assumptions) string {
	t := newTable(columns)
	share := func(name string, part func(flow) float64) {
		t.row(name, func(b bill) string { return fmt.Sprintf("%.1f %%", 100*part(b.flow)/b.flow.asked) })
	}
	t.row("reach a function", func(b bill) string { return fmt.Sprintf("%.1f %%", 100*b.flow.asked*a.month/b.requests) })
	share("of these from memory (L1)", func(f flow) float64 { return f.l1 })
	share("from Redis (L2)", func(f flow) float64 { return f.l2 })
	share("stale, renewed behind the answer", func(f flow) float64 { return f.stale })
	share("waited for t.me", func(f flow) float64 { return f.old + f.miss })
	share("in a new environment", func(f flow) float64 { return f.cold * f.asked })
	t.row("mean time in the function", func(b bill) string { return fmt.Sprintf("%.0f ms", 1000*b.seconds) })
	t.row("Redis commands", func(b bill) string { return count(b.commands) })
	t.row("a request", func(b bill) string { return fmt.Sprintf("%.2f", b.commands/b.requests) })
	t.row("a second, in the busiest hour", func(b bill) string { return count(b.commands / a.month * a.peak) })
	t.row("fetches from t.me", func(b bill) string { return count(b.fetches) })
	t.row("a second", func(b bill) string { return fmt.Sprintf("%.2f", b.flow.fetches()) })
	t.row("channels that ticks look after", func(b bill) string { return fmt.Sprintf("%.0f", b.flow.listed) })
	t.row("a tick's duration", func(b bill) string { return fmt.Sprintf("%.1f s", b.flow.tickSeconds) })
	return t.String()
}

// foundations says what the tables rest on.
func foundations(p prices, m measures, a assumptions) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("\nPrices (US dollars, us-east-1, autumn 2026; free a month in brackets): Lambda %.2f a million requests (%s), %.10f a", p.lambdaMillion, count(p.freeLambdaRequests), p.lambdaGBSecond)
	line("GB-second on arm64 (%s); HTTP API %.2f a million requests of up to 512 KB; traffic out %.2f a GB (%.0f GB); CloudFront", count(p.freeLambdaGBSeconds), p.httpAPIMillion, p.transferGB, p.freeTransferGB)
	line("%.3f a GB (%s GB) and %.2f a million requests (%s); Upstash Redis %.2f for 100,000 commands (%s on the free plan)", p.cdnGB, count(p.freeCDNGB), p.cdnMillion, count(p.freeCDNRequests), p.redisCommand*1e5, count(p.freeRedisCommands))
	line("and %.2f a GB (%.0f GB); CloudWatch logs %.2f a GB taken in and %.2f a GB kept (%.0f GB each), metrics %.2f (%.0f), alarms %.2f", p.redisGB, p.freeRedisGB, p.logsGB, p.logsStoredGB, p.freeLogsGB, p.metricMonth, p.freeMetrics, p.alarmMonth)
	line("(%.0f); Scheduler %.2f a million (%s).", p.freeAlarms, p.scheduleMillion, count(p.freeSchedules))
	line("\nMeasured (`go test ./cmd/costs` measures again): Redis commands as billed, those within scripts included, and round")
	line("trips: L2 hit %.0f and %.0f; stale and handed on %.0f and %.0f; a copy too old to be served %.0f and %.0f; a miss %.0f and %.0f;", m.hitCommands, m.hitTrips, m.staleCommands, m.staleTrips, m.oldCommands, m.oldTrips, m.missCommands, m.missTrips)
	line("the renewal itself %.0f and %.0f; a tick %.0f and %.0f, and %.0f commands a page that it renews; %.0f round trips more for a new", m.renewalCommands, m.renewalTrips, m.tickCommands, m.tickTrips, m.tickPageCommands, m.coldTrips)
	line("connection. A page's answer %.0f KB compressed, the log line of a request %.2f KB.", m.answerKB, m.lineKB)
	line("\nAssumed: %s channels are asked for, the n-th in proportion to 1/n, at random times, always by the newest page;", count(float64(a.channels)))
	line("one in %.0f is counted, and each that waited, with at most one command in %.0f s a channel and environment;", 1/a.sampled, a.hold)
	line("`CACHE_MODE=normal`, `REFRESH_TOP=%d`, a tick in %.0f s; Redis %.0f ms away (near: %.0f ms); %.0f ms to fetch and read a page,", a.top, a.every, a.far*1000, a.near*1000, a.fetch*1000)
	line("%.0f ms of work in a function besides, %.0f ms for a cold start, %.0f min until an idle environment ends; %.0f MB of memory,", a.handle*1000, a.start*1000, a.idle/60, a.gatewayGB*1024)
	line("%.0f MB for refresh; Lambda's own log lines %.2f KB an invocation, the gateway's %.1f KB, metrics' %.1f KB, kept 14 days;", a.refreshGB*1024, a.platformKB, a.accessKB, a.blobKB)
	line("%.0f metrics, %.0f in alarms; callers spread over %.0f edges of CloudFront; the busiest hour at %.0f × the mean.", a.metrics, a.alarms, a.edges, a.peak)
	return b.String()
}

// dollars writes an amount.
func dollars(v float64) string {
	switch {
	case v < 0.005:
		return "0"
	case v < 100:
		return fmt.Sprintf("%.2f", v)
	}
	return grouped(v)
}

// count writes a number as one says it.
func count(v float64) string {
	switch {
	case v >= 10e6:
		return fmt.Sprintf("%.0f million", v/1e6)
	case v >= 1e6:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v/1e6), ".0") + " million"
	case v >= 1000:
		return grouped(v)
	}
	return fmt.Sprintf("%.0f", v)
}

// grouped writes a whole number with commas.
func grouped(v float64) string {
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
