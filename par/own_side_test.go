package par_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// What follows is about ends and failures of the caller's own side: of its context, of its
// report, and of the elements that it does itself.

// withContext are the operations that end with a context, over n elements, each of which
// calls f. They return the error.
var withContext = map[string]func(ctx context.Context, n int, f func(), o ...par.Option) error{
	"ForErr": func(ctx context.Context, n int, f func(), o ...par.Option) error {
		return par.ForErr(ctx, n, func(context.Context, int) error { f(); return nil }, o...)
	},
	"ForRangeErr": func(ctx context.Context, n int, f func(), o ...par.Option) error {
		return par.ForRangeErr(ctx, n, func(_ context.Context, lo, hi int) error {
			for range hi - lo {
				f()
			}
			return nil
		}, o...)
	},
	"EachErr": func(ctx context.Context, n int, f func(), o ...par.Option) error {
		return par.EachErr(ctx, make([]int, n), func(context.Context, int, *int) error { f(); return nil }, o...)
	},
	"MapErr": func(ctx context.Context, n int, f func(), o ...par.Option) error {
		_, err := par.MapErr(ctx, make([]int, n), func(context.Context, int) (int, error) { f(); return 0, nil }, o...)
		return err
	},
	"FoldErr": func(ctx context.Context, n int, f func(), o ...par.Option) error {
		_, err := par.FoldErr(ctx, make([]int, n), func() int { return 0 }, func(context.Context, int, int) (int, error) { f(); return 0, nil }, func(a, b int) int { return 0 }, o...)
		return err
	},
	"MapSeq": func(ctx context.Context, n int, f func(), o ...par.Option) (err error) {
		for _, e := range par.MapSeq(ctx, slices.Values(make([]int, n)), func(context.Context, int) (int, error) { f(); return 0, nil }, append(o, par.WithWindow(4))...) {
			err = e
		}
		return err
	},
}

// When the context ends, no operation that has one begins an element more than there are
// workers, be it alone or not.
func TestContextEndsEach(t *testing.T) {
	const n, workers, long = 200, 3, time.Millisecond
	cause := errors.New("enough")
	for name, call := range withContext {
		for _, at := range []int64{1, 2, 50} {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(t, pool.WithWorkers(workers))
				ctx, cancel := context.WithCancelCause(background)
				var began atomic.Int64
				err := call(ctx, n, func() {
					if began.Add(1) == at {
						cancel(cause)
					}
					time.Sleep(long)
				}, par.On(p))
				if got := began.Load(); got > at+workers-1 {
					t.Errorf("F3: the context of %s over %d elements of %v ends in call %d, and there are %d calls", name, n, long, at, got)
				}
				if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
					t.Errorf("F3: the context of %s over %d elements of %v ends in call %d, and it returns %v", name, n, long, at, err)
				}
			})
		}
	}
}

// A panic of the report counts as one of the first element, also if an element fails later.
func TestReportPanicsBeforeError(t *testing.T) {
	for _, late := range []string{"error", "panic"} {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(2))
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

// A panic of the report leaves a sequence when nothing of it runs any more.
func TestMapSeqReportPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, pool.WithWorkers(2))
		var running atomic.Int64
		v := caught(func() {
			for range par.MapSeq(background, (&upTo{n: 100}).each, func(_ context.Context, i int) (int, error) {
				running.Add(1)
				defer running.Add(-1)
				time.Sleep(20 * time.Millisecond)
				return i, nil
			}, par.On(p), par.WithProgress(func(int, int) { panic("enough") })) {
			}
		})
		if v != "enough" || running.Load() != 0 {
			t.Errorf("F2: the report of MapSeq panics, and it panics with %v; %d calls run", v, running.Load())
		}
	})
}

// When a sequence is over for its consumer, by whatever, helpers end what they are at, and
// leave alone what the source has handed over besides.
func TestMapSeqBeginsNothingMore(t *testing.T) {
	const workers, window = 2, 64
	for _, how := range []string{"break", "panic", "error", "source"} {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, pool.WithWorkers(workers))
			var began atomic.Int64
			stop, bad := failure(0), 5
			var atEnd int64
			caught(func() {
				seq := par.MapSeq(background, func(yield func(int) bool) {
					for i := range 1000 {
						if how == "source" && i == window/2 {
							atEnd = began.Load()
							panic(stop)
						}
						if !yield(i) {
							return
						}
					}
				}, func(_ context.Context, i int) (int, error) {
					began.Add(1)
					time.Sleep(time.Millisecond)
					if how == "error" && i == bad {
						return 0, stop
					}
					return i, nil
				}, par.On(p), par.WithWindow(window))
				for r, err := range seq {
					if r != bad && err == nil {
						continue
					}
					if atEnd = began.Load(); how == "panic" {
						panic(stop)
					}
					if err == nil {
						break
					}
					time.Sleep(time.Second) // with the error in hand
				}
			})
			if more := began.Load() - atEnd; more > workers {
				t.Errorf("F2: MapSeq's loop ends by %s, and %d calls begin after that", how, more)
			}
		})
	}
}

// What the source has handed over is done while the source sleeps, also if it is more than
// the first ring has room for, and is handed over at once.
func TestMapSeqRingGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 2*par.FirstRing + 10
		p := newPool(t, pool.WithWorkers(2))
		var began atomic.Int64
		results := 0
		v := caught(func() {
			for r, err := range par.MapSeq(background, func(yield func(int) bool) {
				for i := range n {
					if !yield(i) {
						return
					}
				}
				time.Sleep(time.Hour)
				if got := began.Load(); got != n {
					panic(fmt.Sprintf("of %d elements, %d have begun", n, got)) // and do not wait for the others
				}
			}, func(_ context.Context, i int) (int, error) {
				began.Add(1)
				time.Sleep(time.Millisecond)
				return i, nil
			}, par.On(p), par.WithWindow(4*par.FirstRing)) {
				if r != results || err != nil {
					panic(fmt.Sprintf("result %d is %d, %v", results, r, err))
				}
				results++
			}
		})
		if v != nil || results != n {
			t.Errorf("F1: MapSeq of %d elements that wait in a ring of room for %d: %v; %d results", n, par.FirstRing, v, results)
		}
	})
}

// What f has been called with is not kept until its result is yielded.
func TestMapSeqKeepsNoElements(t *testing.T) {
	const n = 40
	type element = [1 << 10]byte
	p := newPool(t, pool.WithWorkers(2))
	var handed []weak.Pointer[element]
	var done atomic.Int64
	var source iter.Seq[*element] = func(yield func(*element) bool) {
		for range n {
			x := new(element)
			handed = append(handed, weak.Make(x))
			if !yield(x) {
				return
			}
		}
		for beats := 0; done.Load() < n && beats < 10_000; beats++ {
			time.Sleep(time.Millisecond)
		}
		// A worker may have the last ones on its stack.
		kept := n
		for collections := 0; kept > 4 && collections < 1000; collections++ {
			runtime.GC()
			kept = 0
			for _, x := range handed {
				if x.Value() != nil {
					kept++
				}
			}
		}
		if kept > 4 {
			t.Errorf("F4: f has returned for %d elements, and %d are kept", done.Load(), kept)
		}
	}
	for range par.MapSeq(background, source, func(context.Context, *element) (int, error) {
		spin(50 * time.Microsecond)
		done.Add(1)
		return 0, nil
	}, par.On(p), par.WithWindow(2*n)) {
	}
}
