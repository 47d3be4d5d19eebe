// Package apptest builds the App that functions serve over a fake t.me, and asks its handlers as API Gateway would.
// Production code must not import it.
package apptest

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/shared/app"
	"channelapi/shared/config"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/tmetest"
)

// New gives an App whose t.me is a fake one, with further settings as NAME=value.
func New(t testing.TB, site tmetest.Options, settings ...string) (*app.App, *tmetest.Server) {
	t.Helper()
	upstream := tmetest.New(t, site)
	return Over(t, app.Options{}, append([]string{"TELEGRAM_URL=" + upstream.URL}, settings...)...), upstream
}

// Over gives an App of the settings alone. It logs nothing unless o says where.
func Over(t testing.TB, o app.Options, settings ...string) *app.App {
	t.Helper()
	cfg, err := config.Load(settings)
	if err != nil {
		t.Fatalf("settings: %v", err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a, err := app.New(cfg, o)
	if err != nil {
		t.Fatalf("new app: %v", err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close app: %v", err)
		}
	})
	return a
}

// Do sends one request through the gateway's event form and gives the answer. Headers are name, value pairs.
func Do(t testing.TB, h lambda.Handler, method, target, body string, headers ...string) gateway.Answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	event, err := gateway.Event(r, gateway.Options{})
	if err != nil {
		t.Fatalf("event of %s %s: %v", method, target, err)
	}
	payload, err := h.Invoke(t.Context(), event)
	if err != nil {
		t.Fatalf("invoke %s %s: %v", method, target, err)
	}
	answer, err := gateway.Decode(payload)
	if err != nil {
		t.Fatalf("answer of %s %s: %v", method, target, err)
	}
	return answer
}
