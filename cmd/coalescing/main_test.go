package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain makes the test's own binary the processes under load.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == environmentArg {
		if err := environment(context.Background(), os.Args[2:], os.Environ(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// requireRedis skips a test where there is no redis-server. With REQUIRE_REDIS=1 that is a failure.
func requireRedis(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err == nil {
		return
	}
	if os.Getenv("REQUIRE_REDIS") == "1" {
		t.Fatal("REQUIRE_REDIS=1, but there is no redis-server in PATH")
	}
	t.Skip("no redis-server in PATH: install it to count fetches across processes")
}

func TestShortLoad(t *testing.T) {
	t.Parallel()
	requireRedis(t)
	for _, args := range []string{"-only near", "-only far", "-only near -renewals event", "-only far -renewals answer", "-only near -outage 500ms"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			var out, log bytes.Buffer
			all := append(strings.Fields(args), "-processes=2", "-clients=4", "-seconds=2", "-think=5ms", "-pages=../../testdata/pages")
			if err := compare(t.Context(), all, &out, &log); err != nil {
				t.Fatalf("%v\n%s%s", err, out.String(), log.String())
			}
			var got result
			if err := json.Unmarshal(out.Bytes(), &got); err != nil || strings.Count(out.String(), "\n") != 1 {
				t.Fatalf("printed %q, want one line of JSON: %v", out.String(), err)
			}
			if !strings.Contains(args, "outage") && (got.Upstream != got.Distinct || got.Commands < 20) {
				t.Errorf("result = %+v", got)
			}
			if got.Requests < 8 || got.P50 <= 0 || got.P99 < got.P50 {
				t.Errorf("result = %+v", got)
			}
			if isFar := got.L2 >= 90; isFar != strings.Contains(args, "far") {
				t.Errorf("a round trip to Redis took %v ms", got.L2)
			}
			if !strings.Contains(log.String(), "2 processes × 4 clients, 2s, pause 5ms") {
				t.Errorf("log = %s", log.String())
			}
		})
	}
}

func TestWrongFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-renewals=never"}, {"-clients=many"}, {"-only=nowhere"}, {"more"}, {"-processes=0"}} {
		var log bytes.Buffer
		if err := compare(t.Context(), args, &log, &log); err == nil {
			t.Errorf("compare(%q) gave no error", args)
		}
	}
}

func TestBrokenRig(t *testing.T) {
	t.Parallel()
	requireRedis(t)
	for name, r := range map[string]rig{
		"no pages":        {program: os.Args[0], pages: "nowhere"},
		"no program":      {program: "/nowhere", pages: "../../testdata/pages"},
		"another program": {program: "/bin/true", pages: "../../testdata/pages"},
	} {
		var log bytes.Buffer
		r.out, r.log = &log, &shared{w: &log}
		if err := r.run(t.Context(), near, load{processes: 1, clients: 1, renewals: byGoroutine}); err == nil {
			t.Errorf("%s: no error\n%s", name, log.String())
		}
	}
}
