package browsertest

import (
	"encoding/json"
	"fmt"
	"time"
)

// Open goes to an address.
func (b *Browser) Open(url string) {
	b.t.Helper()
	var got struct{ ErrorText string }
	b.call(b.session, "Page.navigate", map[string]any{"url": url}, &got)
	if got.ErrorText != "" {
		b.t.Fatalf("open %s: %s", url, got.ErrorText)
	}
}

// Run evaluates a script, waits for its promise, and reads its value into v, unless that is nil.
func (b *Browser) Run(script string, v any) {
	b.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call(b.session, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &got)
	if e := got.ExceptionDetails; e != nil {
		b.t.Fatalf("run %.200s: %s %s", script, e.Text, e.Exception.Description)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, v); err != nil {
		b.t.Fatalf("run %.200s: %v", script, err)
	}
}

// Await evaluates a condition in the page until it holds.
func (b *Browser) Await(condition string) {
	b.t.Helper()
	b.Run(fmt.Sprintf(`new Promise((done, fail) => {
		const start = Date.now();
		const look = () => {
			let holds = false;
			try { holds = %s } catch (e) { holds = false }
			if (holds) return done(true);
			if (Date.now() - start > %d) return fail(new Error("it never held; the page says: " + document.body.innerText.slice(0, 1000)));
			setTimeout(look, 20);
		};
		look();
	})`, condition, (timeout-5*time.Second).Milliseconds()), nil)
}

// Type sends text as if it were typed, where the page has its focus.
func (b *Browser) Type(text string) {
	b.t.Helper()
	b.call(b.session, "Input.insertText", map[string]any{"text": text}, nil)
}

// Press sends a key with modifiers: 2 is Control.
func (b *Browser) Press(key, code string, keyCode, modifiers int) {
	b.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.call(b.session, "Input.dispatchKeyEvent", map[string]any{
			"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": keyCode, "modifiers": modifiers,
		}, nil)
	}
}

// Requests gives the addresses that were asked for so far.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []string
	for u := range b.hosts {
		list = append(list, u)
	}
	return list
}

// Faults gives the uncaught exceptions and failed requests so far.
func (b *Browser) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.faults...)
}
