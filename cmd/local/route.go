package main

import (
	"strings"
	"time"
)

// anyPath is the path of the route that takes what no other does.
const anyPath = "$default"

// route is one route of the HTTP API.
type route struct {
	function, method, path string
	timeout                time.Duration
}

// key is the route key as it stands in events.
func (r route) key() string {
	if r.path == anyPath {
		return anyPath
	}
	return r.method + " " + r.path
}

// rank orders routes as the gateway prefers them: whole paths, paths with parameters, greedy paths, the default; of two
// alike the one for a single method.
func (r route) rank() int {
	rank := 0
	switch {
	case r.path == anyPath:
		rank = 6
	case strings.HasSuffix(r.path, "+}"):
		rank = 4
	case strings.Contains(r.path, "{"):
		rank = 2
	}
	if r.method == "ANY" {
		rank++
	}
	return rank
}

// match tells whether a request is the route's, and gives its path parameters. The path is decoded, as the gateway has it.
func (r route) match(method, path string) (params map[string]string, ok bool) {
	if r.path == anyPath {
		return nil, true
	}
	if r.method != "ANY" && r.method != method {
		return nil, false
	}
	want, rest := r.path, path
	for {
		wantHead, wantRest, wantMore := strings.Cut(want, "/")
		if name, greedy := strings.CutSuffix(strings.TrimPrefix(wantHead, "{"), "+}"); greedy {
			if rest == "" {
				return nil, false
			}
			return with(params, name, rest), true
		}
		head, tail, more := strings.Cut(rest, "/")
		if name, isParam := strings.CutPrefix(wantHead, "{"); isParam && head != "" {
			params = with(params, strings.TrimSuffix(name, "}"), head)
		} else if head != wantHead {
			return nil, false
		}
		if more != wantMore {
			return nil, false
		}
		if !more {
			return params, true
		}
		want, rest = wantRest, tail
	}
}

func with(params map[string]string, name, value string) map[string]string {
	if params == nil {
		params = make(map[string]string, 1)
	}
	params[name] = value
	return params
}
