package pool_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

type body = func(w *pool.Worker) int

// A place calls a function somewhere in a job.
type place struct {
	name string
	// moved says that another goroutine calls it, or that its panic is raised again, as that of a job
	// of a scope, and waits that what the function has forked has ended, or will never start, when its
	// panic leaves the place.
	moved, waits bool
	workers      int // that it needs
	call         func(t *testing.T, w *pool.Worker, fn body)
}

// places are all ways in which a job has the pool call a function that it waits for.
var places = []place{
	{"seat", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) { fn(w) }},
	{"fork joined in place", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) { fork(w, fn).Join(w) }},
	{"fork stolen", true, true, 2, func(t *testing.T, w *pool.Worker, fn body) { stolen(t, w, fn).Join(w) }},
	{"Both first", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) {
		pool.Both(w, fn, func(w *pool.Worker) int { return fib(w, 5) })
	}},
	// By the same worker, which alone is awake on a pool of two.
	{"Both second", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) { pool.Both(w, nothing, fn) }},
	{"Invoke first", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) {
		pool.Invoke(w, func(w *pool.Worker, _ int) int { return fn(w) }, 0, fib, 5)
	}},
	{"Invoke second, stolen", true, true, 2, func(t *testing.T, w *pool.Worker, fn body) {
		var begun atomic.Bool
		pool.Invoke(w, func(w *pool.Worker, _ int) int { untilStolen(t, w, &begun); return 0 }, 0,
			func(w *pool.Worker, _ int) int { begun.Store(true); return fn(w) }, 0)
	}},
	{"body of a scope", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) {
		w.Scope(func(w *pool.Worker, _ *pool.Scope) { fn(w) })
	}},
	{"job of a scope", true, true, 1, func(_ *testing.T, w *pool.Worker, fn body) {
		scopeOf(w, func(w *pool.Worker) { fn(w) })
	}},
	{"job of a scope, stolen", true, true, 2, func(_ *testing.T, w *pool.Worker, fn body) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			begun := make(chan bool)
			s.Spawn(w, func(w *pool.Worker) { close(begun); fn(w) })
			<-begun
		})
	}},
	{"Block, in a Run there", false, true, 1, func(t *testing.T, w *pool.Worker, fn body) {
		w.Block(func() { enter(t, w.Pool(), fn) })
	}},
	{"Run, on a seat of its own", false, true, 2, func(t *testing.T, w *pool.Worker, fn body) { enter(t, w.Pool(), fn) }},
	{"Run, as the same worker", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) { runInJob(w, fn) }},
	{"Run of another pool, stolen there", true, true, 1, func(t *testing.T, w *pool.Worker, fn body) {
		do(t, poolOf(t, 2), func(w *pool.Worker) { stolen(t, w, fn).Join(w) })
	}},
}

// A schedule calls Run on a pool of its own, so that the function is called in a certain place
// there.
type schedule struct {
	name  string
	moved bool // the panic of the function is raised again
	run   func(t *testing.T, fn body, opts ...pool.Option)
}

var schedules = func() []schedule {
	all := []schedule{{"as a guest", false, func(t *testing.T, fn body, opts ...pool.Option) {
		p := newPool(t, append(opts, pool.WithWorkers(1))...)
		_, release := held(t, p)
		defer release()
		enter(t, p, fn)
	}}}
	//lint:ignore rouseworker left behind
	notJoined := place{"fork not joined", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) { fork(w, fn) }}
	for _, s := range append(places, notJoined) {
		all = append(all, schedule{s.name, s.moved, func(t *testing.T, fn body, opts ...pool.Option) {
			p := asleep(t, newPool(t, append(opts, pool.WithWorkers(s.workers))...))
			do(t, p, func(w *pool.Worker) { s.call(t, w, fn) })
		}})
	}
	return all
}()

// eachSchedule runs a test under each schedule, with a panic handler and without.
// run calls Run and returns what it has ended with.
func eachSchedule(t *testing.T, rule, what string, f func(t *testing.T, s schedule, run func(fn body) end)) {
	for _, s := range schedules {
		for _, handled := range []bool{false, true} {
			subtest(t, fmt.Sprintf("%s/handler=%t", s.name, handled), rule, what, func(t *testing.T) {
				var opts []pool.Option
				if handled {
					opts = append(opts, pool.WithPanicHandler(func(*pool.PanicError) {}))
				}
				f(t, s, func(fn body) end { return endOf(func() { s.run(t, fn, opts...) }) })
			})
		}
	}
}

// wantPanicError checks what Wait or Join returns for a job that has panicked.
func wantPanicError(t *testing.T, err error, value any, raisedBy, what string) {
	t.Helper()
	e := (*pool.PanicError)(nil)
	if !errors.As(err, &e) || e.Value != value {
		t.Errorf("P2: %s: Wait or Join returned %T (%v), want a PanicError with the value %v", what, err, err, value)
		return
	}
	cause, isError := value.(error)
	expect(t, !isError || errors.Is(e, cause), "P2: %s: the PanicError is not the error %v that was the panic", what, value)
	expect(t, strings.Contains(string(e.Stack), "pool_test."+raisedBy+"("),
		"P2: %s: the stack of the PanicError does not name %s, which has raised it:\n\n%s", what, raisedBy, e.Stack)
}

// If this fails, a panic or a Goexit is lost on its way from some place, to the job and to whoever
// waits for that, or the pool does not work on.
func TestPanicTravels(t *testing.T) {
	what := "a panic, and a Goexit, travel from each place to its caller, and the pool works on"
	eachMode(t, "P2", what, func(t *testing.T, p *pool.Pool) {
		for _, c := range places {
			if c.workers > p.Workers() {
				continue
			}
			do(t, p, func(w *pool.Worker) {
				equal(t, recovered(func() { c.call(t, w, raiser) }), any(errBoom), "P2: %s: the job has recovered", c.name)
				equal(t, fib(w, 5), 5, "P1: %s: after a panic that the job has recovered fib(5) is", c.name)
			})
			// In a job, whose seat it may take.
			h := enter(t, p, func(*pool.Worker) *pool.Handle[int] {
				return submitted(t, p, func(w *pool.Worker) int { c.call(t, w, raiser); return 0 })
			})
			for range 2 {
				_, err := h.Wait(background)
				wantPanicError(t, err, errBoom, "raiser", c.name)
			}
			do(t, p, func(w *pool.Worker) {
				_, err := h.Join(w)
				wantPanicError(t, err, errBoom, "raiser", c.name)
			})
			for range 10 {
				h := submitted(t, p, func(w *pool.Worker) int { c.call(t, w, exiter); return 0 })
				fails(t, pool.ErrGoexit, "P3: %s: a job that exits, and Wait returned", c.name)(h.Wait(background))
			}
		}
		do(t, p, func(w *pool.Worker) {
			for name, wait := range waitKinds {
				h := submitted(t, p, exiter)
				wait(w, h)
				fails(t, pool.ErrGoexit, "P16: after a %s, Join of a submitted job that exits returned", name)(h.Join(w))
			}
		})
		equal(t, mustRun(t, p, fib, 15), 610, "P2: after the panics fib(15) is")
		during(t, "P3", "as many jobs meet as there are workers: none was lost to a panic or a Goexit", func() { meet(t, p) })
	})
}

// If this fails, code above Run that knows a panic by its value does not know it
// on some schedules.
func TestRunPanicsWithOriginalValue(t *testing.T) {
	list, kept := []int{1}, &pool.PanicError{Value: "kept"}
	none := []int(nil)
	for name, c := range map[string]struct {
		raise func()
		same  func(v any) bool
	}{
		"error":            {func() { panic(errBoom) }, func(v any) bool { return v == errBoom }},
		"not comparable 2": {func() { panic([1]any{list}) }, func(v any) bool { l, ok := v.([1]any); return ok && &l[0].([]int)[0] == &list[0] }},
		"PanicError":       {func() { panic(kept) }, func(v any) bool { return v == kept }},
		"nil PanicError":   {func() { panic((*pool.PanicError)(nil)) }, func(v any) bool { return v == (*pool.PanicError)(nil) }},
		"runtime.Error": {func() { none[len(list)]++ }, func(v any) bool {
			e, ok := v.(runtime.Error)
			return ok && strings.Contains(e.Error(), "index out of range [1] with length 0")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			eachSchedule(t, "P2", "Run panics as its function does", func(t *testing.T, s schedule, run func(body) end) {
				e := run(func(*pool.Worker) int { c.raise(); return 0 })
				expect(t, e.how == "panicked" && c.same(e.value), "P2: Run %s, with %v, want a panic with the original value", e.how, e.value)
			})
		})
	}
}

// If this fails, a panic(nil) is lost, or a Goexit taken for one, or one for a
// Goexit.
func TestRunPanicsWithNil(t *testing.T) {
	ends := map[string]body{"panicked": func(*pool.Worker) int { panic(nil) }, "exited": exiter, "returned": nothing}
	for _, allowed := range []int{0, 1} {
		t.Run(fmt.Sprintf("panicnil=%d", allowed), func(t *testing.T) {
			t.Setenv("GODEBUG", fmt.Sprintf("%s,panicnil=%d", os.Getenv("GODEBUG"), allowed))
			p := poolOf(t, 1)
			during(t, "P2", "Wait returns for jobs that panic with nil, and exit", func() {
				_, panicked := submitted(t, p, ends["panicked"]).Wait(background)
				_, exited := submitted(t, p, exiter).Wait(background)
				e, ok := panicked.(*pool.PanicError)
				expect(t, ok && (e.Value == nil) == (allowed == 1) && exited == pool.ErrGoexit,
					"P2: Wait for a job that panics with nil returned %v, and for one that exits %v", panicked, exited)
			})
			eachSchedule(t, "P2", "Run ends as its function does", func(t *testing.T, s schedule, run func(body) end) {
				for how, fn := range ends {
					e := run(fn)
					_, replaced := e.value.(*runtime.PanicNilError)
					expect(t, e.how == how && replaced == (how == "panicked" && allowed == 0) && (replaced || e.value == nil),
						"P2: Run %s, with %v, and its function %s", e.how, e.value, how)
				}
			})
		})
	}
}

// A loop's panic that is caught, and raised again elsewhere, keeps where it was raised first,
// also for a panic handler and over another worker.
func TestCaughtAndRaised(t *testing.T) {
	var told *pool.PanicError
	p := newPool(t, pool.WithWorkers(2), pool.WithPanicHandler(func(e *pool.PanicError) { told = e }))
	catch := func(f func()) (e *pool.PanicError) {
		defer func() { e = loops.Caught(recover()) }()
		f()
		return nil
	}
	v := recovered(func() {
		do(t, p, func(w *pool.Worker) {
			e := catch(func() {
				f := fork(w, func(*pool.Worker) int { return raiseIt("thrown") })
				loops.Publish(w)
				until(t, "the fork has begun", func() bool { return p.Stats().Steals > 0 })
				f.Join(w)
			})
			loops.Raise(e)
		})
	})
	equal(t, v, any("thrown"), "P2: a panic that was caught and raised again is")
	expect(t, told != nil && strings.Contains(string(told.Stack), "raiseIt"),
		"P2: the panic handler was told of %v, whose stack does not say where it was raised first", told)
	exited := make(chan *pool.PanicError, 1)
	go func() {
		defer func() { exited <- loops.Caught(recover()) }()
		runtime.Goexit()
	}()
	equal(t, <-exited, nil, "P2: Caught in a goroutine that Goexit ends is")
}

// What a worker does while a panic passes that another one has raised, or after it was
// recovered, and which panic counts. If this fails, the stack is that of another one.
func TestPanicPassing(t *testing.T) {
	first, second, twice := &thrown{"first"}, &thrown{"second"}, &thrown{"twice"}
	// Of each, the panic of a stolen fork passes when it is called.
	for name, c := range map[string]struct {
		rule   string
		passes *thrown // what the fork panics with
		call   func(w *pool.Worker, s *pool.Scope)
		want   any    // what comes out of the job
		raised string // the function that has raised it
	}{
		"job_that_returns": {"P2", first, func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) {}) }, first, "raiseIt"},
		"job_that_panics":  {"P2", first, func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { panic(second) }) }, first, "raiseIt"},
		"run":              {"P2", first, func(w *pool.Worker, _ *pool.Scope) { runInJob(w, func(w *pool.Worker) int { return fib(w, 5) }) }, first, "raiseIt"},
		"replaced":         {"P12", first, func(*pool.Worker, *pool.Scope) { raiseAnother(second) }, second, "raiseAnother"},
		"equal_from_job": {"P12", twice, func(w *pool.Worker, _ *pool.Scope) {
			scopeOf(w, func(*pool.Worker) { raiseAnother(twice) })
		}, twice, "raiseAnother"},
		"equal_from_run": {"P12", twice, func(w *pool.Worker, _ *pool.Scope) {
			runInJob(w, func(*pool.Worker) int { return raiseAnother(twice) })
		}, twice, "raiseAnother"},
	} {
		subtest(t, name, c.rule, "Wait returns for a job that ends of the panic of a stolen fork", func(t *testing.T) {
			p := poolOf(t, 2)
			for range 5 {
				var release func()
				_, err := submitted(t, p, func(w *pool.Worker) int {
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						defer func() {
							// The other worker is busy, so this one runs what is spawned.
							_, release = held(t, p)
							c.call(w, s)
						}()
						stolen(t, w, func(*pool.Worker) int { return raiseIt(c.passes) }).Join(w)
					})
					return 0
				}).Wait(background)
				release()
				e, ok := err.(*pool.PanicError)
				check(t, ok && e.Value == c.want, "%s: Wait returned %T (%v), want a PanicError with the value %v", c.rule, err, err, c.want)
				check(t, strings.Contains(string(e.Stack), c.raised+"("),
					"%s: the Stack of the PanicError does not name %s, which has raised it:\n\n%s", c.rule, c.raised, e.Stack)
			}
			meet(t, p)
		})
	}
}

// A job recovers a panic of a stolen fork, and raises another; or another job raises an equal one,
// which must not have its stack.
func TestPanicRaisedAnew(t *testing.T) {
	p := poolOf(t, 2)
	first := &thrown{"recovered"}
	recovers := func(w *pool.Worker) {
		got := recovered(func() { stolen(t, w, func(*pool.Worker) int { return raiseIt(first) }).Join(w) })
		equal(t, got, any(first), "P2: a panic of a stolen fork is recovered as")
	}
	during(t, "P2", "Wait returns for a job that recovers a panic and raises another", func() {
		for _, second := range []any{&thrown{"raised anew"}, "raised anew", fmt.Errorf("after: %w", first)} {
			_, err := submitted(t, p, func(w *pool.Worker) int { recovers(w); return raiseAnother(second) }).Wait(background)
			wantPanicError(t, err, second, "raiseAnother", "a panic after another one")
		}
		do(t, p, func(w *pool.Worker) {
			recovers(w)
			_, err := submitted(t, p, func(*pool.Worker) int { return raiseAnother(first) }).Join(w)
			wantPanicError(t, err, first, "raiseAnother", "a panic of another job, with the same value")
		})
	})
}

// Of the panics of a scope's jobs the first one in time counts. All jobs run.
func TestPanicOfScope(t *testing.T) {
	inJob(t, 1, "P2", "a panic leaves a scope", func(_ *pool.Pool, w *pool.Worker) {
		ran := 0
		var order []any // of the only worker
		got := recovered(func() {
			scopeOfMany(w, 10, func(*pool.Worker) {
				if ran++; ran%3 == 0 {
					order = append(order, &thrown{"of a job"})
					panic(order[len(order)-1])
				}
			})
		})
		check(t, ran == 10 && got == order[0], "P2: of 10 jobs of a scope %d have run, and it panicked with %v, want the first of %v", ran, got, order)
	})
}
