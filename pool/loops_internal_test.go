package pool

import (
	"runtime"
	"testing"
)

// If this fails, forks of a guest stay private although workers sleep, once the guest before it on the
// same seat has answered a request: it is out of view, so nobody would come to ask again.
func TestGuestComesWithFlagUp(t *testing.T) {
	onlyWorker(t, func(p *Pool, _ *Worker) {
		s := p.guestSeat()
		before := s.worker()
		before.wanted.Store(0)
		before.retire()
		w := s.worker()
		expect(t, w == before && w.wanted.Load()&wantForks != 0, "P5: a guest comes to a seat, and its flag is down")
		w.retire()
		s.leave()
	})
}

// If this fails, a worker that has been a guest meanwhile, and has answered there, keeps its forks from
// others that had asked it before.
func TestGuestComesBackWithFlagUp(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		before := w.seat
		becomeGuest(w)
		w.wanted.Store(0)
		for w.seat != before {
			runtime.Gosched()
			w.moveIn()
		}
		expect(t, w.wanted.Load()&wantForks != 0, "P5: a guest has come back to the seat that it had, and its flag is down")
	})
}

// If this fails, a guest stays one although a worker sleeps, and it forks.
func TestGuestTakesSeatAsItForks(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		becomeGuest(w)
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
