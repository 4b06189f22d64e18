package conformance

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// leafTime is how long a leaf takes, by the clock of the bubble.
const leafTime = time.Second

// fillLimit is how many leaf times 2W leaves may take on W workers. Two would be
// perfect.
const fillLimit = 3

// fillWorkers says how large the pools are; those of the second row are for -short.
var fillWorkers = [][]int{{2, 3, 4, 8, 16, 64, 256}, {2, 3, 8, 64}}

// fillTries is how often each shape is tried with a pool of so many workers. A try on 64
// takes longer than five on eight.
func fillTries(r *run, workers int) int {
	switch {
	case workers > 64 && r.Brief():
		return 1
	case workers >= 64, workers > 8 && r.Brief():
		return 5
	}
	return 20
}

// TestFill checks that the pools which newPool makes fill: rule P13 of
// package pool. Each subtest forks 2W leaves on W workers in another shape, and
// measures how long that takes, in leaf times.
//
// The leaves sleep, in a synctest bubble. So they use no processor, and two
// processors show whether each of 256 workers gets work. The clock of the bubble
// moves only when every goroutine is blocked: the steps of the pool take no
// time, and the result is a whole number of leaf times. So the sleep backend
// must park goroutines, as for [WithSynctest]; a thread that blocks in the
// kernel stops the clock.
func TestFill(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	s := newPoolSuite(t, newPool)
	cfg := newConfig(append(opts, WithSynctest()))
	row := 0
	if testing.Short() {
		row = 1
	}
	for _, shape := range fillShapes {
		for _, workers := range fillWorkers[row] {
			cfg.Bubbled(t, fmt.Sprintf("%s/workers=%d", shape.name, workers), "P13", func(r *run) {
				longest, full, tries := 0, 0, fillTries(r, workers)
				for try := 0; try < tries && !r.Aborted(); try++ {
					took, most := s.fill(r, shape, workers, try%2 == 1)
					longest = max(longest, took)
					// One more runs if there is a guest.
					if most >= workers {
						full++
					}
				}
				r.T.Logf("at most %d leaf times in %d tries; in %d each worker ran a leaf", longest, tries, full)
				r.Check(full >= tries, "P13", "in %d of %d tries a leaf ran on each of %d workers at once", full, tries, workers)
			})
		}
	}
}

// fill runs the shape on a pool at rest, and returns how many leaf times that
// took, and how many leaves ran at once. The job that forks is submitted, or a Run.
func (s poolSuite) fill(r *run, shape fillShape, workers int, byRun bool) (leafTimes, most int) {
	p := s.start(r, workers)
	defer s.close(r, p)
	synctest.Wait() // until the workers sleep
	f := &filling{workers: workers, byRun: byRun}
	r.During("P13", "%d leaf times of work are done by %d workers", 2*workers, workers)
	start := time.Now()
	shape.run(r, p, f)
	took := int(time.Since(start) / leafTime)
	r.Check(f.done == 2*workers, "P1", "%d leaf times of work were done, want %d", f.done, 2*workers)
	r.Check(took <= fillLimit, "P13", "%d leaf times of work took %d on %d workers, want at most %d", 2*workers, took, workers, fillLimit)
	return took, f.most
}

// A filling is one run of 2W leaf times of work on W workers.
type filling struct {
	workers int
	byRun   bool
	mu      sync.Mutex
	now     int // leaves that run
	most    int // leaves that ran at once
	done    int // leaf times
}

// leaf is a leaf that takes n leaf times.
func (f *filling) leaf(_ *pool.Worker, n int) int {
	f.mu.Lock()
	f.now++
	f.most = max(f.most, f.now)
	f.done += n
	f.mu.Unlock()
	time.Sleep(time.Duration(n) * leafTime)
	f.mu.Lock()
	f.now--
	f.mu.Unlock()
	return n
}

// A fillShape is a way to fork leaves.
type fillShape struct {
	name string
	// run does 2W leaf times of work.
	run func(r *run, p *pool.Pool, f *filling)
}

var fillShapes = []fillShape{
	{name: "flat_newest_first", run: inJob(newestFirst)},
	{name: "flat_oldest_first", run: inJob(oldestFirst)},
	{name: "flat_in_a_taken_fork", run: inJob(inATakenFork)},
	{name: "flat_in_scopes", run: inJob(inScopes)},
	{name: "tree", run: inJob(inTree)},
	{name: "spine", run: inJob(inSpine)},
	{name: "flat_after_block", run: inJob(afterBlock)},
	{name: "scope", run: inJob(inScope)},
	{name: "submitted", run: submittedLeaves},
	{name: "long_leaf_first", run: longLeaf(func(int) int { return 0 })},
	{name: "long_leaf_in_the_middle", run: longLeaf(func(n int) int { return n / 2 })},
	{name: "long_leaf_last", run: longLeaf(func(n int) int { return n - 1 })},
}

// inJob runs 2W leaves in the shape, in one job.
func inJob(in shape) func(*run, *pool.Pool, *filling) {
	return func(r *run, p *pool.Pool, f *filling) {
		job := func(w *pool.Worker) int { in(r, w, f.leaf, slices.Repeat([]int{1}, 2*f.workers)); return 0 }
		if f.byRun {
			enter(r, p, job)
		} else {
			await(r, submit(r, p, job))
		}
	}
}

// afterBlock forks leaves in a job that has left its seat. It is a guest afterwards if the
// backend lends no seats.
func afterBlock(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	w.Block(func() {})
	newestFirst(r, w, leaf, lengths)
}

// inATakenFork has a thief fork the leaves, while the job that it took its own from waits.
func inATakenFork(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	apart(r, w, func(*pool.Worker) {}, func(w *pool.Worker) { newestFirst(r, w, leaf, lengths) })
}

// inScopes spawns a job or more, each of which is a flat loop.
func inScopes(r *run, w *pool.Worker, leaf leaf, lengths []int) {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		loops := max(1, len(lengths)/16)
		for some := range slices.Chunk(lengths, (len(lengths)+loops-1)/loops) {
			s.Spawn(w, func(w *pool.Worker) { newestFirst(r, w, leaf, some) })
		}
	})
}

func submittedLeaves(r *run, p *pool.Pool, f *filling) {
	var handles []*pool.Handle[int]
	for range 2 * f.workers {
		handles = append(handles, submit(r, p, func(w *pool.Worker) int { return f.leaf(w, 1) }))
	}
	for _, h := range handles {
		await(r, h)
	}
}

// longLeaf is a flat loop in which one leaf takes two leaf times. at says which,
// of how many.
func longLeaf(at func(n int) int) func(*run, *pool.Pool, *filling) {
	return inJob(func(r *run, w *pool.Worker, leaf leaf, lengths []int) {
		lengths = lengths[1:]
		lengths[at(len(lengths))] = 2
		newestFirst(r, w, leaf, lengths)
	})
}
