// Command refresh-sim tells what the scheduled refresher is worth: half an hour of visitors who ask for channels by
// Zipf's law, with and without it, over the functions' own handlers, a real redis-server and a stand-in for t.me. It
// prints a table: the share of requests that waited for t.me, the fetches, the Redis commands and their price.
//
// Time is simulated. The clock of all functions stands still while something happens and jumps to the next event: a
// request, a tick each minute. What Redis would forget meanwhile is removed by the same clock. A fetch therefore takes no
// time, and two visitors never ask at the same moment: that one waits for the other's fetch is not seen.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// load is who asks for what.
type load struct {
	channels int
	// skew is the exponent of Zipf's law: the k-th channel is asked for in proportion to 1/k^skew.
	skew float64
	// rate is how many requests come a second, on average and at random moments.
	rate float64
	// time is how long they come, late the last part of it, told apart: by then all is warm.
	time, late time.Duration
	// environments are how many instances of the function serve them.
	environments int
	seed         uint64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "refresh-sim:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing to do for a process that ends
	}
}

// run simulates each setting and prints the table.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	var l load
	flags := flag.NewFlagSet("refresh-sim", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.IntVar(&l.channels, "channels", 2000, "how many `channels` there are")
	flags.Float64Var(&l.skew, "skew", 1, "the `exponent` of Zipf's law")
	flags.Float64Var(&l.rate, "rate", 10, "how many `requests` come a second")
	flags.DurationVar(&l.time, "time", 30*time.Minute, "how long they come, by the simulated `clock`")
	flags.IntVar(&l.environments, "environments", 4, "how many `instances` serve them")
	flags.Uint64Var(&l.seed, "seed", 1, "the `seed` of all that is random")
	tops := flags.String("tops", "0,50,200,1000", "the values of REFRESH_TOP, as a `list`; 0 is without a refresher")
	if err := flags.Parse(args); err != nil {
		return err
	}
	l.late = l.time / 3
	if l.channels < 1 || l.skew < 0 || l.rate <= 0 || l.time <= 0 || l.environments < 1 || flags.NArg() > 0 {
		return fmt.Errorf("these flags make no load: %q", args)
	}
	w, err := newWorld(ctx, l)
	if err != nil {
		return err
	}
	defer w.close()
	var rows []row
	for one := range strings.SplitSeq(*tops, ",") {
		top, err := strconv.Atoi(strings.TrimSpace(one))
		if err != nil || top < 0 {
			return fmt.Errorf("%q is no REFRESH_TOP", one)
		}
		r, err := w.simulate(ctx, l, top)
		if err != nil {
			return fmt.Errorf("with REFRESH_TOP %d: %w", top, err)
		}
		rows = append(rows, r)
	}
	return table(out, l, rows)
}
