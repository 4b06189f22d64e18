package pool_test

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// nil is refused wherever a function, a context or a pool is wanted, and you learn what is wrong.
func TestHandedNil(t *testing.T) {
	p := poolOf(t, 1)
	var none context.Context
	runErr := func(context.Context, *pool.Worker, int) (int, error) { return 0, nil }
	fn := func(context.Context, *pool.Worker) (int, error) { return 0, nil }
	body := func(context.Context, *pool.Worker, *pool.Group) error { return nil }
	h := submitted(t, p, nothing)
	for want, call := range map[string]func(){
		"Run with a nil context":       func() { pool.Run(none, p, fib, 1) },
		"Run of a nil function":        func() { pool.Run[int, int](background, p, nil, 1) },
		"nil context":                  func() { pool.RunErr(none, p, runErr, 1) },
		"RunErr of a nil function":     func() { pool.RunErr[int, int](background, p, nil, 1) },
		"RunGroup with a nil context":  func() { pool.RunGroup(none, p, body) },
		"RunGroup of a nil function":   func() { pool.RunGroup(background, p, nil) },
		"Run of a nil job":             func() { _ = loops.Run(p, nil) },
		"Submit of a nil function":     func() { pool.Submit[int](p, nil) },
		"Go of a nil function":         func() { pool.Go(p, nil) },
		"SubmitErr with a nil context": func() { pool.SubmitErr(none, p, fn) },
		"SubmitErr of a nil function":  func() { pool.SubmitErr[int](background, p, nil) },
		"Shutdown with a nil context":  func() { p.Shutdown(none) },
		"Wait with a nil context":      func() { h.Wait(none) },
		"BlockHere of a nil function":  func() { pool.BlockHere(nil) },
		"Measure with a nil context":   func() { p.Measure(none, func(*pool.Worker) {}) },
		"Measure of a nil function":    func() { p.Measure(background, nil) },
	} {
		wantPanic(t, "P29: "+want, want, call)
	}
	enter(t, p, func(w *pool.Worker) int {
		one := func(*pool.Worker) int { t.Error("P29: a function was called, and the other one is nil"); return 1 }
		wantPanic(t, "P29: Block", "Block of a nil function", func() { w.Block(nil) })
		wantPanic(t, "P29: Both", "Both of a nil function", func() { pool.Both[int, int](w, nil, one) })
		wantPanic(t, "P29: Both", "Both of a nil function", func() { pool.Both[int, int](w, one, nil) })
		w.Block(func() { wantPanic(t, "P29: Block", "Block of a nil function", func() { w.Block(nil) }) })
		return 0
	})
	for name, call := range map[string]func(){
		"Run":       func() { pool.Run(background, nil, fib, 1) },
		"RunErr":    func() { pool.RunErr(background, nil, runErr, 1) },
		"RunGroup":  func() { pool.RunGroup(background, nil, body) },
		"loops.Run": func() { runHere(nil, fib, 1) },
		"Submit":    func() { pool.Submit(nil, nothing) },
		"SubmitErr": func() { pool.SubmitErr(background, nil, fn) },
		"Go":        func() { pool.Go(nil, func(*pool.Worker) {}) },
	} {
		wantPanic(t, "P29: "+name+" of a nil pool", name, call)
		wantPanic(t, "P29: "+name+" of a nil pool", "pool.Default()", call)
	}
	during(t, "P5", "jobs run after misuse", func() {
		result(t, h)
		meet(t, p)
	})
}

// If this fails, code that captures the worker of the job around, and so uses it in two jobs, or uses it
// in the function of Block, gets a panic that does not say so, or a hang.
func TestAstray(t *testing.T) {
	const another = "used by something else than its job"
	for name, c := range usesOfWorker {
		subtest(t, name, "P29", "the worker of a job that waits, or is in Block, is refused", func(t *testing.T) {
			p := poolOf(t, 2)
			do(t, p, func(w *pool.Worker) {
				groupOf(background, w, func(g round) error {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						f := pool.Fork(w, func(_ *pool.Worker, n int) int { return n }, 5) // no job but this one is set aside
						use := func() { c.use(inTheJob{w, s, g, f}) }
						if c.inBlock {
							w.Block(func() { wantPanic(t, "P29", "in the function of Block", use) })
						}
						stolen(t, w, func(*pool.Worker) int {
							until(t, "the job is set aside", func() bool { return p.Stats().SetAside == 1 })
							if c.inOther {
								wantPanic(t, "P29: Worker, a use outside its job", another, use)
							}
							return 0
						}).Join(w)
						equal(t, f.Join(w)+fib(w, 10), 60, "P19: after what was refused, %s, the job gives", name)
					})
					return nil
				})
			})
		})
	}
	during(t, "P29", "the worker of a job that has ended is refused", func() {
		p := poolOf(t, 1)
		w := enter(t, p, func(w *pool.Worker) *pool.Worker { return w })
		noError(t, p.Close(), "P6: Close returned") // by then the job has ended altogether
		for _, name := range []string{"Fork", "Invoke", "Scope", "Block"} {
			wantPanic(t, "P29: Worker, a use after its job", another, func() { usesOfWorker[name].use(inTheJob{w: w}) })
		}
	})
	inJob(t, 1, "P19", "Block and Close in Block", func(p *pool.Pool, w *pool.Worker) {
		called := false
		w.Block(func() {
			w.Block(func() { called = true })
			equal(t, p.Close(), pool.ErrCloseInJob, "P6: Close in Block returned")
		})
		expect(t, called, "P19: the function of Block in Block was not called")
	})
}

// A join that is not that of the job that forked is refused, and the job goes on.
func TestMisuse(t *testing.T) {
	eachMode(t, "P1", "a job goes on after a join that was refused", func(t *testing.T, p *pool.Pool) {
		do(t, asleep(t, p), func(w *pool.Worker) { // as a guest it would have its forks public beside the only worker
			twice := func(f pool.Forked[int, int]) { wantPanic(t, "P1", "joined twice", func() { f.Join(w) }) }
			f := pool.Fork(w, fib, 3)
			f.Join(w)
			twice(f)
			g := pool.Fork(w, fib, 3) // the same slot
			twice(f)
			g.Join(w)
			var kept pool.Forked[int, int]
			fork(w, func(w *pool.Worker) int { kept = pool.Fork(w, fib, 3); return 0 }).Join(w)
			// Unless that job was stolen, when it is another worker's fork.
			wantPanic(t, "P1", "job that forked it", func() { kept.Join(w) })
			// Again and again, so that beside a thief the stale one has not always been public.
			for range 100 {
				f := fork(w, nothing)
				f.Join(w)
				h := pool.Fork(w, func(_ *pool.Worker, s string) string { return s }, "live")
				twice(f)
				equal(t, h.Join(w), "live", "P1: after the misuse of a fork of another type, a fork gives")
			}
			if p.Workers() > 1 {
				f := pool.Fork(w, fib, 3)
				stolen(t, w, func(v *pool.Worker) int {
					wantPanic(t, "P1", "joined by another worker", func() { f.Join(v) })
					return 0
				}).Join(w)
				equal(t, f.Join(w), 2, "P1: after another worker tried to join it, a fork gives")
			}
		})
		meet(t, p)
	})
	q := poolOf(t, 1)
	what := "a Run on another pool, whose worker tries to join a fork, or to spawn into a scope"
	inJob(t, 1, "P4", what, func(_ *pool.Pool, w *pool.Worker) {
		f := pool.Fork(w, fib, 3)
		w.Scope(func(_ *pool.Worker, s *pool.Scope) {
			do(t, q, func(v *pool.Worker) {
				wantPanic(t, "P1", "join it in the job that forked it", func() { f.Join(v) })
				wantPanic(t, "P29: Scope.Spawn", "another pool", func() { s.Spawn(v, func(*pool.Worker) {}) })
			})
		})
		equal(t, f.Join(w), 2, "P1: after the worker of another pool tried to join it, a fork gives")
	})
}

// A worker in a job, with what the job has.
type inTheJob struct {
	w *pool.Worker
	s *pool.Scope
	g round
	f pool.Forked[int, int]
}

// usesOfWorker need the worker of a job that runs, and are refused in the function of its Block, or to
// another job while it waits.
var usesOfWorker = map[string]struct {
	inBlock, inOther bool
	use              func(in inTheJob)
}{
	//lint:ignore rouseworker refused
	"Fork":   {true, true, func(in inTheJob) { pool.Fork(in.w, fib, 5) }},
	"Invoke": {true, true, func(in inTheJob) { pool.Invoke(in.w, fib, 5, fib, 5) }},
	"Both":   {true, true, func(in inTheJob) { pool.Both(in.w, raiser, raiser) }},
	"Join":   {true, true, func(in inTheJob) { in.f.Join(in.w) }},
	"Spawn": {true, true, func(in inTheJob) {
		in.s.Spawn(in.w, func(*pool.Worker) { panic("P29: a job runs whose Spawn was refused") })
	}},
	"Group.Spawn": {true, false, func(in inTheJob) {
		in.g.spawn(1, func(context.Context, *pool.Worker) error { panic("P29: a job runs whose Spawn was refused") })
	}},
	"Scope":   {true, true, func(in inTheJob) { in.w.Scope(func(*pool.Worker, *pool.Scope) {}) }},
	"Group":   {true, true, func(in inTheJob) { groupOf(background, in.w, func(round) error { return nil }) }},
	"Publish": {true, false, func(in inTheJob) { loops.Publish(in.w) }},
	//lint:ignore rouseworker refused
	"BlockHere":   {true, false, func(in inTheJob) { pool.BlockHere(func() { pool.Fork(in.w, fib, 5) }) }},
	"Block":       {false, true, func(in inTheJob) { in.w.Block(func() {}) }},
	"Handle.Join": {false, true, func(in inTheJob) { h, _ := pool.Submit(pool.Default(), nothing); h.Join(in.w) }},
}
