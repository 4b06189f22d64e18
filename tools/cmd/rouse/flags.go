package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// errIncomplete is the error of a run that could not do all that was asked for.
var errIncomplete = errors.New("not everything could be measured, or an answer was wrong: see the report")

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

// mostWorkers is how many workers a program that waits accepts.
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
