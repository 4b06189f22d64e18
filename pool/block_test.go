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
