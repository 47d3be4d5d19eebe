// Command local serves the whole API on one port: the routes are read from template.yaml, each request becomes the event
// that API Gateway would send, and the functions' own handlers answer it. L2 is an embedded Redis unless REDIS_URL names
// one, and the recorded pages stand in for t.me where that cannot be reached.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"channelapi/shared/config"
)

// exitSettings is the exit status for settings at fault; any other failure is 1.
const exitSettings = 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(start(ctx, os.Environ(), os.Args[1:]...))
}

// start gives the exit status. Without arguments it serves; "healthy" asks the server that runs beside it.
func start(ctx context.Context, environ []string, args ...string) int {
	cfg, err := config.Load(environ)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitSettings
	}
	switch {
	case len(args) == 0:
	case len(args) == 1 && args[0] == "healthy":
		if err := healthy(ctx, cfg.ListenAddr); err != nil {
			fmt.Fprintln(os.Stderr, "local:", err)
			return 1
		}
		return 0
	default:
		fmt.Fprintf(os.Stderr, "local: %q is not understood; settings come from the environment\n", args)
		return exitSettings
	}
	s, err := newServer(ctx, cfg, settings{environ: environ, out: os.Stdout, probe: "https://t.me/telegram"})
	if err == nil {
		err = errors.Join(s.serve(ctx), s.close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "local:", err)
		return 1
	}
	return 0
}
