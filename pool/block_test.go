package pool_test

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// What the function of Block may call: Block, Close, which refuses, and nothing that needs the worker,
// which has no effect but a panic.
func TestInsideBlock(t *testing.T) {
	all := maps.Clone(usesOfWorker)
	all["Publish"] = func(in inTheJob) { loops.Publish(in.w) }
	all["Group.Spawn"] = func(in inTheJob) {
		in.g.spawn(1, func(context.Context, *pool.Worker) error { panic("P29: a job runs whose Spawn was refused") })
	}
	all["BlockHere"] = func(in inTheJob) { pool.BlockHere(func() { pool.Fork(in.w, fib, 5) }) }
	for name, use := range all {
		for _, workers := range []int{1, 2} {
			inJob(t, workers, "P19", name+" in Block is refused", func(_ *pool.Pool, w *pool.Worker) {
				f := pool.Fork(w, fib, 5)
				groupOf(background, w, func(g round) error {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						w.Block(func() {
							wantPanic(t, "P29", "in the function of Block", func() { use(inTheJob{w, s, g, f}) })
						})
					})
					return nil
				})
				equal(t, f.Join(w)+fib(w, 10), 60, "P19: after what Block has refused, %s, the job gives", name)
			})
		}
	}
	inJob(t, 1, "P19", "Block and Close in Block", func(p *pool.Pool, w *pool.Worker) {
		called := false
		w.Block(func() {
			w.Block(func() { called = true })
			equal(t, p.Close(), pool.ErrCloseInJob, "P6: Close in Block returned")
		})
		expect(t, called, "P19: the function of Block in Block was not called")
	})
}

// A job that comes back from Block while all seats are taken goes on without one, and what it forks
// then can run elsewhere as soon as a seat is free. If it comes back again, and finds all taken again,
// it does so twice. After that it may do so more often, if it waits at a join for what runs elsewhere.
func TestSeatlessAgain(t *testing.T) {
	p := poolOf(t, 1)
	twice := uint64(0)
	during(t, "P19", "a job goes on as a guest, twice", func() {
		taken, release := make(chan bool), make(chan bool)
		first := submitted(t, p, func(w *pool.Worker) int {
			w.Block(func() { <-taken })
			w.Block(func() {})
			forks := pool.Fork(w, fib, 12)
			n := fib(w, 10)
			twice = p.Stats().Seatless
			close(release)
			return n + forks.Join(w) + fib(w, 10)
		})
		second := submitted(t, p, func(*pool.Worker) int { close(taken); <-release; return 1 })
		equal(t, result(t, first), 55+144+55, "P19: the guest gave")
		equal(t, result(t, second), 1, "P19: the job with the only seat gave")
	})
	equal(t, twice, 2,
		"P26: Stats.Seatless: a job has come back from Block twice when another had the only seat, and the count is")
}

// If this fails, a worker that outlives its job takes a seat that nobody gives
// back.
func TestBlockAfterTheJob(t *testing.T) {
	if raceEnabled {
		t.Skip("it is a race, and the race detector says so")
	}
	// Run takes the seat of the worker then, and has given it back when it returns.
	p := poolOf(t, 1)
	during(t, "P19", "Run, and then Block of its worker", func() {
		kept := enter(t, p, func(w *pool.Worker) *pool.Worker { return w })
		wantPanic(t, "P29", "used by something else than its job", func() { kept.Block(func() {}) })
	})
}

// A job beneath gets its seat back for a Run, and gives it up again after it, as long as the
// job above is in Block. If this fails, what that waits for has no worker.
func TestRunInBlockLeavesTheSeatBeneath(t *testing.T) {
	p, q := poolOf(t, 1), poolOf(t, 1)
	during(t, "P19", "a job in Block, on top of one of another pool, waits for that one's pool after a Run there", func() {
		do(t, p, func(*pool.Worker) {
			do(t, q, func(w *pool.Worker) {
				w.Block(func() {
					returns(t, 5, "P19: loops.Run returned")(runHere(p, fib, 5))
					<-submitted(t, p, nothing).Done()
				})
			})
		})
	})
}

// If this fails, a goroutine that waits keeps a worker from what it waits for.
func TestBlockHere(t *testing.T) {
	p := poolOf(t, 1)
	wait := func(q *pool.Pool) { // for a job that needs the only worker
		h := submitted(t, q, nothing)
		pool.BlockHere(func() { <-h.Done() })
	}
	during(t, "P31", "BlockHere leaves the worker of its job to others", func() {
		wait(p) // outside of jobs it is a call
		do(t, p, func(w *pool.Worker) {
			wait(p)
			w.Block(func() { wait(p) })
			for name, inside := range map[string]func(){
				"BlockHere":                   func() { wait(p) },
				"Block":                       func() { w.Block(func() { wait(p) }) },
				"Run":                         func() { do(t, p, func(*pool.Worker) {}) },
				"a BlockHere, then loops.Run": func() { wait(p); runHere(p, fib, 5) },
				"a Run of another pool":       func() { do(t, poolOf(t, 1), func(*pool.Worker) { wait(p) }) },
				"a panic": func() {
					v := recovered(func() { pool.BlockHere(func() { panic(errBoom) }) })
					equal(t, v, any(errBoom), "P31: a BlockHere in another one panics with")
				},
			} {
				pool.BlockHere(func() {
					inside()
					h := submitted(t, p, nothing)
					during(t, "P31", name+" in BlockHere leaves the worker to others when it is over", func() { <-h.Done() })
				})
			}
		})
		do(t, p, func(*pool.Worker) { do(t, poolOf(t, 1), func(*pool.Worker) { wait(p) }) })
	})
}

// What a job in Block leaves to others, and what it has when it comes back.
func TestBlockLeaves(t *testing.T) {
	eachCase(t, []poolCase{
		{"does_not_return", "P19", blockLeft},
		{"many", "P19", blockMany},
		{"for_forks", "P19", blockForForks},
		{"for_callers", "P19", blockForCallers},
		{"takes_a_worker_again", "P19", workerAgain},
		{"takes_a_worker_later", "P19", workerLater},
	}, 1, 2, 3)
}

// More jobs are in Block than there are workers. The last one ends the wait of all.
func blockMany(t *testing.T, p *pool.Pool) {
	for range 20 {
		jobs := int32(4*p.Workers() + 2)
		var begun atomic.Int32
		last := make(chan bool)
		all := submittedTimes(t, p, int(jobs), func(w *pool.Worker) int {
			own := pool.Fork(w, fib, 8)
			if begun.Add(1) == jobs {
				close(last)
			}
			w.Block(func() { <-last })
			return own.Join(w) + fib(w, 6)
		})
		give(t, 21+8, all, "P19: a job that was in Block returned")
	}
}

// A job waits in Block for forks that it has not joined: Block hands them over.
func blockForForks(t *testing.T, p *pool.Pool) {
	for range 50 {
		do(t, p, func(w *pool.Worker) {
			var all sync.WaitGroup
			all.Add(3)
			var forks [3]pool.Forked[int, int]
			for i := range forks {
				forks[i] = pool.Fork(w, func(*pool.Worker, int) int { all.Done(); return 1 }, 0)
			}
			w.Block(all.Wait)
			for _, f := range forks {
				f.Join(w)
			}
		})
	}
}

// A job waits in Block for goroutines that call Run of the same pool. Before and meanwhile its
// own goroutine does so, too, from within Block.
func blockForCallers(t *testing.T, p *pool.Pool) {
	for range 20 {
		results := enter(t, p, func(w *pool.Worker) (results [7]int) {
			w.Block(func() {
				// As the job itself, which is still in Block afterwards.
				results[0] = runInJob(w, func(w *pool.Worker) int { return fib(w, 8) })
				var all sync.WaitGroup
				for i := range results[2:] {
					all.Go(func() { results[i+2] = mustRun(t, p, fib, 8) })
				}
				results[1] = mustRun(t, p, fib, 8)
				all.Wait()
			})
			return results
		})
		equal(t, results, [7]int{21, 21, 21, 21, 21, 21, 21},
			"P19: calls of Run in Block, and of goroutines beside, gave")
	}
}

// A job comes back from Block when all workers sleep: it takes one of them, so that one fewer
// is left for others.
func workerAgain(t *testing.T, p *pool.Pool) {
	for range 20 {
		submittedAlready := make(chan bool) // so that nobody wakes a worker for it any more
		h := submitted(t, p, func(w *pool.Worker) int {
			<-submittedAlready
			w.Block(func() { untilSleeping(t, p) })
			free := hold(t, p, p.Workers()-1)
			noWorkerLeft(t, p, "has come back from Block when all of those slept")
			free()
			return 0
		})
		close(submittedAlready)
		result(t, h)
	}
}

// A job comes back from Block when others have all workers. When these sleep again it forks and
// joins, and so takes one of them. The worker that it had is no borrowed one: when that is given
// back, a look for work asks the job to publish, which takes a worker, too.
func workerLater(t *testing.T, p *pool.Pool) {
	join := func(w *pool.Worker) {
		for range 3 {
			pool.Fork(w, func(*pool.Worker, int) int { return 0 }, 0).Join(w)
		}
	}
	for range 5 {
		var h *pool.Handle[int]
		// So it begins on a goroutine of the pool, when nobody wakes a worker for it any more.
		whileBusy(t, p, func() {
			h = submitted(t, p, func(w *pool.Worker) int {
				join(w) // so that the frames are there
				var free func()
				w.Block(func() { free = hold(t, p, p.Workers()) })
				together(free) // a wait of the job itself might be given a worker
				untilSleeping(t, p)
				join(w)
				free = hold(t, p, p.Workers()-1)
				noWorkerLeft(t, p, "came back from Block as a guest, and has forked and joined when all workers slept")
				free()
				return 0
			})
		})
		result(t, h)
	}
}

// noWorkerLeft checks that one more job is queued, in a job that is to have a worker while all
// others are blocked.
func noWorkerLeft(t *testing.T, p *pool.Pool, what string) {
	h := submitted(t, p, func(*pool.Worker) int { return 0 })
	if !h.Cancel() {
		t.Errorf("P19: as many others run as there are workers, %d, beside a job that %s", p.Workers(), what)
	}
}

// A job in Block has called Run of a pool whose worker is busy. Then it waits for a goroutine
// that needs the only worker of the job's own pool.
func TestRunElsewhereInBlock(t *testing.T) {
	what := "a job in Block waits for a Run of its pool, after one of another, whose worker is busy"
	withPools(t, "P4", what, []int{1, 1}, func(pools ...*pool.Pool) {
		p, q := pools[0], pools[1]
		free := hold(t, q, 1)
		do(t, p, func(w *pool.Worker) {
			w.Block(func() {
				mustRun(t, q, fib, 5)
				together(func() { result(t, submitted(t, p, func(*pool.Worker) int { return 0 })) })
			})
		})
		free()
	})
}

// A panic and a Goexit pass through Block. The job has its seat, and nobody else has one of it.
func blockLeft(t *testing.T, p *pool.Pool) {
	do(t, p, func(w *pool.Worker) {
		equal(t, recovered(func() { w.Block(func() { raiseIt(errBoom) }) }), any(errBoom), "P2: Block panicked with")
		equal(t, fib(w, 10), 55, "P2: after the panic of Block fib(10) is")
	})
	h := submitted(t, p, func(w *pool.Worker) int { w.Block(func() { exiter(w) }); return 1 })
	fails(t, pool.ErrGoexit, "P3: a job exits in Block, and Wait returned")(h.Wait(background))
}
