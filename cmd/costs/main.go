// Command costs computes what a month of the API costs, from prices, measured numbers and a model of who asks for what,
// all of which stand in this package. It prints the tables of docs/operations.md, and with -write puts them there.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// The lines between which the tables stand in a document.
const (
	begin = "<!-- costs: computed by cmd/costs, not by hand -->\n"
	end   = "<!-- costs: end -->\n"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

// run prints the tables, or puts them into the document that -write names.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("costs", flag.ContinueOnError)
	file := flags.String("write", "", "the document whose tables are to be brought up to date")
	if err := flags.Parse(args); err != nil {
		return err
	}
	text := report(list(), measured(), assumed())
	if *file == "" {
		_, err := io.WriteString(out, text)
		return err
	}
	doc, err := os.ReadFile(*file)
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	updated, err := replace(string(doc), text)
	if err != nil {
		return fmt.Errorf("update %s: %w", *file, err)
	}
	if err := os.WriteFile(*file, []byte(updated), 0o644); err != nil { //nolint:gosec // a document
		return fmt.Errorf("update the document: %w", err)
	}
	return nil
}

// replace puts text between the marks of a document.
func replace(doc, text string) (string, error) {
	head, rest, ok := strings.Cut(doc, begin)
	_, tail, okEnd := strings.Cut(rest, end)
	if !ok || !okEnd {
		return "", fmt.Errorf("there are no lines %q and %q", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return head + begin + text + end + tail, nil
}
