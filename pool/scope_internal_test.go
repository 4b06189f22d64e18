package pool

import "testing"

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
