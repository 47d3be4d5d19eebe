package api

import (
	"fmt"
	"strings"
)

// pattern is a literal beginning of a path, then variables.
type pattern struct {
	text    string
	literal string // with the slash before the first variable
	vars    []string
}

// pathValue is a variable's value.
type pathValue struct{ name, value string }

func parsePattern(s string) pattern {
	p := pattern{text: s}
	if !strings.HasPrefix(s, "/") {
		panic(fmt.Sprintf("api: pattern %q does not begin with a slash", s))
	}
	literal, rest, ok := strings.Cut(s, "{")
	p.literal = literal
	if !ok {
		return p
	}
	for v := range strings.SplitSeq("{"+rest, "/") {
		name, isVar := strings.CutPrefix(v, "{")
		name, closed := strings.CutSuffix(name, "}")
		if !isVar || !closed || name == "" {
			panic(fmt.Sprintf("api: pattern %q has no variable where %q stands", s, v))
		}
		p.vars = append(p.vars, name)
	}
	return p
}

// match splits a path from its right end, so that whatever is left, slashes and all, is the first variable: a pasted
// address, or a plain name without slashes.
func (p *pattern) match(path string) ([]pathValue, bool) {
	rest, ok := strings.CutPrefix(path, p.literal)
	if !ok || len(p.vars) == 0 {
		return nil, ok && rest == ""
	}
	values := make([]pathValue, len(p.vars))
	for i := len(p.vars) - 1; i > 0; i-- {
		slash := strings.LastIndexByte(rest, '/')
		if slash < 0 {
			return nil, false
		}
		values[i] = pathValue{p.vars[i], rest[slash+1:]}
		rest = rest[:slash]
	}
	address, pasted := pastedAddress(rest)
	if pasted {
		rest = address
	} else if strings.Contains(rest, "/") {
		return nil, false
	}
	values[0] = pathValue{p.vars[0], rest}
	return values, true
}

// pastedAddress reports whether s is an address of t.me and its like, and mends a "https:/" whose second slash was
// merged away on the path's way through a proxy.
func pastedAddress(s string) (address string, ok bool) {
	rest := strings.TrimSpace(s)
	for _, scheme := range []string{"https:", "http:"} {
		if after, found := cutPrefixFold(rest, scheme); found && strings.HasPrefix(after, "/") {
			rest = strings.TrimLeft(after, "/")
			s = "https://" + rest
			break
		}
	}
	host, _ := cutPrefixFold(rest, "www.")
	for _, h := range []string{"t.me/", "telegram.me/", "telegram.dog/"} {
		if _, ok := cutPrefixFold(host, h); ok {
			return s, true
		}
	}
	return "", false
}

func cutPrefixFold(s, prefix string) (after string, ok bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}
