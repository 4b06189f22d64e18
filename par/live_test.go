package par_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// received is a source of what comes from a channel, until that is closed or ctx ends.
func received[T any](ctx context.Context, from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case x, ok := <-from:
				if !ok || !yield(x) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// The results of a live source are in order, and each element is done once.
func TestLiveSource(t *testing.T) {
	onStreams(t, func(t *testing.T, n int, do func(int), opts ...par.Option) {
		began := make([]atomic.Int32, n)
		results := 0
		_, _, err := consume(par.MapSeq(background, (&upTo{n: n}).each, func(_ context.Context, i int) (int, error) {
			began[i].Add(1)
			do(i)
			return i, nil
		}, append(opts, par.WithLiveSource())...), &results)
		if err != nil || results != n {
			t.Fatalf("F1: %d results of %d, %v", results, n, err)
		}
		for i := range began {
			if began[i].Load() != 1 {
				t.Fatalf("F1: element %d of a live source was done %d times", i, began[i].Load())
			}
		}
	})
}

// A live source is asked for the next element when the window has room, and no sooner.
func TestLiveSourceWindow(t *testing.T) {
	for _, workers := range []int{1, 2, 64} {
		for _, window := range []int{1, 2, 7} {
			inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
				var taken atomic.Int64
				yielded := int64(0)
				for range par.MapSeq(background, func(yield func(int) bool) {
					for i := range 50 {
						taken.Add(1)
						if !yield(i) {
							return
						}
					}
				}, func(context.Context, int) (int, error) { time.Sleep(time.Millisecond); return 0, nil }, par.On(p), par.WithWindow(window), par.WithLiveSource()) {
					time.Sleep(3 * time.Millisecond)
					if ahead := taken.Load() - yielded; ahead > int64(window) {
						t.Errorf("F1: with a window of %d, a live source has handed over %d elements that were not yielded", window, ahead)
					}
					yielded++
				}
			})
		}
	}
}

// A crawler: what the consumer finds is what the source hands over next.
func TestLiveSourceOfConsumer(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			ctx, cancel := context.WithCancel(background)
			defer cancel()
			found := make(chan int, 100)
			found <- 1
			seen := 0
			begun := time.Now()
			for page, err := range par.MapSeq(ctx, received(ctx, found), func(_ context.Context, page int) (int, error) {
				time.Sleep(time.Second)
				return page, nil
			}, par.On(p), par.WithLiveSource()) {
				if err != nil {
					t.Fatalf("F7: a crawler ends with %v", err)
				}
				if seen++; page < 32 {
					found <- 2 * page
					found <- 2*page + 1
				}
				if seen == 63 {
					close(found)
				}
			}
			// One element a level that waits for another one to end, and the consumer helps.
			if took, most := time.Since(begun), (63/time.Duration(workers)+2*6)*time.Second; seen != 63 || took > most {
				t.Errorf("F7: a crawler on %d workers has seen %d pages of 63 in %v, want at most %v", workers, seen, took, most)
			}
		})
	}
}

// A result comes when it is there, and not with the next element; also on a closed pool, and
// in a job, whose worker the others may use meanwhile.
func TestLiveSourceOfEvents(t *testing.T) {
	for _, where := range []string{"outside of jobs", "on a closed pool", "in a job", "in a job that says so"} {
		inBubble(t, 1, func(t *testing.T, p *pool.Pool) {
			events := func(yield func(time.Time) bool) {
				for range 5 {
					time.Sleep(50 * time.Millisecond)
					// The source has no worker, so it needs one here.
					if _, err := pool.Run(background, p, func(*pool.Worker, int) int { return 0 }, 0); err != nil && where != "on a closed pool" {
						t.Errorf("F5: %s, Run in a live source returned %v", where, err)
					}
					if !yield(time.Now()) {
						return
					}
				}
			}
			consume := func(o ...par.Option) int {
				n := 0
				for at := range par.MapSeq(background, events, func(_ context.Context, at time.Time) (time.Time, error) {
					time.Sleep(time.Millisecond)
					return at, nil
				}, append(o, par.WithLiveSource())...) {
					if took := time.Since(at); took != time.Millisecond {
						t.Errorf("F7: %s, the result of an event that takes 1ms came after %v", where, took)
					}
					n++
				}
				return n
			}
			n := 0
			switch where {
			case "in a job":
				n, _ = pool.Run(background, p, func(*pool.Worker, int) int { return consume(par.On(p)) }, 0)
			case "in a job that says so":
				n, _ = pool.Run(background, p, func(w *pool.Worker, _ int) int { return consume(par.In(w)) }, 0)
			case "on a closed pool":
				p.Close()
				fallthrough
			default:
				n = consume(par.On(p))
			}
			if n != 5 {
				t.Errorf("F1: %s, %d results of 5 events", where, n)
			}
		})
	}
}

// How a live source ends is how the loop does, after all results of what it has handed over.
func TestLiveSourceEnds(t *testing.T) {
	for _, how := range []end{byError, byPanic, byGoexit} {
		for _, at := range []int{0, 1, 20} {
			inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
				results := 0
				value, exited, err := consume(par.MapSeq(background, func(yield func(int) bool) {
					for i := range at {
						if !yield(i) {
							return
						}
					}
					switch how {
					case byPanic:
						panic(failure(at))
					case byGoexit:
						runtime.Goexit()
					}
				}, func(_ context.Context, i int) (int, error) { time.Sleep(time.Millisecond); return i, nil }, par.On(p), par.WithLiveSource()), &results)
				if (value == failure(at)) != (how == byPanic) || exited != (how == byGoexit) || err != nil || results != at {
					t.Errorf("F2: a live source ends by %d after %d elements: %d results, then panic %v, Goexit %t, error %v", how, at, results, value, exited, err)
				}
			})
		}
	}
}

// A loop over a live source ends when the source's current step has, by whatever it ends, and
// nothing runs then.
func TestLiveSourceBreak(t *testing.T) {
	for _, how := range []string{"break", "panic", "Goexit", "error", "panic of f", "break, then panic of the source"} {
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			var running atomic.Int64
			stop, late := errors.New("stop"), errors.New("late")
			source := func(yield func(int) bool) {
				running.Add(1)
				defer running.Add(-1)
				for i := range 5 {
					if !yield(i) {
						break
					}
				}
				time.Sleep(time.Second)
				if yield(5) {
					t.Errorf("F4: a loop has ended by %s, and the source is asked for more", how)
				}
				if how == "break, then panic of the source" {
					panic(late)
				}
			}
			begun, ended := time.Now(), make(chan any)
			go func() {
				exits := true
				defer func() {
					v := recover()
					if exits && v == nil {
						v = "Goexit"
					}
					ended <- v
				}()
				for r, err := range par.MapSeq(background, source, func(_ context.Context, i int) (int, error) {
					running.Add(1)
					defer running.Add(-1)
					time.Sleep(time.Millisecond)
					switch {
					case i == 2 && how == "error":
						return 0, stop
					case i == 2 && how == "panic of f":
						panic(stop)
					}
					return i, nil
				}, par.On(p), par.WithLiveSource()) {
					if err != nil && (err != stop || how != "error") {
						t.Errorf("F2: a loop that is to end by %s yields %v", how, err)
					}
					if r < 2 || how == "error" {
						continue
					}
					if how == "panic" {
						panic(stop)
					}
					if how == "Goexit" {
						runtime.Goexit()
					}
					break
				}
				exits = false
			}()
			want := map[string]any{"panic": stop, "panic of f": stop, "Goexit": "Goexit", "break, then panic of the source": late}[how]
			if v := <-ended; v != want {
				t.Errorf("F2: a loop that is to end by %s ends with %v", how, v)
			}
			if took := time.Since(begun); took < time.Second || running.Load() != 0 {
				t.Errorf("F4: a loop ends by %s after %v, the source's step takes a second; %d run", how, took, running.Load())
			}
		})
	}
}

// Others than MapSeq ignore the option, and progress is that of any sequence.
func TestLiveSourceProgress(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		var reports [][2]int
		for range par.MapSeq(background, (&upTo{n: 5}).each, func(_ context.Context, i int) (int, error) {
			time.Sleep(200 * time.Millisecond)
			return i, nil
		}, par.On(p), par.WithLiveSource(), par.WithWindow(1), par.WithProgress(func(done, total int) { reports = append(reports, [2]int{done, total}) })) {
		}
		if want := [][2]int{{1, -1}, {2, -1}, {3, -1}, {4, -1}, {5, -1}, {5, 5}}; !slices.Equal(reports, want) {
			t.Errorf("WithProgress: a live source of 5 elements of 200ms reports %v, want %v", reports, want)
		}
	})
}
