package par_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Progress is reported at the first end of an element after 50 ms, whatever the function does meanwhile;
// where elements are done in a row, at their end. It never goes back, and ends once. Of a stream nobody
// knows the total before that.
func TestProgressOfSlowFunctions(t *testing.T) {
	const nap, every = 2 * time.Millisecond, 50 * time.Millisecond
	for _, n := range []int{-1, 0, 1, 2, 40, 500, 6000} {
		var s []int
		if n >= 0 {
			s = make([]int, n)
		}
		n := len(s)
		for i := range s {
			s[i] = i * 7919 % 9973
		}
		in := newInput(s)
		in.do = func(int) { time.Sleep(nap) }
		without := 0
		if n == 0 {
			without = some
		}
		for c := range having(0, without) {
			for _, workers := range []int{1, 2, 8} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					begun := time.Now()
					var last, longest time.Duration
					reached, ends := 0, 0
					c.call(in, par.On(p), par.WithProgress(func(done, total int) {
						now := time.Since(begun)
						over := done == total
						if done < reached || total != n && (total != -1 || c.holds&stream == 0) || !over && now-last < every {
							t.Errorf("WithProgress: %s of %d elements reports %d of %d after %d, after %v", c.name, n, done, total, reached, now-last)
						}
						longest, last, reached = max(longest, now-last), now, done
						if over {
							ends++
						}
					}))
					if longest > every+nap && c.holds&each != 0 {
						t.Errorf("WithProgress: %s of %d elements, with a function of %v, on %d workers, is silent for %v", c.name, n, nap, workers, longest)
					}
					if ends != 1 || reached != n {
						t.Errorf("WithProgress: %s of %d elements on %d workers reports the end %d times, and %d at last", c.name, n, workers, ends, reached)
					}
				})
			}
		}
	}
}

// Progress never goes back, never passes the end, and comes to the end once, with the last
// report. No two report at the same time.
func TestProgressAscends(t *testing.T) {
	defer par.ReportAlways()()
	const n = 60_000
	in := newInput(rand.New(rand.NewPCG(1, 2)).Perm(n)) // mixed, so that some sorts go two ways
	for where, p := range map[string]*pool.Pool{"two workers": newPool(t, pool.WithWorkers(2)), "a closed pool": closedPool(t)} {
		t.Run(where, func(t *testing.T) {
			for c := range having(0, stream) {
				var reports, last, ends, jump int
				var inside level
				c.call(in, par.On(p), par.WithProgress(func(done, total int) {
					inside.up()
					defer inside.down()
					if reports++; done < last || done < 0 || done > total || total != n {
						t.Errorf("WithProgress: %s of %d elements on %s reports %d of %d after %d", c.name, n, where, done, total, last)
					}
					jump = max(jump, done-last)
					if last = done; done == total {
						ends++
					}
				}))
				if last != n || ends != 1 || inside.most.Load() != 1 {
					t.Errorf("WithProgress: %s of %d elements on %s reports the end %d times, and at last %d; %d at once", c.name, n, where, ends, last, inside.most.Load())
				}
				// With one goroutine there is a report for each step of a loop.
				if jump > n/7 && where == "a closed pool" && c.function() != "SortKey" {
					t.Errorf("WithProgress: %s of %d elements reports nothing while %d are done: a loop does not count", c.name, n, jump)
				}
				if reports < 3 && strings.HasPrefix(c.name, "Sort") {
					t.Errorf("WithProgress: %s of %d elements on %s reports %d times", c.name, n, where, reports)
				}
			}
		})
	}
}

// A call that its goroutine does alone, which it does here as time stands still, counts each of its steps.
func TestProgressAlone(t *testing.T) {
	defer par.ReportAlways()()
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		p.Close()
		var last, jump int
		for range 3 {
			last, jump = 0, 0
			_ = par.ForErr(background, 1000, func(context.Context, int) error { return nil }, par.On(p), par.WithProgress(func(done, _ int) { jump, last = max(jump, done-last), done }))
		}
		if jump > 1 {
			t.Errorf("WithProgress: ForErr is done alone, and reports nothing while %d of %d elements are done", jump, last)
		}
	})
}

// A panic of the report ends the call, however long that is, when nothing of it runs any more. It counts as
// one of the first element, also if an element fails later.
func TestReportPanics(t *testing.T) {
	on := func(what string, call func(report, on par.Option, reported chan struct{})) {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			reported := make(chan struct{})
			report := par.WithProgress(func(int, int) { close(reported); panic("enough") })
			if v := caught(func() { call(report, par.On(p), reported) }); v != "enough" {
				t.Errorf("F2: the report panics, of %s, which panics with %v, or returns", what, v)
			}
		})
	}
	for c := range having(each, 0) {
		var running level
		on(c.name, func(report, on par.Option, _ chan struct{}) {
			c.over(100, func(int) { running.during(func() { time.Sleep(20 * time.Millisecond) }) }, on, report)
		})
		if n := running.now.Load(); n != 0 {
			t.Errorf("F4: the report of %s panics, and %d calls run", c.name, n)
		}
	}
	on("a long loop", func(report, on par.Option, _ chan struct{}) {
		par.For(20_000, func(int) { time.Sleep(10 * time.Microsecond) }, on, report)
	})
	for how := byError; how <= byPanic; how++ {
		on(fmt.Sprintf("a loop whose element fails by %d", how), func(report, on par.Option, reported chan struct{}) {
			_ = par.ForErr(background, 3, func(_ context.Context, i int) error {
				if time.Sleep(60 * time.Millisecond); i == 2 {
					<-reported
					return how.fail(i)
				}
				return nil
			}, on, report)
		})
	}
}

// Ranges have grown long when elements do.
func TestProgressWhereElementsGetLong(t *testing.T) {
	const n, nap, every = 20_000, 2 * time.Millisecond, 50 * time.Millisecond
	for _, workers := range []int{1, 2} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			begun := time.Now()
			var last, longest time.Duration
			par.For(n, func(i int) {
				if i >= n/2 && i < n/2+500 {
					time.Sleep(nap)
				}
			}, par.On(p), par.WithProgress(func(int, int) {
				now := time.Since(begun)
				longest, last = max(longest, now-last), now
			}))
			if longest > every+nap {
				t.Errorf("WithProgress: For of elements that get long, on %d workers, is silent for %v", workers, longest)
			}
		})
	}
}
