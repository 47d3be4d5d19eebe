package redisstore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
)

const (
	// processEnv makes this test binary a process that asks for one key: see TestMain.
	processEnv  = "CACHE_TEST_PROCESS"
	loadTimeout = 1500 * time.Millisecond
)

// order is what such a process is told, report what it tells.
type order struct {
	Redis, Upstream string
	Callers         int
}

type report struct {
	Answers map[string]int
	Millis  int64
}

func TestMain(m *testing.M) {
	if text := os.Getenv(processEnv); text != "" {
		if err := beProcess(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// beProcess says that it is ready, waits for a line, lets its callers ask at once, and reports.
func beProcess(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	s, err := redisstore.New(redisstore.Options{URL: "redis://" + o.Redis})
	if err != nil {
		return err
	}
	c := cache.New(cache.Options{Store: s, LoadTimeout: loadTimeout})
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return fmt.Errorf("wait for the start: %w", err)
	}
	begin := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	r := report{Answers: map[string]int{}}
	for range o.Callers {
		wg.Go(func() {
			res := c.Get(context.Background(), cache.Request{Key: "body:example:0", Load: func(ctx context.Context) (cache.Value, error) {
				return ask(ctx, o.Upstream)
			}})
			text := string(res.Value.Payload)
			if res.Err != nil {
				text = res.Err.Error()
			}
			mu.Lock()
			r.Answers[text]++
			mu.Unlock()
		})
	}
	wg.Wait()
	r.Millis = time.Since(begin).Milliseconds()
	return json.NewEncoder(os.Stdout).Encode(r)
}

func ask(ctx context.Context, url string) (cache.Value, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return cache.Value{}, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return cache.Value{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return cache.Value{Payload: b, FreshFor: time.Minute}, err
}

// child is a process that was started.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startChild(t *testing.T, o order) *child {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.CommandContext(t.Context(), os.Args[0])}
	c.cmd.Env = append(os.Environ(), processEnv+"="+string(text))
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	})
	if line, err := c.out.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("process said %q, %v", line, err)
	}
	return c
}

func (c *child) begin(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(c.in, "go\n"); err != nil {
		t.Fatal(err)
	}
}

func (c *child) report(t *testing.T) (r report) {
	t.Helper()
	if err := json.NewDecoder(c.out).Decode(&r); err != nil {
		t.Fatalf("read a process's report: %v", err)
	}
	return r
}

// upstream answers after a while, or, for the first hang requests, never.
func upstream(t *testing.T, hang int64) (url string, asked *atomic.Int64, first <-chan struct{}) {
	t.Helper()
	asked = &atomic.Int64{}
	seen := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		if n == 1 {
			close(seen)
		}
		if n <= hang {
			<-r.Context().Done()
			return
		}
		time.Sleep(150 * time.Millisecond) // what a fetch takes
		_, _ = fmt.Fprint(w, "posts ", n)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, asked, seen
}

// TestTenProcesses has a thousand callers in ten real processes ask for one cold key.
func TestTenProcesses(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	url, asked, _ := upstream(t, 0)
	children := make([]*child, 10)
	for i := range children {
		children[i] = startChild(t, order{Redis: r.Addr, Upstream: url, Callers: 100})
	}
	for _, c := range children {
		c.begin(t)
	}
	for i, c := range children {
		if got := c.report(t); got.Answers["posts 1"] != 100 {
			t.Errorf("process %d was answered %v", i, got.Answers)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("%d fetches for a thousand callers, want 1", asked.Load())
	}
}

// TestHolderKilled kills the process that holds the lease in mid-fetch: one more fetch, and everybody is answered
// within lease + fetch + 1 s.
func TestHolderKilled(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	url, asked, first := upstream(t, 1)
	holder := startChild(t, order{Redis: r.Addr, Upstream: url, Callers: 1})
	children := make([]*child, 5)
	for i := range children {
		children[i] = startChild(t, order{Redis: r.Addr, Upstream: url, Callers: 20})
	}
	holder.begin(t)
	<-first
	for _, c := range children {
		c.begin(t)
	}
	if err := holder.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	lease := loadTimeout + 200*time.Millisecond + time.Second
	for i, c := range children {
		got := c.report(t)
		if got.Answers["posts 2"] != 20 {
			t.Errorf("process %d was answered %v", i, got.Answers)
		}
		if limit := (lease + 150*time.Millisecond + time.Second).Milliseconds(); got.Millis > limit {
			t.Errorf("process %d took %d ms, want at most %d", i, got.Millis, limit)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("%d fetches, want the one that was killed and one more", asked.Load())
	}
}
