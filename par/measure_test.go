package par_test

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

const ms = time.Millisecond

func nap(context.Context, int) (int, error) { time.Sleep(10 * ms); return 0, nil }

// If this fails, Measure takes a loop for one job, or for shorter ones than it has.
func TestMeasureLoops(t *testing.T) {
	sleep := func(i int) { time.Sleep(time.Duration(1+i%3) * ms) }
	for _, c := range []struct {
		name               string
		work, span, waited time.Duration
		forks              int
		f                  func(w *pool.Worker)
	}{
		{"For", 18 * ms, 3 * ms, 0, 8, func(*pool.Worker) { par.For(9, sleep) }},
		{"For of one", ms, ms, 0, 0, func(*pool.Worker) { par.For(1, sleep) }},
		{"ForRange", 18 * ms, 3 * ms, 0, 8, func(*pool.Worker) {
			par.ForRange(9, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					sleep(i)
				}
			})
		}},
		{"before and after", 20 * ms, 5 * ms, 0, 8, func(*pool.Worker) { sleep(0); par.For(9, sleep); sleep(0) }},
		{"within each other", 24 * ms, 3 * ms, 0, 11, func(*pool.Worker) {
			par.For(4, func(int) { par.For(3, sleep) })
		}},
		{"ForWorker, forks within", 8 * ms, ms, 0, 7, func(*pool.Worker) {
			one := func(*pool.Worker, int) int { sleep(0); return 0 }
			par.ForWorker(4, func(w *pool.Worker, _ int) { pool.Invoke(w, one, 0, one, 0) })
		}},
		{"fails", 3 * ms, ms, 0, 2, func(*pool.Worker) {
			_ = par.ForErr(background, 9, func(_ context.Context, i int) error {
				sleep(0)
				if i == 2 {
					return context.Canceled
				}
				return nil
			})
		}},
		{"panics", 3 * ms, ms, 0, 2, func(*pool.Worker) {
			defer func() { _ = recover() }()
			par.For(9, func(i int) {
				sleep(0)
				if i == 2 {
					panic(i)
				}
			})
		}},
		// The last element comes after 4 ms of the source's and 15 of the consumer's.
		{"MapSeq", 64 * ms, 29 * ms, 0, 3, func(*pool.Worker) {
			source := &source{n: 4, before: func(int) { time.Sleep(ms) }}
			for range par.MapSeq(background, source.each, nap) {
				time.Sleep(5 * ms)
			}
		}},
		{"a limit", ms, 11 * ms, 10 * ms, 0, func(*pool.Worker) {
			_, _ = par.MapErr(background, make([]int, 8), nap, par.WithLimit(8))
			sleep(0)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
				defer pool.SetDefault(pool.SetDefault(p))
				m, err := p.Measure(background, c.f)
				if err != nil || m.Work != c.work || m.Span != c.span || m.Waited != c.waited || m.Forks != c.forks {
					t.Errorf("F9: %s: work %v, span %v, waits %v and %d forks, error %v, want %v, %v, %v and %d",
						c.name, m.Work, m.Span, m.Waited, m.Forks, err, c.work, c.span, c.waited, c.forks)
				}
			})
		})
	}
}
