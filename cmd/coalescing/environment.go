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
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	feed "channelapi/functions/feed/handler"
	graphql "channelapi/functions/graphql/handler"
	post "channelapi/functions/post/handler"
	preview "channelapi/functions/preview/handler"
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
// tally.
func environment(ctx context.Context, args, environ []string, in io.Reader, out io.Writer) error {
	var l load
	flags := flag.NewFlagSet(environmentArg, flag.ContinueOnError)
	flags.IntVar(&l.clients, "clients", 1, "")
	flags.DurationVar(&l.duration, "duration", time.Second, "")
	flags.DurationVar(&l.think, "think", 0, "")
	flags.BoolVar(&l.inline, "inline", false, "")
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
	a, err := app.New(cfg, app.Options{Log: telemetry.NewLocalLogger(os.Stderr, cfg.LogLevel), Background: !l.inline})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return fmt.Errorf("tell that this process is ready: %w", err)
	}
	if _, err := bufio.NewReader(in).ReadString('\n'); err != nil {
		return fmt.Errorf("wait for the start: %w", err)
	}
	t := ask(ctx, l, handlers(a), drawn)
	return errors.Join(a.Close(), json.NewEncoder(out).Encode(t))
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
