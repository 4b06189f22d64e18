package scale

import (
	"context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

// Programs that call the pool from many goroutines at once.

func runsRow(callers, each, n int, leaf simulate.Time) *Row {
	l := leaves{n, leaf, busy}
	runs := callers * each
	return &Row{
		Name: "runs", About: fmt.Sprintf("%d callers, %d Runs each, of a tree of %s", callers, each, l.about()), Unit: "Run", Units: runs, Callers: callers,
		Cost: halvesCost(n, leaf).times(each).copies(callers),
		Plain: func() (total uint64) {
			for range runs {
				total += l.plain()
			}
			return total
		},
		Pool: func(p *pool.Pool) (uint64, error) {
			return fromCallers(callers, func() (total uint64, err error) {
				for range each {
					got, err := pool.Run(context.Background(), p, halves, l)
					if err != nil {
						return total, err
					}
					total += got
				}
				return total, nil
			})
		},
		Answer: uint64(runs * n),
	}
}

func submitRow(callers, each int, job simulate.Time) *Row {
	jobs := leaves{callers * each, job, busy}
	one := func(*pool.Worker) uint64 { busy(job); return 1 }
	return &Row{
		Name: "submit", About: fmt.Sprintf("%d callers submit %d jobs each of %d µs, then wait for all", callers, each, job/simulate.Microsecond), Unit: "job", Units: jobs.n, Callers: callers,
		Cost:  step(job).copies(jobs.n),
		Plain: jobs.plain,
		Pool: func(p *pool.Pool) (uint64, error) {
			return fromCallers(callers, func() (uint64, error) { return submitAll(p, each, one) })
		},
		Answer: uint64(jobs.n),
	}
}

// submitAll submits a job n times, and adds up the results.
func submitAll(p *pool.Pool, n int, job func(*pool.Worker) uint64) (total uint64, err error) {
	handles := make([]*pool.Handle[uint64], n)
	for i := range handles {
		if handles[i], err = pool.Submit(p, job); err != nil {
			return 0, err
		}
	}
	for _, h := range handles {
		got, err := h.Wait(context.Background())
		if err != nil {
			return total, err
		}
		total += got
	}
	return total, nil
}

// fromCallers calls f from so many goroutines at once, and adds up the results.
func fromCallers(callers int, f func() (uint64, error)) (total uint64, err error) {
	results, errs := make([]uint64, callers), make([]error, callers)
	var all prim.WaitGroup
	for i := range callers {
		all.Go(func() { results[i], errs[i] = f() })
	}
	all.Wait()
	for _, r := range results {
		total += r
	}
	return total, errors.Join(errs...)
}
