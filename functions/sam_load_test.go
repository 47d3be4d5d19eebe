package functions_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"channelapi/shared/tmetest"
)

// loadFor and loadCallers bound the load on `sam local start-api`. Pages are fresh for longer (CACHE_MODE=aggressive).
const (
	loadFor     = 15 * time.Second
	loadCallers = 8
)

// loadTargets are read by four functions, a container each, from the same three pages.
var loadTargets = []string{
	"/v1/body/harbor_news", "/v1/body/quay_gazette", "/v1/body/gorod_segodnya",
	"/v1/feed?channels=harbor_news,quay_gazette,gorod_segodnya",
	"/v1/feed?channels=quay_gazette,harbor_news&format=rss",
	"/graphql?query=%7Bbody(channel:%22harbor_news%22)%7Bchannel%7Busername%7D%7D%7D",
	"/v1/preview/harbor_news", "/v1/post/harbor_news/4150",
}

// tally counts by name.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tally) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[name]++
}

// TestSAMLoad: four functions behind `sam local start-api`, under load over one real Redis, answer without an error and
// fetch each page once between them.
func TestSAMLoad(t *testing.T) {
	base := e2e(t, "E2E_API")
	var fetches, answered tally
	countedSite(t, os.Getenv("E2E_UPSTREAM"), &fetches)
	client := &http.Client{Timeout: 30 * time.Second}
	var callers sync.WaitGroup
	end := time.Now().Add(loadFor)
	for i := range loadCallers {
		callers.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				target := loadTargets[n%len(loadTargets)]
				answered.add(ask(t, client, base+target))
			}
		})
	}
	callers.Wait()
	total := 0
	for how, n := range answered.n {
		total += n
		if !slices.Contains([]string{"200 miss", "200 l1", "200 l2", "200 wait"}, how) {
			t.Errorf("%d times: %s", n, how)
		}
	}
	t.Logf("%d answers in %v from %d callers: %v; fetches: %v", total, loadFor, loadCallers, answered.n, fetches.n)
	for _, page := range slices.Sorted(maps.Keys(fetches.n)) {
		if n := fetches.n[page]; n != 1 {
			t.Errorf("%s was fetched %d times, want once", page, n)
		}
	}
	if total < 10*loadCallers || len(fetches.n) < 3 {
		t.Errorf("%d answers and %d pages are no load", total, len(fetches.n))
	}
	if answered.n["200 l2"] == 0 {
		t.Error("no answer came from L2")
	}
	keys := storedKeys(t, os.Getenv("E2E_REDIS"))
	for _, name := range []string{"harbor_news", "quay_gazette", "gorod_segodnya"} {
		if !slices.ContainsFunc(keys, func(k string) bool { return strings.Contains(k, "{body:"+name+":0}") }) {
			t.Errorf("L2 lacks the newest page of %s: %q", name, keys)
		}
	}
	// A cold container of the function that renews finds in L2 who was asked for, and that all of it is fresh.
	tick, log := samInvoke(t, "refresh", "refresh/tick")
	var sum struct{ Popular, Fresh, Renewed int }
	if err := json.Unmarshal(tick, &sum); err != nil || sum.Popular == 0 || sum.Renewed != 0 {
		t.Errorf("a tick after the load says %s, want popular pages and none renewed: %v\n%s", tick, err, log)
	}
}

// ask gives the status of an answer and where it came from, or the fault and whose.
func ask(t *testing.T, client *http.Client, url string) string {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	resp, err := client.Do(r)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || len(body) == 0 {
		return fmt.Sprintf("%d with a body of %d bytes: %v", resp.StatusCode, len(body), err)
	}
	if strings.Contains(string(body), `"errors":`) {
		return fmt.Sprintf("%s: %d with errors: %.300s", url, resp.StatusCode, body)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Sprintf("%s: %d %.300s", url, resp.StatusCode, body)
	}
	return fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("X-Cache"))
}

// countedSite serves the recorded pages where the containers reach them, and counts what is asked for.
func countedSite(t *testing.T, addr string, fetches *tally) {
	t.Helper()
	pages, err := tmetest.Saved(os.DirFS("../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fetches.add(r.URL.RequestURI())
		pages.ServeHTTP(w, r)
	}))
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
}

func storedKeys(t *testing.T, url string) []string {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(o)
	defer func() { _ = c.Close() }()
	keys, err := c.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
