package shared_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "channelapi/"

// fence forbids a package to import what it must not know. A path that ends in "/..." stands for all below it.
type fence struct {
	pkg    string
	bans   []string
	reason string
}

const (
	html      = "golang.org/x/net/html"
	goquery   = "github.com/PuerkitoBio/goquery"
	redis     = "github.com/redis/go-redis/..."
	awsLambda = "github.com/aws/aws-lambda-go/..."
	awsSDK    = "github.com/aws/aws-sdk-go-v2/..."
	gqlgen    = "github.com/99designs/gqlgen/..."
)

// deep are fences that hold for everything that a package pulls in, its dependencies' own imports included.
var deep = []fence{
	{"shared/telegram", []string{"net/http", html, awsLambda}, "the domain's words stand alone"},
	{"shared/cache", []string{module + "shared/telegram", module + "shared/channels", "net/http", redis, awsLambda}, "the cache keeps bytes: no domain, no transport, no Redis commands"},
	{"shared/popular", []string{module + "shared/telegram", module + "shared/channels", "net/http", redis, awsLambda}, "counts know names and numbers: no domain, no transport, no Redis commands"},
	{"shared/pack", []string{module + "shared/cache", module + "shared/channels", html, redis, awsLambda}, "the stored form knows no network and no policy"},
	{"shared/feed", []string{module + "shared/cache", module + "shared/tme", html, redis, awsLambda}, "packs in, bytes out: no fetching, no Redis"},
	{"shared/syndication", []string{module + "shared/cache", module + "shared/tme", module + "shared/channels", redis, awsLambda}, "writers fetch and cache nothing"},
	{"shared/gql", []string{module + "shared/cache", module + "shared/tme", module + "shared/scrape", redis, awsLambda}, "resolvers ask a service, not Redis or pages"},
	{"shared/lambdahttp", []string{module + "shared/telegram", module + "shared/cache", module + "shared/channels", redis}, "the edge knows events and HTTP only"},
	{"shared/api", []string{module + "shared/cache", module + "shared/channels", redis}, "routes and parameters know no storage"},
	{"shared/meaning", []string{module + "shared/cache", module + "shared/channels", "net/http", redis, awsLambda}, "an index is asked for posts, not by requests"},
	{"shared/meaning/local", []string{module + "shared/cache", module + "shared/channels", "net/http", redis, awsLambda}, "an index in memory asks nobody"},
	{"shared/meaning/upstash", []string{module + "shared/cache", module + "shared/channels", redis, awsLambda}, "an index is asked for posts, not by requests"},
	{"shared/telemetry", []string{module + "shared/telegram", module + "shared/cache", redis}, "logs and metrics know nothing of the domain"},
	{"shared/app", []string{module + "shared/gql", module + "shared/syndication", gqlgen}, "else every binary would carry them"},
	{"functions/body", []string{module + "shared/gql", module + "shared/syndication", gqlgen}, "only the graphql and feed functions pay for these"},
	{"functions/post", []string{module + "shared/gql", module + "shared/syndication", gqlgen}, "only the graphql and feed functions pay for these"},
	{"functions/preview", []string{module + "shared/gql", module + "shared/syndication", gqlgen}, "only the graphql and feed functions pay for these"},
	{"functions/refresh", []string{module + "shared/gql", module + "shared/syndication", gqlgen}, "only the graphql and feed functions pay for these"},
	{"functions/feed", []string{module + "shared/gql", gqlgen}, "only the graphql function pays for it"},
}

// shallow are fences on what the package itself imports; what its libraries import is theirs.
var shallow = []fence{
	{"shared/tme", []string{html, goquery, module + "shared/cache", module + "shared/scrape", module + "shared/sanitize"}, "the client gives bytes; adapters never import each other"},
	{"shared/scrape", []string{"net/http", "os", module + "shared/cache", module + "shared/tme"}, "the reader is a function of its bytes; adapters never import each other"},
	{"shared/sanitize", []string{"net/http", "os", "time", module + "shared/..."}, "the allow-list is pure"},
	{"shared/cache/redisstore", []string{module + "shared/telegram", module + "shared/tme", module + "shared/scrape", module + "shared/config", "net/http"}, "the store carries out the protocol, without policy"},
	{"shared/channels", []string{awsLambda, awsSDK, redis, module + "shared/lambdahttp", module + "shared/syndication", module + "shared/gql", module + "shared/cache/redisstore", module + "shared/config"}, "the service knows neither events nor renderers nor concrete stores"},
	{"shared/refresh", []string{"net/http", redis, awsLambda, awsSDK, module + "shared/lambdahttp", module + "shared/api", module + "shared/syndication", module + "shared/gql", module + "shared/cache/redisstore", module + "shared/config"}, "ticks and renewals know neither HTTP nor renderers nor concrete stores"},
	{"shared/config", []string{module + "shared/..."}, "settings know no other package"},
	{"shared/awsapi", []string{module + "shared/..."}, "two calls of AWS need no domain"},
}

// everywhere are fences on all packages but those named.
var everywhere = []struct {
	ban    string
	allow  []string
	reason string
}{
	{"github.com/aws/aws-lambda-go/events", []string{"shared/lambdahttp", "shared/lambdahttp/gateway", "cmd/local"}, "events are decoded at one edge"},
	{"github.com/aws/aws-sdk-go-v2/...", []string{"shared/awsapi", "shared/app"}, "AWS is called in one package, with credentials from the wiring"},
	{"github.com/redis/go-redis/...", []string{"shared/cache/redisstore"}, "Redis commands stand in one package"},
	{"github.com/upstash/vector-go", []string{"shared/meaning/upstash"}, "it knows neither time-outs nor statuses: one package bounds it"},
	{"github.com/aws/aws-sdk-go-v2/config", nil, "it costs 4 ms of every cold start"},
	{"github.com/aws/aws-sdk-go-v2/service/...", nil, "two clients cost 2.7 MB and 4 ms of every cold start; shared/awsapi makes the calls itself"},
	{"github.com/caarlos0/env/...", []string{"shared/config"}, "settings are read once, in one place"},
	{"log", nil, "logs are structured: log/slog"},
}

// testOnly must never be linked into a function: no test page and no fake store is deployed.
var testOnly = []string{
	module + "shared/tmetest", module + "shared/cache/cachetest", module + "shared/app/apptest",
	module + "shared/lambdahttp/gateway", module + "functions", module + "shared/linktest", module + "shared/gql/gqltest", module + "shared/browsertest", module + "shared/meaning/meaningtest", "github.com/alicebob/miniredis/...", "testing",
}

// pkg is what go list tells of a package; tests' imports are not in it.
type pkg struct {
	ImportPath    string
	Name, Dir     string
	Imports, Deps []string
	GoFiles       []string
}

// packages lists the module.
var packages = sync.OnceValues(func() ([]pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,Imports,Deps,GoFiles", "./...")
	cmd.Dir = ".."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.Join(err, errors.New(stderr.String()))
	}
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

func listed(t *testing.T) []pkg {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatalf("list packages: %v", err)
	}
	return all
}

// hits gives those of the imports that a ban means.
func hits(imports []string, ban string) []string {
	below, isTree := strings.CutSuffix(ban, "/...")
	var found []string
	for _, i := range imports {
		if i == ban || isTree && (i == below || strings.HasPrefix(i, below+"/")) {
			found = append(found, i)
		}
	}
	return found
}

func TestFences(t *testing.T) {
	t.Parallel()
	all := listed(t)
	check := func(fences []fence, imports func(pkg) []string) {
		for _, f := range fences {
			i := slices.IndexFunc(all, func(p pkg) bool { return p.ImportPath == module+f.pkg })
			if i < 0 {
				t.Errorf("fence around %s: no such package", f.pkg)
				continue
			}
			for _, ban := range f.bans {
				for _, hit := range hits(imports(all[i]), ban) {
					t.Errorf("%s imports %s: %s", f.pkg, hit, f.reason)
				}
			}
		}
	}
	check(deep, func(p pkg) []string { return p.Deps })
	check(shallow, func(p pkg) []string { return p.Imports })
}

func TestFencesEverywhere(t *testing.T) {
	t.Parallel()
	for _, p := range listed(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, f := range everywhere {
			if slices.Contains(f.allow, name) {
				continue
			}
			for _, hit := range hits(p.Imports, f.ban) {
				t.Errorf("%s imports %s: %s", name, hit, f.reason)
			}
		}
	}
}

// The domain imports the standard library alone.
func TestTelegramStandsAlone(t *testing.T) {
	t.Parallel()
	for _, p := range listed(t) {
		if p.ImportPath != module+"shared/telegram" {
			continue
		}
		for _, i := range p.Imports {
			if strings.Contains(strings.SplitN(i, "/", 2)[0], ".") || strings.HasPrefix(i, module) {
				t.Errorf("shared/telegram imports %s: the domain's words need the standard library alone", i)
			}
		}
	}
}

func TestFunctionsCarryNoTests(t *testing.T) {
	t.Parallel()
	functions := 0
	for _, p := range listed(t) {
		if p.Name != "main" || !strings.HasPrefix(p.ImportPath, module+"functions/") {
			continue
		}
		functions++
		for _, ban := range testOnly {
			for _, hit := range hits(p.Deps, ban) {
				t.Errorf("%s links %s: what is for tests is not deployed", p.ImportPath, hit)
			}
		}
	}
	if functions != 6 {
		t.Errorf("found %d functions, want 6", functions)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	vague := []string{"util", "utils", "common", "helper", "helpers", "model", "models", "types", "misc", "base"}
	for _, p := range listed(t) {
		if slices.Contains(vague, p.Name) {
			t.Errorf("%s: a package is named for what it does, not %q", p.ImportPath, p.Name)
		}
	}
}
