package pool_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If one of these fails, whoever captures the worker of the job around, and so uses
// it in two jobs, gets a panic that does not say so, or a hang.
func TestAstray(t *testing.T) {
	const want = "used by something else than its job"

	type fork = pool.Forked[int, int]
	// Uses are by a job that another worker has taken, of a worker that waits for it.
	for name, use := range map[string]func(w *pool.Worker, s *pool.Scope, f fork){
		"Fork":   func(w *pool.Worker, _ *pool.Scope, _ fork) { pool.Fork(w, fib, 5) },
		"Invoke": func(w *pool.Worker, _ *pool.Scope, _ fork) { pool.Invoke(w, fib, 5, fib, 5) },
		"Both":   func(w *pool.Worker, _ *pool.Scope, _ fork) { pool.Both(w, raiser, raiser) },
		"Spawn":  func(w *pool.Worker, s *pool.Scope, f fork) { s.Spawn(w, func(*pool.Worker) {}) },
		"Scope":  func(w *pool.Worker, _ *pool.Scope, _ fork) { w.Scope(func(*pool.Worker, *pool.Scope) {}) },
		"Block":  func(w *pool.Worker, _ *pool.Scope, _ fork) { w.Block(func() {}) },
		"Group": func(w *pool.Worker, _ *pool.Scope, _ fork) {
			_ = w.Group(background, func(context.Context, *pool.Worker, *pool.Group) error { return nil })
		},
		"Handle.Join": func(w *pool.Worker, _ *pool.Scope, _ fork) {
			h, _ := pool.Submit(pool.Default(), func(*pool.Worker) int { return 1 })
			h.Join(w)
		},
		"Forked.Join": func(w *pool.Worker, _ *pool.Scope, f fork) { f.Join(w) },
	} {
		subtest(t, name, "P29", "the worker of a job that waits is refused to another job", func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(2))
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					f := pool.Fork(w, fib, 5)
					misuse := func() { use(w, s, f) }
					stolen(t, w, func(*pool.Worker) int {
						until(t, "the job is set aside", func() bool { return p.Stats().SetAside == 1 })
						wantPanic(t, "P29: Worker, a use outside its job", want, misuse)
						return 0
					}).Join(w)
					f.Join(w)
				})
				return 0
			}, 0)
		})
	}
	subtest(t, "ended", "P29", "the worker of a job that has ended is refused", func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(1))
		w := mustRun(t, p, func(w *pool.Worker, _ int) *pool.Worker { return w }, 0)
		if err := p.Close(); err != nil { // by then the job has ended altogether
			t.Fatalf("P6: Close returned the error %v", err)
		}
		wantPanic(t, "P29: Worker, a use outside its job", want, func() { pool.Fork(w, fib, 5) })
		wantPanic(t, "P29: Worker, a use outside its job", want, func() { pool.Invoke(w, fib, 5, fib, 5) })
		wantPanic(t, "P29: Worker, a use outside its job", want, func() { w.Scope(func(*pool.Worker, *pool.Scope) {}) })
		wantPanic(t, "P29: Worker, a use outside its job", want, func() { w.Block(func() {}) })
	})
}
