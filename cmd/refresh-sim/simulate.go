package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	refresh "channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/cache/redisstore"
	"channelapi/shared/config"
	"channelapi/shared/lambdahttp/gateway"
)

const (
	// every is how often the template's schedule ticks.
	every = time.Minute
	// timeout is what an invocation may take in real time.
	timeout = 30 * time.Second
)

// row is what one simulation found.
type row struct {
	top                int
	requests, waited   int
	late, lateWaited   int
	renewals           int // single ones, handed over by requests
	fetches, commands  int
	ticks, tickRenewed int
}

// simulation is one run.
type simulation struct {
	w        *world
	l        load
	clock    *clock
	deaths   *deaths
	visitors *visitors
	events   [][]byte // of a request for each channel
	serving  []lambda.Handler
	refresh  lambda.Handler
	apps     []*app.App
	row      row
}

// simulate lets the visitors of a load come, with a refresher of the top channels.
func (w *world) simulate(ctx context.Context, l load, top int) (row, error) {
	if err := w.reset(); err != nil {
		return row{}, err
	}
	c := &clock{}
	c.set(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	s := &simulation{
		w: w, l: l, clock: c, deaths: &deaths{clock: c, at: make(map[string]time.Time)}, visitors: newVisitors(l), row: row{top: top},
	}
	err := s.open(ctx, top)
	if err == nil {
		err = s.run(ctx)
	}
	for _, a := range s.apps {
		err = errors.Join(err, a.Close())
	}
	if err != nil {
		return row{}, err
	}
	s.row.fetches = int(w.fetches.Load())
	s.row.commands, err = w.redis.commands()
	return s.row, err
}

// open makes the functions' environments.
func (s *simulation) open(ctx context.Context, top int) error {
	for range s.l.environments + 1 {
		a, err := s.environment(top) //nolint:contextcheck // what it dials serves the whole simulation
		if err != nil {
			return err
		}
		s.apps = append(s.apps, a)
	}
	s.refresh = refresh.New(s.apps[0])
	for _, a := range s.apps[1:] {
		s.serving = append(s.serving, body.New(a))
	}
	for _, name := range s.w.names {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://api.example/v1/body/"+name, http.NoBody)
		if err != nil {
			return err
		}
		r.Header.Set("Accept-Encoding", "zstd")
		event, err := gateway.Event(r, gateway.Options{})
		if err != nil {
			return err
		}
		s.events = append(s.events, event)
	}
	return nil
}

func (s *simulation) environment(top int) (*app.App, error) {
	cfg, err := config.Load([]string{
		"TELEGRAM_URL=" + s.w.site, "REDIS_URL=redis://" + s.w.redis.addr, fmt.Sprintf("REFRESH_TOP=%d", top),
		"REFRESH_FUNCTION=refresh", "AWS_ENDPOINT_URL=" + s.w.queue, "AWS_REGION=eu-central-1",
		"AWS_ACCESS_KEY_ID=none", "AWS_SECRET_ACCESS_KEY=none",
	})
	if err != nil {
		return nil, err
	}
	store, err := redisstore.New(redisstore.Options{URL: cfg.RedisURL.Reveal(), CoolKey: "cool:tme"})
	if err != nil {
		return nil, err
	}
	return app.New(cfg, app.Options{
		Log: slog.New(slog.DiscardHandler), Now: s.clock.now, Store: mortal{store, s.deaths},
	})
}

// run plays request after request, with the ticks between them.
func (s *simulation) run(ctx context.Context) error {
	start := s.clock.now()
	end, tick := start.Add(s.l.time), start.Add(every)
	for at := start; ; {
		after, channel := s.visitors.next()
		at = at.Add(after)
		for ; s.row.top > 0 && !tick.After(at) && !tick.After(end); tick = tick.Add(every) {
			if err := s.advance(tick); err != nil {
				return err
			}
			if err := s.tick(ctx); err != nil {
				return err
			}
		}
		if at.After(end) {
			return nil
		}
		if err := s.advance(at); err != nil {
			return err
		}
		if err := s.request(ctx, channel, end.Sub(at) <= s.l.late); err != nil {
			return err
		}
	}
}

// advance lets time pass.
func (s *simulation) advance(to time.Time) error {
	s.clock.set(to)
	return s.w.redis.remove(s.deaths.due(to))
}

func (s *simulation) tick(ctx context.Context) error {
	out, err := invoke(ctx, s.refresh, []byte(`{"tick":true}`))
	if err != nil {
		return fmt.Errorf("tick: %w", err)
	}
	var r struct {
		Renewed int
		Stopped string
	}
	if err := json.Unmarshal(out, &r); err != nil || r.Stopped != "" {
		return fmt.Errorf("tick ended early: %s, %w", out, err)
	}
	s.row.ticks++
	s.row.tickRenewed += r.Renewed
	return nil
}

// request asks one of the environments for a channel, then has the renewals carried out that it handed over.
func (s *simulation) request(ctx context.Context, channel int, late bool) error {
	answer, err := invoke(ctx, s.serving[s.visitors.one(len(s.serving))], s.events[channel])
	if err != nil {
		return fmt.Errorf("request of %s: %w", s.w.names[channel], err)
	}
	if !bytes.HasPrefix(answer, []byte(`{"statusCode":200,`)) {
		return fmt.Errorf("request of %s: %.300s", s.w.names[channel], answer)
	}
	waited := 0
	if source := sourceOf(answer); source == "miss" || source == "wait" {
		waited = 1
	}
	s.row.requests++
	s.row.waited += waited
	if late {
		s.row.late++
		s.row.lateWaited += waited
	}
	for _, event := range s.w.queued() {
		s.row.renewals++
		if _, err := invoke(ctx, s.refresh, event); err != nil {
			return fmt.Errorf("renewal: %w", err)
		}
	}
	return nil
}

func invoke(ctx context.Context, h lambda.Handler, event []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return h.Invoke(ctx, event)
}

// sourceOf reads the X-Cache header.
func sourceOf(answer []byte) string {
	_, rest, _ := bytes.Cut(answer, []byte(`"X-Cache":"`))
	source, _, _ := bytes.Cut(rest, []byte{'"'})
	return string(source)
}
