package par_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Each element is done once, whatever the operation.
func TestOnce(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for size, n := range []int{0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 8191, 8192, 8193, 100_000} {
			in := newInput(indices(n))
			for kind, work := range works {
				if n > work.most {
					continue
				}
				done := make([]atomic.Int32, n)
				once := func(what string, but int) {
					t.Helper()
					for i := range done {
						if got := done[i].Swap(0); got != 1 && i != but {
							t.Fatalf("F1: %s over %d elements of %s: element %d was done %d times", what, n, work.name, i, got)
						}
					}
				}
				in.do = func(i int) { work.do(i); done[i].Add(1) }
				call := size + kind
				for c := range having(each, stream) { // of streams see TestStreams
					// Each of the others has a third of the lengths with each work, and a third of the works
					// at each length.
					if call++; (n > 1000 || call%3 > 0) && !strings.Contains("For Each ForErr", c.name) {
						continue
					}
					but := -1
					if c.name == "CompactFunc" {
						but = n - 1 // nothing is after it
					}
					if c.call(in, par.On(p)); in.err != nil {
						t.Errorf("F1: %s without an error returned %v", c.name, in.err)
					}
					once(c.name, but)
				}
				par.ForRange(n, func(lo, hi int) {
					if lo >= hi {
						t.Errorf("F1: ForRange over %d has a range %d to %d", n, lo, hi)
					}
					for i := lo; i < hi; i++ {
						in.do(i)
					}
				}, par.On(p))
				once("ForRange", -1)
			}
		}
	})
}

// No element holds others up, in any shape, in the first call on a new pool, in later ones, and in
// a job.
func TestNothingHeldUp(t *testing.T) {
	for _, workers := range []int{2, 8, 64} {
		for what, of := range shapes {
			for c := range having(each, 0) {
				for _, n := range []int{2, workers, 400} {
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
						call := func(where string) {
							var under level
							begun := time.Now()
							c.over(n, func(i int) { under.during(func() { time.Sleep(d[i]) }) }, par.On(p))
							// The caller may do one besides. In a job, and beside a live source, so may another.
							if got := int(under.most.Load()); got > workers+1 && c.holds&stream == 0 {
								t.Errorf("F7: of %s on %d workers %d elements were under way", c.name, workers, got)
							}
							if took, most := time.Since(begun), mostFor(d, workers); took > most {
								t.Errorf("F7: %s of %d elements, %s, on %d workers, %s: %v, want at most %v", c.name, n, what, workers, where, took, most)
							}
						}
						for _, where := range []string{"first call", "second call", "third call"} {
							if call(where); c.holds&stream != 0 {
								inJob(p, func(*pool.Worker) { call(where + ", in a job") })
							}
						}
					})
				}
			}
		}
	}
}

// Of folds the longest part is what the longest element is of loops, with the merges that follow
// it, up to 21 in a row. A scan goes over its parts twice, and calls its function once for each in between.
func TestPartsNotHeldUp(t *testing.T) {
	took := func(c operation, workers, n int, nap func(i int)) (took time.Duration, calls int) {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			var called atomic.Int64
			begun := time.Now()
			c.over(n, func(i int) { called.Add(1); nap(i) }, par.On(p))
			took, calls = time.Since(begun), int(called.Load())
		})
		return took, calls
	}
	for _, workers := range []int{2, 8, 64} {
		for c := range having(0, each|plain|stream) {
			for _, n := range []int{2, 31, 64, 400, 2000} {
				part, alone := max(1, n/256), 0
				switch c.name {
				case "Fold.merge", "FoldErr.merge", "FoldRange.op", "Reduce", "MinFunc", "MaxFunc":
					part += 21
				case "Fold.start", "Fold.add", "FoldErr.start", "FoldErr.add", "FoldRange.leaf", "CountFunc":
				case "FoldBy.start", "FoldBy.add":
					part = max(1, min(64, n/16), (n+255)/256)
				case "Scan", "ScanInto", "ScanExclusive":
					part = int(math.Sqrt(float64(n)))
					alone = 2*part + (n+part-1)/part
				default:
					continue
				}
				got, calls := took(c, workers, n, func(int) { time.Sleep(time.Millisecond) })
				if most := time.Duration(calls/workers+2*part+alone) * time.Millisecond; got > most {
					t.Errorf("F7: %s of %d elements on %d workers took %v, want at most %v", c.name, n, workers, got, most)
				}
			}
		}
		for what, of := range shapes {
			for c := range having(inParts, 0) {
				n := 400 // parts of one element
				switch c.function() {
				case "FoldBy":
					n = 31
				case "Reduce":
					continue
				}
				d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
				if got, _ := took(c, workers, n, func(i int) { time.Sleep(d[i]) }); got > mostFor(d, workers) {
					t.Errorf("F7: %s of %d elements, %s, on %d workers took %v, want at most %v", c.name, n, what, workers, got, mostFor(d, workers))
				}
			}
		}
	}
}

// Of ForRange the longest range is what the longest element is of loops. In a shared call the
// first 64 have one element each.
func TestRangesNotHeldUp(t *testing.T) {
	for _, workers := range []int{2, 8, 64} {
		for what, of := range shapes {
			for _, n := range []int{2, 64, 5000} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
					var mu sync.Mutex
					longest, ranges := time.Duration(0), 0
					begun := time.Now()
					par.ForRange(n, func(lo, hi int) {
						mu.Lock()
						if ranges++; ranges <= 64 && hi-lo != 1 {
							t.Errorf("F7: of ForRange over %d elements range %d has %d", n, ranges, hi-lo)
						}
						longest = max(longest, sumOf(d[lo:hi]))
						mu.Unlock()
						time.Sleep(sumOf(d[lo:hi]))
					}, par.On(p))
					if took, most := time.Since(begun), sumOf(d)/time.Duration(workers)+2*longest; took > most {
						t.Errorf("F7: ForRange over %d elements, %s, on %d workers, took %v, want at most %v", n, what, workers, took, most)
					}
				})
			}
		}
	}
}

// The same in a job, and in the elements of another loop.
func TestNothingHeldUpInside(t *testing.T) {
	const workers, n, outer = 8, 100, 12
	d := shapes["one in six is long"](rand.New(rand.NewPCG(1, n)), n)
	nap := func(i int) { time.Sleep(d[i]) }
	inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
		begun := time.Now()
		inJob(p, func(w *pool.Worker) {
			par.For(n, nap, par.In(w))
			par.For(n, nap, par.On(p))
		})
		if took, most := time.Since(begun), 2*mostFor(d, workers); took > most {
			t.Errorf("F7: two loops in a job on %d workers took %v, want at most %v", workers, took, most)
		}
		// An outer element is as long as the inner loop would be alone.
		begun = time.Now()
		par.For(outer, func(int) { par.For(n, nap, par.On(p)) }, par.On(p))
		if took, most := time.Since(begun), outer*sumOf(d)/workers+2*sumOf(d); took > most {
			t.Errorf("F7: %d loops in a loop on %d workers took %v, want at most %v", outer, workers, took, most)
		}
	})
}

// As many equal elements as workers run side by side: in each operation, in the first call on a
// new pool and in later ones, in a job, and in an element of another loop.
func TestOneEach(t *testing.T) {
	const long = 20 * time.Millisecond
	places := map[string]func(p *pool.Pool, call func()){
		"outside of jobs": func(_ *pool.Pool, call func()) { call() },
		"in a job":        func(p *pool.Pool, call func()) { inJob(p, func(*pool.Worker) { call() }) },
		"in an element": func(p *pool.Pool, call func()) {
			par.For(2, func(i int) {
				if i == 1 {
					call()
				}
			}, par.On(p))
		},
	}
	for _, workers := range []int{2, 3, 8, 64} {
		for c := range having(each, 0) {
			for where, in := range places {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					for round := range 3 {
						if round > 0 {
							synctest.Wait() // a caller that finds no worker asleep does one element before others come
						}
						begun := time.Now()
						in(p, func() {
							if c.holds&stream != 0 && where == "in an element" {
								synctest.Wait() // so does a stream, whose caller may find that the other worker has just ended an element
							}
							c.over(workers, func(int) { time.Sleep(long) }, par.On(p))
						})
						if took := time.Since(begun); took > long {
							t.Errorf("F7: %s of %d elements of %v on as many workers, call %d on a new pool, %s, took %v", c.name, workers, long, round, where, took)
						}
					}
				})
			}
		}
	}
}

// Ranges of many elements are called back when those get long. There is a look after each
// four of them, which so count as one.
func TestCalledBack(t *testing.T) {
	const dear, long = 64, 5 * time.Millisecond
	for _, at := range []struct{ n, first int }{
		{20_000, 100}, {20_000, 6666}, {20_000, 10_000}, {20_000, 20_000 - dear},
		{300_000, 300_000 - dear}, {2_000_000, 2_000_000 - dear},
	} {
		for _, workers := range []int{2, 8, 64} {
			for what, c := range map[string]struct {
				workers int
				o       []par.Option
			}{
				"on %d workers":         {workers, nil},
				"with a limit of %d":    {1, []par.Option{par.WithLimit(workers)}},
				"as the limit says, %d": {64, []par.Option{par.WithLimit(workers)}},
			} {
				inBubble(t, c.workers, func(t *testing.T, p *pool.Pool) {
					begun := time.Now()
					par.For(at.n, func(i int) {
						if i >= at.first && i < at.first+dear {
							time.Sleep(long)
						}
					}, append(c.o, par.On(p))...)
					if took, most := time.Since(begun), dear*long/time.Duration(workers)+2*4*long; took > most {
						t.Errorf("F7: %d elements that take nothing, but for %d of %v from %d on, "+what+", took %v, want at most %v", at.n, dear, long, at.first, workers, took, most)
					}
				})
			}
		}
	}
}

// So many elements are under way as the limit says, also more than there are workers, and none
// holds others up. A stream has so many on a closed pool, too, and in a job.
func TestLimit(t *testing.T) {
	const n = 40
	for _, workers := range []int{1, 2, 64} {
		for _, limit := range []int{1, 2, 7, 16, 100} {
			for c := range having(each, 0) {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					check := func(where, what string) time.Duration {
						d := shapes[what](rand.New(rand.NewPCG(1, n)), n)
						var under level
						var calls atomic.Int32
						begun := time.Now()
						c.over(n, func(i int) {
							calls.Add(1)
							under.during(func() { time.Sleep(d[i]) })
						}, par.On(p), par.WithLimit(limit))
						took, most := time.Since(begun), mostFor(d, limit)
						if what == "equal" {
							most = time.Duration((int(calls.Load())+limit-1)/limit) * d[0]
						}
						if under.now.Load() != 0 {
							t.Errorf("F4: %s with a limit of %d is over, and %d elements are under way", c.name, limit, under.now.Load())
						}
						if took > most || int(under.most.Load()) > limit || calls.Load() < n-1 {
							t.Errorf("F7: %s of %d elements, %s, %d at a time, on %d workers, %s, took %v, want at most %v; %d were under way", c.name, n, what, limit, workers, where, took, most, under.most.Load())
						}
						return took
					}
					if c.holds&stream == 0 {
						check("outside of jobs", "equal")
						return
					}
					for what := range shapes {
						check("outside of jobs", what)
						inJob(p, func(*pool.Worker) { check("in a job", what) })
					}
					p.Close()
					for what := range shapes {
						check("closed", what)
					}
				})
			}
		}
	}
}

// A limit holds for ranges, and for the parts of folds, and so many are under way.
func TestLimitOfParts(t *testing.T) {
	for _, workers := range []int{1, 8} {
		for _, limit := range []int{1, 2, 16} {
			for c := range having(0, each|plain|stream) {
				switch c.function() {
				case "ForRange", "ForRangeErr", "Fold", "FoldErr", "FoldRange", "FoldBy", "Reduce", "MinFunc", "MaxFunc", "CountFunc":
				default:
					continue
				}
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					var under level
					c.over(300, func(int) { under.during(func() { time.Sleep(time.Millisecond) }) }, par.On(p), par.WithLimit(limit))
					if most := int(under.most.Load()); most > limit || most < limit && c.name != "FoldBy.merge" {
						t.Errorf("F7: %s, %d at a time, on %d workers: %d were under way", c.name, limit, workers, most)
					}
				})
			}
		}
	}
}

// A job whose loop has a limit above the number of workers gives up its own, so that what it
// waits for can run.
func TestLimitInJob(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, p *pool.Pool) {
		err := inJob(p, func(w *pool.Worker) {
			var begun sync.WaitGroup
			begun.Add(2)
			par.For(2, func(int) {
				begun.Done()
				begun.Wait() // each on its own goroutine
				onWorker(p)
			}, par.In(w), par.WithLimit(2))
		})
		if err != nil {
			t.Errorf("F5: Run of a job with a limited loop returned %v", err)
		}
		// So it does with the seat of another pool that it has beneath, also after an element on the
		// caller's goroutine has got that back by a Run.
		q := newPool(t, pool.WithWorkers(1))
		err = inJob(p, func(w *pool.Worker) {
			par.For(2, func(i int) {
				time.Sleep(time.Duration(i) * time.Second)
				// The context says that it goes on as w, if it is on that goroutine.
				//lint:ignore rouseworker a context may have that worker
				pool.Run(pool.NewContext(background, w), p, func(*pool.Worker, int) int { return 0 }, 0)
			}, par.On(q), par.WithLimit(2))
		})
		if err != nil {
			t.Errorf("F5: Run of a job with a limited loop on another pool returned %v", err)
		}
	})
}

// onWorker waits for a job that needs a worker of the pool.
func onWorker(p *pool.Pool) error {
	h, err := pool.Submit(p, func(*pool.Worker) int { return 0 })
	if err == nil {
		_, err = h.Wait(background)
	}
	return err
}

// A job gives up its worker also for a single element, or a window of one, unless the element
// has it.
func TestLimitOfOneElement(t *testing.T) {
	for c := range having(each|inParts, forks) {
		inBubble(t, 1, func(t *testing.T, p *pool.Pool) {
			inJob(p, func(w *pool.Worker) {
				c.over(1, func(int) {
					ran := make(chan error, 1)
					go func() { ran <- onWorker(p) }()
					select {
					case <-ran:
					case <-time.After(time.Second):
						t.Errorf("F5: %s of one element with a limit keeps its worker from a job that the element waits for", c.name)
					}
				}, par.In(w), par.WithLimit(2), par.WithWindow(1))
			})
		})
	}
}

// A call that is short, and follows short ones of the same function, is done alone; one long
// one ends that.
func TestShortFollowsShort(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		var nap time.Duration
		spawned := func() uint64 {
			before := p.Stats().Spawned
			par.For(10, func(int) { time.Sleep(nap) }, par.On(p))
			return p.Stats().Spawned - before
		}
		spawned()
		spawned()
		if n := spawned(); n != 0 {
			t.Errorf("F7: the third short call in a row calls for help %d times", n)
		}
		nap = time.Millisecond
		begun := time.Now()
		if spawned() == 0 {
			t.Error("F7: a long call that follows short ones does not call for help")
		}
		if took := time.Since(begun); took > 6*time.Millisecond {
			t.Errorf("F7: a call of ten elements of 1 ms that follows short ones took %v on 2 workers, want 6ms at most", took)
		}
		nap = 0
		if spawned() == 0 {
			t.Error("F7: a call that follows a long one does not call for help")
		}
	})
}

// A clock that stands still shows no short calls, so all are shared.
func TestBubble(t *testing.T) {
	inBubble(t, 3, func(t *testing.T, p *pool.Pool) {
		for call := range 5 { // from the third on it seems to be short
			before := p.Stats().Spawned
			var n atomic.Int64
			par.For(100_000, func(int) { n.Add(1) }, par.On(p))
			if n.Load() != 100_000 || p.Stats().Spawned == before {
				t.Errorf("F7: in a bubble, call %d of For did %d elements, and called for help %d times", call, n.Load(), p.Stats().Spawned-before)
			}
		}
		before := p.Stats()
		results := 0
		if err := mapSeq(background, upTo(1000), doubled, func(int) error { results++; return nil }, par.On(p)); err != nil || results != 1000 {
			t.Errorf("F7: in a bubble: %d results, %v", results, err)
		}
		if after := p.Stats(); after.Borrowed+after.Injected == before.Borrowed+before.Injected {
			t.Errorf("F7: in a bubble, nobody helps a stream")
		}
	})
}

// lengthsOfNotes are operations that call a function of the user's, and how many elements they have
// for it to be called often enough.
var lengthsOfNotes = map[string]int{
	"For": 4, "Reduce": 16, "Scan": 16, "ScanInto": 16, "ScanExclusive": 16, "CountInto": 16, "GroupBy": 16,
	"CompactFunc": 10_000, "IsSortedFunc": 300, "MergeFunc": 10_000, "NthFunc": 8000, "TopKFunc": 16_000,
	"Do": 16, "DoErr": 16, "Fold.start": 16, "Fold.add": 16, "Fold.merge": 16, "FoldErr.start": 16, "FoldErr.add": 16,
	"FoldErr.merge": 16, "FoldRange.leaf": 16, "FoldRange.op": 16, "FoldBy.key": 16, "FoldBy.start": 16, "FoldBy.add": 16,
}

// That calls of one function are short says nothing of those of another one, which is at another
// place of the source, though other functions of the call are the same.
func TestNotesAreOfTheFunction(t *testing.T) {
	for _, c := range table {
		n, ok := lengthsOfNotes[c.name]
		if !ok {
			continue
		}
		took := func(before int) (took time.Duration) {
			inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
				quick, slow := newInput(indices(n)), newInput(indices(n))
				quick.body, quick.add, quick.bucket = func(int) {}, add, bucket
				quick.cmp, quick.eq = cmp.Compare[int], func(a, b int) bool { return a == b }
				quick.zero, quick.tryAdd, quick.leaf = zero, tryAdd, first
				for i := range n / 2 {
					quick.fns[i] = func() {}
					quick.tries[i] = func(context.Context) error { return nil }
				}
				for range before {
					c.call(quick, par.On(p))
				}
				slow.do = func(int) { time.Sleep(time.Second) }
				synctest.Wait() // a caller beside two workers would be a third
				begun := time.Now()
				c.call(slow, par.On(p))
				took = time.Since(begun)
			})
			return took
		}
		if first, later := took(0), took(3); later > first {
			t.Errorf("F7: a call of %s with a slow function takes %v, and %v after short ones with another function", c.name, first, later)
		}
	}
}

// What compares as sorts do is shared, by blocks of as many elements as the documentation says.
func TestSlowComparisons(t *testing.T) {
	const nap = time.Millisecond
	for name, c := range map[string]struct {
		n           int
		alone       int // how often the caller compares before others can help
		block, more int // how many comparisons a block takes, and how many come after all blocks
		call        func(in *input, o par.Option)
	}{
		"IsSortedFunc": {20_000, 255, 1, 0, func(in *input, o par.Option) { par.IsSortedFunc(in.s, in.cmp, o) }},
		"MergeFunc":    {40_000, 15, 2048 + 15, 0, func(in *input, o par.Option) { par.MergeFunc(in.low, in.high, in.cmp, o) }},
		"TopKFunc":     {80_000, 0, 8192, 8 * 100, func(in *input, o par.Option) { par.TopKFunc(in.s, 1, func(a, b int) int { return in.cmp(b, a) }, o) }},
	} {
		for _, workers := range []int{2, 8} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				in := newInput(indices(c.n))
				in.do = func(int) { time.Sleep(nap) }
				begun := time.Now()
				c.call(in, par.On(p))
				most := time.Duration(c.alone+c.n/workers+2*c.block+c.more) * nap
				if took := time.Since(begun); took > most {
					t.Errorf("F7: %s of %d elements on %d workers, with comparisons of %v, took %v, want at most %v", name, c.n, workers, nap, took, most)
				}
			})
		}
	}
}

// Calls nest in loops, in jobs, in several pools and with a lock held, and give what they give alone.
func TestNested(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(2)), newPool(t, pool.WithWorkers(1))
	alone := closedPool(t)
	var mu sync.Mutex
	for c := range having(0, stream) {
		results := func(on par.Option) []any {
			return shown(func(i int) {
				if i%331 == 17 {
					spin(10 * time.Microsecond)
				}
			}).results(c, on)
		}
		want := results(par.On(alone))
		check := func(where string, on par.Option) {
			if !reflect.DeepEqual(results(on), want) {
				t.Errorf("F5: %s %s gives another result", c.name, where)
			}
		}
		par.For(4, func(i int) {
			check("in a loop", par.On(p))
			mu.Lock()
			defer mu.Unlock()
			check("in a loop, with a lock held", par.On([]*pool.Pool{p, q}[i%2]))
		}, par.On(p))
		if err := inJob(p, func(w *pool.Worker) { check("in a job", par.In(w)) }); err != nil {
			t.Errorf("F5: a job with %s: %v", c.name, err)
		}
	}
}

// All n elements of the largest loop can be failed at once: a failure costs no look at each of those
// above it. Where every element fails, a helper that came before element 0 had failed ends with its
// own first element. It can come again for half of what is left below that, so some 30 times.
func TestHuge(t *testing.T) {
	p := newPool(t, pool.WithWorkers(3))
	const fails, most = 3_000_000, 1000
	err := par.ForErr(background, math.MaxInt, func(_ context.Context, i int) error {
		if i == fails {
			return failure(i)
		}
		return nil
	}, par.On(p))
	if err != failure(fails) {
		t.Errorf("F2: ForErr over math.MaxInt elements returned %v", err)
	}
	var ran atomic.Int64
	err = par.ForErr(background, 1_000_000_000, func(_ context.Context, i int) error { ran.Add(1); return failure(i) }, par.On(p))
	if n := ran.Load(); err != failure(0) || n > most {
		t.Errorf("F2: ForErr whose elements all fail returned %v, after %d of them, want at most %d", err, n, most)
	}
}

// A job of a millisecond does not wait long beside an endless loop. In a bubble only what
// sleeps takes time, so this holds on any machine.
func TestFair(t *testing.T) {
	const calls, most = 200, 20 * time.Millisecond
	for _, workers := range []int{1, 2, 3} {
		for _, long := range []time.Duration{30 * time.Microsecond, 100 * time.Microsecond, time.Millisecond} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				var over atomic.Bool
				looped := make(chan any)
				go func() {
					looped <- caught(func() {
						par.For(math.MaxInt, func(int) {
							if over.Load() {
								panic("over")
							}
							time.Sleep(long)
						}, par.On(p))
					})
				}()
				took := make([]time.Duration, calls)
				for k := range took {
					begun := time.Now()
					if err := inJob(p, func(*pool.Worker) { time.Sleep(time.Millisecond) }); err != nil {
						t.Errorf("F6: Run beside a loop returned %v", err)
					}
					took[k] = time.Since(begun)
				}
				over.Store(true)
				if v := <-looped; v != "over" {
					t.Errorf("F2: a body panics with over, and For with %v", v)
				}
				slices.Sort(took)
				if p99 := took[calls*99/100]; p99 > most {
					t.Errorf("F6: beside an endless loop of elements of %v, on %d workers, a Run of 1 ms takes %v at most in 99 %% of the cases, want %v", long, workers, p99, most)
				}
			})
		}
	}
}

// inRow is set where TestRowsOfCPU is a row.
const inRow = "ROUSE_ROW"

// If this fails, a row of go test -cpu 1,2,4 shows another number of workers than it says: that
// of the first use of the default pool, say.
func TestRowsOfCPU(t *testing.T) {
	if os.Getenv(inRow) != "" {
		rowOfCPU(t)
		return
	}
	rows := []string{"1", "2", "4", "2", "1"}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRowsOfCPU$", "-test.v", "-test.cpu="+strings.Join(rows, ","))
	cmd.Env = append(os.Environ(), inRow+"=1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no other process can be started here: %v", err)
	}
	if err != nil || runtime.GOOS != "js" && strings.Count(string(out), "workers took") != len(rows) {
		t.Errorf("P28: Default: not all rows of -cpu show what they say: %v\n%s", err, out)
	}
}

// rowOfCPU uses the default pool as a test of a program does: as it is, and in a bubble, where only
// what sleeps takes time.
func rowOfCPU(t *testing.T) {
	workers := runtime.GOMAXPROCS(0)
	var met atomic.Int32
	all := make(chan bool)
	par.For(workers, func(int) {
		if int(met.Add(1)) == workers {
			close(all)
		}
		<-all // a hang if there are fewer workers
	})
	// A worker that is still looking would find the work of the bubble, and is not of it. Of one that
	// has not begun only the call is seen that has started it.
	buf := make([]byte, 1<<20)
	for strings.Contains(string(buf[:runtime.Stack(buf, true)]), "prim.Go") {
		runtime.Gosched()
	}
	testrule.Bubble(t, func(t *testing.T) {
		const n = 64
		begun := time.Now()
		par.For(n, func(int) { time.Sleep(time.Second) })
		took, best := time.Since(begun), time.Duration(n/workers)*time.Second
		if took < best || took > best+2*time.Second {
			t.Errorf("%d elements of a second on %d workers took %v, the best is %v", n, workers, took, best)
		}
		fmt.Printf("%d elements of a second on %d workers took %v\n", n, workers, took)
	})
}

// The elements that the caller does have its profiler labels. Those that workers do have none.
// With a limit above the number of workers all have them, for goroutines that the caller has
// started do these.
func TestLabels(t *testing.T) {
	const workers = 4
	for _, c := range []struct {
		what             string
		n, with, without int
		opts             []par.Option
	}{
		{"without a limit", workers, 1, workers - 1, nil},
		{"with a limit below the number of workers", workers, 1, 1, []par.Option{par.WithLimit(2)}},
		{"with a limit above the number of workers", 8, 8, 0, []par.Option{par.WithLimit(8)}},
	} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			pool.Go(p, func(*pool.Worker) {}) // a worker that has worked for others before
			time.Sleep(time.Second)
			go pprof.Do(background, pprof.Labels("of", "the caller"), func(context.Context) {
				par.For(c.n, func(int) { napWithLabels() }, append(c.opts, par.On(p))...)
			})
			time.Sleep(time.Second / 2)
			with, without := napping(t)
			if with != c.with || without != c.without {
				t.Errorf("For: %s, %d elements have the caller's profiler labels, and %d have none, want %d and %d", c.what, with, without, c.with, c.without)
			}
			time.Sleep(time.Minute)
		})
	}
}

//go:noinline
func napWithLabels() { time.Sleep(time.Second) }

// napping returns how many goroutines are in napWithLabels with the caller's labels, and
// without labels.
func napping(t *testing.T) (with, without int) {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		t.Fatal(err)
	}
	for stack := range strings.SplitSeq(profile.String(), "\n\n") {
		if !strings.Contains(stack, ".napWithLabels+") {
			continue
		}
		n := 0
		if i := strings.LastIndex(stack, " @ "); i >= 0 {
			fmt.Sscan(stack[strings.LastIndex(stack[:i], "\n")+1:i], &n)
		}
		switch {
		case strings.Contains(stack, `labels: {"of":"the caller"}`):
			with += n
		case !strings.Contains(stack, "labels:"):
			without += n
		}
	}
	return with, without
}

// What a body has captured is not kept when the loop has ended, by a panic too. If it is, this
// has no end.
func TestForgotten(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var gone sync.WaitGroup
		for range 5 {
			gone.Add(1)
			captured := new([64]int)
			runtime.AddCleanup(captured, func(wg *sync.WaitGroup) { wg.Done() }, &gone)
			v := caught(func() {
				par.For(3000, func(i int) {
					if i%331 == 17 { // for others to come
						time.Sleep(50 * time.Microsecond)
					}
					if i == 2999 || captured[i%64] != 0 {
						panic(captured)
					}
				}, par.On(p))
			})
			if v != any(captured) {
				t.Errorf("F2: a body panics with %p, and For with %v", captured, v)
			}
		}
		collected := make(chan struct{})
		go func() { gone.Wait(); close(collected) }()
		for {
			runtime.GC()
			select {
			case <-collected:
				return
			default:
			}
		}
	})
}

// A loop ends whose caller holds a lock for which all workers wait.
func TestLockHeld(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var mu sync.Mutex
		mu.Lock()
		var begun, ended sync.WaitGroup
		for range p.Workers() {
			begun.Add(1)
			ended.Add(1)
			if err := pool.Go(p, func(*pool.Worker) {
				defer ended.Done()
				begun.Done()
				mu.Lock()
				defer mu.Unlock()
			}); err != nil {
				t.Fatal(err)
			}
		}
		begun.Wait()
		n := 0
		// A sleep can take a millisecond, and nobody helps.
		par.For(20, func(int) { time.Sleep(30 * time.Microsecond); n++ }, par.On(p))
		sum := par.Fold(make([]int, 20), func() int { return 0 },
			func(a, _ int) int { time.Sleep(30 * time.Microsecond); return a + 1 }, func(a, b int) int { return a + b }, par.On(p))
		if n != 20 || sum != 20 {
			t.Errorf("F5: loops of 20 whose caller holds a lock did %d and %d elements", n, sum)
		}
		mu.Unlock()
		ended.Wait()
	})
}

// Jobs are queued beside an endless loop of a worker, which ends when they have.
func TestQueuedBesideLoop(t *testing.T) {
	// The pool looks at its queue twenty times a second, and 64 goroutines take turns of 10 ms.
	const most = 10 * time.Second
	enough, late := errors.New("all jobs have ended"), errors.New("too late")
	onPools(t, func(t *testing.T, p *pool.Pool) {
		var left, calls atomic.Int64
		begun := time.Now()
		left.Store(int64(2*p.Workers() + 1))
		_, err := pool.RunErr(background, p, func(_ context.Context, w *pool.Worker, _ int) (int, error) {
			return 0, par.ForErr(background, math.MaxInt, func(_ context.Context, i int) error {
				if i == 0 {
					for range left.Load() {
						if err := pool.Go(p, func(*pool.Worker) { left.Add(-1) }); err != nil {
							return err
						}
					}
				}
				switch {
				case left.Load() <= 0:
					return enough
				case calls.Add(1)%(1<<20) == 0 && time.Since(begun) > most:
					return late
				}
				if runtime.GOARCH == "wasm" { // nothing preempts a loop there
					runtime.Gosched()
				}
				return nil
			}, par.In(w))
		}, 0)
		if err == late {
			t.Errorf("F6: beside a loop of %v %d jobs of the queue have not ended", most, left.Load())
		} else if err != enough {
			t.Errorf("F2: a loop returned %v, want the error of its body", err)
		}
	})
}
