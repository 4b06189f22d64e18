package pool

import (
	"runtime"
	"testing"
)

// If this fails, the jobs in a guest's deque begin on a goroutine of their own when it takes the seat of a
// worker: beside as many as the pool has workers.
func TestGuestWithJobsStays(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		becomeGuest(w)
		p.enter(1)
		w.seat.deque.Push(&newHandle(p, func(*Worker) int { return 0 }).job.Job) // and nobody is told
		w.takeWorkerSeat()
		expect(t, w.seat.isGuest(), "P11: a guest leaves a job in its deque, and takes the seat of a worker that sleeps")
		if j := w.seat.takeLocal(); j != nil {
			w.execute(j)
		}
	})
}

// If this fails, two jobs that begin at once have the same guest seat.
func TestGuestSeatIsOnes(t *testing.T) {
	onlyWorker(t, func(p *Pool, _ *Worker) {
		var one, other *seat
		atOnce(t, func() {}, func() {
			expect(t, one != other, "P11: two jobs have the same guest seat")
			one.leaveGuestSeat()
			other.leaveGuestSeat()
		}, func() { one = p.guestSeat() }, func() { other = p.guestSeat() })
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
			w.takeWorkerSeat()
		}
		expect(t, w.wanted.Load()&wantForks != 0, "P5: a guest has come back to the seat that it had, and its flag is down")
	})
}

// If this fails, a guest stays one although a worker sleeps, and it forks.
func TestGuestTakesSeatAsItForks(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		becomeGuest(w)
		BlockHere(func() {})
		expect(t, w.seat.isGuest(), "P31: a guest has the seat of a worker after BlockHere")
		w.setState(beside)
		p.inbox.beside.Store(1)
		f := Fork(w, func(*Worker, int) int { return 1 }, 0)
		expect(t, !w.seat.isGuest(), "P31: a guest that forks does not take the seat of a worker that sleeps")
		expect(t, p.inbox.beside.Load() == 0, "P32: a guest has taken the seat of a worker, and counts as beside others")
		f.Join(w)
	})
}
