package par_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
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
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Each loop hands its body each index once, with the element that is there.
func TestLoops(t *testing.T) {
	t.Parallel()
	onPools(t, func(t *testing.T, p *pool.Pool) {
		on := par.On(p)
		for _, work := range works {
			for _, n := range lengths {
				if n > work.most {
					continue
				}
				ran := make([]atomic.Int32, n)
				in := shown(indices(n), func(i int) { work.do(i); ran[i].Add(1) })
				var err error
				for k, loop := range []func(){
					func() { par.For(n, in.body, on) },
					func() { par.ForRange(n, in.ranges, on) },
					func() { par.ForWorker(n, in.work, on) },
					func() { par.Do(in.fns, on) },
					func() { err = par.ForErr(background, n, in.try, on) },
					func() { err = par.ForRangeErr(background, n, in.tryRange, on) },
					func() { err = par.ForWorkerErr(background, n, in.tryWork, on) },
					func() { err = par.DoErr(background, in.tries, on) },
					func() { par.Each(in.s, in.touch, on) },
					func() { err = par.EachErr(background, in.s, in.tryTouch, on) },
				} {
					clear(in.to)
					loop()
					for i := range ran {
						if got := ran[i].Swap(0); got != 1 || err != nil || k >= 8 && in.to[i] != i { // to which Each adds the element
							t.Fatalf("F1: loop %d over %d elements of %s: element %d was done %d times; error %v", k, n, work.name, i, got, err)
						}
					}
				}
			}
		}
	})
}

// No element holds others up, with and without a limit, in any shape, in the first call on a new pool, in
// later ones, in a job, and in an element of another loop. Each is done once, and so many are under way as
// the limit says, also more than there are workers. As many equal elements as workers run side by side. A
// stream with a limit has so many on a closed pool, too.
func TestNothingHeldUp(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2, 3, 8, 64} {
		for _, limit := range []int{0, 1, 2, 7, 16, 100} {
			for c := range having(each, 0) {
				for what, of := range shapes {
					for _, n := range []int{2, 40, 400, workers} {
						if limit > 0 && n != 40 || limit == 0 && workers == 1 || n == workers && what != "equal" || workers == 3 && n != 3 || strings.HasPrefix(what, "folds: ") {
							continue
						}
						inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
							d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
							call := func(where string) {
								if n == workers {
									synctest.Wait() // a caller that finds no worker asleep does one element before others come
								}
								c.heldUp(t, p, d, workers, limit, what+", "+where)
							}
							for _, where := range []string{"first call", "second call", "third call"} {
								call(where)
								inJob(p, func(*pool.Worker) { call(where + ", in a job") })
								if n == workers {
									par.For(2, func(i int) {
										if i == 1 {
											call(where + ", in an element")
										}
									}, par.On(p))
								}
							}
							if p.Close(); c.holds&stream != 0 && limit > 0 {
								call("on a closed pool")
							}
						})
					}
				}
			}
		}
	}
}

// heldUp calls c with elements that take so long, and says what is held up.
func (c operation) heldUp(t *testing.T, p *pool.Pool, d []time.Duration, workers, limit int, where string) {
	var under level
	var calls atomic.Int32
	o := []par.Option{par.On(p)}
	owners, most := workers, workers+1 // the caller may do one besides
	if c.holds&stream != 0 {
		most++ // in a job, and beside a live source, so may another
	}
	if limit > 0 {
		o = append(o, par.WithLimit(limit))
		owners, most = limit, limit
	}
	begun := time.Now()
	c.over(len(d), func(i int) {
		calls.Add(1)
		under.during(func() { time.Sleep(d[i]) })
	}, o...)
	took, within := time.Since(begun), mostFor(d, owners)
	n := int(calls.Load())
	if slices.Min(d) == slices.Max(d) && (limit > 0 || len(d) == workers) {
		within = time.Duration((n+owners-1)/owners) * d[0]
	}
	what := fmt.Sprintf("%s of %d elements, %s, on %d workers, with a limit of %d", c.name, len(d), where, workers, limit)
	if n != len(d) && (n != len(d)-1 || c.name != "CompactFunc") { // nothing is after its last one
		t.Errorf("F1: %s: %d calls", what, n)
	}
	if now := under.now.Load(); now != 0 {
		t.Errorf("F4: %s is over, and %d elements are under way", what, now)
	}
	if at := int(under.most.Load()); at > most || took > within {
		t.Errorf("F7: %s took %v, want at most %v; %d elements were under way", what, took, within, at)
	}
}

// Of folds the longest part is what the longest element is of loops, with the merges that follow
// it, up to 21 in a row. A scan goes over its parts twice, and calls its function once for each in between.
func TestPartsNotHeldUp(t *testing.T) {
	t.Parallel()
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
				switch c.name { // of what compares as sorts do, a part is as long as the documentation says
				case "IsSortedFunc":
					n, part, alone = 10*n, 1, 255
				case "MergeFunc":
					n, part, alone = 20*n, 2048+15, 15
				case "TopKFunc":
					n, part = 40*n, 10*8192 // each element is larger than those before, and compared some ten times
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

// Calls nest in loops, in jobs, in several pools and with a lock held, also where elements need the
// worker that the caller has, and give what they give alone.
func TestNested(t *testing.T) {
	p, q := newPool(t, pool.WithWorkers(2)), newPool(t, pool.WithWorkers(1))
	alone := closedPool(t)
	var mu sync.Mutex
	for c := range having(0, 0) {
		besides := func(int) { spin(10 * time.Microsecond) }
		results := func(on par.Option) []any {
			return shown(pairs(4200), func(i int) {
				if i%331 == 17 {
					besides(i)
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
		besides = func(int) { inJob(q, func(*pool.Worker) {}) }
		inJob(q, func(*pool.Worker) { check("in a job whose worker its elements need", par.On(p)) })
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

// A row of go test -cpu 1,2,4 shows the number of workers that it says, and not that of the first use of
// the default pool.
func TestRowsOfCPU(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4, 2, 1} {
		runtime.GOMAXPROCS(procs)
		workers := runtime.GOMAXPROCS(0) // wasm has one
		var met atomic.Int32
		all := make(chan bool)
		par.For(workers, func(int) {
			if int(met.Add(1)) == workers {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(10 * time.Second): // there are fewer workers
				t.Errorf("P28: Default: of %d elements that wait for each other %d are under way", workers, met.Load())
			}
		})
	}
}

// The elements that the caller does have its profiler labels. Those that workers do have none.
// With a limit above the number of workers all have them, for goroutines that the caller has
// started do these.
func TestLabels(t *testing.T) {
	if strings.HasPrefix(runtime.Version(), "go1.25") {
		t.Skip("Go 1.25 does not print the labels of goroutines")
	}
	t.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",tracebacklabels=1", ","))
	const workers = 4
	for _, c := range []struct {
		what             string
		n, with, without int32
		opts             []par.Option
	}{
		{"without a limit", workers, 1, workers - 1, nil},
		{"with a limit below the number of workers", 2, 1, 1, []par.Option{par.WithLimit(2)}},
		{"with a limit above the number of workers", 8, 8, 0, []par.Option{par.WithLimit(8)}},
	} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			pool.Go(p, func(*pool.Worker) {}) // a worker that has worked for others before
			time.Sleep(time.Second)
			var with, without atomic.Int32
			pprof.Do(background, pprof.Labels("of", "the caller"), func(context.Context) {
				par.For(int(c.n), func(int) {
					stack := make([]byte, 1<<10)
					head, _, _ := strings.Cut(string(stack[:runtime.Stack(stack, false)]), "\n")
					switch _, labels, _ := strings.Cut(head, "{"); {
					case strings.Contains(labels, "the caller"):
						with.Add(1)
					case labels == "":
						without.Add(1)
					}
					time.Sleep(time.Second)
				}, append(c.opts, par.On(p))...)
			})
			if with.Load() != c.with || without.Load() != c.without {
				t.Errorf("For: %s, %d elements have the caller's profiler labels, and %d have none, want %d and %d", c.what, with.Load(), without.Load(), c.with, c.without)
			}
		})
	}
}

// What functions refer to is not kept when the call has ended, by a panic too, nor is what reports. The
// caller's context, which may live for long, keeps no context of an element, and no function for its end.
func TestForgotten(t *testing.T) {
	outer, end := context.WithCancel(background)
	defer end()
	kept := map[string]weak.Pointer[[4]int]{}
	var contexts []weak.Pointer[byte]
	var mu sync.Mutex
	for c := range having(0, 0) {
		for _, panics := range []bool{false, true} {
			seen, in := new([4]int), newInput(indices(100))
			kept[fmt.Sprintf("%s, by a panic: %t", c.name, panics)] = weak.Make(seen)
			in.ctx, in.do = outer, func(i int) {
				if i%33 == 17 { // for others to come
					time.Sleep(50 * time.Microsecond)
				}
				if panics && i == 90 {
					panic(seen)
				}
			}
			in.told = func(ctx context.Context) {
				if ctx.Done() == outer.Done() { // a call that the caller does alone hands it on, with a worker or without
					return
				}
				context.AfterFunc(ctx, func() { runtime.KeepAlive(seen) })
				mu.Lock()
				defer mu.Unlock()
				contexts = append(contexts, weak.Make((*byte)(reflect.ValueOf(ctx).UnsafePointer())))
			}
			caught(func() { c.call(in, par.WithProgress(func(done, _ int) { seen[0] = done })) })
		}
	}
	all := len(contexts)
	if !forgotten(func() bool {
		maps.DeleteFunc(kept, func(_ string, p weak.Pointer[[4]int]) bool { return p.Value() == nil })
		contexts = slices.DeleteFunc(contexts, func(p weak.Pointer[byte]) bool { return p.Value() == nil })
		return len(kept)+len(contexts) == 0
	}) || all == 0 {
		t.Errorf("F4: what functions refer to is kept when these calls have ended: %v; and %d of %d contexts", slices.Collect(maps.Keys(kept)), len(contexts), all)
	}
}

// Jobs are queued beside an endless loop or stream in a job, which ends when they have.
func TestQueuedBeside(t *testing.T) {
	const most = 10 * time.Second // the pool looks at its queue twenty times a second
	endless := map[string]func(w *pool.Worker, f func() error) error{
		"ForErr": func(w *pool.Worker, f func() error) error {
			return par.ForErr(background, math.MaxInt, func(context.Context, int) error { return f() }, par.In(w))
		},
	}
	for name, call := range streams {
		endless[name] = func(w *pool.Worker, f func() error) error {
			return call(background, upTo(math.MaxInt), doubled, func(int) error { return f() }, par.In(w), par.WithWindow(1))
		}
	}
	for name, call := range endless {
		onPools(t, func(t *testing.T, p *pool.Pool) {
			var left, calls atomic.Int64
			begun := time.Now()
			left.Store(int64(2*p.Workers() + 1))
			h, err := pool.Submit(p, func(w *pool.Worker) error { // not Run, which may be a guest
				for range left.Load() {
					if err := pool.Go(p, func(*pool.Worker) { left.Add(-1) }); err != nil {
						return err
					}
				}
				return call(w, func() error {
					switch {
					case left.Load() <= 0:
						return failure(0)
					case calls.Add(1)%(1<<16) == 0 && time.Since(begun) > most:
						return failure(1)
					}
					if runtime.GOARCH == "wasm" { // nothing preempts a loop there
						runtime.Gosched()
					}
					return nil
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			if err, _ := h.Wait(background); err != failure(0) {
				t.Errorf("F6: beside %s that goes on for %v, %d jobs of the queue have not ended: %v", name, most, left.Load(), err)
			}
		})
	}
}
