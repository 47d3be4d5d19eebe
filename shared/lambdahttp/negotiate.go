package lambdahttp

import (
	"strconv"
	"strings"
)

// coding is a Content-Encoding.
type coding string

const (
	identity coding = "identity"
	zstdCode coding = "zstd"
	gzipCode coding = "gzip"
)

// negotiate picks the coding of a body of n bytes by Accept-Encoding, RFC 9110 section 12.5.3. Among equals zstd goes
// before gzip; a coding goes before an identity that is not asked for by name. What the caller refuses altogether it
// gets as identity, which is of more use than a 406.
func negotiate(accept []string, n int) coding {
	q := quality{zstd: -1, gzip: -1, identity: -1, rest: -1}
	for _, list := range accept {
		for list != "" {
			var item string
			item, list, _ = strings.Cut(list, ",")
			q.read(item)
		}
	}
	zstd, gzip := orElse(q.zstd, q.rest, 0), orElse(q.gzip, q.rest, 0)
	plain := orElse(q.identity, q.rest, 1)
	best, bestQ := zstdCode, zstd
	if gzip > zstd {
		best, bestQ = gzipCode, gzip
	}
	switch {
	case bestQ == 0:
		return identity
	case plain == 0: // refused: even small answers are encoded
		return best
	case n < compressFrom, q.identity > bestQ:
		return identity
	}
	return best
}

// quality holds the weights in thousandths, -1 where none is given.
type quality struct{ zstd, gzip, identity, rest int }

func (q *quality) read(item string) {
	name, params, _ := strings.Cut(item, ";")
	weight := weightOf(params)
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "zstd":
		q.zstd = weight
	case "gzip", "x-gzip":
		q.gzip = weight
	case "identity":
		q.identity = weight
	case "*":
		q.rest = weight
	}
}

// weightOf reads "q=0.5" in thousandths; a weight out of its form is none.
func weightOf(params string) int {
	params = strings.TrimSpace(params)
	if params == "" {
		return 1000
	}
	name, value, _ := strings.Cut(params, "=")
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1000
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0
	}
	return int(f * 1000)
}

func orElse(values ...int) int {
	for _, v := range values {
		if v >= 0 {
			return v
		}
	}
	return 0
}
