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
		for sleeping := 0; sleeping == 0; _, sleeping = p.sleep.Counts() {
			runtime.Gosched()
		}
		p.enter(1)
		j := &unheld{fn: func(*Worker) {}}
		j.task, j.pool = j, p
		w.seat.deque.Push(&j.Job) // and nobody is told
		w.moveIn()
		expect(t, w.seat.isGuest(), "P11: a guest leaves a job in its deque, and takes the seat of a worker that sleeps")
		if j := w.seat.take(); j != nil {
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
			one.leave()
			other.leave()
		}, func() { one = p.guestSeat() }, func() { other = p.guestSeat() })
	})
}
