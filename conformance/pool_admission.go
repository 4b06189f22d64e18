package conformance

import (
	"sync"

	"github.com/rouse-go/rouse/pool"
)

// twoPoolsWorkers are the sizes of two pools whose jobs call Run on each other.
var twoPoolsWorkers = [][2]int{{1, 1}, {2, 1}, {2, 2}}

// lockThenAdmission has jobs of p hold a lock while they call Run on q, whose
// jobs hold another one while they wait. Admission counts as a lock, and all are
// taken in one order: a seat of p, the lock of p's jobs, a seat of q, the lock of
// q's jobs.
func (s poolSuite) lockThenAdmission(r *run) {
	for _, n := range twoPoolsWorkers {
		p, q := s.start(r, n[0]), s.start(r, n[1])
		r.During("P14", "jobs of a pool of %d workers hold a lock while they call Run on one of %d, whose jobs hold another", n[0], n[1])
		r.Rounds(20, func(int) {
			outer, inner := mutex(), mutex()
			manyJobs(r, p, 4, func(*pool.Worker) {
				outer(func() {
					runOn(r, q, func(w *pool.Worker) { inner(func() { anyWait(r, w, small) }) })
				})
			})
		})
		s.close(r, p)
		s.close(r, q)
	}
}

// lockInsideAdmission has jobs of two pools call Run on the other one, from both
// ends at once. Each job holds its pool's lock while it waits for jobs of its
// own pool, and no lock while it waits for admission to the other.
func (s poolSuite) lockInsideAdmission(r *run) {
	for _, n := range twoPoolsWorkers {
		p, q := s.start(r, n[0]), s.start(r, n[1])
		r.During("P14", "jobs of pools of %d and %d workers call Run on each other, and hold locks within each", n[0], n[1])
		r.Rounds(20, func(int) {
			locks := map[*pool.Pool]within{p: mutex(), q: mutex()}
			var back func(w *pool.Worker, depth int)
			back = func(w *pool.Worker, depth int) {
				lock := locks[w.Pool()]
				lock(func() { anyWait(r, w, small) })
				if depth > 0 {
					other := p
					if w.Pool() == p {
						other = q
					}
					runOn(r, other, func(w *pool.Worker) { back(w, depth-1) })
				}
				lock(func() { anyWait(r, w, small) })
			}
			r.Together(
				func() { manyRuns(r, p, func(w *pool.Worker) { back(w, 2) }) },
				func() { manyRuns(r, q, func(w *pool.Worker) { back(w, 2) }) },
			)
		})
		s.close(r, p)
		s.close(r, q)
	}
}

// runOn calls Run, from a job of another pool.
func runOn(r *run, p *pool.Pool, job func(w *pool.Worker)) {
	_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int { job(w); return 0 }, 0)
	if err != nil {
		r.Report("P4", "Run from a job of another pool returned the error %v", err)
	}
}

// manyRuns has some callers from outside run the job at once.
func manyRuns(r *run, p *pool.Pool, job func(w *pool.Worker)) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { runOn(r, p, job) })
	}
	all.Wait()
}
