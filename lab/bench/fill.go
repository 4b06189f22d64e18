package bench

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// FillPrefix begins the names of the workloads whose leaves sleep. The shape
// and the number of workers follow.
const FillPrefix = "fill-"

// fillBeside is what the sleeping leaves are measured on at first sight: the
// pool and one of each kind of peer. fillMore is the pool with each way to
// sleep. There is nothing to learn from more deques.
var fillBeside = []string{"goroutine", "errgroup", "rayon", "onetbb", "rouse"}

var fillMore = []string{
	"rouse-eager",
	"rouse/deque=chaselev/sleep=jec/publish=demand",
	"rouse/deque=chaselev/sleep=futex/publish=demand",
	"rouse/deque=chaselev/sleep=futex-goroutine/publish=demand",
}

// fillOutside are the shapes that programs in other languages have. Rayon has
// no handle of a fork, so nobody there can join the oldest first.
var fillOutside = map[work.FillShape]bool{
	work.FillFlat: true, work.FillSpine: true, work.FillTree: true, work.FillScope: true, work.FillSubmit: true,
}

var fillAbout = map[work.FillShape]string{
	work.FillFlat:   "forked in a loop, joined newest first",
	work.FillOldest: "forked in a loop, joined oldest first",
	work.FillSpine:  "one forked at each node of a list",
	work.FillTree:   "forked by halving",
	work.FillScope:  "spawned in one Scope",
	work.FillSubmit: "submitted from outside",
	work.FillLoop:   "one call of par.For",
}

// fills are the sleeping leaves, in all shapes, with each number of workers.
// These numbers do not depend on the machine, since a leaf that sleeps uses no
// processor.
func fills(s Sizes) (all []*Workload) {
	for _, shape := range work.FillShapes() {
		for _, workers := range of(s, []int{64, 256}, []int{64}, []int{4}) {
			w := fill(shape, workers, of(s, work.LeafTime, work.LeafTime, 100*time.Microsecond))
			if s == Full {
				w.Runs, w.Beside = 20, slices.Concat(fillBeside, fillMore)
			}
			all = append(all, w)
		}
	}
	return all
}

func fill(shape work.FillShape, workers int, leaf time.Duration) *Workload {
	leaves := work.FillLeaves(workers)
	w := &Workload{
		Name: FillPrefix + string(shape) + "-" + strconv.Itoa(workers),
		About: fmt.Sprintf("%d leaves that sleep %v each, %s; all workers sleep before; goroutines: a semaphore lets %d sleep at once",
			leaves, leaf, fillAbout[shape], workers),
		Workers: []int{workers},
		Beside:  fillBeside,
		Program: func() *work.Program { return work.Fill(shape, workers, leaf) },
		Check:   exactly(uint64(leaves)),
	}
	if fillOutside[shape] && leaf == work.LeafTime {
		w.Outside = fmt.Sprintf("fill-%s %d", shape, leaves)
	}
	return w
}
