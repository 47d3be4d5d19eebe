package functions_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"channelapi/shared/tmetest"
)

// used is what a process took: the most memory it ever held, and processor time.
type used struct {
	peak int // bytes
	cpu  time.Duration
}

// ticks is how many a second the kernel counts processor time in (USER_HZ, the same on every Linux).
const ticks = 100

// usage reads what a process took so far.
func usage(b *testing.B, pid int) used {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skipf("SKIPPED, memory is read from /proc: %v", err)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	var spent int
	for _, f := range fields[11:13] { // user's and system's time
		n, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		spent += n
	}
	return used{kilobytes << 10, time.Duration(spent) * time.Second / ticks}
}

// runtimeAPI hands events out one by one and takes the answers, as Lambda does.
type runtimeAPI struct {
	events  chan []byte
	answers chan []byte
}

func (r *runtimeAPI) ServeHTTP(w http.ResponseWriter, rq *http.Request) {
	switch {
	case strings.HasSuffix(rq.URL.Path, "/invocation/next"):
		var event []byte
		select {
		case event = <-r.events:
		case <-rq.Context().Done():
			return
		}
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", "r")
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(20*time.Second).UnixMilli(), 10))
		_, _ = w.Write(event)
	case strings.HasSuffix(rq.URL.Path, "/response"):
		body, _ := io.ReadAll(rq.Body)
		w.WriteHeader(http.StatusAccepted)
		r.answers <- body
	default:
		w.WriteHeader(http.StatusAccepted)
		r.answers <- nil
	}
}

// The site that memory is measured over has more channels than L1 holds pages of; a feed's fit into one query.
const (
	siteChannels = 1800
	feedChannels = 100
)

func channelName(i int) string { return fmt.Sprintf("channel_%04d", i) }

// site serves one channel under every name: pages of about 90 KB of JSON.
func site(b *testing.B) string {
	b.Helper()
	one := tmetest.NewHandler(tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate(channelName(0), 45, 1)}, PageSize: 45})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/"), "s/"), "/")
		r.URL.Path = strings.Replace(r.URL.Path, name, channelName(0), 1)
		page := httptest.NewRecorder()
		one.ServeHTTP(page, r)
		w.Header().Set("Content-Type", page.Header().Get("Content-Type"))
		w.WriteHeader(page.Code)
		_, _ = w.Write(bytes.ReplaceAll(page.Body.Bytes(), []byte(channelName(0)), []byte(name)))
	}))
	b.Cleanup(s.Close)
	return s.URL
}

// workload gives what keeps an environment of a function busy: the pages that fill its memory, each asked for once.
func workload(name string) (events []string) {
	get := func(path string) {
		events = append(events, fmt.Sprintf(`{"version":"2.0","rawPath":%q,"requestContext":{"requestId":"r","http":{"method":"GET","path":%q}}}`, path, path))
	}
	list := func(from int) string {
		var all []string
		for i := range feedChannels {
			all = append(all, channelName((from+i)%siteChannels))
		}
		return strings.Join(all, ",")
	}
	switch name {
	case "feed", "graphql":
		for from := 0; from < siteChannels; from += feedChannels / 2 {
			if name == "feed" {
				path := "/v1/feed"
				events = append(events, fmt.Sprintf(`{"version":"2.0","rawPath":%q,"rawQueryString":"channels=%s","queryStringParameters":{"channels":%q},"requestContext":{"requestId":"r","http":{"method":"GET","path":%q}}}`, path, list(from), list(from), path))
				continue
			}
			query := fmt.Sprintf(`{"query":"{ feed(channels: [\"%s\"], limit: 100) { result { id url content { text { string html } } footer { date { string } } } } }"}`, strings.ReplaceAll(list(from), ",", `\",\"`))
			events = append(events, fmt.Sprintf(`{"version":"2.0","rawPath":"/graphql","headers":{"content-type":"application/json"},"body":%q,"requestContext":{"requestId":"r","http":{"method":"POST","path":"/graphql"}}}`, query))
		}
	case "refresh":
		for from := 0; from < siteChannels; from += feedChannels {
			events = append(events, fmt.Sprintf(`{"channels":[%q]}`, list(from)))
			events[len(events)-1] = strings.ReplaceAll(events[len(events)-1], ",", `","`)
		}
	default:
		for i := range siteChannels {
			get(map[string]string{"body": "/v1/body/", "preview": "/v1/preview/", "post": "/v1/post/"}[name] + channelName(i) + map[string]string{"post": "/44"}[name])
		}
	}
	return events
}

// BenchmarkMemory runs each bootstrap, with the settings that template.yaml gives it, over what fills its memory: every
// page cold, then all again warm. It reports the most memory that the process held and the processor time an event, and
// fails where that memory is more than GOMEMLIMIT leaves of the function's.
func BenchmarkMemory(b *testing.B) {
	upstream := site(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			p, variables := readStack(b, "../template.yaml").function(name)
			memory, err := strconv.Atoi(scalar(p["MemorySize"]))
			if err != nil {
				b.Fatal(err)
			}
			variables["TELEGRAM_URL"], variables["REFRESH_FUNCTION"] = upstream, ""
			events := workload(name)
			for b.Loop() {
				cold, warm := load(b, bootstrap(b, name), environ(variables), events)
				b.ReportMetric(float64(warm.peak)/(1<<20), "peak-MiB")
				b.ReportMetric(float64(memory), "memory-MB")
				b.ReportMetric(cold.cpu.Seconds()*1e3/float64(len(events)), "cold-ms/event")
				b.ReportMetric((warm.cpu-cold.cpu).Seconds()*1e3/float64(len(events)), "warm-ms/event")
				b.ReportMetric(0, "ns/op")
				if most := memory << 20 * 8 / 10; warm.peak > most {
					b.Errorf("%s holds %d MiB, GOMEMLIMIT leaves %d of %d MB", name, warm.peak>>20, most>>20, memory)
				}
			}
		})
	}
}

// load starts a bootstrap and sends it the events twice.
func load(b *testing.B, bootstrap string, environ, events []string) (cold, warm used) {
	b.Helper()
	api := &runtimeAPI{events: make(chan []byte), answers: make(chan []byte)}
	server := httptest.NewServer(api)
	defer server.Close()
	cmd := exec.CommandContext(b.Context(), bootstrap)
	cmd.Env = append(environ, "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(server.URL, "http://"), "AWS_LAMBDA_FUNCTION_NAME=f",
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "LOG_LEVEL=error", "GOMAXPROCS=1")
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	round := func() used {
		for _, e := range events {
			select {
			case api.events <- []byte(e):
			case <-time.After(time.Minute):
				b.Fatalf("%s does not poll", bootstrap)
			}
			if a := <-api.answers; a == nil || bytes.Contains(a, []byte(`"statusCode":5`)) || bytes.Contains(a, []byte(`"statusCode":4`)) {
				b.Fatalf("event %.200s: %.300s", e, a)
			}
		}
		return usage(b, cmd.Process.Pid)
	}
	cold = round()
	return cold, round()
}
