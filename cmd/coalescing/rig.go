package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"channelapi/shared/linktest"
)

// setup is where Redis stands.
type setup struct {
	name string
	tls  bool
	way  time.Duration // to Redis; 0: no proxy between
}

var (
	near = setup{name: "near"}
	far  = setup{name: "far", tls: true, way: 45 * time.Millisecond}
)

// rig runs loads.
type rig struct {
	program  string // this one
	pages    string
	out, log io.Writer
	verbose  bool
}

// run puts up everything, has the processes ask, and judges what came of it.
func (r rig) run(ctx context.Context, s setup, l load) (err error) {
	dir, err := os.MkdirTemp("", "coalescing")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	cert, err := newCertificate(dir)
	if err != nil {
		return err
	}
	redis, err := startRedis(ctx, dir, cert)
	if err != nil {
		return err
	}
	defer redis.stop()
	url, closeLink, err := s.reach(ctx, redis)
	if err != nil {
		return err
	}
	defer closeLink()
	up, err := newUpstream(ctx, r.pages)
	if err != nil {
		return err
	}
	queue, err := newQueue(ctx)
	if err != nil {
		return err
	}
	defer queue.close()
	found := findings{load: l}
	gone := make(chan error, 1)
	begun := func(all []*process) {
		queue.deliver(all)
		if l.outage > 0 {
			go func() { gone <- redis.away(ctx, l) }()
		} else {
			gone <- nil
		}
	}
	found.start, found.tallies, err = r.load(ctx, l, begun, func(i int) []string {
		return append(queue.environ(l),
			fmt.Sprintf("TELEGRAM_URL=%s/p%d", up.url, i), "REDIS_URL="+url, "SSL_CERT_FILE="+cert.authority,
			"LOG_LEVEL=error", "CACHE_MODE=normal",
		)
	})
	if err != nil {
		return errors.Join(err, up.server.Close())
	}
	if err := <-gone; err != nil {
		return err
	}
	if found.fetches, err = up.close(); err != nil {
		return err
	}
	if found.commands, err = redis.commands(ctx); err != nil {
		return err
	}
	if found.roundTrip, err = roundTrip(ctx, url, cert.trust); err != nil {
		return err
	}
	return r.report(s, found)
}

// reach gives the address of Redis in a set-up.
func (s setup) reach(ctx context.Context, r *redisServer) (url string, done func(), err error) {
	scheme, addr := "redis", r.addr
	if s.tls {
		scheme, addr = "rediss", r.tlsAddr
	}
	done = func() {}
	if s.way > 0 {
		link, err := linktest.Listen(ctx, addr, linktest.Options{Delay: s.way})
		if err != nil {
			return "", nil, err
		}
		addr, done = link.Addr, func() { _ = link.Close() } // nothing is lost
	}
	return scheme + "://" + addr, done, nil
}

// load starts the processes, has them begin together, calls begun, and gives what each saw.
func (r rig) load(ctx context.Context, l load, begun func([]*process), environ func(i int) []string) (time.Time, []tally, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends those that still run where one failed
	var all []*process
	for i := range l.processes {
		p, err := r.start(ctx, l, environ(i))
		if err != nil {
			return time.Time{}, nil, err
		}
		all = append(all, p)
	}
	for _, p := range all {
		if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
			return time.Time{}, nil, fmt.Errorf("a process says %q in place of ready: %w", line, err)
		}
	}
	start := time.Now().Round(0)
	for _, p := range all {
		if err := p.tell("go"); err != nil {
			return start, nil, err
		}
	}
	begun(all)
	tallies := make([]tally, len(all))
	for i, p := range all {
		if err := json.NewDecoder(p.out).Decode(&tallies[i]); err != nil {
			return start, nil, fmt.Errorf("read what a process saw: %w", err)
		}
		if err := p.cmd.Wait(); err != nil {
			return start, nil, fmt.Errorf("a process ended: %w", err)
		}
	}
	return start, tallies, nil
}
