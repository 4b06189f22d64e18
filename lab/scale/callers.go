package scale

import (
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

// Programs that call the pool from many goroutines at once.

func runsRow(callers, each, n int, leaf simulate.Time) *Row {
	l := busyLeaves(n, leaf)
	run, runs := l.On(work.FillTree), callers*each
	return &Row{
		Name: "runs", About: fmt.Sprintf("%d callers, %d Runs each, of a tree of %s", callers, each, leaves(n, leaf)), Unit: "Run", Units: runs, Callers: callers,
		Cost:  halvesCost(n, leaf).times(each).copies(callers),
		Plain: plainly(busyLeaves(runs*n, leaf)),
		Pool: func(p *pool.Pool) (uint64, error) {
			return fromCallers(callers, func() (total uint64, err error) {
				for range each {
					got, err := run(p)
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
	l, jobs := busyLeaves(each, job), callers*each
	return &Row{
		Name: "submit", About: fmt.Sprintf("%d callers submit %d jobs each of %d µs, then wait for all", callers, each, job/simulate.Microsecond), Unit: "job", Units: jobs, Callers: callers,
		Cost:  step(job).copies(jobs),
		Plain: plainly(busyLeaves(jobs, job)),
		Pool: func(p *pool.Pool) (uint64, error) {
			return fromCallers(callers, func() (uint64, error) { return l.On(work.FillSubmit)(p) })
		},
		Answer: uint64(jobs),
	}
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
