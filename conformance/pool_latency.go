package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// In TestLatency a leaf takes up to longestLeaf units of time by the clock of the
// bubble, and a Run has so many leaves that all of them together take less than
// one job of a stranger. The units are short, because a wait for all that in the
// bubble gives up at the suite's timeout.
const (
	latencyUnit  = time.Millisecond
	longestLeaf  = 3
	latencyLeafs = 12
	strangerTime = 60
)

// latencyWorkers says how large the pools are; those of the second row are for -short.
var latencyWorkers = [][]int{{1, 2, 3, 8}, {1, 2, 3}}

// latencyTries is how often each is tried.
func latencyTries(r *run) int {
	if testing.Short() || r.Brief() {
		return 5
	}
	return 20
}

// TestLatency checks that a job that waits does not run work of unrelated callers:
// rule P15 of package pool. In each subtest a Run forks short leaves, while other
// callers give long jobs to the pool; subtests differ in how both do that.
//
// It runs in virtual time, for the same backends as [TestFill]. The clock moves
// only while leaves and the other callers' jobs sleep, so the limit is exact. At
// each join of the Run, the joined job has already started, or the Run's own
// goroutine runs it. So the Run never takes longer than all its leaves one after
// the other, and a single job of another caller takes longer than that.
func TestLatency(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	s := newPoolSuite(t, newPool)
	cfg := newConfig(append(opts, WithSynctest()))
	row := 0
	if testing.Short() {
		row = 1
	}
	for _, with := range strangers {
		for _, shape := range latencyShapes {
			for _, workers := range latencyWorkers[row] {
				cfg.Bubbled(t, fmt.Sprintf("strangers=%s/%s/workers=%d", with.name, shape.name, workers), "P15", func(r *run) {
					for try, tries := 0, latencyTries(r); try < tries && !r.Aborted(); try++ {
						s.latency(r, with, shape.run, workers)
					}
				})
			}
		}
	}
}

// latency has strangers come at any time before or during a Run of the shape, and
// measures how long that takes.
func (s poolSuite) latency(r *run, with stranger, shape shape, workers int) {
	p := s.start(r, workers)
	defer s.close(r, p)
	synctest.Wait() // until the workers sleep
	var over atomic.Bool
	come := time.Duration(rand.IntN(2*longestLeaf)) * latencyUnit / 2
	fed := r.Go(func() {
		time.Sleep(come)
		with.feed(r, p, &over)
	})
	if rand.IntN(2) == 0 { // the pool is busy with strangers
		time.Sleep(time.Duration(rand.IntN(strangerTime+10)) * latencyUnit)
	}
	lengths, alone := make([]int, latencyLeafs), 0
	for i := range lengths {
		lengths[i] = 1 + rand.IntN(longestLeaf)
		alone += lengths[i]
	}
	r.During("P15", "a Run of leaves of %v units ends", lengths)
	start := time.Now()
	enter(r, p, func(w *pool.Worker) int { shape(r, w, sleepLeaf, lengths); return 0 })
	took := int(time.Since(start) / latencyUnit)
	over.Store(true)
	r.During("P15", "strangers' jobs end")
	r.Wait(fed)
	r.Check(took <= alone, "P15", "a Run took %d units for leaves of %v, which take %d one after the other, while strangers' jobs take %d each", took, lengths, alone, strangerTime)
}

// sleepLeaf is a leaf of n units.
func sleepLeaf(_ *pool.Worker, n int) int {
	time.Sleep(time.Duration(n) * latencyUnit)
	return n
}

// A stranger hands long jobs to the pool, as long as it is not over, and returns
// when they have ended.
type stranger struct {
	name string
	feed func(r *run, p *pool.Pool, over *atomic.Bool)
}

var strangers = []stranger{
	{"submitted", func(r *run, p *pool.Pool, over *atomic.Bool) {
		var handles []*pool.Handle[int]
		for !over.Load() {
			for range 2 * p.Workers() {
				handles = append(handles, submit(r, p, func(w *pool.Worker) int { return sleepLeaf(w, strangerTime) }))
			}
			time.Sleep(strangerTime / 2 * latencyUnit)
		}
		for _, h := range handles {
			await(r, h)
		}
	}},
	{"runs", func(r *run, p *pool.Pool, over *atomic.Bool) {
		caller := func() {
			for !over.Load() && !r.Aborted() {
				runOn(r, background, p, func(w *pool.Worker) { sleepLeaf(w, strangerTime) })
			}
		}
		r.Together(slices.Repeat([]func(){caller}, p.Workers()+1)...)
	}},
	{"forks", func(r *run, p *pool.Pool, over *atomic.Bool) {
		for !over.Load() && !r.Aborted() {
			enter(r, p, func(w *pool.Worker) int {
				oldestFirst(r, w, sleepLeaf, slices.Repeat([]int{strangerTime}, 2*p.Workers()))
				return 0
			})
		}
	}},
}

var latencyShapes = []struct {
	name string
	run  shape
}{
	{"flat_newest_first", newestFirst},
	{"flat_oldest_first", oldestFirst},
	{"tree", inTree},
	{"spine", inSpine},
	{"scope", inScope},
	{"scopes_in_a_scope", func(r *run, w *pool.Worker, leaf leaf, lengths []int) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			for half := range slices.Chunk(lengths, latencyLeafs/2) {
				s.Spawn(w, func(w *pool.Worker) { inScope(r, w, leaf, half) })
			}
		})
	}},
	{"handles", byHandles},
	{"nested_run", inNestedRun},
	{"runs", inRuns},
}
