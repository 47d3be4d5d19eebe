package main

import (
	"fmt"
	"strings"
)

// greet tells where the API is, what stands behind it, and what to try.
func (s *server) greet() {
	base := "http://" + strings.Replace(s.listener.Addr().String(), "[::]", "localhost", 1)
	if s.upstream.why != "" {
		fmt.Fprintf(s.out, "\n*** t.me CANNOT BE REACHED: serving the RECORDED pages of testdata/pages instead. ***\n"+
			"*** Answers carry \"X-Upstream: recorded\". (%s)\n\n", s.upstream.why)
	} else {
		fmt.Fprintf(s.out, "upstream   %s\n", s.upstream.url)
	}
	switch {
	case s.redis != nil:
		fmt.Fprintf(s.out, "L2         embedded Redis on %s\n", s.redis.Addr())
	case s.cfg.RedisURL != "":
		fmt.Fprintln(s.out, "L2         the Redis of REDIS_URL")
	default:
		fmt.Fprintln(s.out, "L2         off")
	}
	fmt.Fprintf(s.out, "serving    %s (docs), %s/graphql (GraphiQL)\n", base, base)
	fmt.Fprintf(s.out, "try        curl %s/v1/body/%s\n\n", base, s.upstream.example(s.root))
}
