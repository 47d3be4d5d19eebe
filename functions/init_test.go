package functions_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// maxInit is how many times the start of the least function that of another may take.
const maxInit = 2.5

// BenchmarkInit measures exec to the first poll for an event, each function in turns with the least one, and reports
// the medians and their ratio.
func BenchmarkInit(b *testing.B) {
	hello := filepath.Join(b.TempDir(), "hello")
	cmd := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-s -w", "-o", hello, "./testdata/hello")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build the least function: %v\n%s", err, out)
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			file := bootstrap(b, name)
			var least, own []time.Duration
			for b.Loop() {
				least = append(least, initTime(b, hello))
				own = append(own, initTime(b, file))
			}
			base, got := median(least), median(own)
			ratio := float64(got) / float64(base)
			b.ReportMetric(float64(base.Microseconds())/1000, "hello-ms")
			b.ReportMetric(float64(got.Microseconds())/1000, "init-ms")
			b.ReportMetric(ratio, "x-hello")
			b.ReportMetric(0, "ns/op")
			if len(own) >= 15 && ratio > maxInit {
				b.Errorf("%s starts in %v, %.2f × the %v of the least function; want at most %.1f ×", name, got, ratio, base, maxInit)
			}
		})
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// initTime starts a bootstrap against a stand-in for the Runtime API and takes the time to its first poll.
func initTime(b *testing.B, bootstrap string) time.Duration {
	b.Helper()
	polled, over := make(chan time.Time, 1), make(chan struct{})
	api := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/invocation/next") {
			polled <- time.Now()
		}
		<-over
	}))
	defer api.Close()
	defer close(over)
	cmd := exec.CommandContext(b.Context(), bootstrap)
	cmd.Env = []string{
		"AWS_LAMBDA_RUNTIME_API=" + strings.TrimPrefix(api.URL, "http://"), "AWS_LAMBDA_FUNCTION_NAME=init",
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "REFRESH_FUNCTION=refresh",
		"TELEGRAM_URL=http://127.0.0.1:9", "REDIS_URL=redis://127.0.0.1:9",
	}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case at := <-polled:
		_ = cmd.Process.Kill()
		<-ended //nolint:errcheck // killed just now
		return at.Sub(start)
	case err := <-ended:
		b.Fatal(fmt.Errorf("%s ended before it polled: %w\n%s", bootstrap, err, out.String()))
	}
	return 0
}
