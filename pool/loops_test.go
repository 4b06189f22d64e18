package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// If this fails, a loops.Run in a job is another worker than that; or it is not refused by a pool that is
// closed, or is in a job of one that closes.
func TestLoopsRunInJob(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P4", "loops.Run in a job of the only worker, and then of a pool that closes", func() {
		var closed chan error
		do(t, p, func(w *pool.Worker) {
			v, err := runHere(p, func(v *pool.Worker, _ int) *pool.Worker { return v }, 0)
			expect(t, v == w && err == nil, "P4: loops.Run in a job has another worker than the job, or returned the error %v", err)
			closed = going(p.Close)
			w.Block(func() { refuses(t, p) })
			returns(t, 144, "P6: loops.Run in a job of a pool that is closing returned")(runHere(p, fib, 12))
		})
		noError(t, <-closed, "P6: Close returned")
		fails(t, pool.ErrClosed, "P6: loops.Run of a closed pool returned")(runHere(p, fib, 12))
	})
}

// If this fails, a panic that nobody is told of passes for success.
func TestExpose(t *testing.T) {
	told := make(chan any, 2)
	p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) { told <- e.Value }))
	during(t, "P24", "the handler is called with a panic that was exposed, also after Close", func() {
		for i := range 2 {
			loops.Expose(p, &pool.PanicError{Value: i})
			equal(t, <-told, any(i), "P24: Expose of a panic calls the handler with")
			p.Close()
		}
	})
}
