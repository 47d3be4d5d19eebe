package telemetry

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// requestMessage is the message of the record that closes a request.
const requestMessage = "request"

// NewLambdaLogger gives the logger of a function: lambdacontext's handler, which writes in the format that the function
// is configured for and adds the invocation's id, from level on.
func NewLambdaLogger(level slog.Level) *slog.Logger {
	return slog.New(leveled{lambdacontext.NewLogHandler(), level})
}

// leveled holds a handler to a level of our own, beside the one that Lambda configures.
type leveled struct {
	slog.Handler
	level slog.Level
}

func (h leveled) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= h.level && h.Handler.Enabled(ctx, l)
}

func (h leveled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveled{h.Handler.WithAttrs(attrs), h.level}
}

func (h leveled) WithGroup(name string) slog.Handler {
	return leveled{h.Handler.WithGroup(name), h.level}
}

// NewLocalLogger gives a logger that writes readable lines, a request as `GET /v1/body/x 200 12ms l1`.
func NewLocalLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(&localHandler{mu: &sync.Mutex{}, w: w, level: level})
}

// localHandler writes for a person at a terminal. Groups are written flat.
type localHandler struct {
	mu    *sync.Mutex
	w     io.Writer
	level slog.Level
	attrs []slog.Attr
}

func (h *localHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *localHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *h
	c.attrs = append(slices.Clip(h.attrs), attrs...)
	return &c
}

func (h *localHandler) WithGroup(string) slog.Handler { return h }

// Handle writes one line, with one call of Write.
func (h *localHandler) Handle(_ context.Context, r slog.Record) error {
	attrs := slices.Clone(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	var b bytes.Buffer
	if r.Message == requestMessage {
		writeRequest(&b, attrs)
	} else {
		if r.Level != slog.LevelInfo {
			b.WriteString(r.Level.String() + " ")
		}
		b.WriteString(r.Message)
		for _, a := range attrs {
			writeAttr(&b, a)
		}
	}
	b.WriteByte('\n')
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := h.w.Write(b.Bytes())
	return err
}

// writeRequest writes what a person looks for; the error and its stack follow where there is one.
func writeRequest(b *bytes.Buffer, attrs []slog.Attr) {
	values := make(map[string]slog.Value, len(attrs))
	for _, a := range attrs {
		values[a.Key] = a.Value
	}
	b.WriteString(values["method"].String() + " " + printable(values["path"].String()))
	b.WriteString(" " + values["status"].String())
	if d := values["duration_ms"]; d.Kind() == slog.KindFloat64 {
		b.WriteString(" " + readable(time.Duration(d.Float64()*float64(time.Millisecond))))
	}
	if c := values["cache"].String(); c != "" && values["cache"].Kind() == slog.KindString {
		b.WriteString(" " + c)
	}
	for _, a := range attrs {
		if a.Key == "error" || a.Key == "stack" {
			writeAttr(b, a)
		}
	}
}

// readable rounds to what can be told apart at a glance.
func readable(d time.Duration) string {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}

func writeAttr(b *bytes.Buffer, a slog.Attr) {
	if a.Key == "stack" {
		b.WriteString("\n" + a.Value.String())
		return
	}
	b.WriteString(" " + a.Key + "=" + printable(a.Value.Resolve().String()))
}

// printable quotes what would not stand on one line as one word.
func printable(s string) string {
	if q := strconv.Quote(s); len(q) != len(s)+2 || bytes.ContainsAny([]byte(s), " ") || s == "" {
		return q
	}
	return s
}
