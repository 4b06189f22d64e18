package pool_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, a log does not tell where panics come from, or tells it twice; or code that recovers a
// panic of Run, and prints the stack as net/http does, prints no hint of where it was raised, though
// it was on that goroutine; or a handler is not what its documentation says.
func TestPanicHandler(t *testing.T) {
	other := errors.New("other")
	for _, s := range schedules {
		var p *pool.Pool
		var noted []*pool.PanicError // by the goroutine that calls Run
		for name, c := range map[string]struct {
			handler func(*pool.PanicError)
			how     string
			value   any
		}{
			"nil":    {nil, "panicked", errBoom},
			"notes":  {func(e *pool.PanicError) { noted = append(noted, e) }, "panicked", errBoom},
			"panics": {func(*pool.PanicError) { panic(other) }, "panicked", other},
			"exits":  {func(*pool.PanicError) { runtime.Goexit() }, "exited", nil},
			"runs": {func(*pool.PanicError) {
				equal(t, mustRun(t, p, fib, 10), 55, "P1: fib(10) in a panic handler is")
			}, "panicked", errBoom},
		} {
			subtest(t, s.name+"/"+name, "P2", "Run ends with what its handler does", func(t *testing.T) {
				job := func(w *pool.Worker) int { p = w.Pool(); return raiser(w) }
				e := endOf(func() { s.run(t, job, pool.WithPanicHandler(c.handler)) })
				expect(t, e.how == c.how && e.value == c.value,
					"P2: Run %s, with %v, want that it %s, with %v", e.how, e.value, c.how, c.value)
				expect(t, c.value != errBoom || strings.Contains(e.stack, "pool_test.raiser(") != s.moved,
					"P2: the stack of the panic, which is raised again: %t, is\n%s", s.moved, e.stack)
				if name == "notes" {
					check(t, len(noted) == 1, "P2: the handler was called %d times, want once", len(noted))
					wantPanicError(t, noted[0], errBoom, "raiser", "the handler")
				}
			})
		}
	}
}

// A Run that panics has no worker when the handler is called, and is no job any more when it
// has been: on the seat of a worker, and on a guest's. A panic runs deferred calls on top of the stack that
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
			during(t, "P6", "Run and Close return that are called while a panic passes which Run has raised", func() {
				endOf(func() {
					defer func() { noError(t, p.Close(), "P6: Close, called by one that is no job any more, returned") }()
					defer func() { equal(t, mustRun(t, p, fib, 10), 55, "P6: fib(10) in a deferred call is") }()
					raise()
				})
			})
		})
	}
}
