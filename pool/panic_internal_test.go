package pool

import "testing"

// If this fails, a pool keeps the panics of all jobs of which somebody was told later, until it is closed.
func TestToldPanicIsLetGo(t *testing.T) {
	p := open(t, WithWorkers(1))
	h := submit(t, p, func(*Worker) int { panic("of a job") })
	for !h.isDone() {
		untilAllSleep(p)
	}
	if _, err := h.Wait(t.Context()); err == nil {
		t.Error("P2: Wait for a job that panics returned no error")
	}
	expect(t, len(p.unhandled.panics) == 0, "P21: somebody was told of a panic, and the pool keeps %d", len(p.unhandled.panics))
}
