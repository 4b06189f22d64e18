package bench

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/bench/work/loops"
)

const (
	// SweepPrefix begins the names of the workloads of the sweep. The number of
	// elements, their length and perhaps a shape follow.
	SweepPrefix = "sweep-"
	// GrainInfix stands between the name of a program and a grain.
	GrainInfix = "-grain-"
)

// Grains are those that the sweep sets by hand.
func Grains() []int { return []int{1, 10, 100, 1000, 10_000, 100_000} }

// grained are the programs that the sweep sets grains of.
var grained = vectorized("onetbb", "rayon")

// GrainNames returns the names of a program with each grain.
func GrainNames(program string) (all []string) {
	for _, g := range Grains() {
		all = append(all, program+GrainInfix+strconv.Itoa(g))
	}
	return all
}

// Grained reports whether a program can have its grain set.
func Grained(program string) bool {
	return slices.Contains(grained, program)
}

// sweepBodies are how long an element takes. A step of the generator takes
// somewhat more than a nanosecond.
var sweepBodies = []struct {
	name  string
	steps int
	takes time.Duration
}{
	{"1ns", 1, time.Nanosecond},
	{"100ns", 75, 100 * time.Nanosecond},
	{"10us", 7500, 10 * time.Microsecond},
}

// sweepLongest is how long a loop of the sweep may take on one processor.
const sweepLongest = 200 * time.Millisecond

// sweeps are loops of 10 to 10 million elements, of three lengths and shapes.
func sweeps(s Sizes) (all []*Workload) {
	longest := of(s, sweepLongest, sweepLongest/20, sweepLongest/20_000)
	for _, body := range sweepBodies {
		for _, shape := range loops.SweepShapes() {
			for n := 10; n <= 10_000_000 && time.Duration(n)*body.takes <= longest; n *= 10 {
				all = append(all, sweep(n, body.name, body.steps, shape))
			}
		}
	}
	return all
}

var sweepAbout = map[loops.SweepShape]string{
	loops.SweepEven:  "all alike",
	loops.SweepFirst: "the first has half of the work",
	loops.SweepPower: "the k-th longest a k-th of the longest",
}

func sweep(n int, body string, steps int, shape loops.SweepShape) *Workload {
	program := func() *work.Program { return loops.Sweep(n, steps, shape) }
	kind := body + "-" + string(shape)
	w := &Workload{
		Name:      SweepPrefix + strconv.Itoa(n) + "-" + kind,
		About:     fmt.Sprintf("%d elements of about %s on average, %s", n, body, sweepAbout[shape]),
		Apart:     true,
		Grains:    true,
		Outside:   SweepPrefix + kind + " " + strconv.Itoa(n),
		OutsideIn: grained,
		Beside:    []string{SequentialName, "goroutine-cutoff", ParName},
		Program:   program,
		Check:     sameAsPlain(program),
		last:      true,
	}
	for _, p := range grained {
		w.Beside = append(append(w.Beside, p), GrainNames(p)...)
	}
	return w
}
