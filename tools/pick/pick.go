// Package pick is what commands share that let you choose what to measure: exit statuses, the
// choice by flags, and JSON.
package pick

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// ErrIncomplete is the error of a run that could not do all that was asked for.
var ErrIncomplete = errors.New("not everything could be measured, or an answer was wrong: see the report")

// WriteJSON prints a report for programs.
func WriteJSON(w io.Writer, report any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}

// Workers returns the numbers that --workers has, in order, or which one is out of range.
func Workers(all []int, most int) ([]int, error) {
	for _, n := range all {
		if n < 1 || n > most {
			return nil, fmt.Errorf("--workers is %d, must be 1 to %d", n, most)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all))), nil
}

// Peers returns an error unless --peers names a directory. Some of the peers may be missing there:
// their rows say so.
func Peers(dir string) error {
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

// Named returns those of the given names, in their order, or all of them if
// no name is given. A name that is not among them stands for the family of those that
// begin with it and a dash. The error for an unknown name lists those there
// are.
func Named[T any](what string, all []T, name func(T) string, picked []string) ([]T, error) {
	if len(picked) == 0 {
		return all, nil
	}
	var known []string
	for _, x := range all {
		known = append(known, name(x))
	}
	var wanted []string
	for _, p := range picked {
		names := family(known, p)
		if names == nil {
			return nil, fmt.Errorf("unknown %s %q; there are: %s", what, p, strings.Join(known, ", "))
		}
		wanted = append(wanted, names...)
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(wanted, name(x)) }), nil
}

// family returns the name itself if it is known, or else the known names that
// begin with it and a dash.
func family(known []string, name string) (names []string) {
	if slices.Contains(known, name) {
		return []string{name}
	}
	for _, k := range known {
		if strings.HasPrefix(k, name+"-") {
			names = append(names, k)
		}
	}
	return names
}
