package pool_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If one of these fails, whoever captures the worker of the job around, and so uses
// it in two jobs, gets a panic that does not say so, or a hang.
func TestAstray(t *testing.T) {
	refused := func(t *testing.T, use func()) {
		t.Helper()
		wantPanic(t, "P29: Worker, a use outside its job", "used by something else than its job", use)
	}
	uses := map[string]func(w *pool.Worker){
		"Fork":   func(w *pool.Worker) { pool.Fork(w, fib, 5) },
		"Invoke": func(w *pool.Worker) { pool.Invoke(w, fib, 5, fib, 5) },
		"Scope":  func(w *pool.Worker) { w.Scope(func(*pool.Worker, *pool.Scope) {}) },
		"Block":  func(w *pool.Worker) { w.Block(func() {}) },
	}
	type more = func(w *pool.Worker, s *pool.Scope, f pool.Forked[int, int])
	// Uses are by a job that another worker has taken, of a worker that waits for it.
	all := map[string]more{
		"Both":  func(w *pool.Worker, _ *pool.Scope, _ pool.Forked[int, int]) { pool.Both(w, raiser, raiser) },
		"Spawn": func(w *pool.Worker, s *pool.Scope, _ pool.Forked[int, int]) { s.Spawn(w, func(*pool.Worker) {}) },
		"Group": func(w *pool.Worker, _ *pool.Scope, _ pool.Forked[int, int]) {
			w.Group(background, func(context.Context, *pool.Worker, *pool.Group) error { return nil })
		},
		"Handle.Join": func(w *pool.Worker, _ *pool.Scope, _ pool.Forked[int, int]) {
			submitted(t, pool.Default(), nothing).Join(w)
		},
		"Forked.Join": func(w *pool.Worker, _ *pool.Scope, f pool.Forked[int, int]) { f.Join(w) },
	}
	for name, use := range uses {
		all[name] = func(w *pool.Worker, _ *pool.Scope, _ pool.Forked[int, int]) { use(w) }
	}
	for name, use := range all {
		subtest(t, name, "P29", "the worker of a job that waits is refused to another job", func(t *testing.T) {
			p := poolOf(t, 2)
			do(t, p, func(w *pool.Worker) {
				w.Scope(func(w *pool.Worker, s *pool.Scope) {
					f := pool.Fork(w, fib, 5)
					misuse := func() { use(w, s, f) }
					stolen(t, w, func(*pool.Worker) int {
						until(t, "the job is set aside", func() bool { return p.Stats().SetAside == 1 })
						refused(t, misuse)
						return 0
					}).Join(w)
					f.Join(w)
				})
			})
		})
	}
	subtest(t, "ended", "P29", "the worker of a job that has ended is refused", func(t *testing.T) {
		p := poolOf(t, 1)
		w := enter(t, p, func(w *pool.Worker) *pool.Worker { return w })
		noError(t, p.Close(), "P6: Close returned") // by then the job has ended altogether
		for _, use := range uses {
			refused(t, func() { use(w) })
		}
	})
}
