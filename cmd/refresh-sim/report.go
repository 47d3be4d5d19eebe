package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// pricePerCommand is Upstash's for a command beyond the free ones, in dollars.
const pricePerCommand = 0.20 / 100_000

// table prints what was found in Markdown.
func table(out io.Writer, l load, rows []row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s channels, Zipf exponent %g, %g requests a second for %s (%d in all) to %d environments, seed %d.\n\n",
		thousands(l.channels), l.skew, l.rate, plain(l.time), rows[0].requests, l.environments, l.seed)
	fmt.Fprintf(&b, "| REFRESH_TOP | waited for t.me | of the last %s | fetches | by ticks | by single renewals | Redis commands | a request | $ for %s | $ a month of this |\n",
		plain(l.late), plain(l.time))
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		price := float64(r.commands) * pricePerCommand
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %.2f | %.2f | %.0f |\n", top(r.top), share(r.waited, r.requests),
			share(r.lateWaited, r.late), thousands(r.fetches), thousands(r.tickRenewed), thousands(r.renewals),
			thousands(r.commands), float64(r.commands)/float64(max(1, r.requests)), price, price*float64(30*24*time.Hour)/float64(l.time))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func top(n int) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(n)
}

func share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// plain writes a duration of whole minutes, or seconds, as people do.
func plain(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d s", d/time.Second)
}

// thousands sets commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
