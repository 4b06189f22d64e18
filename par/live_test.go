package par_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A live source that hears that nobody wants more may have taken its time, and fail: the loop waits
// for that, and ends so.
func TestLiveSourceBreak(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
		begun := time.Now()
		v := caught(func() {
			liveSeq(background, func(yield func(int) bool) {
				more := yield(0) // false if the consumer has failed by now
				if time.Sleep(time.Second); more && yield(1) {
					t.Error("F4: the consumer has failed, and the source is asked for more")
				}
				panic(failure(7))
			}, doubled, func(i int) error { return failure(i) }, par.On(p))
		})
		if took := time.Since(begun); v != failure(7) || took < time.Second {
			t.Errorf("F4: the consumer fails, and then the source, after a second: the loop panics with %v after %v", v, took)
		}
	})
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
