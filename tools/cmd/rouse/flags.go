package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errIncomplete is the error of a run that could not do all that was asked for.
var errIncomplete = errors.New("not everything could be measured, or an answer was wrong: see the report")

// commandLine returns the command that does the same again, with those of the
// given flags that are set.
func commandLine(cmd *cobra.Command, flags ...string) string {
	line := "go run ./tools/cmd/rouse " + cmd.Name()
	for _, name := range flags {
		f := cmd.Flags().Lookup(name)
		if f.Value.String() == f.DefValue {
			continue
		}
		line += " --" + name
		if list, ok := f.Value.(pflag.SliceValue); ok {
			line += " " + strings.Join(list.GetSlice(), ",")
		} else if f.Value.Type() != "bool" {
			line += " " + f.Value.String()
		}
	}
	return line
}

// checkPeers returns an error if there is no directory where the peers are said
// to be. One that lacks some of them is well: their rows say so.
func checkPeers(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", dir)
	}
	if err != nil {
		return fmt.Errorf("--peers: %w", err)
	}
	return nil
}

// mostWorkers is how many workers the two commands about scaling accept.
const mostWorkers = 256

// checkWorkers returns the numbers in order, or which one is out of range.
func checkWorkers(all []int) ([]int, error) {
	for _, n := range all {
		if n < 1 || n > mostWorkers {
			return nil, fmt.Errorf("--workers is %d, must be 1 to %d", n, mostWorkers)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all))), nil
}
