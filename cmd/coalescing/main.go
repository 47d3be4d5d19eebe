// Command coalescing holds the promise that a page is fetched once: several processes with many clients each ask the
// functions' own handlers for the same few things, over one Redis and a stand-in for t.me that logs every fetch. It does
// so with Redis next door, then with Redis 45 ms away each way over TLS, and prints one line of JSON for each. It fails
// where a page was fetched again within its freshness, more often than the time allows, or where a request failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// environmentArg as first argument makes the program one of the processes under load.
const environmentArg = "environment"

// load is how much is asked.
type load struct {
	processes, clients int
	duration           time.Duration
	// think is how long a client pauses between requests, on average. Without a pause two cores have more to do than
	// they can, and what is measured is how long a request waits for its turn.
	think time.Duration
	// renewals says who renews what is served stale.
	renewals string
	// outage is how long Redis is gone meanwhile.
	outage time.Duration
}

// Who renews: goroutines of the process, as in the local run; another process that an event is queued for, as on Lambda;
// or nobody, so that it is done before answering, as on Lambda without a function for it.
const (
	byGoroutine = "goroutine"
	byEvent     = "event"
	byAnswer    = "answer"
)

// renewalsVar defines the flag for it.
func (l *load) renewalsVar(flags *flag.FlagSet) {
	l.renewals = byGoroutine
	flags.Func("renewals", "renew by `goroutine` (as the local run), event (as Lambda) or before the answer", func(v string) error {
		if l.renewals = v; !slices.Contains([]string{byGoroutine, byEvent, byAnswer}, v) {
			return fmt.Errorf("one of %s, %s, %s", byGoroutine, byEvent, byAnswer)
		}
		return nil
	})
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if len(os.Args) > 1 && os.Args[1] == environmentArg {
		err = environment(ctx, os.Args[2:], os.Environ(), os.Stdin, os.Stdout)
	} else {
		err = compare(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "coalescing:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing to do for a process that ends
	}
}

// compare runs the load in each set-up.
func compare(ctx context.Context, args []string, out, log io.Writer) error {
	l, r := load{}, rig{out: out, log: &shared{w: log}}
	flags := flag.NewFlagSet("coalescing", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.IntVar(&l.processes, "processes", 6, "how many `processes` serve")
	flags.IntVar(&l.clients, "clients", 32, "how many `clients` each process has at once")
	seconds := flags.Float64("seconds", 25, "how many `seconds` the clients ask")
	flags.DurationVar(&l.think, "think", 50*time.Millisecond, "the mean `pause` of a client between two requests")
	l.renewalsVar(flags)
	flags.DurationVar(&l.outage, "outage", 0, "have Redis be gone for a `while`, empty when it comes back")
	flags.StringVar(&r.pages, "pages", "testdata/pages", "the `folder` of recorded pages")
	flags.BoolVar(&r.verbose, "v", false, "list every fetch")
	only := flags.String("only", "", "run one `set-up` alone: "+near.name+" or "+far.name)
	if err := flags.Parse(args); err != nil {
		return err
	}
	setups := slices.DeleteFunc([]setup{near, far}, func(s setup) bool { return *only != "" && *only != s.name })
	if len(setups) == 0 || flags.NArg() > 0 || l.processes < 1 || l.clients < 1 || *seconds <= 0 {
		return fmt.Errorf("these flags make no load: %q", args)
	}
	l.duration = time.Duration(*seconds * float64(time.Second))
	var err error
	if r.program, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	var failed error
	for _, s := range setups {
		if err := r.run(ctx, s, l); err != nil {
			failed = fmt.Errorf("%s: %w", s.name, err)
			r.say("coalescing: %v", failed)
		}
	}
	return failed
}
