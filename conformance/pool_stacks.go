package conformance

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// How deep the stacks of jobs that wait get. What is counted are calls, so the
// limits leave some for where a job runs: at a worker's root, in a wait.
var poolStacks = []poolCase{
	{"Stacks/chain_of_handles", "P17", 1, handleChain},
	{"Stacks/chain_of_handles_two_workers", "P17", 2, handleChain},
	{"Stacks/many_join_one_handle", "P17", 2, manyJoinOne},
}

// A callBuffer has room for the stacks that are expected, and for some that are
// too deep.
type callBuffer [1 << 13]uintptr

// callBuffers are kept off the stacks that are measured.
var callBuffers = sync.Pool{New: func() any { return new(callBuffer) }}

// calls returns how many calls are on the stack of its caller.
func calls() int {
	b := callBuffers.Get().(*callBuffer)
	defer callBuffers.Put(b)
	return runtime.Callers(1, b[:])
}

// A deepest is the largest number of calls that jobs have seen.
type deepest struct{ n atomic.Int64 }

func (d *deepest) look() {
	n := int64(calls())
	for old := d.n.Load(); n > old && !d.n.CompareAndSwap(old, n); old = d.n.Load() {
	}
}

// handleChain has a job submit the next one and join it, and so on. Each is the
// job that the one before waits for, but a submitted job never runs on the
// goroutine of another one: so a deadline can end the wait, and a Goexit ends no
// job that waits.
func handleChain(r *run, p *pool.Pool) {
	const jobs = 1000
	r.During("P17", "a chain of %d jobs ends, each of which joins the next one", jobs)
	few, many := chainHandles(r, p, 5), chainHandles(r, p, jobs)
	r.Check(many < few+jobs/5, "P17", "a chain of %d jobs that join each other is %d calls deep, one of 5 is %d", jobs, many, few)
}

// chainHandles is a chain of n jobs. It returns how deep their stacks have got.
func chainHandles(r *run, p *pool.Pool, n int) int {
	var most deepest
	var link func(w *pool.Worker, left int) int
	link = func(w *pool.Worker, left int) int {
		most.look()
		if left == 0 {
			return 0
		}
		h, err := pool.Submit(p, func(w *pool.Worker) int { return link(w, left-1) })
		if err != nil {
			r.Report("P1", "Submit in a job returned the error %v", err)
			return 0
		}
		sum, err := h.Join(w)
		if err != nil {
			r.Report("P1", "Join of a handle returned the error %v", err)
		}
		return sum + 1
	}
	got := enter(r, p, func(w *pool.Worker) int { return link(w, n) })
	r.Check(got == n, "P1", "a chain of %d jobs that join each other returned %d", n, got)
	return int(most.n.Load())
}

// manyJoinOne has many jobs join the same one, which ends when all have begun.
func manyJoinOne(r *run, p *pool.Pool) {
	const jobs = 500
	r.During("P17", "%d jobs end that join the same one, which ends when all have begun", jobs)
	few, many := joinOne(r, p, 5), joinOne(r, p, jobs)
	r.Check(many < few+jobs/5, "P17", "a stack is %d calls deep when %d jobs join the same one, and %d when 5 do", many, jobs, few)
}

// joinOne has n jobs join one, on a pool of two workers or more: that one keeps
// its worker until all have begun. It returns how deep their stacks have got.
func joinOne(r *run, p *pool.Pool, n int) int {
	var most deepest
	var begun atomic.Int32
	all := make(chan struct{})
	one := submit(r, p, func(*pool.Worker) int { r.Receive(all); return 7 })
	var handles []*pool.Handle[int]
	for range n {
		handles = append(handles, submit(r, p, func(w *pool.Worker) int {
			most.look()
			if int(begun.Add(1)) == n {
				close(all)
			}
			got, err := one.Join(w)
			if err != nil {
				r.Report("P1", "Join of a handle returned the error %v", err)
			}
			return got
		}))
	}
	for _, h := range handles {
		got := await(r, h)
		r.Check(got == 7, "P1", "Join of a handle, one of many, returned %d, want 7", got)
	}
	return int(most.n.Load())
}

// levels is how many levels of forks the trees of strangersWait have.
const levels = 12

// strangersWait has many callers fork trees whose leaves let others run, so that
// many joins wait. A job may be as deep on its stack as one of its level is when
// the only caller is on the only worker.
func (s poolSuite) strangersWait(r *run) {
	var alone, seen [levels + 1]deepest
	q := s.start(r, 1)
	r.Together(unevenTree(r, q, &alone))
	s.close(r, q)

	p := s.start(r, 4)
	r.During("P17", "calls of Run return that fork trees, on %d workers", p.Workers())
	r.Rounds(10, func(int) {
		tree := unevenTree(r, p, &seen)
		r.Together(tree, tree, tree, tree, tree, tree, tree, tree)
		for left := range seen {
			n, limit := seen[left].n.Load(), alone[left].n.Load()
			// Each join may have some calls for when it must look or wait.
			r.Check(n < limit+3*levels, "P17", "the stack of a job with %d levels above it is %d calls deep among strangers, and %d alone", levels-left, n, limit)
		}
	})
	s.close(r, p)
}

// unevenTree is a caller of Run that forks a tree. It notes how deep the stacks are
// at each number of levels that are left.
func unevenTree(r *run, p *pool.Pool, seen *[levels + 1]deepest) func() {
	var node func(w *pool.Worker, left int) int
	node = func(w *pool.Worker, left int) int {
		seen[left].look()
		if left == 0 {
			small()
			return 1
		}
		a, b := pool.Invoke(w, node, left-1, node, max(left-3, 0))
		return a + b
	}
	return func() {
		if _, err := pool.Run(background, p, node, levels); err != nil {
			r.Report("P1", "Run returned the error %v", err)
		}
	}
}
