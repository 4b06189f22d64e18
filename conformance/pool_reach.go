package conformance

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// How far stealing reaches, and how deep stacks get.
var poolReach = []poolCase{
	{"Scope/empty", "P1", 2, scopeEmpty},
	{"Scope/chain", "P9", 1, scopeChain},
	{"Scope/as_join", "P1", 2, scopeAsJoin},
	{"EveryVictim", "P5", 4, everyVictim},
	{"HandedOver/by=waiting", "P5", 2, handedOverByWaiting},
	{"HandedOver/by=join", "P5", 2, handedOver(joinMany)},
	{"HandedOver/by=invoke", "P5", 2, handedOver(invokeMany)},
}

// scopeEmpty makes scopes in which nothing is spawned, one within another too.
func scopeEmpty(r *run, p *pool.Pool) {
	r.During("P1", "a scope ends in which nothing was spawned")
	ran := 0
	enter(r, p, func(w *pool.Worker) int {
		w.Scope(func(*pool.Worker, *pool.Scope) { ran++ })
		w.Scope(func(w *pool.Worker, _ *pool.Scope) {
			w.Scope(func(*pool.Worker, *pool.Scope) { ran++ })
		})
		return 0
	})
	r.Check(ran == 2, "P1", "%d bodies of 2 scopes without jobs have run", ran)
}

// scopeChain has a job spawn the next one, and so on. However many there are,
// none runs on top of the one that spawned it.
func scopeChain(r *run, p *pool.Pool) {
	var pcs [1 << 12]uintptr
	deepest := func(n int) (most int) {
		enter(r, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				var next func(w *pool.Worker)
				next = func(w *pool.Worker) {
					most = max(most, runtime.Callers(0, pcs[:]))
					if n--; n > 0 {
						s.Spawn(w, next)
					}
				}
				s.Spawn(w, next)
			})
			return 0
		})
		return most
	}
	const jobs = 500
	few, many := deepest(5), deepest(jobs)
	// Where a job runs, at a worker's root or in the wait of the scope, makes
	// some calls of a difference.
	r.Check(many < few+jobs/5, "P9", "a chain of %d spawned jobs is %d calls deep, one of 5 is %d", jobs, many, few)
}

// scopeAsJoin sorts by scopes of one job.
func scopeAsJoin(r *run, p *pool.Pool) {
	var sort func(w *pool.Worker, s []int)
	sort = func(w *pool.Worker, s []int) {
		if len(s) < 2 {
			return
		}
		pivot, mid := s[len(s)-1], 0
		for i, v := range s[:len(s)-1] {
			if v <= pivot {
				s[i], s[mid] = s[mid], s[i]
				mid++
			}
		}
		s[mid], s[len(s)-1] = s[len(s)-1], s[mid]
		w.Scope(func(w *pool.Worker, scope *pool.Scope) {
			scope.Spawn(w, func(w *pool.Worker) { sort(w, s[mid+1:]) })
			sort(w, s[:mid])
		})
	}
	s := r.RNG.Perm(1000)
	enter(r, p, func(w *pool.Worker) int { sort(w, s); return 0 })
	for i, v := range s {
		r.Check(i == v, "P1", "of 1000 numbers that were sorted by scopes, number %d is %d", i, v)
	}
}

// everyVictim has a job stolen from a job that was stolen, and so on until all
// workers are at it: whoever steals must come to whoever has something.
func everyVictim(r *run, p *pool.Pool) {
	for round := 0; r.More(round, 20); round++ {
		var begun atomic.Int32
		all := make(chan struct{})
		var steal func(w *pool.Worker, left int)
		steal = func(w *pool.Worker, left int) {
			begun.Add(1)
			if left == 0 {
				close(all)
				return
			}
			apart(r, w, func(*pool.Worker) { r.Receive(all) }, func(w *pool.Worker) { steal(w, left-1) })
		}
		r.During("P5", "a fork of the only job that forks is stolen by the only idle one of %d workers", p.Workers())
		enter(r, p, func(w *pool.Worker) int { steal(w, p.Workers()-1); return 0 })
		n := int(begun.Load())
		r.Check(n == p.Workers(), "P5", "%d jobs were in a chain of stolen ones, of which each lasts as long as the chain; want one for each of %d workers", n, p.Workers())
	}
}

// handedOver has a worker turn idle while the only other one forks no more, but
// unwinds what it has forked: then that hands over its oldest fork.
func handedOver(unwind func(w *pool.Worker, forks int, forked func(), each func())) func(r *run, p *pool.Pool) {
	const joins = 1000
	return func(r *run, p *pool.Pool) {
		for range 3 {
			var begun atomic.Bool
			nothing := func(*pool.Worker, int) int { return 0 }
			enter(r, p, func(w *pool.Worker) int {
				free := make(chan struct{})
				apart(r, w, func(w *pool.Worker) {
					// The first time makes frames, and takes the long way.
					unwind(w, joins+1, func() {}, func() {})
					// Who took the other job has asked for this one, and for
					// no more.
					pool.Fork(w, nothing, 0).Join(w)
					oldest := pool.Fork(w, func(*pool.Worker, int) int { begun.Store(true); return 0 }, 0)
					unwind(w, joins, func() { close(free) }, func() {
						for i := 0; i < 100 && !begun.Load(); i++ {
							runtime.Gosched()
						}
						if !begun.Load() {
							time.Sleep(time.Millisecond)
						}
					})
					r.Check(begun.Load(), "P5", "a worker has joined %d forks, and not handed over the oldest to the one that is idle", joins)
					oldest.Join(w)
				}, func(*pool.Worker) { r.Receive(free) })
				return 0
			})
		}
	}
}

// joinMany forks so many times, and joins then. Before each join it calls each.
func joinMany(w *pool.Worker, forks int, forked, each func()) {
	all := make([]pool.Forked[int, int], forks)
	for i := range all {
		all[i] = pool.Fork(w, func(*pool.Worker, int) int { return 0 }, 0)
	}
	forked()
	for _, f := range slices.Backward(all) {
		each()
		f.Join(w)
	}
}

// invokeMany does the same by calls of Invoke, each in the one before.
func invokeMany(w *pool.Worker, forks int, forked, each func()) {
	if forks == 0 {
		forked()
		return
	}
	pool.Invoke(w, func(w *pool.Worker, left int) int {
		invokeMany(w, left, forked, each)
		each()
		return 0
	}, forks-1, func(*pool.Worker, int) int { return 0 }, 0)
}

// crossPoolBusy has a pool of one worker fork jobs each of which is a Run on
// another one, which is awake or asleep, while others wait.
func (s poolSuite) crossPoolBusy(r *run) {
	for _, workers := range [][2]int{{1, 1}, {2, 2}} {
		p, q := s.start(r, workers[0]), s.start(r, workers[1])
		each := func(_ *pool.Worker, i int) int {
			n, err := pool.Run(background, q, fib, i%5)
			if err != nil {
				r.Report("P4", "Run from a fork of another pool returned the error %v", err)
			}
			return n
		}
		r.During("P4", "calls of Run return, from forks of a pool of %d workers, on another of %d", workers[0], workers[1])
		for round := 0; r.More(round, 5); round++ {
			sum := enter(r, p, func(w *pool.Worker) int {
				var forks []pool.Forked[int, int]
				for i := range 100 {
					forks = append(forks, pool.Fork(w, each, i))
				}
				sum := 0
				for i := len(forks) - 1; i >= 0; i-- {
					sum += forks[i].Join(w)
				}
				return sum
			})
			r.Check(sum == 20*(0+1+1+2+3), "P1", "100 calls of Run on another pool returned %d in all, want %d", sum, 20*(0+1+1+2+3))
		}
		s.close(r, p)
		s.close(r, q)
	}
}

// tenPools goes through ten pools of one worker each, all of whose seats one
// goroutine then has, and runs and waits for a job of each of them.
func (s poolSuite) tenPools(r *run) {
	pools := make([]*pool.Pool, 10)
	for i := range pools {
		pools[i] = s.start(r, 1)
	}
	inside := func() (ran int) {
		for _, p := range pools {
			h, err := pool.Submit(p, func(*pool.Worker) int { return 1 })
			if err != nil {
				r.Report("P1", "Submit returned the error %v", err)
				return ran
			}
			n, err := h.Wait(background)
			if err != nil {
				r.Report("P4", "Wait for a job of a pool further out returned the error %v", err)
			}
			m, err := pool.Run(background, p, func(*pool.Worker, int) int { return 1 }, 0)
			if err != nil {
				r.Report("P4", "Run on a pool further out returned the error %v", err)
			}
			ran += n + m
		}
		return ran
	}
	var through func(rest []*pool.Pool) int
	through = func(rest []*pool.Pool) int {
		if len(rest) == 0 {
			return inside()
		}
		n, err := pool.Run(background, rest[0], func(*pool.Worker, int) int { return through(rest[1:]) }, 0)
		if err != nil {
			r.Report("P4", "Run from a job of another pool returned the error %v", err)
		}
		return n
	}
	r.During("P4", "a goroutine that has the only seats of ten pools runs and waits for jobs of each")
	for range 3 {
		n := through(pools)
		r.Check(n == 2*len(pools), "P1", "%d of %d jobs ran on ten nested pools", n, 2*len(pools))
	}
	for _, p := range pools {
		s.close(r, p)
	}
}

// handedOverByWaiting has a job wait for a submitted one, which does not end before
// the forks of the first have begun. The other worker is free for them by then.
func handedOverByWaiting(r *run, p *pool.Pool) {
	for range 5 {
		for _, wait := range []func(w *pool.Worker, h *pool.Handle[int]){
			func(w *pool.Worker, h *pool.Handle[int]) { h.Join(w) },
			func(_ *pool.Worker, h *pool.Handle[int]) { h.Wait(background) },
			func(w *pool.Worker, h *pool.Handle[int]) { w.Block(func() { h.Wait(background) }) },
		} {
			begun, gate := make(chan struct{}), make(chan struct{})
			r.During("P5", "the forks of a job begin that waits for another job, which is blocked, while the second worker is free")
			r.Together(func() {
				enter(r, p, func(w *pool.Worker) int {
					submitInside(r, p, 1, func() int { close(begun); r.Receive(gate); return 0 })
					r.Receive(begun) // so that the next one has to wait
					forks, all := forkMeeting(w, 4)
					for _, h := range submitInside(r, p, 1, func() int { close(gate); r.Receive(all); return 0 }) {
						wait(w, h)
					}
					for _, f := range slices.Backward(forks) {
						f.Join(w)
					}
					return 0
				})
			})
		}
	}
	fullWidth(r, p)
}
