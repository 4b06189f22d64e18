package pool_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
)

// isUnmeasured fails if a pool has not got over a measurement: its forks go the long way, or are not published.
func isUnmeasured(t *testing.T, p *pool.Pool, how string) {
	t.Helper()
	before := p.Stats().Published
	do(t, p, func(w *pool.Worker) {
		expect(t, loops.Measured() == nil, "P34: %s: the next job is measured", how)
		f := sleepAside(w, ms, ms)
		equal(t, f.Join(w), 0, "P34: %s: a fork returns", how)
	})
	expect(t, p.Stats().Published > before, "P34: %s: the next job publishes nothing", how)
}

// If this fails, a measured function that does not return harms its caller or the pool, in another
// way than that of a Run.
func TestMeasureEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(w *pool.Worker, end func())
	}{
		{"at once", func(_ *pool.Worker, end func()) { end() }},
		//lint:ignore rouseworker left behind
		{"beside a fork", func(w *pool.Worker, end func()) { sleepAside(w, ms, ms); end() }},
		{"in a fork", func(w *pool.Worker, end func()) {
			pool.Invoke(w, sleepFor, 0, func(w *pool.Worker, _ int) int { sleepTree(w, 1); end(); return 0 }, 0)
		}},
		{"in what runs beside one", func(w *pool.Worker, end func()) {
			//lint:ignore rouseworker left behind
			pool.Invoke(w, func(w *pool.Worker, _ int) int { pool.Fork(w, sleepFor, 0); end(); return 0 }, 0, sleepFor, 0)
		}},
		{"in a stolen fork", func(w *pool.Worker, end func()) {
			//lint:ignore rouseworker left behind
			f := pool.Fork(w, func(w *pool.Worker, _ int) int { pool.Fork(w, sleepFor, 0); end(); return 0 }, 0)
			w.Block(func() { time.Sleep(ms) })
			f.Join(w)
		}},
		{"in a scope", func(w *pool.Worker, end func()) { scopeOf(w, func(*pool.Worker) { end() }) }},
		{"in Block", func(w *pool.Worker, end func()) { w.Block(end) }},
		{"in a Measure within", func(w *pool.Worker, end func()) { measureJob(t, w.Pool(), func(*pool.Worker) { end() }) }},
	} {
		for how, end := range map[string]func(){"panicked": func() { panic("P34") }, "exited": runtime.Goexit} {
			t.Run(c.name+"/"+how, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					p := poolOf(t, 2)
					e := endOf(func() { _, _ = p.Measure(background, func(w *pool.Worker) { c.f(w, end) }) })
					expect(t, e.how == how && (how == "exited" || e.value == any("P34")),
						"P34: %s: its function has %s, and Measure %s with %v", c.name, how, e.how, e.value)
					isUnmeasured(t, p, c.name)
				})
			})
		}
	}
}

// If this fails, misuse is not refused while it is measured.
func TestMeasureRefuses(t *testing.T) {
	measureJob(t, poolOf(t, 1), func(w *pool.Worker) {
		wantPanic(t, "P29: a nil fork", "no function", func() { pool.Fork[int, int](w, nil, 0).Join(w) })
		//lint:ignore rouseworker refused
		wantPanic(t, "P29: a fork in Block", "in the function of Block", func() { w.Block(func() { fork(w, nothing) }) })
	})
}

// If this fails, what is measured is not done, or done otherwise, on the real scheduler.
func TestMeasureResult(t *testing.T) {
	for _, opts := range [][]pool.Option{{}, {pool.WithEagerPublish()}, {pool.WithRandomSchedule(1)}, {pool.WithWorkers(1)}} {
		p := newPool(t, opts...)
		during(t, "P34", "Measure of fib(15)", func() {
			n := 0
			m, err := p.Measure(background, func(w *pool.Worker) { n = fib(w, 15) })
			equal(t, n, 610, "P34: measured, fib(15) is")
			noError(t, err, "P34: Measure returned")
			equal(t, m.Forks, 986, "P34: fib(15) forks")
			says(t, "P34: the profile", m.String(), "Your parallelism is at least ", "_test.go:", "TestMeasureResult")
			equal(t, p.Stats().Published, 0, "P34: while nothing waits, forks that are published are")
			equal(t, mustRun(t, p, fib, 15), 610, "P34: and then fib(15) is")
		})
	}
	inBubble(t, func(t *testing.T) {
		p := poolOf(t, 2)
		measureJob(t, p, func(w *pool.Worker) { sleepTree(w, 3) })
		equal(t, p.Stats().Published, 0, "P34: while another worker sleeps, forks that are published are")
	})
}
