package par_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// Features that are tested by themselves meet here: each operation with and without a limit, below and
// above the number of workers, with progress, in a job and outside, on a closed pool, whose context ends before it or
// within, and which fails in each way. If this fails and no other test does, two of them do not fit.
func TestProducts(t *testing.T) {
	const workers, n, at = 2, 24, 10
	cause := errors.New("enough")
	ways := []string{"well", "error", "panic", "Goexit", "ended context", "context"}
	for c := range having(each|inParts|tries, 0) {
		for _, limit := range []int{0, 1, 5} {
			for _, way := range ways {
				if c.holds&tries == 0 && way != "well" && way != "panic" && way != "Goexit" {
					continue
				}
				for _, where := range []string{"outside", "in a job", "on a closed pool"} {
					what := fmt.Sprintf("%s, with a limit of %d, %s, by %s", c.name, limit, where, way)
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						if where == "on a closed pool" {
							p.Close()
						}
						ctx, cancel := context.WithCancelCause(background)
						defer cancel(nil)
						if way == "ended context" {
							cancel(cause)
						}
						var under, reports level
						var last, ends, began int
						in := newInput(indices(n))
						in.ctx = ctx
						in.do = func(i int) {
							under.up()
							defer under.down()
							time.Sleep(60 * time.Millisecond)
							switch {
							case i == at && way == "panic":
								_ = byPanic.fail(at)
							case i == at && way == "Goexit":
								_ = byGoexit.fail(at)
							case i == 0 && way == "context": // the last one may begin with the others that are left
								cancel(cause)
							}
						}
						in.fails = func(i int) error {
							if i == at && way == "error" {
								return failure(at)
							}
							return nil
						}
						o := []par.Option{par.On(p), par.WithProgress(func(done, total int) {
							reports.during(func() {
								if done < last || done > n || total != n && (total != -1 || c.holds&stream == 0) {
									t.Errorf("WithProgress: %s: %d of %d after %d", what, done, total, last)
								}
								if last = done; done == total {
									ends++
								}
							})
						})}
						if limit > 0 {
							o = append(o, par.WithLimit(limit))
						}
						value, exited, err := ended(func() error {
							if where != "in a job" {
								c.call(in, o...)
								return in.err
							}
							_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int { c.call(in, append(o, par.In(w))...); return 0 }, 0)
							return errors.Join(err, in.err)
						})
						began = int(under.most.Load())
						if now := under.now.Load(); now != 0 || limit > 0 && began > limit {
							t.Errorf("F7: %s: %d elements were under way, and %d are", what, began, now)
						}
						ok := value == nil && !exited && err == nil
						switch way {
						case "error":
							ok = errors.Is(err, failure(at)) && value == nil && !exited
						case "panic":
							ok = value == failure(at) && !exited
						case "Goexit":
							ok = exited || errors.Is(err, pool.ErrGoexit)
						case "context", "ended context":
							ok = errors.Is(err, cause) && errors.Is(err, context.Canceled) && value == nil && !exited
						}
						if !ok || way == "ended context" && began > 0 {
							t.Errorf("F2: %s: panic %v, exit %t, error %v; %d elements were under way", what, value, exited, err, began)
						}
						if reports.most.Load() > 1 || ends != map[bool]int{true: 1}[way == "well"] {
							t.Errorf("WithProgress: %s: the end is reported %d times, and %d reports at a time", what, ends, reports.most.Load())
						}
					})
				}
			}
		}
	}
}
