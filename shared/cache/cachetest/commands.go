package cachetest

import (
	"fmt"
	"strconv"
	"strings"
)

// ReadCommands reads what a server says to INFO commandstats: how often it ran each command, those inside scripts too, by
// its name in lower case.
func ReadCommands(info string) (map[string]int, error) {
	counts := map[string]int{}
	for line := range strings.Lines(info) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "cmdstat_"), ":calls=")
		if !ok {
			continue
		}
		calls, _, _ := strings.Cut(rest, ",")
		n, err := strconv.Atoi(calls)
		if err != nil {
			return nil, fmt.Errorf("count commands of redis-server: %w", err)
		}
		counts[name] = n
	}
	return counts, nil
}
