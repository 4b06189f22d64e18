package pool_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A schedule calls Run on a pool of its own, so that the function is called in a
// certain place there.
type schedule struct {
	name string
	// moved says that another goroutine than the caller's calls the function.
	moved bool
	run   func(t *testing.T, fn func(w *pool.Worker) int, opts ...pool.Option)
}

// onSeat is a schedule by which the caller takes a seat and runs body, beside
// another worker if the function is to be moved there.
func onSeat(name string, moved bool, body func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int) schedule {
	return schedule{name, moved, func(t *testing.T, fn func(w *pool.Worker) int, opts ...pool.Option) {
		workers := 1
		if moved || strings.HasPrefix(name, "nested") {
			workers = 2
		}
		p := asleep(t, newPool(t, append(opts, pool.WithWorkers(workers))...))
		mustRun(t, p, func(w *pool.Worker, _ int) int { return body(t, w, fn) }, 0)
	}}
}

// fork is Fork for a function without an argument.
func fork(w *pool.Worker, fn func(w *pool.Worker) int) pool.Forked[int, int] {
	return pool.Fork(w, func(w *pool.Worker, _ int) int { return fn(w) }, 0)
}

var schedules = []schedule{
	onSeat("seat", false, func(_ *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int { return fn(w) }),
	{"queued", true, func(t *testing.T, fn func(w *pool.Worker) int, opts ...pool.Option) {
		p := newPool(t, append(opts, pool.WithWorkers(1))...)
		begun, release := make(chan bool), make(chan bool)
		submitted(t, p, func(*pool.Worker) int { close(begun); <-release; return 0 })
		<-begun
		before := p.Stats().Injected
		go func() {
			for p.Stats().Injected == before {
				runtime.Gosched()
			}
			close(release)
		}()
		mustRun(t, p, func(w *pool.Worker, _ int) int { return fn(w) }, 0)
	}},
	onSeat("fork joined in place", false, func(_ *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		f := fork(w, fn)
		return f.Join(w)
	}),
	onSeat("fork stolen", true, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		return stolen(t, w, fn).Join(w)
	}),
	onSeat("fork stolen from a stolen one", true, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		return stolen(t, w, func(w *pool.Worker) int { return stolen(t, w, fn).Join(w) }).Join(w)
	}),
	onSeat("fork not joined", false, func(_ *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		fork(w, fn)
		return 0
	}),
	onSeat("Both first", false, func(_ *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		a, _ := pool.Both(w, fn, func(*pool.Worker) int { return 0 })
		return a
	}),
	onSeat("Invoke second, stolen", true, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		var begun atomic.Bool
		_, b := pool.Invoke(w, func(w *pool.Worker, _ int) int {
			until(t, "the second function is stolen", func() bool {
				fork(w, func(*pool.Worker) int { return 0 }).Join(w)
				return begun.Load()
			})
			return 0
		}, 0, func(w *pool.Worker, _ int) int { begun.Store(true); return fn(w) }, 0)
		return b
	}),
	onSeat("scope", true, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			begun := make(chan bool)
			s.Spawn(w, func(w *pool.Worker) { close(begun); fn(w) })
			<-begun
		})
		return 0
	}),
	onSeat("nested, on a seat of its own", false, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		return mustRun(t, w.Pool(), func(w *pool.Worker, _ int) int { return fn(w) }, 0)
	}),
	onSeat("nested in the same worker", false, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		r, err := pool.Run(pool.NewContext(background, w), w.Pool(), func(w *pool.Worker, _ int) int { return fn(w) }, 0)
		if err != nil {
			t.Errorf("P1: Run: %v", err)
		}
		return r
	}),
	onSeat("nested through another pool, stolen there", true, func(t *testing.T, w *pool.Worker, fn func(w *pool.Worker) int) int {
		q := newPool(t, pool.WithWorkers(2))
		return mustRun(t, q, func(w *pool.Worker, _ int) int { return stolen(t, w, fn).Join(w) }, 0)
	}),
}

// An end is how a call ended.
type end struct {
	how   string // "returned", "panicked" or "exited"
	value any    // what it panicked with
	stack string // as the one who recovers can print it
}

// endOf calls f on a goroutine of its own. It tells a panic(nil) from the rest.
func endOf(f func()) end {
	e := end{how: "exited"}
	done := make(chan bool)
	go func() {
		defer close(done)
		returned := false
		func() {
			defer func() {
				if !returned {
					e.value, e.stack = recover(), string(debug.Stack())
				}
			}()
			f()
			returned = true
		}()
		// A Goexit does not come here.
		if e.how = "panicked"; returned {
			e.how = "returned"
		}
	}()
	<-done
	return e
}

// eachSchedule runs a test under each schedule, with a panic handler and without.
// run calls Run and returns what it has ended with.
func eachSchedule(t *testing.T, rule, what string, f func(t *testing.T, s schedule, run func(fn func(w *pool.Worker) int) end)) {
	for _, s := range schedules {
		for _, handled := range []bool{false, true} {
			subtest(t, fmt.Sprintf("%s/handler=%t", s.name, handled), rule, what, func(t *testing.T) {
				var opts []pool.Option
				if handled {
					opts = append(opts, pool.WithPanicHandler(func(*pool.PanicError) {}))
				}
				f(t, s, func(fn func(w *pool.Worker) int) end {
					return endOf(func() { s.run(t, fn, opts...) })
				})
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
			eachSchedule(t, "P2", "Run panics as its function does", func(t *testing.T, s schedule, run func(func(*pool.Worker) int) end) {
				if e := run(func(*pool.Worker) int { c.raise(); return 0 }); e.how != "panicked" || !c.same(e.value) {
					t.Errorf("P2: Run %s, with %v, want a panic with the original value", e.how, e.value)
				}
			})
		})
	}
}

// If this fails, a panic(nil) is lost, or a Goexit taken for one, or one for a
// Goexit.
func TestRunPanicsWithNil(t *testing.T) {
	ends := map[string]func(*pool.Worker) int{
		"panicked": func(*pool.Worker) int { panic(nil) },
		"exited":   func(*pool.Worker) int { runtime.Goexit(); return 0 },
		"returned": func(*pool.Worker) int { return 1 },
	}
	for _, allowed := range []int{0, 1} {
		t.Run(fmt.Sprintf("panicnil=%d", allowed), func(t *testing.T) {
			t.Setenv("GODEBUG", fmt.Sprintf("%s,panicnil=%d", os.Getenv("GODEBUG"), allowed))
			p := newPool(t, pool.WithWorkers(1))
			during(t, "P2", "Wait returns for jobs that panic with nil, and exit", func() {
				_, panicked := submitted(t, p, ends["panicked"]).Wait(background)
				_, exited := submitted(t, p, ends["exited"]).Wait(background)
				if e, ok := panicked.(*pool.PanicError); !ok || (e.Value == nil) != (allowed == 1) || exited != pool.ErrGoexit {
					t.Errorf("P2: Wait for a job that panics with nil returned %v, and for one that exits %v", panicked, exited)
				}
			})
			eachSchedule(t, "P2", "Run ends as its function does", func(t *testing.T, s schedule, run func(func(*pool.Worker) int) end) {
				for how, fn := range ends {
					e := run(fn)
					if _, replaced := e.value.(*runtime.PanicNilError); e.how != how || replaced != (how == "panicked" && allowed == 0) || !replaced && e.value != nil {
						t.Errorf("P2: Run %s, with %v, and its function %s", e.how, e.value, how)
					}
				}
			})
		})
	}
}

// If this fails, one who recovers a panic of Run, and prints the stack as
// net/http does, prints no hint of where it was raised, though it was on that
// goroutine.
func TestPanicKeepsFrames(t *testing.T) {
	eachSchedule(t, "P2", "Run panics", func(t *testing.T, s schedule, run func(func(*pool.Worker) int) end) {
		e := run(raiser)
		if e.value != errBoom || strings.Contains(e.stack, "pool_test.raiser(") == s.moved {
			t.Errorf("P2: the stack of the panic %v, which another goroutine has raised: %t, is\n%s", e.value, s.moved, e.stack)
		}
	})
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
			if !strings.Contains(out, "panic: boom") || !strings.Contains(out, "pool_test.raiser(") {
				t.Errorf("P2: a crash does not say with what value, or where, the panic was raised:\n%s", out)
			}
			if got := strings.Contains(out, "panic: pool: job panicked: boom"); got != s.moved {
				t.Errorf("P2: another goroutine has raised the panic: %t; the crash shows the stack of another goroutine: %t\n%s", s.moved, got, out)
			}
		})
	}
}

// If this fails, a log does not tell where panics come from, or tells it twice.
func TestPanicHandler(t *testing.T) {
	for _, s := range schedules {
		subtest(t, s.name, "P2", "the panic handler is called", func(t *testing.T) {
			var reported []*pool.PanicError // by the goroutine that calls Run
			got := endOf(func() {
				s.run(t, raiser, pool.WithPanicHandler(func(e *pool.PanicError) { reported = append(reported, e) }))
			})
			if got.value != errBoom || len(reported) != 1 {
				t.Fatalf("P2: Run %s, with %v, and the handler was called %d times, want once", got.how, got.value, len(reported))
			}
			if e := reported[0]; e.Value != errBoom || !strings.Contains(string(e.Stack), "pool_test.raiser(") {
				t.Errorf("P2: the handler does not see the value, or where it was raised: %v", e)
			}
		})
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
				if n := mustRun(t, p, fib, 10); n != 55 {
					t.Errorf("P1: fib(10) in a panic handler is %d", n)
				}
			}, "panicked", errBoom},
		} {
			subtest(t, s.name+"/"+name, "P2", "Run ends with what its handler does", func(t *testing.T) {
				e := endOf(func() { s.run(t, job, pool.WithPanicHandler(c.handler)) })
				if e.how != c.how || e.value != c.value {
					t.Errorf("P2: Run %s, with %v, want that it %s, with %v", e.how, e.value, c.how, c.value)
				}
			})
		}
	}
}

// A panic runs deferred calls on top of the stack that it leaves, so what they
// call finds traces there of a seat that the goroutine does not hold any more.
// If this fails, they are taken for a job's.
func TestDeferredCallsWhilePanicking(t *testing.T) {
	during(t, "P6", "Run, then Close, return in deferred calls while the panic of a Run passes", func() {
		p, err := pool.New(pool.WithWorkers(1))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		v := recovered(func() {
			defer func() {
				if err := p.Close(); err != nil {
					t.Errorf("P6: Close, in no job, returned %v", err)
				}
			}()
			defer func() {
				if n := mustRun(t, p, fib, 10); n != 55 {
					t.Errorf("P6: fib(10) in a deferred call is %d", n)
				}
			}()
			mustRun(t, p, func(w *pool.Worker, _ int) int { return raiser(w) }, 0)
		})
		if v != errBoom {
			t.Errorf("P2: recovered %v, want the original value", v)
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
		pool.Run(background, p, func(w *pool.Worker, _ int) int {
			e := catch(func() {
				f := pool.Fork(w, raisesHere, "thrown")
				pool.LoopsOf(w).Publish()
				until(t, "the fork has begun", func() bool { return p.Stats().Steals > 0 })
				f.Join(w)
			})
			e.Raise()
			return 0
		}, 0)
	})
	if v != "thrown" {
		t.Errorf("P2: a panic that was caught and raised again is %v", v)
	}
	if told == nil || !strings.Contains(string(told.Stack), "raisesHere") {
		t.Errorf("P2: the panic handler was told of %v, whose stack does not say where it was raised first", told)
	}
	exited := make(chan *pool.PanicError, 1)
	go func() {
		defer func() { exited <- pool.Caught(recover()) }()
		runtime.Goexit()
	}()
	if e := <-exited; e != nil {
		t.Errorf("P2: Caught in a goroutine that Goexit ends is %v", e)
	}
}

func raisesHere(_ *pool.Worker, v string) int { panic(v) }
