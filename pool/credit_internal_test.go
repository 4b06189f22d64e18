package pool

import "testing"

// tree spawns a tree of jobs, and calls visit in each.
func tree(s *Scope, w *Worker, depth int, visit func(w *Worker)) {
	visit(w)
	if depth > 0 {
		for range 2 {
			s.Spawn(w, func(w *Worker) { tree(s, w, depth-1, visit) })
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
		tree(s, w, 10, func(*Worker) {
			jobs++
			if n := s.pending.Pending(); n != last {
				writes, last = writes+1, n
			}
		})
	})
	if jobs != 1<<11-1 {
		t.Fatalf("P1: %d jobs were run, want %d", jobs, 1<<11-1)
	}
	// Depth first, no more jobs than the tree is high have not begun.
	if writes > 1 {
		t.Errorf("Credit: %d jobs of a tree saw %d changes of the count, want at most 1", jobs, writes)
	}
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
				if got := inner.pending.Pending() - int64(w.credit.units); got != int64(n+1) {
					t.Errorf("Credit: %d jobs and the body have not ended, the count less the credit is %d", n, got)
				}
				if got := outer.pending.Pending(); got != 2 {
					t.Errorf("Credit: a job and the body of the outer scope have not ended, its count is %d", got)
				}
			})
			if ended < n {
				t.Errorf("P1: %d of %d jobs had ended when Scope returned", ended, n)
			}
		})
		if ended != n+1 {
			t.Errorf("P1: %d of %d jobs had ended when both scopes had", ended, n+1)
		}
		if l.credit != (credit{}) {
			t.Errorf("Credit: after the scopes the worker has %+v", l.credit)
		}
	}
}
