package cachetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadCommands(t *testing.T) {
	t.Parallel()
	const head = "# Commandstats\r\ncmdstat_get:calls=3,usec=9,usec_per_call=3.00\r\ncmdstat_config|resetstat:calls=1,usec=2\r\n"
	got, err := ReadCommands(head + "\r\n")
	if diff := cmp.Diff(map[string]int{"get": 3, "config|resetstat": 1}, got); err != nil || diff != "" {
		t.Errorf("%v, counts (-want +got):\n%s", err, diff)
	}
	if got, err := ReadCommands(head + "cmdstat_set:calls=many,usec=2\r\n"); err == nil {
		t.Errorf("a count that is none gives %v, want an error", got)
	}
}
