package lambdahttp_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/lambdahttp"
)

// TestAnswersBeforeTheDeadline: a handler that waits for its context still gets an answer out, with time to spare for
// what is to be given back; Done does not see the shorter time.
func TestAnswersBeforeTheDeadline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ invocation, handler time.Duration }{
		{20 * time.Second, 17500 * time.Millisecond},
		{2 * time.Second, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			var left time.Duration
			e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
				<-r.Context().Done()
				return lambdahttp.Response{Status: http.StatusServiceUnavailable}
			}), lambdahttp.Options{Log: quiet(), Done: func(ctx context.Context, _ lambdahttp.Exchange) {
				if end, ok := ctx.Deadline(); ok && ctx.Err() == nil {
					left = time.Until(end)
				}
			}})
			ctx, cancel := context.WithTimeout(t.Context(), tt.invocation)
			defer cancel()
			if _, err := e.Invoke(ctx, get("/v1/x").bytes(t)); err != nil {
				t.Fatalf("Invoke: %v", err)
			}
			if took := time.Since(begin); took != tt.handler {
				t.Errorf("of %v the handler had %v, want %v", tt.invocation, took, tt.handler)
			}
			if want := tt.invocation - tt.handler; left != want {
				t.Errorf("of %v Done had %v, want %v", tt.invocation, left, want)
			}
		})
	}
}
