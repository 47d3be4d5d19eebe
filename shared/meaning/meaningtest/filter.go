package meaningtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// condition is one comparison of the service's filter language, as far as it is needed: strings and numbers, =, >= and IN,
// joined by AND.
var condition = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z_0-9]*)\s*(=|>=|(?i:IN))\s*(.+)$`)

// literal is a string in single or double quotes, or a number.
var literal = regexp.MustCompile(`^(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?))$`)

// parseFilter gives the test of metadata that a filter stands for; an empty one lets all pass.
func parseFilter(filter string) (func(map[string]any) bool, error) {
	var tests []func(map[string]any) bool
	if strings.TrimSpace(filter) == "" {
		return func(map[string]any) bool { return true }, nil
	}
	for part := range strings.SplitSeq(filter, " AND ") {
		m := condition.FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, fmt.Errorf("no condition: %s", part)
		}
		test, err := parseCondition(m[1], strings.ToUpper(m[2]), m[3])
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	return func(metadata map[string]any) bool {
		for _, test := range tests {
			if !test(metadata) {
				return false
			}
		}
		return true
	}, nil
}

func parseCondition(field, operator, operand string) (func(map[string]any) bool, error) {
	if operator == "IN" {
		if !strings.HasPrefix(operand, "(") || !strings.HasSuffix(operand, ")") {
			return nil, fmt.Errorf("no list: %s", operand)
		}
		var values []any
		for s := range strings.SplitSeq(operand[1:len(operand)-1], ",") {
			v, err := parseLiteral(strings.TrimSpace(s))
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		return func(metadata map[string]any) bool {
			for _, v := range values {
				if metadata[field] == v {
					return true
				}
			}
			return false
		}, nil
	}
	v, err := parseLiteral(operand)
	if err != nil {
		return nil, err
	}
	if operator == "=" {
		return func(metadata map[string]any) bool { return metadata[field] == v }, nil
	}
	low, ok := v.(float64)
	if !ok {
		return nil, fmt.Errorf("%s wants a number: %s", operator, operand)
	}
	return func(metadata map[string]any) bool {
		n, ok := metadata[field].(float64)
		return ok && n >= low
	}, nil
}

// parseLiteral gives a string or a float64.
func parseLiteral(s string) (any, error) {
	m := literal.FindStringSubmatch(s)
	switch {
	case m == nil:
		return nil, fmt.Errorf("no literal: %s", s)
	case m[3] != "":
		return strconv.ParseFloat(m[3], 64)
	}
	return m[1] + m[2], nil
}
