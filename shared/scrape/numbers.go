package scrape

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// maxDigits bounds the numbers that are read; t.me shows none near it.
const maxDigits = 15

// decimal is a number as t.me shows it, before its suffix: digits with the point taken out, and how many stood behind
// the point. Reading numbers this way keeps "1.11K" at 1110; a float would make it 1109.
type decimal struct {
	digits int64
	places int
}

// cutDecimal reads the number that s begins with. Spaces of any width and commas group thousands.
func cutDecimal(s string) (d decimal, rest string, ok bool) {
	n, point := 0, false
	for i, r := range s {
		switch {
		case '0' <= r && r <= '9':
			if n++; n > maxDigits {
				return decimal{}, s, false
			}
			d.digits = d.digits*10 + int64(r-'0')
			if point {
				d.places++
			}
		case r == '.' && n > 0 && !point && digitAt(s, i+1):
			point = true
		case isGroupMark(r) && n > 0 && !point && digitAt(s, i+len(string(r))):
		default:
			return d, s[i:], n > 0
		}
	}
	return d, "", n > 0
}

func isGroupMark(r rune) bool {
	return r == ' ' || r == ',' || r == '\u00A0' || r == '\u2009' || r == '\u202F'
}

func digitAt(s string, i int) bool { return i < len(s) && '0' <= s[i] && s[i] <= '9' }

// times gives the number times unit, rounded half up.
func (d decimal) times(unit uint64) (int64, bool) {
	power := uint64(1)
	for range d.places {
		power *= 10
	}
	hi, lo := bits.Mul64(uint64(d.digits), unit)
	lo, carry := bits.Add64(lo, power/2, 0)
	hi += carry
	if hi >= power {
		return 0, false
	}
	n, _ := bits.Div64(hi, lo, power)
	return int64(n), n <= math.MaxInt64
}

// count reads a counter: "11.3M" is 11300000, "6 400 358 subscribers" is 6400358.
func count(s string) (int64, bool) {
	d, rest, ok := cutDecimal(strings.TrimSpace(s))
	if !ok {
		return 0, false
	}
	unit := uint64(1)
	if rest != "" {
		switch rest[0] {
		case 'K':
			unit = 1e3
		case 'M':
			unit = 1e6
		case 'B':
			unit = 1e9
		}
	}
	if d.places == 0 && unit == 1 {
		return d.digits, true
	}
	return d.times(unit)
}

// size reads a file size in bytes: "2.1 MB" is 2.1 × 1024², rounded.
func size(s string) (int64, bool) {
	d, rest, ok := cutDecimal(strings.TrimSpace(s))
	if !ok {
		return 0, false
	}
	switch strings.TrimSpace(rest) {
	case "B", "bytes", "byte":
		return d.times(1)
	case "KB":
		return d.times(1 << 10)
	case "MB":
		return d.times(1 << 20)
	case "GB":
		return d.times(1 << 30)
	}
	return 0, false
}

// seconds reads a play time: "0:27", "1:02:05".
func seconds(s string) (int, bool) {
	total := 0
	parts := strings.Split(strings.TrimSpace(s), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 1e6 || i > 0 && n > 59 {
			return 0, false
		}
		total = total*60 + n
	}
	return total, true
}
