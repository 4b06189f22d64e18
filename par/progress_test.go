package par_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Progress is reported at the first end of an element after 50 ms, whatever the function does meanwhile;
// where elements are done in a row, at their end. It never goes back, and ends once.
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
		without := stream
		if n == 0 {
			without |= some
		}
		for c := range having(0, without) {
			for _, workers := range []int{1, 2, 8} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					begun := time.Now()
					var last, longest time.Duration
					reached, ends := 0, 0
					c.call(in, par.On(p), par.WithProgress(func(done, total int) {
						now := time.Since(begun)
						if done < reached || total != n || done < total && now-last < every {
							t.Errorf("WithProgress: %s of %d elements reports %d of %d after %d, after %v", c.name, n, done, total, reached, now-last)
						}
						longest, last, reached = max(longest, now-last), now, done
						if done == total {
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

// What is kept for the next call does not keep the function of the last one.
func TestReportForgotten(t *testing.T) {
	for c := range having(0, 0) {
		kept := func() weak.Pointer[[4]int] { // a frame of its own, which is gone then
			seen := new([4]int)
			c.call(newInput(indices(20)), par.WithProgress(func(done, _ int) { seen[0] = done }))
			return weak.Make(seen)
		}()
		for range 10 {
			runtime.GC()
			if kept.Value() == nil {
				break
			}
		}
		if kept.Value() != nil {
			t.Errorf("F4: %s has returned, and the function for its progress is kept", c.name)
		}
	}
}

// A panic of the report ends the call, when nothing of it runs any more.
func TestReportPanics(t *testing.T) {
	for c := range having(each, 0) {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			var running level
			v := caught(func() {
				c.over(100, func(int) { running.during(func() { time.Sleep(20 * time.Millisecond) }) },
					par.On(p), par.WithProgress(func(int, int) { panic("enough") }))
			})
			if v != "enough" || running.now.Load() != 0 {
				t.Errorf("F2: the report of %s panics, and it panics with %v; %d calls run", c.name, v, running.now.Load())
			}
		})
	}
	inBubble(t, 3, func(t *testing.T, p *pool.Pool) {
		v := caught(func() {
			par.For(math.MaxInt, func(int) { time.Sleep(10 * time.Microsecond) }, par.On(p), par.WithProgress(func(int, int) { panic("enough") }))
		})
		if v != "enough" {
			t.Errorf("WithProgress: the report panics, however long the call is, and that does with %v", v)
		}
	})
}

// A panic of the report counts as one of the first element, also if an element fails later.
func TestReportPanicsBeforeError(t *testing.T) {
	for _, late := range []string{"error", "panic"} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			synctest.Wait() // until both sleep
			reported := make(chan struct{})
			var err error
			v := caught(func() {
				err = par.ForErr(background, 3, func(_ context.Context, i int) error {
					if time.Sleep(60 * time.Millisecond); i == 2 {
						<-reported
						if late == "panic" {
							panic(failure(i))
						}
						return failure(i)
					}
					return nil
				}, par.On(p), par.WithProgress(func(int, int) { close(reported); panic("enough") }))
			})
			if v != "enough" {
				t.Errorf("F2: the report panics, then element 2 fails by %s: the call panics with %v, or returns %v", late, v, err)
			}
		})
	}
}

// What a call has done alone, before it was shared, counts as progress.
func TestProgressOfMispredicted(t *testing.T) {
	mispredicted(t, func(t *testing.T, p *pool.Pool, call int) {
		const long = 100 * time.Millisecond
		var reports []string
		right, begun := 0, time.Now()
		par.For(10, func(i int) {
			if call == 2 {
				time.Sleep(long)
			}
		}, par.On(p), par.WithProgress(func(done, _ int) {
			// Of two that end at the same time the first reports, and counts the other one if that was quick.
			at := time.Since(begun)
			if at == time.Duration(len(reports)+1)*long && done/2 == len(reports) && done > 0 {
				right++
			}
			reports = append(reports, fmt.Sprint(done, " after ", at))
		}))
		if call == 2 && (right != 6 || len(reports) != 6) {
			t.Errorf("WithProgress: one of ten elements of 100 ms is done alone and reports, two and two the others, of which the first reports; the reports are %q", reports)
		}
	})
}

// What is reported as done is done, and what the caller has done alone counts.
func TestProgressIsExact(t *testing.T) {
	defer par.ReportAlways()()
	closed, _ := pool.New()
	closed.Close()
	calls, reports := 0, 0
	par.For(200, func(int) { calls++; spin(2 * time.Microsecond) }, par.On(closed), par.WithProgress(func(done, _ int) {
		if reports++; done != calls {
			t.Errorf("WithProgress: For has called its body %d times, and reports %d", calls, done)
		}
	}))
	if reports < 2 {
		t.Errorf("WithProgress: For of 200 elements of 2 µs, with reports as often as it looks, reports %d times", reports)
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
