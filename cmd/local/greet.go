package main

import (
	"fmt"
	"strings"
)

// greeting tells where the API is, what stands behind it, and what to try.
func (s *server) greeting() string {
	var b strings.Builder
	base := "http://" + strings.Replace(s.listener.Addr().String(), "[::]", "localhost", 1)
	if s.upstream.why != "" {
		fmt.Fprintf(&b, "\n*** t.me CANNOT BE REACHED: serving the RECORDED pages of testdata/pages instead. ***\n"+
			"*** Answers carry \"X-Upstream: recorded\". (%s)\n\n", s.upstream.why)
	} else {
		fmt.Fprintf(&b, "upstream   %s\n", s.upstream.url)
	}
	switch {
	case s.redis != nil:
		fmt.Fprintf(&b, "L2         embedded Redis on %s\n", s.redis.Addr())
	case s.cfg.RedisURL != "":
		b.WriteString("L2         the Redis of REDIS_URL\n")
	default:
		b.WriteString("L2         off\n")
	}
	switch {
	case s.index != nil && s.upstream.why != "":
		fmt.Fprintf(&b, "meaning    embedded index of words, %d recorded posts\n", s.index.Len())
	case s.index != nil:
		b.WriteString("meaning    embedded index of words, filled by each tick with the channels that were asked for\n")
	case s.cfg.VectorURL != nil:
		b.WriteString("meaning    the Upstash Vector index of UPSTASH_VECTOR_REST_URL\n")
	default:
		b.WriteString("meaning    off (VECTOR=local serves related and find)\n")
	}
	if s.clockwork == nil {
		b.WriteString("schedule   off\n")
	} else {
		fmt.Fprintf(&b, "schedule   %s to %s every %s\n", s.clockwork.input, s.clockwork.function, strings.TrimSuffix(s.clockwork.every.String(), "0s"))
	}
	fmt.Fprintf(&b, "serving    %s (docs), %s/graphql (GraphiQL)\n", base, base)
	fmt.Fprintf(&b, "try        curl %s/v1/body/%s\n\n", base, s.upstream.example(s.root))
	return b.String()
}
