package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// near tells whether two numbers are alike within a share.
func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// TestTrafficAddsUp: every request is answered in one way, at any rate.
func TestTrafficAddsUp(t *testing.T) {
	t.Parallel()
	m, a := measured(), assumed()
	for _, rate := range []float64{1e-4, 0.01, 1, 40, 4000} {
		f := traffic(rate, m, a, a.far)
		if sum := f.l1 + f.l2 + f.stale + f.old + f.miss; !near(f.asked, rate, 1e-9) || !near(sum, rate, 1e-6) {
			t.Errorf("at %v/s: %v asked, %v answered", rate, f.asked, sum)
		}
		for what, n := range map[string]float64{"l1": f.l1, "l2": f.l2, "stale": f.stale, "old": f.old, "miss": f.miss, "ticked": f.ticked} {
			if n < 0 || math.IsNaN(n) {
				t.Errorf("at %v/s: %s = %v", rate, what, n)
			}
		}
		if f.listed > float64(a.top)+1e-6 {
			t.Errorf("at %v/s ticks look after %v channels, want at most %d", rate, f.listed, a.top)
		}
	}
	if f := traffic(1e-6, m, a, a.far); f.miss/f.asked < 0.95 || f.cold < 0.99 {
		t.Errorf("a request in twelve days: %v of it a miss, cold %v", f.miss/f.asked, f.cold)
	}
	without := a
	without.top = 0
	with, none := traffic(1, m, a, a.far), traffic(1, m, without, a.far)
	if with.old+with.miss >= none.old+none.miss || none.ticked != 0 || none.counts != 0 {
		t.Errorf("with ticks %v wait, without %v, of whom %v are counted", with.old+with.miss, none.old+none.miss, none.counts)
	}
	if waited := with.old + with.miss; with.counted < waited || with.counts > with.counted+2/a.bucket*with.environments {
		t.Errorf("%v waited, %v are counted, by %v commands", waited, with.counted, with.counts)
	}
}

// TestListedAgainstDraws draws requests for one channel, each counted if it is sampled or has to wait, and follows its
// place on the list.
func TestListedAgainstDraws(t *testing.T) {
	t.Parallel()
	a := assumed()
	for _, rate := range []float64{0.0002, 0.001, 0.004, 0.02} {
		random := rand.New(rand.NewPCG(3, uint64(rate*1e6)))
		now, listedUntil, on := 0.0, 0.0, 0.0
		for range 300_000 {
			before := now
			now += random.ExpFloat64() / rate
			on += max(0, min(now, listedUntil)-before)
			// Off the list it was fetched at the last request, or by a tick before it left.
			waits := now > listedUntil && now-max(before, listedUntil) > a.staleMax
			if waits || random.Float64() < a.sampled {
				listedUntil = now + a.forget
			}
		}
		if got, want := on/now, listed(rate, a); !near(got, want, 0.04) {
			t.Errorf("at %v/s listed for %.3f of the time, computed %.3f", rate, got, want)
		}
	}
	if got := listed(10, a); got != 1 {
		t.Errorf("asked for ten times a second it is listed for %v of the time", got)
	}
}

// TestIntervalsAgainstDraws has environments take counts along at most once a minute.
func TestIntervalsAgainstDraws(t *testing.T) {
	t.Parallel()
	const hold, environments = 60.0, 3
	for _, rate := range []float64{0.001, 0.05, 2} {
		random := rand.New(rand.NewPCG(4, uint64(rate*1e6)))
		var held [environments]float64 // until when
		var gathered [environments]bool
		now, taken := 0.0, 0
		for range 100_000 {
			now += random.ExpFloat64() / rate
			for i := range held {
				if gathered[i] && now >= held[i] {
					held[i], gathered[i] = held[i]+hold, false
					taken++
				}
			}
			i := random.IntN(environments)
			if gathered[i] = now < held[i]; !gathered[i] {
				held[i] = now + hold
				taken++
			}
		}
		if got, want := float64(taken)/now, intervals(rate, hold, environments); !near(got, want, 0.03) {
			t.Errorf("at %v/s taken along %.5f times a second, computed %.5f", rate, got, want)
		}
	}
	if got := intervals(0, hold, environments); got != 0 {
		t.Errorf("what never happens is done %v times a second", got)
	}
}

// TestAloneAgainstDraws draws requests for one channel and follows the rules of the cache; the closed form agrees.
func TestAloneAgainstDraws(t *testing.T) {
	t.Parallel()
	a := assumed()
	for _, rate := range []float64{0.002, 0.02, 0.2} {
		want := alone(rate, a)
		var got flow
		random := rand.New(rand.NewPCG(1, uint64(rate*1e6)))
		const draws = 200_000
		now, fetched := 0.0, math.Inf(-1)
		for range draws {
			now += random.ExpFloat64() / rate
			switch age := now - fetched; {
			case age < a.fresh:
				continue
			case age < a.staleMax:
				got.stale++
			case age < a.keep+a.fresh:
				got.old++
			default:
				got.miss++
			}
			fetched = now
		}
		for what, n := range map[string][2]float64{"stale": {got.stale, want.stale}, "old": {got.old, want.old}} {
			if drawn := n[0] / now; !near(drawn, n[1], 0.05) && n[1]/rate > 0.001 {
				t.Errorf("at %v/s %s: drawn %v, computed %v", rate, what, drawn, n[1])
			}
		}
	}
}

// TestTickingAgainstDraws does the same for a channel on the list, with a tick each minute.
func TestTickingAgainstDraws(t *testing.T) {
	t.Parallel()
	a := assumed()
	for _, rate := range []float64{0.003, 0.03, 0.3} {
		var got flow
		random := rand.New(rand.NewPCG(2, uint64(rate*1e6)))
		now, fetched, next := 0.0, 0.0, random.ExpFloat64()/rate
		const end = 4e6
		for tick := a.every; tick < end; tick += a.every {
			for ; next < tick; next += random.ExpFloat64() / rate {
				if now = next; now-fetched >= a.fresh {
					got.stale++
					fetched = now
				}
			}
			if tick-fetched >= a.fresh {
				got.ticked++
				fetched = tick
			}
		}
		want := ticking(rate, a)
		for what, n := range map[string][2]float64{"stale": {got.stale, want.stale}, "ticked": {got.ticked, want.ticked}} {
			if drawn := n[0] / end; !near(drawn, n[1], 0.15) { // the model's grain is a second
				t.Errorf("at %v/s %s: drawn %v, computed %v", rate, what, drawn, n[1])
			}
		}
	}
}

// TestBill: what is paid grows with requests, is never less than nothing, and free allowances only lessen it.
func TestBill(t *testing.T) {
	t.Parallel()
	p, m, a := list(), measured(), assumed()
	last := 0.0
	for _, n := range []float64{10e3, 1e6, 100e6} {
		b := month(n, false, a.far, p, m, a)
		total, left := b.total()
		if total <= last || left > total || left < 0 {
			t.Errorf("%v requests: %v, %v after the free allowances, %v for fewer", n, total, left, last)
		}
		last = total
		sum := 0.0
		for _, l := range b.lines {
			if strings.HasPrefix(l.name, "Redis: commands") {
				sum += l.list
			}
		}
		if !near(sum, b.commands*p.redisCommand, 1e-9) {
			t.Errorf("%v requests: commands cost %v, want %v", n, sum, b.commands*p.redisCommand)
		}
	}
	if cdn := month(100e6, true, a.far, p, m, a); cdn.flow.asked*a.month >= 100e6 {
		t.Errorf("behind CloudFront %v requests reach the API", cdn.flow.asked*a.month)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := run(nil, &out); err != nil || out.String() != report(list(), measured(), assumed()) {
		t.Errorf("run prints %.80q, %v", out.String(), err)
	}
	file := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(file, []byte("before\n"+begin+"old\n"+end+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-write", file}, &out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "before\n"+begin+report(list(), measured(), assumed())+end+"after\n" {
		t.Errorf("the document is %.200q, %v", got, err)
	}
	if err := os.WriteFile(file, []byte("no marks"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-write", file}, {"-write", filepath.Join(t.TempDir(), "none")}, {"-what"}} {
		if err := run(args, &out); err == nil {
			t.Errorf("run %q: no error", args)
		}
	}
}

func TestNumbersAsWritten(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0.001: "0", 0.5: "0.50", 99.994: "99.99", 1736.4: "1,736", 1234567: "1,234,567"} {
		if got := dollars(v); got != want {
			t.Errorf("dollars(%v) = %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{4: "4", 999: "999", 400000: "400,000", 1e6: "1 million", 2.5e6: "2.5 million", 514e6: "514 million"} {
		if got := count(v); got != want {
			t.Errorf("count(%v) = %s, want %s", v, got, want)
		}
	}
}
