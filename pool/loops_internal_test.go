package pool

import (
	"runtime"
	"testing"
)

// If this fails, a guest stays one although a worker sleeps, and it forks.
func TestGuestTakesSeatAsItForks(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		w.beGuest()
		w.goOn()
		for sleeping := 0; sleeping == 0; _, sleeping = p.sleep.Counts() {
			runtime.Gosched()
		}
		BlockHere(func() {})
		expect(t, w.seat.isGuest(), "P31: a guest has the seat of a worker after BlockHere")
		w.state = runningBeside
		p.beside.Store(1)
		f := Fork(w, func(*Worker, int) int { return 1 }, 0)
		expect(t, !w.seat.isGuest(), "P31: a guest that forks does not take the seat of a worker that sleeps")
		expect(t, p.beside.Load() == 0, "P32: a guest has taken the seat of a worker, and counts as beside others")
		f.Join(w)
	})
}
