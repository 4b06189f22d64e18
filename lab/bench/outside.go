package bench

import "slices"

// forking are the programs in other languages that have the workloads with forks. They are
// there a second time, compiled as Go compiles: no loop is made of vector instructions, and
// no body of a loop is inlined. sorting are those that have sorts alone, whose plain loops
// are those of onetbb.
var (
	forking = []string{"rayon", "onetbb"}
	sorting = []string{"gnu", "boost", "ips4o"}
)

// NoVectors ends the name of a program whose compiler vectorizes no loop and inlines no
// body that is a function value in Go.
const NoVectors = "-novec"

// OutsideNames returns the names of all programs in other languages.
func OutsideNames() []string {
	return append(vectorized(forking...), sorting...)
}

// vectorized returns these names, and those of their second programs.
func vectorized(names ...string) (all []string) {
	for _, name := range names {
		all = append(all, name)
		if slices.Contains(forking, name) {
			all = append(all, name+NoVectors)
		}
	}
	return all
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
