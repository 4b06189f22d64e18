package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
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
		f    func(w *pool.Worker)
	}{
		{"at once", func(w *pool.Worker) { panic("P34") }},
		{"beside a fork", func(w *pool.Worker) { sleepAside(w, ms, ms); panic("P34") }},
		{"in a fork", func(w *pool.Worker) {
			pool.Invoke(w, sleepFor, 0, func(w *pool.Worker, _ int) int { sleepTree(w, 1); panic("P34") }, 0)
		}},
		{"in what runs beside one", func(w *pool.Worker) {
			pool.Invoke(w, func(w *pool.Worker, _ int) int { pool.Fork(w, sleepFor, 0); panic("P34") }, 0, sleepFor, 0)
		}},
		{"in a stolen fork", func(w *pool.Worker) {
			f := pool.Fork(w, func(w *pool.Worker, _ int) int { pool.Fork(w, sleepFor, 0); panic("P34") }, 0)
			w.Block(func() { time.Sleep(ms) })
			f.Join(w)
		}},
		{"in a scope", func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { panic("P34") }) })
		}},
		{"in Block", func(w *pool.Worker) { w.Block(func() { panic("P34") }) }},
		{"in a Measure within", func(w *pool.Worker) { measureJob(t, w.Pool(), func(*pool.Worker) { panic("P34") }) }},
	} {
		for _, exits := range []bool{false, true} {
			f, how := c.f, c.name
			if exits {
				how += ", Goexit"
				f = func(w *pool.Worker) {
					defer func() {
						if recover() != nil {
							runtime.Goexit()
						}
					}()
					c.f(w)
				}
			}
			t.Run(how, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					p := poolOf(t, 2)
					var value any
					returned, ended := false, make(chan bool)
					go func() {
						defer close(ended)
						defer func() { value = recover() }()
						_, _ = p.Measure(background, f)
						returned = true
					}()
					<-ended
					want := any("P34")
					if exits {
						want = nil
					}
					equal(t, value, want, "P34: %s: Measure panics with", how)
					expect(t, !returned, "P34: %s: Measure has returned", how)
					isUnmeasured(t, p, how)
				})
			})
		}
	}
}

// If this fails, a job goes on with another worker's strand, or without one, after it has recovered a
// panic of a fork.
func TestMeasureGoesOn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := poolOf(t, 2)
		m := measureJob(t, p, func(w *pool.Worker) {
			func() {
				defer func() { equal(t, recover(), any("P34"), "P34: a fork panics with") }()
				pool.Fork(w, func(w *pool.Worker, _ int) int {
					pool.Fork(w, sleepFor, ms) // runs when the job settles
					time.Sleep(ms)
					panic("P34")
				}, 0).Join(w)
			}()
			sleepTree(w, 2)
		})
		expect(t, m.Work >= 5*ms && m.Work <= 6*ms && m.Span >= 2*ms, "P34: after a panic the work is %v and the span %v", m.Work, m.Span)
		isUnmeasured(t, p, "after a recovered panic")
	})
}

// If this fails, Measure takes what Run refuses, or refuses it in another way.
func TestMeasureRefuses(t *testing.T) {
	p := poolOf(t, 1)
	nothing := func(*pool.Worker, int) int { return 1 }
	none := func(*pool.Worker) {}
	for want, call := range map[string]func(){
		"pool: Measure with a nil context": func() { _, _ = p.Measure(nil, none) }, //lint:ignore SA1012 this is refused
		"pool: Measure of a nil function":  func() { _, _ = p.Measure(background, nil) },
		"nil":                              func() { _, _ = (*pool.Pool)(nil).Measure(background, none) },
	} {
		func() {
			defer func() { says(t, "P29: the panic", fmt.Sprint(recover()), want) }()
			call()
		}()
	}
	ended, cancel := context.WithCancelCause(background)
	cancel(errors.New("P34"))
	m, err := p.Measure(ended, none)
	expect(t, err == context.Canceled && m.Sites == nil, "P34: with an ended context Measure returns %v, %v", m, err)
	noError(t, p.Close(), "P6: Close returned")
	_, err = p.Measure(background, none)
	equal(t, err, pool.ErrClosed, "P34: on a closed pool Measure returns")
	_, err = poolOf(t, 1).Measure(background, func(w *pool.Worker) {
		func() {
			defer func() { says(t, "P29: a nil fork", fmt.Sprint(recover()), "no function") }()
			pool.Fork[int, int](w, nil, 0).Join(w)
		}()
		func() {
			defer func() { says(t, "P29: a fork in Block", fmt.Sprint(recover()), "in the function of Block") }()
			w.Block(func() { pool.Fork(w, nothing, 0) })
		}()
	})
	noError(t, err, "P34: Measure of misuse returned")
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

// spinFor takes d by the clock: what is taken from it before its end makes it no longer.
func spinFor(_ *pool.Worker, d time.Duration) int {
	for begun := time.Now(); time.Since(begun) < d; {
	}
	return 0
}

func spinTree(w *pool.Worker, depth int) int {
	if depth == 0 {
		return spinFor(w, 10*time.Microsecond)
	}
	pool.Invoke(w, spinTree, depth-1, spinTree, depth-1)
	return 0
}

// By the clock the known answers are right within 15 %. What else the machine does makes a
// measurement longer, and none shorter. So the shortest of some is not too long, and no more than a
// quarter of them are too short; it takes more of them while other programs run. If this fails,
// the probe's own time is in the strands, or too much is taken off.
func TestMeasureClock(t *testing.T) {
	const leaf, short = 10 * time.Microsecond, 300 * time.Nanosecond
	const least, most = 11, 1000 // measurements
	p := poolOf(t, 1)
	for _, c := range []struct {
		name       string
		work, span time.Duration // or none, if as long as plain, and path of that
		plain      func()
		path       float64
		forks      int
		f          func(w *pool.Worker)
	}{
		{"chain", 40 * leaf, 40 * leaf, nil, 0, 40, func(w *pool.Worker) {
			for range 40 {
				pool.Fork(w, spinFor, leaf).Join(w)
			}
		}},
		{"tree", 16 * leaf, leaf, nil, 0, 15, func(w *pool.Worker) { spinTree(w, 4) }},
		{"one leaf has half of the work", 80 * leaf, 40 * leaf, nil, 0, 41, func(w *pool.Worker) {
			pool.Invoke(w, spinFor, 40*leaf, func(w *pool.Worker, n int) int {
				for range n {
					pool.Fork(w, spinFor, leaf)
				}
				return 0
			}, 40)
		}},
		// The probe's own time in a strand is a third of it.
		{"short ones", 0, 0, func() {
			for range 400 {
				spinFor(nil, short)
			}
		}, 1, 400, func(w *pool.Worker) {
			for range 400 {
				pool.Fork(w, spinFor, short).Join(w)
			}
		}},
		// The probe's own time is most of each strand: the work is at least what it says, and the span
		// at most.
		{"fib", 0, 0, func() { mustRun(t, p, fib, 20) }, 39.0 / 32836, 10945, func(w *pool.Worker) { fib(w, 20) }},
	} {
		if raceEnabled && c.plain != nil {
			continue // the detector slows what is plain most
		}
		var works, spans, plains []time.Duration
		wrong := func() string {
			work, span := float64(c.work), float64(c.span)
			if c.plain != nil {
				work = float64(slices.Min(plains))
				span = work * c.path
			}
			slices.Sort(works)
			slices.Sort(spans)
			n := len(works)
			bound := float64(works[0]) <= work*1.15 && float64(spans[n/4]) >= span/1.15
			if bound && (c.path > 0 && c.path < 1 || float64(works[n/4]) >= work/1.15 && float64(spans[0]) <= span*1.15) {
				return ""
			}
			return fmt.Sprintf("P34: %s: of %d measurements the least and the lower quartile of the work are %v and %v, want %.0f ns; of the span %v and %v, want %.0f ns",
				c.name, n, works[0], works[n/4], work, spans[0], spans[n/4], span)
		}
		for n := 1; n <= most; n++ {
			if c.plain != nil {
				begun := time.Now()
				c.plain()
				plains = append(plains, time.Since(begun))
			}
			m := measureJob(t, p, c.f)
			works, spans = append(works, m.Work), append(spans, m.Span)
			equal(t, m.Forks, c.forks, "P34: %s: by the clock, forks are", c.name)
			expect(t, m.Span <= m.Work, "P34: %s: the span is %v, and the work %v", c.name, m.Span, m.Work)
			if n >= least && wrong() == "" {
				break
			}
		}
		says := wrong()
		expect(t, says == "", "%s", says)
	}
}
