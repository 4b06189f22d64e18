package pool

import (
	"runtime"
	"strings"
	"testing"
)

// If this fails, Dump says of a job that goes on as a guest that it has the worker that it had before.
func TestDumpOfGuest(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		says := func(what string) {
			t.Helper()
			var b strings.Builder
			p.Dump(&b)
			expect(t, strings.Contains(b.String(), what), "P30: Dump does not say that a job %s:\n%s", what, b.String())
		}
		says("is on worker 0")
		becomeGuest(w)
		says("has no worker")
		for w.seat.isGuest() { // the worker may look for work yet
			runtime.Gosched()
			w.moveIn()
		}
		says("is on worker 0")
	})
}
