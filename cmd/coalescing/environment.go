package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	feed "channelapi/functions/feed/handler"
	graphql "channelapi/functions/graphql/handler"
	post "channelapi/functions/post/handler"
	preview "channelapi/functions/preview/handler"
	refresh "channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/config"
	"channelapi/shared/telemetry"
)

// timeout is what a request may take, as the gateway has it.
const timeout = 29 * time.Second

// tally is what the clients of one process saw.
type tally struct {
	// Took are the durations of requests in µs.
	Took     []int64        `json:"took"`
	Sources  map[string]int `json:"sources"`
	Failures []string       `json:"failures"`
}

// environment is one process under load: it says that it is ready, waits for a line, has its clients ask, and writes a
// tally. Lines that follow meanwhile are events for the function for renewals.
func environment(ctx context.Context, args, environ []string, in io.Reader, out io.Writer) error {
	var l load
	flags := flag.NewFlagSet(environmentArg, flag.ContinueOnError)
	flags.IntVar(&l.clients, "clients", 1, "")
	flags.DurationVar(&l.duration, "duration", time.Second, "")
	flags.DurationVar(&l.think, "think", 0, "")
	l.renewalsVar(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	cfg, err := config.Load(environ)
	if err != nil {
		return err
	}
	drawn, err := calls(ctx)
	if err != nil {
		return err
	}
	a, err := app.New(cfg, app.Options{ //nolint:contextcheck // what it dials serves the whole process
		Log: telemetry.NewLocalLogger(os.Stderr, cfg.LogLevel), Background: l.renewals == byGoroutine,
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return fmt.Errorf("tell that this process is ready: %w", err)
	}
	lines := bufio.NewScanner(in)
	if !lines.Scan() {
		return fmt.Errorf("wait for the start: %w", lines.Err())
	}
	renewals := renew(ctx, refresh.New(a), lines)
	t := ask(ctx, l, handlers(a), drawn)
	t.Failures = append(t.Failures, renewals()...)
	return errors.Join(a.Close(), json.NewEncoder(out).Encode(t))
}

// renew gives each further line to the function for renewals, until the function it returns is called, which waits for
// those under way and tells what went wrong.
func renew(ctx context.Context, h lambda.Handler, lines *bufio.Scanner) func() []string {
	var mu sync.Mutex
	var running sync.WaitGroup
	var stopped bool
	var failures []string
	go func() { // ends with the input, at the latest with the process
		for lines.Scan() {
			event := slices.Clone(lines.Bytes())
			mu.Lock()
			if !stopped {
				running.Go(func() {
					if _, err := invoke(ctx, h, event); err != nil {
						mu.Lock()
						defer mu.Unlock()
						failures = append(failures, fmt.Sprintf("renewal %s: %v", event, err))
					}
				})
			}
			mu.Unlock()
		}
	}()
	return func() []string {
		mu.Lock()
		stopped = true
		mu.Unlock()
		running.Wait()
		return failures
	}
}

// handlers are the functions by name.
func handlers(a *app.App) map[string]lambda.Handler {
	return map[string]lambda.Handler{
		"body": body.New(a), "post": post.New(a), "preview": preview.New(a), "feed": feed.New(a), "graphql": graphql.New(a),
	}
}

// ask runs the clients and adds up what they saw.
func ask(ctx context.Context, l load, functions map[string]lambda.Handler, drawn []call) tally {
	sum := tally{Sources: make(map[string]int)}
	var mu sync.Mutex
	var clients sync.WaitGroup
	end := time.Now().Add(l.duration)
	for range l.clients {
		clients.Go(func() {
			t := client(ctx, l.think, end, functions, drawn)
			mu.Lock()
			defer mu.Unlock()
			sum.Took = append(sum.Took, t.Took...)
			sum.Failures = append(sum.Failures, t.Failures...)
			for s, n := range t.Sources {
				sum.Sources[s] += n
			}
		})
	}
	clients.Wait()
	return sum
}

// client asks one thing after the other until end. All begin at once, with empty caches.
func client(ctx context.Context, think time.Duration, end time.Time, functions map[string]lambda.Handler, drawn []call) tally {
	t := tally{Sources: make(map[string]int)}
	for ctx.Err() == nil && time.Now().Before(end) {
		c := drawn[rand.IntN(len(drawn))]
		start := time.Now()
		answer, err := invoke(ctx, functions[c.function], c.event)
		t.Took = append(t.Took, time.Since(start).Microseconds())
		switch wrong := fault(c, answer); {
		case err != nil:
			t.Failures = append(t.Failures, fmt.Sprintf("%s: %v", c.target, err))
		case wrong != "":
			t.Failures = append(t.Failures, c.target+": "+wrong)
		default:
			t.Sources[sourceOf(answer)]++
		}
		if think > 0 {
			time.Sleep(time.Duration(rand.ExpFloat64() * float64(think)))
		}
	}
	return t
}

func invoke(ctx context.Context, h lambda.Handler, event []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return h.Invoke(ctx, event)
}
