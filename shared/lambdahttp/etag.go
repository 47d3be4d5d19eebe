package lambdahttp

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// block is how long a validator over perishable addresses holds; t.me's addresses live longer than two of them.
const block = 6 * time.Hour

// etag gives the weak validator of an answer, the same for every encoding.
func etag(resp Response, now time.Time) string {
	b := make([]byte, 0, 32)
	b = append(b, `W/"`...)
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, digits[resp.ETag>>shift&15])
	}
	if resp.Perishable {
		b = append(b, '-')
		b = strconv.AppendInt(b, now.Unix()/int64(block/time.Second), 36)
	}
	return string(append(b, '"'))
}

// conditional reports whether If-None-Match may be answered with 304; for other methods it means something else.
func (x *exchange) conditional() bool {
	return x.method == http.MethodGet || x.method == http.MethodHead
}

// matches compares a validator weakly with the lists of If-None-Match. What is not a list of validators matches nothing.
func matches(lists []string, tag string) bool {
	opaque := strings.TrimPrefix(tag, "W/")
	for _, list := range lists {
		for {
			list = strings.TrimLeft(list, " \t,")
			if list == "" {
				break
			}
			if list[0] == '*' {
				return true
			}
			list = strings.TrimPrefix(list, "W/")
			if list == "" || list[0] != '"' {
				break
			}
			end := strings.IndexByte(list[1:], '"')
			if end < 0 {
				break
			}
			if list[:end+2] == opaque {
				return true
			}
			list = list[end+2:]
		}
	}
	return false
}
