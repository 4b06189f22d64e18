package pool_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
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
	call         func(t *testing.T, w *pool.Worker, fn body) int
}

// places are all ways in which a job has the pool call a function that it waits for.
var places = []place{
	{"seat", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) int { return fn(w) }},
	{"fork joined in place", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) int { return fork(w, fn).Join(w) }},
	{"fork stolen", true, true, 2, func(t *testing.T, w *pool.Worker, fn body) int { return stolen(t, w, fn).Join(w) }},
	{"fork stolen from a stolen one", true, true, 2, func(t *testing.T, w *pool.Worker, fn body) int {
		return stolen(t, w, func(w *pool.Worker) int { return stolen(t, w, fn).Join(w) }).Join(w)
	}},
	{"Both first", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) int {
		r, _ := pool.Both(w, fn, func(w *pool.Worker) int { return fib(w, 5) })
		return r
	}},
	{"Both second", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) int {
		// By the same worker, which alone is awake on a pool of two.
		_, r := pool.Both(w, func(w *pool.Worker) int { return 0 }, fn)
		return r
	}},
	{"Invoke first", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) int {
		r, _ := pool.Invoke(w, func(w *pool.Worker, _ int) int { return fn(w) }, 0, fib, 5)
		return r
	}},
	{"Invoke second, stolen", true, true, 2, func(t *testing.T, w *pool.Worker, fn body) int {
		var begun atomic.Bool
		_, r := pool.Invoke(w, func(w *pool.Worker, _ int) int { untilStolen(t, w, &begun); return 0 }, 0,
			func(w *pool.Worker, _ int) int { begun.Store(true); return fn(w) }, 0)
		return r
	}},
	{"body of a scope", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) (r int) {
		w.Scope(func(w *pool.Worker, _ *pool.Scope) { r = fn(w) })
		return r
	}},
	{"job of a scope", true, true, 1, func(_ *testing.T, w *pool.Worker, fn body) (r int) {
		scopeOf(w, func(w *pool.Worker) { r = fn(w) })
		return r
	}},
	{"job of a scope, stolen", true, true, 2, func(_ *testing.T, w *pool.Worker, fn body) (r int) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			begun := make(chan bool)
			s.Spawn(w, func(w *pool.Worker) { close(begun); r = fn(w) })
			<-begun
		})
		return r
	}},
	{"job of a scope, by a job of an inner one", true, true, 1, func(_ *testing.T, w *pool.Worker, fn body) (r int) {
		scopeOf(w, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				s.Spawn(w, func(w *pool.Worker) { s.Spawn(w, func(w *pool.Worker) { r = fn(w) }) })
			})
		})
		return r
	}},
	{"Block, in a Run there", false, true, 1, func(t *testing.T, w *pool.Worker, fn body) (r int) {
		w.Block(func() { r = enter(t, w.Pool(), fn) })
		return r
	}},
	{"Run, on a seat of its own", false, true, 2, func(t *testing.T, w *pool.Worker, fn body) int {
		return enter(t, w.Pool(), fn)
	}},
	{"Run, as the same worker", false, true, 1, func(_ *testing.T, w *pool.Worker, fn body) int { return runInJob(w, fn) }},
	{"Run of another pool, stolen there", true, true, 1, func(t *testing.T, w *pool.Worker, fn body) int {
		return enter(t, poolOf(t, 2), func(w *pool.Worker) int { return stolen(t, w, fn).Join(w) })
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
	all := []schedule{{"queued", true, func(t *testing.T, fn body, opts ...pool.Option) {
		p := newPool(t, append(opts, pool.WithWorkers(1))...)
		_, release := held(t, p)
		before := p.Stats().Injected
		go func() {
			for p.Stats().Injected == before {
				runtime.Gosched()
			}
			release()
		}()
		enter(t, p, fn)
	}}}
	notJoined := place{"fork not joined", false, false, 1, func(_ *testing.T, w *pool.Worker, fn body) int { fork(w, fn); return 0 }}
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
	eachMode(t, "P2", "a panic, and a Goexit, travel from each place to its caller, and the pool works on", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
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
				return submitted(t, p, func(w *pool.Worker) int { return c.call(t, w, raiser) })
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
				h := submitted(t, p, func(w *pool.Worker) int { return c.call(t, w, exiter) })
				fails(t, pool.ErrGoexit, "P3: %s: a job that exits, and Wait returned", c.name)(h.Wait(background))
			}
		}
		equal(t, mustRun(t, p, fib, 15), 610, "P2: after the panics fib(15) is")
		during(t, "P3", "as many jobs meet as there are workers: none was lost to a panic or a Goexit", func() { meet(t, p) })
	})
}

// leftovers watches forks that a panic leaves behind.
type leftovers struct {
	running, late atomic.Int32
	over          atomic.Bool
}

// leave panics with two forks pending, one of them taken.
func (l *leftovers) leave(t testing.TB, w *pool.Worker) int {
	child := func(w *pool.Worker) int {
		l.running.Add(1)
		defer l.running.Add(-1)
		if l.over.Load() {
			l.late.Add(1)
		}
		return fib(w, 12)
	}
	stolen(t, w, child)
	fork(w, child)
	return raiser(w)
}

// A panic leaves Both, Scope, Run or a stolen fork only when what was forked inside has ended or
// will never start; and the job that has recovered it from another place ends then.
func TestPanicWaitsForSiblings(t *testing.T) {
	p := poolOf(t, 3)
	for _, c := range places {
		subtest(t, c.name, "P2", "a panic leaves when its forks have ended, or the job does", func(t *testing.T) {
			for range 20 {
				var l leftovers
				over := func() {
					l.over.Store(true)
					expect(t, l.running.Load() == 0, "P2: the panic, or the job, has left while %d forks still run", l.running.Load())
				}
				do(t, p, func(w *pool.Worker) {
					own := pool.Fork(w, fib, 10)
					v := recovered(func() {
						c.call(t, w, func(w *pool.Worker) int {
							return fork(w, func(w *pool.Worker) int { return l.leave(t, w) }).Join(w)
						})
					})
					equal(t, v, any(errBoom), "P2: what is recovered is")
					if c.waits {
						over()
					}
					equal(t, own.Join(w)+fib(w, 10), 110, "P2: after the panic twice fib(10) is")
				})
				over()
				mustRun(t, p, fib, 10)
				expect(t, l.late.Load() == 0, "P2: %d forks started after the panic, or the job, had left", l.late.Load())
			}
		})
	}
}

// What is forked within Both or Scope does not outlive their panic, also if
// they join what was forked before them, and so move it.
func TestPanicOverForks(t *testing.T) {
	for name, within := range map[string]func(w *pool.Worker, join func(*pool.Worker), forked body){
		"Both": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			pool.Both(w, func(w *pool.Worker) int { join(w); return raiser(w) }, forked)
		},
		"Scope, joined after the fork": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			w.Scope(func(w *pool.Worker, _ *pool.Scope) { fork(w, forked); join(w); raiser(w) })
		},
		"Scope, joined before the fork": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			w.Scope(func(w *pool.Worker, _ *pool.Scope) { join(w); fork(w, forked); raiser(w) })
		},
		"Scope, panic of a spawned job": func(w *pool.Worker, join func(*pool.Worker), forked body) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				join(w)
				w.Scope(func(w *pool.Worker, inner *pool.Scope) { // which waits, and runs both
					inner.Spawn(w, func(*pool.Worker) {})
					s.Spawn(w, func(w *pool.Worker) { raiser(w) })
				})
				fork(w, forked)
			})
		},
	} {
		subtest(t, name, "P2", "a panic leaves Both or Scope, which awaits its forks first", func(t *testing.T) {
			over, late := false, false
			do(t, poolOf(t, 1), func(w *pool.Worker) {
				own, old := pool.Fork(w, fib, 4), pool.Fork(w, fib, 5)
				v := recovered(func() {
					within(w, func(w *pool.Worker) { old.Join(w) }, func(*pool.Worker) int { late = over; return 0 })
				})
				over = true
				equal(t, v, any(errBoom), "P2: what is recovered is")
				equal(t, own.Join(w), 3, "P2: fib(4) is")
			})
			expect(t, !late, "P2: a fork started after the panic had left")
		})
	}
}

// A panic of what was begun after some forks is recovered. These are none of it, whether others
// can see them or not.
func TestPanicLeavesOlderForks(t *testing.T) {
	p := poolOf(t, 2)
	for _, c := range places {
		subtest(t, c.name, "P1", "forks are joined after a panic of what was begun later", func(t *testing.T) {
			for range 5 {
				var ran atomic.Int32
				job := func(_ *pool.Worker, n int) int { ran.Add(1); return n }
				do(t, p, func(w *pool.Worker) {
					older := []pool.Forked[int, int]{pool.Fork(w, job, 1), pool.Fork(w, job, 2)}
					w.Block(func() {}) // others can see these from here on
					older = append(older, pool.Fork(w, job, 3))
					equal(t, recovered(func() { c.call(t, w, raiser) }), any(errBoom), "P2: what is recovered is")
					for i, f := range slices.Backward(older) {
						n := -1
						got := recovered(func() { n = f.Join(w) })
						expect(t, got == nil && n == i+1,
							"P1: Join of a fork from before, number %d, panics with %v, or returns %d", i+1, got, n)
					}
				})
				equal(t, ran.Load(), 3, "P1: the number of forks from before a panic, joined after it, that have run is")
			}
			meet(t, p)
		})
	}
}

// Of two functions that panic, the first one's panic is what a sequential program would see, also
// if another worker has the second one; and it leaves Both when neither runs.
func TestPanicOfBoth(t *testing.T) {
	p := poolOf(t, 2)
	for _, c := range []struct{ first, second, taken bool }{
		{true, false, false}, {false, true, false}, {true, true, false}, {true, false, true}, {false, true, true}, {true, true, true},
	} {
		subtest(t, fmt.Sprintf("%+v", c), "P2", "a panic leaves Both", func(t *testing.T) {
			for range 20 {
				values := [2]*thrown{{"first"}, {"second"}}
				var running atomic.Int32
				var begun [2]atomic.Bool
				side := func(n int, panics bool) body {
					return func(w *pool.Worker) int {
						running.Add(1)
						defer running.Add(-1)
						begun[n].Store(true)
						if n == 0 && c.taken {
							untilStolen(t, w, &begun[1])
						}
						if panics {
							panic(values[n])
						}
						return 0
					}
				}
				want := values[0]
				if !c.first {
					want = values[1]
				}
				var has bool
				do(t, p, func(w *pool.Worker) {
					got := recovered(func() { pool.Both(w, side(0, c.first), side(1, c.second)) })
					expect(t, got == any(want) && running.Load() == 0,
						"P2: a panic has left Both as %v, want %v, while %d of its functions run", got, want, running.Load())
					has = begun[1].Load()
				})
				expect(t, begun[1].Load() == has, "P2: the second function began after the panic had left Both")
			}
			meet(t, p)
		})
	}
}

// Of the panics of a scope that of the body counts, as in a sequential program, and then the
// first one in time. All jobs run.
func TestPanicOfScope(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := poolOf(t, workers)
		for _, inBody := range []bool{false, true} {
			subtest(t, fmt.Sprintf("workers=%d/body=%t", workers, inBody), "P2", "a panic leaves a scope", func(t *testing.T) {
				for round := range 20 {
					body := &thrown{"body"}
					var mu sync.Mutex
					var order []any
					begun := make(chan bool, 10)
					got := recovered(func() {
						do(t, p, func(w *pool.Worker) {
							w.Scope(func(w *pool.Worker, s *pool.Scope) {
								for i := range 10 {
									s.Spawn(w, func(*pool.Worker) {
										mu.Lock()
										defer mu.Unlock()
										begun <- true
										if value := (&thrown{fmt.Sprint(i)}); i%3 == 0 {
											order = append(order, value)
											panic(value)
										}
									})
								}
								if inBody {
									if workers > 1 && round%2 == 0 {
										<-begun // by the other worker
									}
									panic(body)
								}
							})
						})
					})
					check(t, len(order) == 4, "P1: of 4 jobs of a scope that panic, %d have run", len(order))
					wants := order
					switch {
					case inBody:
						wants = []any{body}
					case workers == 1:
						wants = order[:1]
					}
					expect(t, slices.Contains(wants, got),
						"P2: Scope panicked with %v; its jobs panicked, one after the other, with %v, and its body: %t", got, order, inBody)
				}
				meet(t, p)
			})
		}
	}
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
		"pointer":          {func() { panic(&list) }, func(v any) bool { return v == &list }},
		"not comparable":   {func() { panic(list) }, func(v any) bool { l, ok := v.([]int); return ok && &l[0] == &list[0] }},
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

// If this fails, a panic that nothing recovers ends the program without a word
// that says where it was raised.
func TestCrashShowsOrigin(t *testing.T) {
	for _, s := range schedules {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) {
			if os.Getenv(inChild) == t.Name() {
				done := make(chan bool)
				go func() {
					s.run(t, raiser)
					close(done) // not deferred: a panic must end the process first
				}()
				during(t, "P2", "the process, of a panic that nothing recovers", func() { <-done })
				return
			}
			out := child(t)
			says(t, "P2", out, "panic: boom", "pool_test.raiser(")
			got := strings.Contains(out, "panic: pool: job panicked: boom")
			expect(t, got == s.moved,
				"P2: the panic is raised again: %t; the crash shows the stack of the first time: %t\n%s", s.moved, got, out)
		})
	}
}

// If this fails, a log does not tell where panics come from, or tells it twice; or one who recovers a
// panic of Run, and prints the stack as net/http does, prints no hint of where it was raised, though
// it was on that goroutine.
func TestPanicHandler(t *testing.T) {
	for _, s := range schedules {
		for _, handled := range []int{0, 1} {
			subtest(t, fmt.Sprint(s.name, "/handlers=", handled), "P2", "the panic handler is called", func(t *testing.T) {
				var reported []*pool.PanicError // by the goroutine that calls Run
				report := func(e *pool.PanicError) { reported = append(reported, e) }
				got := endOf(func() { s.run(t, raiser, []pool.Option{pool.WithPanicHandler(report)}[:handled]...) })
				check(t, got.value == errBoom && len(reported) == handled,
					"P2: Run %s, with %v, and the handler was called %d times, want %d", got.how, got.value, len(reported), handled)
				expect(t, strings.Contains(got.stack, "pool_test.raiser(") != s.moved,
					"P2: the stack of the panic, which is raised again: %t, is\n%s", s.moved, got.stack)
				for _, e := range reported {
					wantPanicError(t, e, errBoom, "raiser", "the handler")
				}
			})
		}
	}
}

// If this fails, a panic handler is not what its documentation says.
func TestPanicHandlerMisused(t *testing.T) {
	other := errors.New("other")
	for _, s := range schedules {
		var p *pool.Pool
		job := func(w *pool.Worker) int { p = w.Pool(); return raiser(w) }
		for name, c := range map[string]struct {
			handler func(*pool.PanicError)
			how     string
			value   any
		}{
			"nil":    {nil, "panicked", errBoom},
			"panics": {func(*pool.PanicError) { panic(other) }, "panicked", other},
			"exits":  {func(*pool.PanicError) { runtime.Goexit() }, "exited", nil},
			"runs": {func(*pool.PanicError) {
				equal(t, mustRun(t, p, fib, 10), 55, "P1: fib(10) in a panic handler is")
			}, "panicked", errBoom},
		} {
			subtest(t, s.name+"/"+name, "P2", "Run ends with what its handler does", func(t *testing.T) {
				e := endOf(func() { s.run(t, job, pool.WithPanicHandler(c.handler)) })
				expect(t, e.how == c.how && e.value == c.value,
					"P2: Run %s, with %v, want that it %s, with %v", e.how, e.value, c.how, c.value)
			})
		}
	}
}

// A Run that panics has no worker when the handler is called, and is no job any more when it
// has been: on a seat, and after it was queued. A panic runs deferred calls on top of the stack that
// it leaves, so what they call finds traces there of a seat that the goroutine does not hold any more.
func TestAfterPanicHandler(t *testing.T) {
	first, second := &thrown{"of the job"}, &thrown{"of the handler"}
	for name, call := range map[string]func(){
		"returns": func() {}, "panics": func() { panic(second) }, "exits": runtime.Goexit, "none": nil,
	} {
		subtest(t, name, "P5", "Run ends whose function panics", func(t *testing.T) {
			calls := 0
			opts := []pool.Option{pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) {
				equal(t, e.Value, any(first), "P2: the handler of panics got")
				calls++
				call()
			})}
			if call == nil {
				opts = opts[:1]
			}
			p := newPool(t, opts...)
			raise := func() { pool.Run(background, p, func(*pool.Worker, int) int { return raiseIt(first) }, 0) }
			for round := range 3 {
				endOf(raise)
				whileBusy(t, p, func() { endOf(raise) })
				check(t, calls == 2*round+2 || call == nil,
					"P2: %d calls of Run have panicked, and the handler of panics was called %d times", 2*round+2, calls)
				meet(t, p)
			}
			var closed error
			during(t, "P6", "Run and Close return that are called while a panic passes which Run has raised", func() {
				endOf(func() {
					defer func() { closed = p.Close() }()
					defer func() { equal(t, mustRun(t, p, fib, 10), 55, "P6: fib(10) in a deferred call is") }()
					raise()
				})
			})
			check(t, closed == nil, "P6: Close returned %v, called by one that is no job any more", closed)
		})
	}
}

// A Run panics of a pool without a handler, in a job of a pool that has one: on a seat, and after
// it was queued.
func TestPanicHandlerOfOuterPool(t *testing.T) {
	value, called := &thrown{"of a pool without a handler"}, 0
	p := newPool(t, pool.WithWorkers(1), pool.WithPanicHandler(func(e *pool.PanicError) {
		called++
		equal(t, e.Value, any(value), "P2: the handler of panics got")
	}))
	q := poolOf(t, 1)
	raise := func() {
		recovered(func() { do(t, p, func(*pool.Worker) { enter(t, q, func(*pool.Worker) int { return raiseIt(value) }) }) })
	}
	during(t, "P2", "Run ends in which a Run of another pool panics", func() {
		for round := range 3 {
			raise()
			whileBusy(t, q, raise)
			check(t, called == 2*round+2, "P2: %d panics have left a Run of a pool with a handler, which was called %d times", 2*round+2, called)
		}
	})
}

// A loop's panic that is caught, and raised again elsewhere, keeps where it was raised first,
// also for a panic handler and over another worker.
func TestCaughtAndRaised(t *testing.T) {
	var told *pool.PanicError
	p := newPool(t, pool.WithWorkers(2), pool.WithPanicHandler(func(e *pool.PanicError) { told = e }))
	catch := func(f func()) (e *pool.PanicError) {
		defer func() { e = pool.Caught(recover()) }()
		f()
		return nil
	}
	v := recovered(func() {
		do(t, p, func(w *pool.Worker) {
			e := catch(func() {
				f := fork(w, func(*pool.Worker) int { return raiseIt("thrown") })
				pool.LoopsOf(w).Publish()
				until(t, "the fork has begun", func() bool { return p.Stats().Steals > 0 })
				f.Join(w)
			})
			e.Raise()
		})
	})
	equal(t, v, any("thrown"), "P2: a panic that was caught and raised again is")
	expect(t, told != nil && strings.Contains(string(told.Stack), "raiseIt"),
		"P2: the panic handler was told of %v, whose stack does not say where it was raised first", told)
	exited := make(chan *pool.PanicError, 1)
	go func() {
		defer func() { exited <- pool.Caught(recover()) }()
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

// A panic while a panic is being handled: a deferred call of the job forks,
// and one of the forks panics too.
func TestPanicWhilePanicking(t *testing.T) {
	eachMode(t, "P12", "Run ends whose deferred call forks, and panics, while a panic passes", func(t *testing.T, opts ...pool.Option) {
		p := newPool(t, opts...)
		second := errors.New("second")
		v := recovered(func() {
			do(t, p, func(w *pool.Worker) {
				defer func() {
					equal(t, fib(w, 10), 55, "P12: fib(10) in a deferred call is")
					inner := recovered(func() { pool.Both(w, func(*pool.Worker) int { panic("inner") }, nothing) })
					equal(t, inner, any("inner"), "P12: what is recovered of another panic in a deferred call is")
					fork(w, func(*pool.Worker) int { panic(second) }).Join(w)
				}()
				raiser(w)
			})
		})
		equal(t, v, any(second), "P12: Run panicked with")
		equal(t, mustRun(t, p, fib, 10), 55, "P12: afterwards fib(10) is")
	})
}
