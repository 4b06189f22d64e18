package work

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

// FailingGroups starts some groups of jobs one after the other, and waits for each. The jobs do
// next to nothing, and might fail.
func FailingGroups(groups, jobs int) *Program {
	g := failing{groups, make([]uint64, jobs)}
	return &Program{
		Sequential: g.sequential,
		Nested:     g.nested,
		Flat:       func(groups Groups, _ int) uint64 { return g.nested(groups) },
		Pool:       g.pool,
	}
}

type failing struct {
	groups  int
	results []uint64
}

// job is the same in each shape.
func (g failing) job(round, i int) error {
	g.results[i] = uint64(round + i)
	return nil
}

func (g failing) sum() uint64 { return total(g.results) }

func (g failing) sequential() (total uint64) {
	for round := range g.groups {
		for i := range g.results {
			if g.job(round, i) != nil {
				return 0
			}
		}
		total += g.sum()
	}
	return total
}

func (g failing) nested(groups Groups) (total uint64) {
	for round := range g.groups {
		all := groups()
		for i := range g.results {
			all.Go(func() { _ = g.job(round, i) })
		}
		all.Wait()
		total += g.sum()
	}
	return total
}

func (g failing) pool(p *pool.Pool) (uint64, error) {
	return pool.RunErr(context.Background(), p, func(ctx context.Context, w *pool.Worker, _ int) (total uint64, err error) {
		for round := range g.groups {
			err := w.Group(ctx, func(_ context.Context, w *pool.Worker, all *pool.Group) error {
				for i := range g.results {
					all.Spawn(w, func(context.Context, *pool.Worker) error { return g.job(round, i) })
				}
				return nil
			})
			if err != nil {
				return 0, err
			}
			total += g.sum()
		}
		return total, nil
	}, 0)
}

// FailingGroupsSum is the result of FailingGroups.
func FailingGroupsSum(groups, jobs int) uint64 {
	g, j := uint64(groups), uint64(jobs)
	return j*g*(g-1)/2 + g*j*(j-1)/2
}
