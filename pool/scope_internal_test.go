package pool

import "testing"

// spawnTree spawns a tree of jobs, and calls visit in each.
func spawnTree(s *Scope, w *Worker, depth int, visit func()) {
	visit()
	if depth > 0 {
		for range 2 {
			s.Spawn(w, func(w *Worker) { spawnTree(s, w, depth-1, visit) })
		}
	}
}

// If this fails, each Spawn or each end of a job writes the one count of its scope,
// and workers do little else than pass that on.
func TestCountIsSeldomWritten(t *testing.T) {
	l := newLone(t, 2)
	jobs, writes := 0, 0
	l.Scope(func(w *Worker, s *Scope) {
		last := s.pending.Pending()
		spawnTree(s, w, 10, func() {
			jobs++
			if n := s.pending.Pending(); n != last {
				writes, last = writes+1, n
			}
		})
	})
	equal(t, jobs, 1<<11-1, "P1: the number of jobs that were run is")
	// Depth first, no more jobs than the tree is high have not begun.
	expect(t, writes <= 1, "Credit: %d jobs of a tree saw %d changes of the count, want at most 1", jobs, writes)
}

// If this fails, a worker that has spawned more than it has credit for gives back
// more or less than it took, or keeps some: then the scope ends early or never.
func TestCreditAddsUp(t *testing.T) {
	for _, n := range []int{0, 1, bulk - 1, bulk, bulk + 1, 5 * bulk} {
		l := newLone(t, 2)
		ended := 0
		l.Scope(func(w *Worker, outer *Scope) {
			outer.Spawn(w, func(*Worker) { ended++ })
			w.Scope(func(w *Worker, inner *Scope) {
				for range n {
					inner.Spawn(w, func(*Worker) { ended++ })
				}
				equal(t, inner.pending.Pending()-int64(w.credit.units), int64(n+1),
					"Credit: %d jobs and the body have not ended, and the count less the credit is", n)
				equal(t, outer.pending.Pending(), 2, "Credit: a job and the body of the outer scope have not ended, and its count is")
			})
			expect(t, ended >= n, "P1: %d of %d jobs had ended when Scope returned", ended, n)
		})
		equal(t, ended, n+1, "P1: when both scopes had ended, the number of jobs that had was")
		expect(t, l.credit == credit{}, "Credit: after the scopes the worker has %+v", l.credit)
	}
}

// If this fails, a job that is spawned is in no list, and the scope does not find it.
func TestListKeepsAll(t *testing.T) {
	var u *jobList
	add := func() { u.add(&link{job: new(Job)}) }
	atOnce(t, func() { u = new(jobList) }, func() {
		n := 0
		for l := u.top.Load(); l != nil; l = l.below {
			n++
		}
		expect(t, n == 3, "P1: three jobs are spawned, and %d are in the list", n)
	}, add, add, add)
}

// If this fails, two workers make a list each for the same scope, and one of them is lost.
func TestScopeKeepsAllLists(t *testing.T) {
	l := newLone(t, 2)
	a, b := l.Worker, l.pool.seats[1].worker()
	var s *Scope
	var lists [2]*jobList
	atOnce(t, func() { s = new(Scope) }, func() {
		for i, u := range lists {
			expect(t, u == &s.jobs.others.Load()[i].jobList,
				"P1: a worker adds jobs to a list, and the scope has another one of seat %d", i)
		}
	}, func() { lists[0] = s.jobs.list(false, a.seat.index) }, func() { lists[1] = s.jobs.list(false, b.seat.index) })
}
