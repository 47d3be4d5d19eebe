// Command release packs what was built: each folder of a stage becomes a zip, each other file stays as it is, and
// SHA256SUMS lists them all. The same stage gives the same bytes. `make release` lays out the stage and calls it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run reads the arguments and packs.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	stage := flags.String("stage", "", "the folder with what is to be packed")
	to := flags.String("out", "", "the folder for the packages; made anew where it is there")
	unix := flags.Int64("time", 0, "the date of every file in a zip, in Unix seconds: the commit's")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *stage == "" || *to == "" || *unix <= 0 {
		return errors.New("-stage, -out and -time are needed")
	}
	sums, err := pack(*stage, *to, time.Unix(*unix, 0).UTC())
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, sums)
	return err
}
