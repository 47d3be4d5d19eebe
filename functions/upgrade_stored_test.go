package functions_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"

	"channelapi/functions"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/channels"
	"channelapi/shared/tmetest"
)

// upgrades holds what earlier programs left behind.
const upgrades = "../testdata/upgrades"

// asked are questions whose answers are kept in L2.
func asked() []string {
	return []string{
		"/v1/body/harbor_news", "/v1/body/harbor_news?position=4150", "/v1/body/closed_cabinet", "/v1/post/tiny_workshop/2",
		"/v1/preview/tiny_workshop", "/v1/feed?channels=quay_gazette,tiny_workshop&limit=3",
	}
}

// askOver puts the questions to a new environment each over one L2.
func askOver(t *testing.T, site string, redis *miniredis.Miniredis) []*httptest.ResponseRecorder {
	t.Helper()
	var all []*httptest.ResponseRecorder
	for _, target := range asked() {
		a := apptest.Over(t, app.Options{Now: answeredAt}, site, "REDIS_URL=redis://"+redis.Addr(), "REFRESH_TOP=0")
		w := httptest.NewRecorder()
		functions.New(a, functions.Options{}).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
		all = append(all, w)
	}
	return all
}

// stored gives what is in L2.
func stored(t *testing.T, redis *miniredis.Miniredis) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for _, key := range redis.Keys() {
		value, err := redis.Get(key)
		if err != nil {
			t.Fatalf("read %s: %v", key, err)
		}
		all[key] = []byte(value)
	}
	return all
}

// storing gives an L2 that holds entries.
func storing(t *testing.T, entries map[string][]byte) *miniredis.Miniredis {
	t.Helper()
	redis := miniredis.RunT(t)
	for key, value := range entries {
		if err := redis.Set(key, string(value)); err != nil {
			t.Fatal(err)
		}
	}
	return redis
}

// keptEntries reads the entries that an earlier program of this program's own version of stored answers left. They are
// written by -update once for a version and never again: who changes what is stored must change the version.
func keptEntries(t *testing.T, now map[string][]byte) map[string][]byte {
	t.Helper()
	file := filepath.Join(upgrades, "stored-"+channels.StoredVersion()+".json")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && *update {
		if text, err = json.MarshalIndent(now, "", " "); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil { //nolint:gosec // test data
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatalf("entries of stored version %s: %v (a new version's are written by make golden)", channels.StoredVersion(), err)
	}
	entries := make(map[string][]byte)
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatalf("read %s: %v", file, err)
	}
	return entries
}

// TestGoldenStored: over what an earlier program left in L2, of the same version of stored answers or of another, or
// broken, this one answers as it does over an empty L2.
func TestGoldenStored(t *testing.T) {
	t.Parallel()
	pages, err := tmetest.Saved(os.DirFS("../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(pages)
	t.Cleanup(server.Close)
	site := "TELEGRAM_URL=" + server.URL
	empty := miniredis.RunT(t)
	want := askOver(t, site, empty)
	entries := keptEntries(t, stored(t, empty))
	if len(entries) < len(asked()) {
		t.Fatalf("only %d entries are kept: %q", len(entries), slices.Collect(maps.Keys(entries)))
	}
	tests := map[string]struct {
		entries map[string][]byte
		source  string // of the 200s
	}{
		"of the same version":  {entries, "l2"},
		"of an older version":  {rewrite(entries, channels.StoredVersion(), "0.9", garble), "miss"},
		"of a newer version":   {rewrite(entries, channels.StoredVersion(), "9.9", garble), "miss"},
		"broken":               {rewrite(entries, "", "", garble), "miss"},
		"cut off":              {rewrite(entries, "", "", func(b []byte) []byte { return b[:len(b)/2] }), "miss"},
		"with another payload": {rewrite(entries, "", "", garblePayload), "miss"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, got := range askOver(t, site, storing(t, tt.entries)) {
				target := asked()[i]
				if got.Code != want[i].Code {
					t.Errorf("GET %s = %d %.200s, want %d", target, got.Code, got.Body, want[i].Code)
				}
				if diff := cmp.Diff(want[i].Body.String(), got.Body.String()); diff != "" {
					t.Errorf("GET %s (-empty L2 +this one):\n%.2000s", target, diff)
				}
				if source := got.Header().Get("X-Cache"); got.Code == http.StatusOK && source != tt.source {
					t.Errorf("GET %s: X-Cache %q, want %q", target, source, tt.source)
				}
			}
		})
	}
}

// rewrite gives the entries under keys of another version and with other values.
func rewrite(entries map[string][]byte, from, to string, value func([]byte) []byte) map[string][]byte {
	all := make(map[string][]byte, len(entries))
	for key, v := range entries {
		all[strings.Replace(key, from, to, 1)] = value(slices.Clone(v))
	}
	return all
}

// garble makes a value that nobody can read.
func garble(b []byte) []byte {
	for i := range b {
		b[i] ^= 0x5a
	}
	return b
}

// garblePayload leaves the envelope as it is.
func garblePayload(b []byte) []byte {
	const header = 20
	if len(b) > header {
		garble(b[header:])
	}
	return b
}
