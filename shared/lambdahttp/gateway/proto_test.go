package gateway_test

import (
	"crypto/tls"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"channelapi/shared/lambdahttp/gateway"
)

// TestProto: addresses in answers begin as the caller's did, also behind a proxy that ends TLS.
func TestProto(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given, want string
		tls         bool
	}{
		{"", "http", false}, {"", "https", true}, {"https", "https", false}, {"http", "https", true}, {"gopher", "http", false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		if r.TLS = nil; tt.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if tt.given != "" {
			r.Header.Set("X-Forwarded-Proto", tt.given)
		}
		payload, err := gateway.Event(r, gateway.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var ev events.APIGatewayV2HTTPRequest
		if err := json.Unmarshal(payload, &ev); err != nil {
			t.Fatal(err)
		}
		if got := ev.Headers["x-forwarded-proto"]; got != tt.want {
			t.Errorf("proto with TLS %t and %q given = %q, want %q", tt.tls, tt.given, got, tt.want)
		}
	}
}
