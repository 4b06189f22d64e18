package pool

import (
	"runtime"
	"testing"
)

// If this fails, what is queued waits for the end of a loop, once some of its looks at the
// queue have found nothing.
func TestYieldInVain(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) { // so the only seat is taken
		queue := func() *Handle[int] { return submit(t, p, func(*Worker) int { return 1 }) }
		for range 3 {
			expect(t, queue().Cancel(), "P24: a job that waits in the queue cannot be canceled")
			expect(t, !p.injector.Empty(), "P31: what was canceled does not lie in the queue, so the looks there are not in vain")
			LoopsOf(w).Yield()
			expect(t, p.beside.Load() == 0, "P31: Yield has found nothing to begin, and %d jobs count as begun by it", p.beside.Load())
		}
		h := queue()
		LoopsOf(w).Yield()
		expect(t, p.injector.Empty(), "P31: after looks at the queue that were in vain, Yield begins no job of it")
		h.Join(w)
	})
}

// If this fails, a guest stays one although a worker sleeps, and it forks.
func TestGuestTakesSeatAsItForks(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		w.beGuest()
		for sleeping := 0; sleeping == 0; _, sleeping = p.sleep.Counts() {
			runtime.Gosched()
		}
		f := Fork(w, func(*Worker, int) int { return 1 }, 0)
		expect(t, !w.seat.isGuest(), "P31: a guest that forks does not take the seat of a worker that sleeps")
		f.Join(w)
		w.goOn()
	})
}

// If this fails, more jobs run beside others than there are workers, once those have waited in
// BlockHere; or one that waits beneath a Run of another pool keeps others from beginning.
func TestBlockHereBeside(t *testing.T) {
	other := open(t, WithWorkers(1))
	untilAllSleep(other)
	p := onlyWorker(t, func(p *Pool, w *Worker) {
		beside := func(want uint32, when string) {
			equal(t, p.beside.Load(), want, "P31: of jobs that were begun beside others one %s, and the count is", when)
		}
		h := submit(t, p, func(w *Worker) int {
			expect(t, w.origin == fromQueue && w.seat.isGuest(), "P31: a job that Yield has begun does not run beside others")
			BlockHere(func() { beside(0, "is in BlockHere") })
			beside(1, "goes on after BlockHere")
			Run(t.Context(), other, func(v *Worker, _ int) int {
				v.Block(func() {
					beside(0, "is in Block, above it on its goroutine")
					Run(t.Context(), p, func(*Worker, int) int { return 0 }, 0)
					beside(0, "is still in Block, after a Run")
				})
				return 0
			}, 0)
			beside(1, "goes on after a Run of another pool")
			return 0
		})
		LoopsOf(w).Yield()
		for !h.isDone() { // w keeps its seat
			runtime.Gosched()
		}
		h.Join(w)
	})
	equal(t, p.beside.Load(), 0, "P31: all jobs have ended, and the number of those that count as begun beside others is")
}
