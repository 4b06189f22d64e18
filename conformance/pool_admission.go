package conformance

import "github.com/rouse-go/rouse/pool"

// twoPools repeats what is given on two pools of several sizes, whose jobs call Run on each other.
func (s poolSuite) twoPools(what string, round func(r *run, p, q *pool.Pool)) func(*run) {
	return func(r *run) {
		for _, n := range [][2]int{{1, 1}, {2, 1}, {2, 2}} {
			p, q := s.start(r, n[0]), s.start(r, n[1])
			r.During("P14", "jobs of pools of %d and %d workers "+what, n[0], n[1])
			r.Rounds(20, func(int) { round(r, p, q) })
			s.close(r, p)
			s.close(r, q)
		}
	}
}

// lockThenAdmission has jobs of p hold a lock while they call Run on q, whose
// jobs hold another one while they wait. Admission counts as a lock, and all are
// taken in one order: a seat of p, the lock of p's jobs, a seat of q, the lock of
// q's jobs.
func lockThenAdmission(r *run, p, q *pool.Pool) {
	outer, inner := mutex(), mutex()
	manyJobs(r, p, 4, func(*pool.Worker) {
		outer(func() {
			runOn(r, background, q, func(w *pool.Worker) { inner(func() { waitFor(r, w, anyWait) }) })
		})
	})
}

// lockInsideAdmission has jobs of two pools call Run on the other one, from both
// ends at once. Each job holds its pool's lock while it waits for jobs of its
// own pool, and no lock while it waits for admission to the other.
func lockInsideAdmission(r *run, p, q *pool.Pool) {
	locks := map[*pool.Pool]within{p: mutex(), q: mutex()}
	others := map[*pool.Pool]*pool.Pool{p: q, q: p}
	var back func(w *pool.Worker, depth int)
	back = func(w *pool.Worker, depth int) {
		lock := locks[w.Pool()]
		lock(func() { waitFor(r, w, anyWait) })
		if depth > 0 {
			runOn(r, background, others[w.Pool()], func(w *pool.Worker) { back(w, depth-1) })
		}
		lock(func() { waitFor(r, w, anyWait) })
	}
	var callers []func()
	for range 4 {
		for from := range others {
			callers = append(callers, func() { runOn(r, background, from, func(w *pool.Worker) { back(w, 2) }) })
		}
	}
	r.Together(callers...)
}
