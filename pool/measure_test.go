package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/loops"
	"github.com/rouse-go/rouse/pool/measure"
)

const ms = time.Millisecond

// measureJob measures f, which must return.
func measureJob(t *testing.T, p *pool.Pool, f func(w *pool.Worker)) measure.Profile {
	t.Helper()
	profile, err := p.Measure(background, f)
	check(t, err == nil, "P34: Measure returned the error %v", err)
	return profile
}

func sleepFor(_ *pool.Worker, d time.Duration) int { time.Sleep(d); return 0 }

// sleepTree sleeps for a millisecond in each leaf.
func sleepTree(w *pool.Worker, depth int) int {
	if depth == 0 {
		return sleepFor(w, ms)
	}
	pool.Invoke(w, sleepTree, depth-1, sleepTree, depth-1)
	return 0
}

// sleepAside is a fork that another worker runs while the caller is in Block, for d.
func sleepAside(w *pool.Worker, fork, d time.Duration) pool.Forked[time.Duration, int] {
	f := pool.Fork(w, sleepFor, fork)
	w.Block(func() { time.Sleep(d) })
	return f
}

// If this fails, a user is told another work, span or number of forks than the program has.
func TestMeasureKnown(t *testing.T) {
	type known struct {
		work, span, waited time.Duration
		forks              int
	}
	for _, c := range []struct {
		name string
		known
		f func(w *pool.Worker)
	}{
		{"nothing", known{}, func(*pool.Worker) {}},
		{"chain", known{10 * ms, 10 * ms, 0, 10}, func(w *pool.Worker) {
			for range 10 {
				pool.Fork(w, sleepFor, ms).Join(w)
			}
		}},
		{"tree", known{64 * ms, ms, 0, 63}, func(w *pool.Worker) { sleepTree(w, 6) }},
		{"one leaf has half of the work", known{20 * ms, 10 * ms, 0, 10}, func(w *pool.Worker) {
			var forks []pool.Forked[time.Duration, int]
			for i := range 10 {
				forks = append(forks, pool.Fork(w, sleepFor, []time.Duration{ms, 10 * ms}[i/9]))
			}
			sleepFor(w, ms)
			for _, f := range forks { // the oldest first
				f.Join(w)
			}
		}},
		{"not joined", known{4 * ms, 3 * ms, 0, 1}, func(w *pool.Worker) {
			//lint:ignore rouseworker left behind
			pool.Fork(w, sleepFor, 3*ms)
			sleepFor(w, ms)
		}},
		{"not joined by a fork", known{6 * ms, 5 * ms, 0, 2}, func(w *pool.Worker) {
			pool.Fork(w, func(w *pool.Worker, d time.Duration) int {
				//lint:ignore rouseworker left behind
				pool.Fork(w, sleepFor, 3*d)
				return sleepFor(w, d)
			}, ms).Join(w)
			sleepFor(w, 2*ms)
		}},
		{"scope", known{12 * ms, 8 * ms, 0, 3}, func(w *pool.Worker) {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				sleepFor(w, ms)
				s.Spawn(w, func(w *pool.Worker) {
					sleepFor(w, 2*ms)
					s.Spawn(w, func(w *pool.Worker) { sleepFor(w, 2*ms) })
				})
				sleepFor(w, ms)
				s.Spawn(w, func(w *pool.Worker) { sleepFor(w, 4*ms) })
			})
			sleepFor(w, 2*ms)
		}},
		{"group", known{5 * ms, 4 * ms, 0, 2}, func(w *pool.Worker) {
			_ = w.Group(background, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
				g.SetLimit(1)
				for d := range 2 {
					g.Spawn(w, func(context.Context, *pool.Worker) error { time.Sleep(time.Duration(d+1) * ms); return nil })
				}
				return nil
			})
			sleepFor(w, ms)
			_ = w.Group(background, func(context.Context, *pool.Worker, *pool.Group) error { time.Sleep(ms); return nil })
		}},
		{"block", known{2 * ms, 5 * ms, 3 * ms, 0}, func(w *pool.Worker) {
			sleepFor(w, ms)
			w.Block(func() { time.Sleep(3 * ms) })
			sleepFor(w, ms)
		}},
		{"a Run in Block", known{3 * ms, 4 * ms, 2 * ms, 1}, func(w *pool.Worker) {
			w.Block(func() {
				time.Sleep(ms)
				mustRun(t, w.Pool(), func(w *pool.Worker, d time.Duration) int {
					pool.Invoke(w, sleepFor, d, sleepFor, 2*d)
					return 0
				}, ms)
				time.Sleep(ms)
			})
		}},
		{"a handle", known{ms, 4 * ms, 3 * ms, 0}, func(w *pool.Worker) {
			h := submitted(t, w.Pool(), func(w *pool.Worker) int { return sleepFor(w, 3*ms) })
			_, _ = h.Join(w)
			sleepFor(w, ms)
		}},
		{"stolen", known{5 * ms, 5 * ms, 2 * ms, 1}, func(w *pool.Worker) {
			sleepAside(w, 4*ms, 2*ms).Join(w)
			sleepFor(w, ms)
		}},
		{"stolen and done", known{3 * ms, 4 * ms, 3 * ms, 1}, func(w *pool.Worker) {
			f := sleepAside(w, 2*ms, 3*ms)
			sleepFor(w, ms)
			f.Join(w)
		}},
		{"recovered", known{4 * ms, 3 * ms, 0, 2}, func(w *pool.Worker) {
			defer func() { recover(); sleepFor(w, ms) }()
			pool.Both(w, func(w *pool.Worker) int { sleepFor(w, ms); return pool.Fork(w, sleepFor, ms).Join(w) },
				func(w *pool.Worker) int { sleepFor(w, ms); panic("P34") })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := measureJob(t, poolOf(t, 2), c.f)
				equal(t, known{p.Work, p.Span, p.Waited, p.Forks}, c.known, "P34: %s: work, span, waits and forks are", c.name)
				equal(t, p.Parallelism(), float64(max(c.work, 1))/float64(max(c.span, 1)), "P34: %s: the parallelism is", c.name)
				sum := p.Rest
				for _, s := range p.Sites {
					sum += s.Span
				}
				equal(t, sum, c.span, "P34: %s: the shares of the sites are", c.name)
			})
		})
	}
}

// lineOf returns the line of its caller.
func lineOf() int { _, _, line, _ := runtime.Caller(1); return line }

// If this fails, a user looks for the span in the wrong place.
func TestMeasureSites(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var short, long, spawn, both int
		m := measureJob(t, poolOf(t, 2), func(w *pool.Worker) {
			sleepFor(w, ms)
			f := pool.Fork(w, sleepFor, 5*ms)
			short = lineOf() - 1
			pool.Invoke(w, sleepFor, 20*ms, sleepFor, 3*ms)
			long = lineOf() - 1
			f.Join(w)
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				s.Spawn(w, func(w *pool.Worker) { sleepFor(w, 7*ms) })
				spawn = lineOf() - 1
			})
			pool.Both(w, func(w *pool.Worker) int { return sleepFor(w, 4*ms) }, func(*pool.Worker) int { return 0 })
			both = lineOf() - 1
		})
		var lines []int
		var spans []time.Duration
		for _, s := range m.Sites {
			lines, spans = append(lines, s.Line), append(spans, s.Span)
			says(t, "P34: a site", s.File, "measure_test.go")
			says(t, "P34: a site", s.Function, "TestMeasureSites")
		}
		check(t, slices.Equal(spans, []time.Duration{20 * ms, 7 * ms, 4 * ms, ms}), "P34: the shares of the span are %v", spans)
		check(t, slices.Equal(lines[:3], []int{long, spawn, both}), "P34: the sites of the span are %v, want %d, %d and %d; %d has no share",
			lines, long, spawn, both, short)
		says(t, "P34: the profile", m.String(),
			fmt.Sprintf("Your parallelism is at least 1.2: the span is at most 80 %% of the work, most of it in measure_test.go:%d (pool_test.TestMeasureSites", long),
			"Work 40ms, span 32ms; 4 forks.\n", fmt.Sprintf("    62 %%        20ms  measure_test.go:%d", long))
	})
}

// If this fails, a user reads that a program which waits is slower than on one processor.
func TestMeasureWaits(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		m := measureJob(t, poolOf(t, 1), func(w *pool.Worker) {
			sleepFor(w, ms)
			w.Block(func() { time.Sleep(4 * ms) })
		})
		says(t, "P34: the profile", m.String(),
			"Your span is longer than your work, as it has waits: 5ms, whatever the machine, most of it in measure_test.go:",
			"Jobs waited for 4ms")
	})
}

// If this fails, a profile with many sites is long, or does not say how much it leaves out.
func TestMeasureManySites(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		m := measureJob(t, poolOf(t, 1), func(w *pool.Worker) {
			pool.Invoke(w, sleepFor, 1*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 2*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 3*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 4*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 5*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 6*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 7*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 8*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 9*ms, sleepFor, 0)
			pool.Invoke(w, sleepFor, 10*ms, sleepFor, 0)
		})
		equal(t, len(m.Sites), 8, "P34: the sites are")
		equal(t, m.Rest, 3*ms, "P34: the share of other sites is")
		says(t, "P34: the profile", m.String(), "3ms  other places")
	})
}

// If this fails, a measurement within another one is missing in that, or changes it.
func TestMeasureNested(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := poolOf(t, 2)
		var inner measure.Profile
		outer := measureJob(t, p, func(w *pool.Worker) {
			sleepFor(w, ms)
			before := pool.Fork(w, sleepFor, 2*ms)
			inner = measureJob(t, p, func(v *pool.Worker) {
				expect(t, v == w, "P34: a Measure in a job runs as another worker")
				pool.Invoke(v, sleepFor, 3*ms, sleepFor, 4*ms)
			})
			before.Join(w)
		})
		equal(t, [3]any{inner.Work, inner.Span, inner.Forks}, [3]any{7 * ms, 4 * ms, 1}, "P34: the inner one is")
		equal(t, [3]any{outer.Work, outer.Span, outer.Forks}, [3]any{10 * ms, 5 * ms, 2}, "P34: the outer one is")
		do(t, p, func(w *pool.Worker) { // a job that is not measured
			before := pool.Fork(w, sleepFor, 2*ms)
			m := measureJob(t, p, func(w *pool.Worker) {
				before.Join(w) // a part of what is measured
				sleepTree(w, 1)
			})
			// It waits for the fork, if the other worker has taken that.
			equal(t, [3]any{m.Work + m.Waited, m.Span, m.Forks}, [3]any{4 * ms, 3 * ms, 1}, "P34: measured in a job:")
		})
	})
}

// If this fails, the pieces of a loop follow each other in a profile, or what goes on beside them is
// lost.
func TestMeasureFan(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := poolOf(t, 1)
		m := measureJob(t, p, func(w *pool.Worker) {
			equal(t, loops.Measured(), w, "P34: the worker that is measured is")
			sleepFor(w, ms)
			f := loops.NewFan(w)
			defer f.Close()
			for range 4 {
				took := f.Piece(func() {
					sleepTree(w, 1)
					sleepFor(w, ms)
				})
				equal(t, took, 3*ms, "P34: a piece takes")
			}
			f.Resume()
			sleepFor(w, ms)
			f.Piece(func() { sleepFor(w, 3*ms) })
		})
		equal(t, [3]any{m.Work, m.Span, m.Forks}, [3]any{17 * ms, 5 * ms, 8}, "P34: five pieces:")
		do(t, p, func(w *pool.Worker) { expect(t, loops.Measured() == nil, "P34: a job is measured by nobody") })
	})
}
