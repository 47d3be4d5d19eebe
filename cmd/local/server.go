package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"channelapi/shared/app"
	"channelapi/shared/config"
	"channelapi/shared/meaning/local"
	"channelapi/shared/telemetry"
)

// grace is how long requests under way may take once the run is to end.
const grace = 5 * time.Second

// What a caller may keep busy who sends or reads slowly. An answer is begun within the functions' time, 20 s; the header
// may be as large as the gateway's.
const (
	readTimeout  = 15 * time.Second
	writeTimeout = time.Minute
	idleTimeout  = 2 * time.Minute
	maxHeader    = 10 << 10
)

// settings of a server beside the configuration.
type settings struct {
	environ []string
	out     io.Writer // for the person at the terminal
	probe   string    // the page that tells whether t.me can be reached
}

// server is the local run with all that it opened.
type server struct {
	cfg      config.Config
	root     string
	out      io.Writer
	upstream *upstream
	redis    *embeddedRedis
	index    *local.Index // nil unless VECTOR=local
	app      *app.App
	listener net.Listener
	http     *http.Server
	// clockwork is nil where nothing is scheduled.
	clockwork *clockwork
}

// newServer opens everything and listens. What it opened before a failure is closed again.
func newServer(ctx context.Context, cfg config.Config, set settings) (_ *server, err error) {
	s := &server{cfg: cfg, out: set.out}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.root, err = s.findRoot(); err != nil {
		return nil, err
	}
	file := filepath.Join(s.root, "template.yaml")
	routes, err := readRoutes(file)
	if err != nil {
		return nil, err
	}
	if s.listener, err = listen(ctx, cfg.ListenAddr); err != nil {
		return nil, err
	}
	if err := s.chooseUpstream(ctx, set); err != nil {
		return nil, err
	}
	if s.cfg.RedisURL == "" && s.cfg.CacheMode != config.Off {
		if s.redis, err = newEmbeddedRedis(); err != nil {
			return nil, err
		}
		s.cfg.RedisURL = config.Secret("redis://" + s.redis.Addr())
	}
	if s.app, err = app.New(s.cfg, s.options()); err != nil { //nolint:contextcheck // what it dials serves the whole process
		return nil, err
	}
	if err := s.prime(ctx); err != nil {
		return nil, err
	}
	api, err := newHTTPAPI(routes, s.app)
	if err != nil {
		return nil, err
	}
	if s.clockwork, err = s.newClockwork(file); err != nil { //nolint:contextcheck // what it dials serves the whole process
		return nil, err
	}
	s.http = &http.Server{
		Handler: s.upstream.mark(api), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
	}
	return s, nil
}

// newClockwork gives what fires the template's schedule; nil where there is nothing for a tick to do.
func (s *server) newClockwork(file string) (*clockwork, error) {
	if s.cfg.RefreshTop == 0 || s.cfg.CacheMode == config.Off {
		return nil, nil
	}
	schedule, err := readSchedule(file)
	if err != nil {
		return nil, err
	}
	o := s.options()
	o.Background = false
	a, err := app.New(s.cfg, o)
	if err != nil {
		return nil, err
	}
	c, err := newClockwork(schedule, a)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return c, nil
}

// options are those of an App of this process.
func (s *server) options() app.Options {
	o := app.Options{Log: telemetry.NewLocalLogger(s.out, s.cfg.LogLevel), Background: true}
	if s.cfg.Vector == config.VectorLocal {
		if s.index == nil {
			s.index = local.New(local.Options{Forever: s.upstream.why != ""}) // recorded posts are of any age
		}
		o.Index = s.index
	}
	return o
}

func (s *server) findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find template.yaml: %w", err)
	}
	return findRoot(dir)
}

// listen comes first, so that an address in use is told before anything else is waited for.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use: stop what listens there, or name another address in LISTEN_ADDR", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return l, nil
}

// chooseUpstream takes TELEGRAM_URL where it is named. Else it is t.me, or the recorded pages where that is out of reach.
func (s *server) chooseUpstream(ctx context.Context, set settings) error {
	s.upstream = &upstream{url: s.cfg.TelegramURL}
	if named(set.environ, "TELEGRAM_URL") {
		return nil
	}
	why := reach(ctx, set.probe)
	if why == nil {
		return nil
	}
	u, err := recorded(ctx, s.root, why)
	if err != nil {
		return err
	}
	s.upstream, s.cfg.TelegramURL = u, u.url
	return nil
}

// serve answers until ctx ends, then lets what is under way finish.
func (s *server) serve(ctx context.Context) error {
	s.say(s.greeting())
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- s.http.Serve(s.listener) }()
	s.clockwork.start(ctx)
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.say("stopping\n")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("requests still under way after %v: %w", grace, err), s.http.Close())
	}
	return nil
}

// say tells the person at the terminal; where nobody listens there is nothing to mend.
func (s *server) say(text string) { _, _ = io.WriteString(s.out, text) }

// close closes what was opened, the last first.
func (s *server) close() error {
	errs := []error{s.clockwork.close()}
	if s.app != nil {
		errs = append(errs, s.app.Close())
	}
	s.redis.close()
	if s.upstream != nil {
		errs = append(errs, s.upstream.close())
	}
	if s.listener != nil && s.http == nil {
		errs = append(errs, s.listener.Close())
	}
	return errors.Join(errs...)
}
