// Package browsertest opens pages in a real headless browser, for tests. Production code must not import it.
package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// timeout bounds what a test waits for in a page.
const timeout = 30 * time.Second

// Browser is a Chromium of one test, with one tab. It speaks the DevTools protocol over two pipes, each message ending in
// a zero byte. Its methods fail the test; they are for the test's own goroutine.
type Browser struct {
	t       testing.TB
	out     io.WriteCloser
	session string

	mu     sync.Mutex
	last   int
	waits  map[int]chan reply
	faults []string // of scripts and of requests, as the page reports them
	hosts  map[string]bool
	ended  error
}

// message is one of the protocol, either way.
type message struct {
	ID      int                       `json:"id,omitempty"`
	Session string                    `json:"sessionId,omitempty"`
	Method  string                    `json:"method,omitempty"`
	Params  json.RawMessage           `json:"params,omitempty"`
	Result  json.RawMessage           `json:"result,omitempty"`
	Error   *struct{ Message string } `json:"error,omitempty"`
}

type reply struct {
	result json.RawMessage
	err    error
}

// Require starts a browser, or skips the test where none is installed. With REQUIRE_BROWSER=1 in the environment that is
// a failure.
func Require(t testing.TB) *Browser {
	t.Helper()
	name := ""
	for _, n := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(n); err == nil && name == "" {
			name = path
		}
	}
	if name == "" {
		if os.Getenv("REQUIRE_BROWSER") == "1" {
			t.Fatal("REQUIRE_BROWSER=1, but there is no chromium in PATH")
		}
		t.Skip("no chromium in PATH: .ci/tools browser installs it")
	}
	b := &Browser{t: t, waits: map[int]chan reply{}, hosts: map[string]bool{}}
	b.start(name)
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.call(b.session, domain+".enable", nil, nil)
	}
	return b
}

// start runs the browser with the two pipes as its files 3 and 4.
func (b *Browser) start(name string) {
	b.t.Helper()
	fromUs, toBrowser, err := os.Pipe()
	if err != nil {
		b.t.Fatal(err)
	}
	fromBrowser, toUs, err := os.Pipe()
	if err != nil {
		b.t.Fatal(err)
	}
	// A process of its own for each test; CommandContext would end it with the test's context, before the clean-up.
	cmd := exec.CommandContext(context.WithoutCancel(b.t.Context()), name, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--no-first-run", "--remote-debugging-pipe",
		"--window-size=1280,800", "--user-data-dir="+b.t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{fromUs, toUs}
	if err := cmd.Start(); err != nil {
		b.t.Fatalf("start %s: %v", name, err)
	}
	_, _ = fromUs.Close(), toUs.Close() // the browser's ends
	b.out = toBrowser
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.listen(fromBrowser)
	}()
	b.t.Cleanup(func() {
		b.mu.Lock()
		b.ended = errors.New("the test is over")
		b.mu.Unlock()
		_, _ = io.WriteString(toBrowser, `{"id":1000000,"method":"Browser.close"}`+"\x00")
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }() // it may end in any way
		select {
		case <-done:
		case <-time.After(timeout):
			_ = cmd.Process.Kill()
			<-done
		}
		_ = toBrowser.Close()
		<-read
		_ = fromBrowser.Close()
	})
}

// listen takes the browser's messages until it ends.
func (b *Browser) listen(r io.Reader) {
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := in.ReadBytes(0)
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if w := b.waits[m.ID]; m.ID != 0 && w != nil {
			delete(b.waits, m.ID)
			r := reply{result: m.Result}
			if m.Error != nil {
				r.err = errors.New(m.Error.Message)
			}
			w <- r
		} else {
			b.event(m)
		}
		b.mu.Unlock()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = errors.New("the browser ended")
	for _, w := range b.waits {
		w <- reply{err: b.ended}
	}
}

// event notes what a page does that a test wants to know of.
func (b *Browser) event(m message) {
	var e struct {
		Request          struct{ URL string }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Entry struct{ Level, Text, URL string }
	}
	if json.Unmarshal(m.Params, &e) != nil {
		return
	}
	switch m.Method {
	case "Network.requestWillBeSent":
		b.hosts[e.Request.URL] = true
	case "Runtime.exceptionThrown":
		b.faults = append(b.faults, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case "Log.entryAdded":
		if e.Entry.Level == "error" {
			b.faults = append(b.faults, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// call sends a command and reads its result into v, unless that is nil.
func (b *Browser) call(session, method string, params, v any) {
	b.t.Helper()
	if params == nil {
		params = struct{}{}
	}
	text, err := json.Marshal(params)
	if err != nil {
		b.t.Fatal(err)
	}
	wait := make(chan reply, 1)
	b.mu.Lock()
	b.last++
	m := message{ID: b.last, Session: session, Method: method, Params: text}
	b.waits[m.ID] = wait
	err = b.ended
	b.mu.Unlock()
	if err == nil {
		var line []byte
		if line, err = json.Marshal(m); err == nil {
			_, err = b.out.Write(append(line, 0))
		}
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	select {
	case r := <-wait:
		if r.err == nil && v != nil {
			r.err = json.Unmarshal(r.result, v)
		}
		if r.err != nil {
			b.t.Fatalf("%s: %v", method, r.err)
		}
	case <-time.After(timeout):
		b.t.Fatalf("%s: no answer within %v", method, timeout)
	}
}
