package conformance

import (
	"sync"

	"github.com/rouse-go/rouse/pool"
)

var poolBlock = []poolCase{
	{name: "Block/many", rule: "P19", run: manyBlocked},
	{name: "Block/for_forks", rule: "P19", run: blockedForForks},
	{name: "Block/for_callers", rule: "P19", run: blockedForCallers},
}

// manyBlocked has more jobs in Block than there are workers. The last one ends the
// wait of all.
func manyBlocked(r *run, p *pool.Pool) {
	r.rounds(20, func(int) {
		jobs := 4*p.Workers() + 2
		last := make(chan struct{})
		r.during("P19", "%d jobs in Block of %d workers go on when the last one has come", jobs, p.Workers())
		var all []*pool.Handle[int]
		for i := range jobs {
			all = append(all, submit(r, p, func(w *pool.Worker) int {
				own := pool.Fork(w, fib, 8)
				if i == jobs-1 {
					close(last)
				}
				w.Block(func() { r.receive(last) })
				return own.Join(w) + fib(w, 6)
			}))
		}
		for _, h := range all {
			n, err := h.Wait(background)
			r.check(n == 21+8 && err == nil, "P1", "a job that was in Block returned %d and %v, want %d", n, err, 21+8)
		}
	})
}

// blockedForForks has a job wait in Block for forks that it has not joined: Block
// hands them over.
func blockedForForks(r *run, p *pool.Pool) {
	r.rounds(50, func(int) {
		r.during("P19", "the forks of a job that waits for them in Block are run by others")
		enter(r, p, func(w *pool.Worker) int {
			var all sync.WaitGroup
			all.Add(3)
			done := make(chan struct{})
			var forks [3]pool.Forked[int, int]
			for i := range forks {
				forks[i] = pool.Fork(w, func(*pool.Worker, int) int { all.Done(); return 1 }, 0)
			}
			w.Block(func() {
				go func() { all.Wait(); close(done) }()
				r.receive(done)
			})
			for _, f := range forks {
				f.Join(w)
			}
			return 0
		})
	})
}

// blockedForCallers has a job wait in Block for goroutines that call Run of the
// same pool. Before and meanwhile its own goroutine does so, too, from within Block.
func blockedForCallers(r *run, p *pool.Pool) {
	r.rounds(20, func(int) {
		r.during("P19", "a job of %d workers waits in Block for goroutines that call Run of its pool", p.Workers())
		sum := enter(r, p, func(w *pool.Worker) int {
			var results [7]int
			w.Block(func() {
				// As the job itself, which is still in Block afterwards.
				results[1], _ = pool.Run(pool.NewContext(background, w), p, fib, 8)
				var all sync.WaitGroup
				for i := range results[2:] {
					all.Go(func() { results[i+2] = enter(r, p, func(w *pool.Worker) int { return fib(w, 8) }) })
				}
				results[0] = enter(r, p, func(w *pool.Worker) int { return fib(w, 8) })
				all.Wait()
			})
			total := 0
			for _, n := range results {
				total += n
			}
			return total
		})
		r.check(sum == 7*21, "P1", "goroutines that a job waited for in Block gave %d, want %d", sum, 7*21)
	})
}
