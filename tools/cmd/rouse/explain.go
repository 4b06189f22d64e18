package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// findings are the times of all pieces of work. Those of forks and files begin with plain Go and
// goroutines, and end with the pools.
type findings struct {
	forks, loop, sort, files times
}

// explain says in plain words what the table shows. It takes every number from there, so the two
// cannot disagree.
func (f findings) explain() string {
	goroutines, byHand, pools := f.forks.speedup(1), f.forks.speedup(2), f.forks.median(3)
	forks := fmt.Sprintf("A fork at each call: goroutines are %s. Cut off by hand, at a depth that you must find, they are %s. "+
		"Rouse is %s, with nothing to find.", against(goroutines), against(byHand), against(pools))
	if pools > 1.1 && pools > 2*goroutines {
		forks += " This is where it pays."
	}
	loops := fmt.Sprintf("A loop and a sort: par.For is %s, par.Sort is %s.", against(f.loop.speedup(1)), against(f.sort.speedup(1)))

	goroutines, pools = f.files.speedup(1), f.files.median(2)
	files := fmt.Sprintf("Files are large pieces of work, so the price of a fork does not matter: goroutines are %s, Rouse is %s.",
		against(goroutines), against(pools))
	switch {
	case f.files[0] < tooShort:
		files = "These files are too few or too small to compare the ways."
	case goroutines > 1.15*pools:
		files += " Goroutines are better there."
	case pools < 1.15*goroutines:
		files += " Goroutines are as good there."
	}
	text := "What this shows, beside plain Go\n\n" + wrap(forks) + "\n" + wrap(loops) + "\n" + wrap(files)
	if runtime.GOMAXPROCS(0) == 1 {
		text += "\n" + wrap("On one processor nothing runs in parallel, so nothing can pay. What you see is the cost.")
	}
	return text
}

// tooShort is the time of plain Go beneath which the other ways show what it costs to begin.
const tooShort = 10 * time.Millisecond

// median returns the median speed-up of the ways from the i-th on, the pools: of six figures, one
// that another program has disturbed does not matter.
func (t times) median(i int) float64 {
	var all []float64
	for ; i < len(t); i++ {
		all = append(all, t.speedup(i))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// against puts a speed-up into words.
func against(speedup float64) string {
	switch {
	case speedup >= 1.05:
		return fmt.Sprintf("%.1f times as fast", speedup)
	case speedup > 0.95:
		return "as fast"
	}
	return fmt.Sprintf("%.1f times as slow", 1/speedup)
}
