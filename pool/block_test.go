package pool_test

import (
	"context"
	"maps"
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
	//lint:ignore rouseworker refused
	all["BlockHere"] = func(in inTheJob) { pool.BlockHere(func() { pool.Fork(in.w, fib, 5) }) }
	for name, use := range all {
		for _, workers := range []int{1, 2} {
			inJob(t, workers, "P19", name+" in Block is refused", func(_ *pool.Pool, w *pool.Worker) {
				f := pool.Fork(w, fib, 5)
				groupOf(background, w, func(g round) error {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						w.Block(func() {
							//lint:ignore rouseworker refused
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
			w.Block(func() { wait(p) })
			for _, inside := range []func(){
				func() { wait(p) },
				func() { w.Block(func() { wait(p) }) },
				func() { do(t, p, func(*pool.Worker) {}) },
				func() { wait(p); runHere(p, fib, 5) },
				func() { do(t, poolOf(t, 1), func(*pool.Worker) { wait(p) }) },
				func() {
					v := recovered(func() { pool.BlockHere(func() { panic(errBoom) }) })
					equal(t, v, any(errBoom), "P31: a BlockHere in another one panics with")
				},
			} {
				pool.BlockHere(func() {
					inside()
					<-submitted(t, p, nothing).Done() // it leaves the worker to others when that is over
				})
			}
		})
	})
}

// What a job in Block leaves to others, and what it has when it comes back.
func TestBlockLeaves(t *testing.T) {
	eachCase(t, []poolCase{
		{"takes_a_worker_again", "P19", workerAgain},
	}, 1, 2, 3)
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

// noWorkerLeft checks that one more job is queued, in a job that is to have a worker while all
// others are blocked.
func noWorkerLeft(t *testing.T, p *pool.Pool, what string) {
	h := submitted(t, p, func(*pool.Worker) int { return 0 })
	if !h.Cancel() {
		t.Errorf("P19: as many others run as there are workers, %d, beside a job that %s", p.Workers(), what)
	}
}
