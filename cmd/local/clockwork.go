package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/shared/app"
)

// clockwork fires the template's schedule, as EventBridge does. The function is an environment of its own, beside those
// that answer requests: what it fetches takes none of their slots.
type clockwork struct {
	schedule
	handler lambda.Handler
	app     *app.App
	running sync.WaitGroup
}

// newClockwork makes the scheduled function over a, which is its alone.
func newClockwork(s schedule, a *app.App) (*clockwork, error) {
	construct := constructors()[s.function]
	if construct == nil {
		return nil, fmt.Errorf("template.yaml schedules %s, which cmd/local does not know", s.function)
	}
	return &clockwork{schedule: s, handler: construct(a), app: a}, nil
}

// start fires until ctx ends. A nil clockwork fires nothing.
func (c *clockwork) start(ctx context.Context) {
	if c == nil {
		return
	}
	c.running.Go(func() {
		ticker := time.NewTicker(c.every)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				c.fire(ctx)
			}
		}
	})
}

// fire invokes the function once. It tells in its own log what it did.
func (c *clockwork) fire(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if _, err := c.handler.Invoke(ctx, c.input); err != nil {
		c.app.Log.ErrorContext(ctx, "scheduled event failed", "function", c.function, "event", string(c.input), "error", err)
	}
}

// close waits for what is under way, whose context has ended, and closes the function's App.
func (c *clockwork) close() error {
	if c == nil {
		return nil
	}
	c.running.Wait()
	return c.app.Close()
}
