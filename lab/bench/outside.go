package bench

import (
	"slices"
	"strings"
)

// forking are the programs in other languages that have the workloads with
// forks, and twofold those that are there a second time, compiled as Go compiles:
// no loop is made of vector instructions, and no body of a loop is inlined.
var (
	forking = []string{"rayon", "onetbb", "openmp"}
	twofold = forking
	// plainless are those whose plain loops another one has, too.
	plainless = []string{"openmp", "openmp" + NoVectors, "stdpar", "gnu", "boost", "ips4o"}
)

// NoVectors ends the name of a program whose compiler vectorizes no loop and inlines no
// body that is a function value in Go.
const NoVectors = "-novec"

// OutsideNames returns the names of all programs in other languages.
func OutsideNames() []string {
	return append(vectorized(forking...), "stdpar", "gnu", "boost", "ips4o", "openjdk")
}

// vectorized returns these names, and those of their second programs.
func vectorized(names ...string) (all []string) {
	for _, name := range names {
		all = append(all, name)
		if slices.Contains(twofold, name) {
			all = append(all, name+NoVectors)
		}
	}
	return all
}

// IsOutside reports whether an implementation of this name is a program in
// another language, with whatever grain.
func IsOutside(implementation string) bool {
	return slices.ContainsFunc(OutsideNames(), func(name string) bool {
		return implementation == name || strings.HasPrefix(implementation, name+GrainInfix)
	})
}

// In reports whether the program of this name has the workload.
func (w *Workload) In(program string) bool {
	if w.Outside == "" {
		return false
	}
	if w.OutsideIn == nil {
		return slices.Contains(forking, program)
	}
	return slices.Contains(w.OutsideIn, program)
}
