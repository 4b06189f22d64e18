package par_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A crawler: what the consumer finds is what the source hands over next.
func TestLiveSourceOfConsumer(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
			found := make(chan int, 100)
			found <- 1
			seen := 0
			begun := time.Now()
			err := liveSeq(background, func(yield func(int) bool) {
				for page := range found {
					if !yield(page) {
						return
					}
				}
			}, func(_ context.Context, page int) (int, error) {
				time.Sleep(time.Second)
				return page, nil
			}, func(page int) error {
				if seen++; page < 32 {
					found <- 2 * page
					found <- 2*page + 1
				}
				if seen == 63 {
					close(found)
				}
				return nil
			}, par.On(p))
			// One element a level that waits for another one to end, and the consumer helps.
			if took, most := time.Since(begun), (63/time.Duration(workers)+2*6)*time.Second; err != nil || seen != 63 || took > most {
				t.Errorf("F7: a crawler on %d workers has seen %d pages of 63 in %v, want at most %v; %v", workers, seen, took, most, err)
			}
		})
	}
}

// A loop over a live source ends when the source's current step has, by whatever it ends, and
// nothing runs then.
func TestLiveSourceBreak(t *testing.T) {
	for _, who := range []string{"consumer", "f", "consumer, then source"} {
		for how := byError; how <= byGoexit; how++ {
			inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
				var running level
				fails := func(i int, by string) error {
					if i == 2 && strings.HasPrefix(who, by) {
						return how.fail(i)
					}
					return nil
				}
				late := who == "consumer, then source"
				begun := time.Now()
				value, exited, err := ended(func() error {
					return liveSeq(background, func(yield func(int) bool) {
						running.during(func() {
							for i := range 5 {
								if !yield(i) {
									break
								}
							}
							time.Sleep(time.Second)
							if yield(5) {
								t.Errorf("F4: %s has failed by %d, and the source is asked for more", who, how)
							}
							if late {
								panic(failure(7))
							}
						})
					}, func(_ context.Context, i int) (_ int, err error) {
						running.during(func() {
							time.Sleep(time.Millisecond)
							err = fails(i, "f")
						})
						return i, err
					}, func(i int) error { return fails(i, "consumer") }, par.On(p))
				})
				if late && how == byError && value != failure(7) || !late && !how.is(2, value, exited, err) {
					t.Errorf("F2: %s fails by %d, and the loop returns %v, panics with %v, Goexit %t", who, how, err, value, exited)
				}
				if took := time.Since(begun); took < time.Second || running.now.Load() != 0 {
					t.Errorf("F4: %s fails by %d, and the loop ends after %v, the source's step takes a second; %d run", who, how, took, running.now.Load())
				}
			})
		}
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
					if err := onWorker(p); err != nil && where != "on a closed pool" {
						t.Errorf("F5: %s, a job in a live source returned %v", where, err)
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

// The contexts end before the loop waits for a source that waits for an element.
func TestLiveBreakEndsFirst(t *testing.T) {
	inBubble(t, 4, func(t *testing.T, p *pool.Pool) {
		over, begun := make(chan struct{}), time.Now()
		for range par.MapSeq(background, func(yield func(int) bool) {
			if yield(0) && yield(1) {
				<-over
			}
		}, func(ctx context.Context, i int) (int, error) {
			if i == 1 {
				defer close(over)
				<-ctx.Done()
			}
			time.Sleep(time.Millisecond) // so that the other one begins
			return i, nil
		}, par.On(p), par.WithLiveSource()) {
			break
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("F3: a live source waits for an element that waits for its context, and a break takes %v", took)
		}
	})
}
