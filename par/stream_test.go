package par_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

var windows = []int{1, 2, 7, 64}

// upTo is a source of 0 to n-1.
func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// A source counts what it has handed over, and says whether it runs.
type source struct {
	n       int
	before  func(i int) // it hands over i, if there is such a function
	taken   atomic.Int64
	running atomic.Bool
}

func (s *source) each(yield func(int) bool) {
	s.running.Store(true)
	defer s.running.Store(false)
	for i := range s.n {
		if s.before != nil {
			s.before(i)
		}
		if s.taken.Add(1); !yield(i) {
			return
		}
	}
}

// onStreams runs f for pools, windows, and bodies of several lengths.
func onStreams(t *testing.T, f func(t *testing.T, n int, do func(i int), opts ...par.Option)) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, window := range windows {
			for _, work := range works {
				t.Run(fmt.Sprintf("window=%d/work=%s", window, work.name), func(t *testing.T) {
					f(t, min(work.most, 200), work.do, par.On(p), par.WithWindow(window))
				})
			}
		}
	})
}

// The results are in order, each of an element that was done once, and the source is never ahead by
// more than the window.
func TestStreams(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for name, call := range streams {
			for _, window := range append(windows, 0) {
				for _, work := range works {
					for _, n := range []int{0, 1, 2, 3, 100, 3000} {
						if n > work.most {
							continue
						}
						opts := []par.Option{par.On(p)}
						if window > 0 {
							opts = append(opts, par.WithWindow(window))
						}
						what := fmt.Sprintf("%s of %d elements of %s, with a window of %d", name, n, work.name, window)
						began := make([]atomic.Int32, n)
						var had atomic.Int64
						var inside level
						src := source{n: n}
						src.before = func(i int) {
							if ahead := int64(i) - had.Load(); window > 0 && ahead >= int64(window) {
								t.Errorf("F1: %s: %d are handed over and not had when there comes another one", what, ahead)
							}
						}
						err := call(background, src.each, func(_ context.Context, i int) (int, error) {
							work.do(i)
							began[i].Add(1)
							return i * i, nil
						}, func(r int) error {
							inside.up()
							defer inside.down()
							if k := int(had.Load()); r != k*k || inside.most.Load() != 1 {
								t.Errorf("F1: %s: result %d is %d; %d are had at once", what, k, r, inside.most.Load())
							}
							had.Add(1)
							return nil
						}, opts...)
						if err != nil || int(had.Load()) != n || src.running.Load() {
							t.Fatalf("F1: %s: %d results, %v; the source runs: %t", what, had.Load(), err, src.running.Load())
						}
						for i := range began {
							if began[i].Load() != 1 {
								t.Fatalf("F1: %s: element %d was done %d times", what, i, began[i].Load())
							}
						}
					}
				}
			}
		}
	})
	seq := par.MapSeq(background, upTo(10), doubled, par.WithWindow(math.MaxInt))
	for use := range 2 {
		n := 0
		for range seq {
			n++
		}
		if n != 10 {
			t.Errorf("F1: use %d of a sequence of 10 elements has %d", use, n)
		}
	}
}

// The lowest element that fails, of f, where results are had, or in the source, is how the stream ends,
// after all results below; of a source that is the consumer's, some. Nothing runs afterwards, and nothing
// begins.
func TestStreamLowest(t *testing.T) {
	t.Parallel()
	cases := 0
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		for name, call := range streams {
			for _, bad := range [][]int{{0}, {1, 2}, {5}, {n / 2, n/2 + 1, n - 1}, {n - 1}} {
				for _, who := range []string{"f", "had", "source"} {
					cases++
					how := end(cases % 3) // by turns: each pool, window and work has all of them
					if who == "source" && (name == "Pipe" || how == byError) {
						continue // what the caller of a pipe does is its own
					}
					fails := func(by string, i int) error {
						if k := slices.Index(bad, i); k >= 0 && by == who {
							return ((how + end(k)) % 3).fail(i)
						}
						return nil
					}
					var running level
					var ran, results atomic.Int64
					src := source{n: n, before: func(i int) { _ = fails("source", i) }}
					value, exited, err := ended(func() error {
						return call(background, src.each, func(_ context.Context, i int) (_ int, err error) {
							running.during(func() {
								do(i)
								err = fails("f", i)
							})
							ran.Add(1)
							return i, err
						}, func(r int) error {
							if r != int(results.Load()) {
								t.Errorf("F1: result %d of %s is %d", results.Load(), name, r)
							}
							if err := fails("had", r); err != nil {
								return err
							}
							results.Add(1)
							return nil
						}, opts...)
					})
					what := fmt.Sprintf("elements %v of %s, of %d, fail in %s, the lowest by %d", bad, name, n, who, how)
					few := who == "source" && name == "MapSeq" && int(results.Load()) <= bad[0]
					if !how.is(bad[0], value, exited, err) || !few && int(results.Load()) != bad[0] {
						t.Fatalf("F2: %s: %d results, then error %v, panic %v, Goexit %t", what, results.Load(), err, value, exited)
					}
					before := ran.Load()
					if runtime.Gosched(); running.now.Load() != 0 || src.running.Load() || ran.Load() != before {
						t.Fatalf("F4: %s: %d calls run, %d end afterwards; the source runs: %t", what, running.now.Load(), ran.Load()-before, src.running.Load())
					}
				}
			}
		}
	})
}

// streamed returns the sum of the results of a stream of 0 to n-1.
func streamed(t *testing.T, name string, n int, f func(int) int, o ...par.Option) (sum int) {
	next := 0
	err := streams[name](background, upTo(n), func(_ context.Context, i int) (int, error) { return f(i), nil },
		func(r int) error { sum += r; next++; return nil }, o...)
	if err != nil || next != n {
		t.Errorf("F5: %s of %d elements has %d results, then %v", name, n, next, err)
	}
	return sum
}

// A sequence may be the source of another one, and two may be used by turns.
func TestSequencesOfSequences(t *testing.T) {
	short := func(i int) int { spin(20 * time.Microsecond); return i }
	for _, workers := range []int{1, 2, 3} {
		p := newPool(t, pool.WithWorkers(workers))
		var seq iter.Seq[int] = upTo(300)
		for range 4 {
			inner := par.MapSeq(background, seq, func(_ context.Context, i int) (int, error) { return short(i) + 1, nil }, par.On(p))
			seq = func(yield func(int) bool) {
				inner(func(r int, err error) bool { return err == nil && yield(r) })
			}
		}
		if got := slices.Collect(seq); len(got) != 300 || got[0] != 4 || got[299] != 303 {
			t.Errorf("F5: four sequences in a row yield %d results", len(got))
		}
		next1, stop1 := iter.Pull2(par.MapSeq(background, upTo(100), func(_ context.Context, i int) (int, error) { return short(i), nil }, par.On(p)))
		next2, stop2 := iter.Pull2(par.MapSeq(background, upTo(1000), func(_ context.Context, i int) (int, error) { return -short(i), nil }, par.On(p)))
		for i := range 100 {
			a, _, _ := next1()
			b, _, _ := next2()
			if a != i || b != -i {
				t.Fatalf("F5: two sequences side by side yield %d and %d as result %d", a, b, i)
			}
		}
		stop1()
		stop2()
	}
}

// The caller does all if nobody else does: the pool is closed, or closes, or has other things to
// do, or no room.
func TestStreamsWithoutHelp(t *testing.T) {
	const n = 500
	for name := range streams {
		check := func(what string, p *pool.Pool, meanwhile func(), o ...par.Option) {
			var begun atomic.Int64
			got := streamed(t, name, n, func(i int) int {
				spin(20 * time.Microsecond)
				if begun.Add(1) == n/2 {
					meanwhile()
				}
				return i
			}, append(o, par.On(p))...)
			if want := n * (n - 1) / 2; got != want {
				t.Errorf("F5: %s on a pool that is %s: %d, want %d", name, what, got, want)
			}
		}
		nothing := func() {}
		check("closed", closedPool(t), nothing)
		for _, workers := range []int{1, 2, 3} {
			p := newPool(t, pool.WithWorkers(workers))
			check("closing", p, func() { go p.Close() })
			p = newPool(t, pool.WithWorkers(workers))
			check("shut down", p, func() {
				ctx, cancel := context.WithCancel(background)
				cancel()
				p.Shutdown(ctx)
			})
		}
		p := newPool(t, pool.WithWorkers(1), pool.WithQueueLimit(1))
		begun, release := make(chan struct{}), make(chan struct{})
		h, err := pool.Submit(p, func(*pool.Worker) int { close(begun); <-release; return 0 })
		if err != nil {
			t.Fatal(err)
		}
		<-begun // the queue is empty
		check("busy", p, nothing)
		check("busy", p, nothing, par.WithWindow(64))
		if _, err := pool.Submit(p, func(*pool.Worker) int { return 0 }); err != nil {
			t.Errorf("F5: after a stream, the queue has no room: %v", err)
		}
		check("full", p, nothing)
		close(release)
		h.Wait(background)
	}
}

// When a stream is over, by whatever, helpers end what they are at, and leave alone what the source
// has handed over besides.
func TestStreamBeginsNothingMore(t *testing.T) {
	const workers, window, bad = 2, 64, 5
	for name, call := range streams {
		for _, how := range []string{"break", "panic", "error", "source"} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				var began atomic.Int64
				var atEnd int64
				src := source{n: 1000, before: func(i int) {
					if how == "source" && i == window/2 {
						atEnd = began.Load()
						panic(failure(0))
					}
				}}
				caught(func() {
					call(background, src.each, func(_ context.Context, i int) (int, error) {
						began.Add(1)
						time.Sleep(time.Millisecond)
						if how == "error" && i == bad {
							atEnd = began.Load()
							return 0, failure(0)
						}
						return i, nil
					}, func(r int) error {
						if r != bad {
							return nil
						}
						if atEnd = began.Load(); how == "panic" {
							panic(failure(0))
						}
						return failure(0)
					}, par.On(p), par.WithWindow(window))
				})
				time.Sleep(time.Second)
				if more := began.Load() - atEnd; more > workers {
					t.Errorf("F2: %s ends by %s, and %d calls begin after that", name, how, more)
				}
			})
		}
	}
}

// Nothing that was handed over is kept: no element once f has had it, no result that was handed on,
// and what f has captured when the stream is over.
func TestStreamKeepsNothing(t *testing.T) {
	const n, last = 40, 4 // a worker may have the last ones on its stack
	type element = [1 << 10]byte
	few := func(what string, all *[]weak.Pointer[element]) {
		if !forgotten(func() bool {
			*all = slices.DeleteFunc(*all, func(x weak.Pointer[element]) bool { return x.Value() == nil })
			return len(*all) <= last
		}) {
			t.Errorf("F4: %s, and %d of %d are kept", what, len(*all), n)
		}
	}
	for _, name := range []string{"MapSeq", "Pipe"} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			var elements, results []weak.Pointer[element]
			captured := new(element)
			of := weak.Make(captured)
			f := func(_ context.Context, x *element) (*element, error) {
				time.Sleep(50 * time.Microsecond)
				y := *x
				y[0] = captured[0]
				return &y, nil
			}
			had := func(y *element) error { results = append(results, weak.Make(y)); return nil }
			source := func(yield func(*element) bool) {
				for range n {
					x := new(element)
					elements = append(elements, weak.Make(x))
					if !yield(x) {
						return
					}
				}
				time.Sleep(time.Second)
				few("f of "+name+" has returned for all elements", &elements)
			}
			if name == "MapSeq" {
				for y := range par.MapSeq(background, source, f, par.On(p), par.WithWindow(2*n)) {
					had(y)
				}
			} else {
				pipe := par.NewPipe(background, f, had, par.On(p))
				source(func(x *element) bool { return pipe.Push(x) == nil })
				pipe.Close()
				defer runtime.KeepAlive(pipe)
			}
			synctest.Wait() // until the helpers have left
			few(name+" is over, and has given results", &results)
			if runtime.GC(); of.Value() != nil {
				t.Errorf("F4: %s is over, and what f has captured is kept", name)
			}
		})
	}
}

// onTried calls f for each stream, and limits, with 100 elements.
func onTried(t *testing.T, f func(t *testing.T, name string, call func(f func(ctx context.Context, i int) error, had func(i int) error) error)) {
	for name, call := range streams {
		for _, o := range [][]par.Option{nil, {par.WithLimit(8)}, {par.WithWindow(8)}} {
			inBubble(t, 8, func(t *testing.T, p *pool.Pool) {
				f(t, name, func(f func(context.Context, int) error, had func(int) error) error {
					return call(background, upTo(100), func(ctx context.Context, i int) (int, error) { return i, f(ctx, i) }, had, append(o, par.On(p))...)
				})
			})
		}
	}
}

// When an element has failed, or the consumer has enough, the contexts of the elements above end, and of
// those below do not. The cells that they are in have had others before.
func TestStreamEndsWhatIsAbove(t *testing.T) {
	for _, ends := range []int{1, 2, 5, 40} {
		for who, within := range map[string]time.Duration{"f": time.Second, "consumer": 2 * time.Second} {
			onTried(t, func(t *testing.T, name string, call func(f func(context.Context, int) error, had func(int) error) error) {
				begun := time.Now()
				fails := func(by string, i int) error {
					if i == ends && by == who {
						return failure(i)
					}
					return nil
				}
				var above atomic.Int32
				err := call(func(ctx context.Context, i int) error {
					switch {
					case i < ends-2:
						time.Sleep(time.Millisecond)
					case i < ends: // two that are still under way when that fails
						time.Sleep(2 * time.Second)
						if ctx.Err() != nil {
							t.Errorf("F3: element %d of %s fails in %s, and the context of element %d ends", ends, name, who, i)
						}
					case i == ends:
						time.Sleep(time.Second)
						return fails("f", i)
					default:
						above.Add(1)
						<-ctx.Done()
						if took := time.Since(begun); took > within+100*time.Millisecond || !errors.Is(context.Cause(ctx), context.Canceled) {
							t.Errorf("F3: element %d of %s fails in %s after %v, and the context of element %d ends after %v, cause %v", ends, name, who, within, i, took, context.Cause(ctx))
						}
						return ctx.Err()
					}
					return nil
				}, func(i int) error { return fails("consumer", i) })
				if took := time.Since(begun); err != failure(ends) || took > 2100*time.Millisecond || above.Load() == 0 {
					t.Errorf("F3: element %d of %s fails in %s, %d above wait for their contexts, and it ends with %v after %v", ends, name, who, above.Load(), err, took)
				}
			})
		}
	}
}

// A result may need the context that it was made with: that does not end before the stream does.
func TestStreamContextLasts(t *testing.T) {
	onTried(t, func(t *testing.T, name string, call func(f func(context.Context, int) error, had func(int) error) error) {
		var mu sync.Mutex
		all := map[context.Context]bool{}
		err := call(func(ctx context.Context, i int) error {
			ctx.Done() // so that it has a channel
			mu.Lock()
			all[ctx] = true
			mu.Unlock()
			time.Sleep(time.Millisecond)
			return nil
		}, func(i int) error {
			mu.Lock()
			defer mu.Unlock()
			for ctx := range all {
				if ctx.Err() != nil {
					t.Errorf("F3: no element of %s has failed, and before result %d a context has ended with %v", name, i, ctx.Err())
				}
			}
			return nil
		})
		if delete(all, background); err != nil || len(all) == 0 {
			t.Errorf("F3: %s ends with %v, and %d contexts", name, err, len(all))
		}
	})
}

// A use allocates some words, and its elements nothing as long as nobody helps.
func TestCheapElementsAllocateNothing(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	for _, name := range []string{"MapSeq", "Pipe"} {
		const n, most = 1000, 50
		if got := testing.AllocsPerRun(10, func() {
			streams[name](background, upTo(n), doubled, func(int) error { return nil }, par.On(p), par.WithWindow(1))
		}); got > most {
			t.Errorf("MapSeq: Cost: %s of %d cheap elements allocates %v objects, want %d at most", name, n, got, most)
		}
	}
}

// The consumer does the first element itself, if the last two uses were short. A long one ends that.
func TestFirstOfStream(t *testing.T) {
	const short, long = 0, 20 * time.Millisecond
	for _, name := range []string{"MapSeq", "Pipe"} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			for use, c := range []struct{ each, want time.Duration }{
				{long, long},
				{short, short},
				{long, long}, // one short one was before
				{short, short},
				{short, short},
				{long, 2 * long}, // two were
				{long, long},
			} {
				begun := time.Now()
				streamed(t, name, 2, func(i int) int { time.Sleep(c.each); return i }, par.On(p))
				if took := time.Since(begun); took != c.want {
					t.Errorf("F7: use %d of %s, of two elements of %v, took %v, want %v", use, name, c.each, took, c.want)
				}
			}
		})
	}
}
