package scale

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/lab/bench/work"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/lab/simulate/user"
	"github.com/rouse-go/rouse/pool"
)

// spawnsRow spawns a complete binary tree of jobs in one scope: each job works,
// and then spawns two more, down to a number of levels. So all workers spawn,
// where in the row scope only one does.
func spawnsRow(levels int, each simulate.Time) *Row {
	jobs := 1<<levels - 1
	return &Row{
		Name: "spawns", About: fmt.Sprintf("%d jobs of %d µs in one scope, each spawns two more, %d levels", jobs, each/simulate.Microsecond, levels), Unit: "job", Units: jobs, Callers: 1,
		Cost:  spawnsCost(levels, each),
		Plain: plainly(busyLeaves(jobs, each)),
		Pool: func(p *pool.Pool) (uint64, error) {
			return pool.Run(context.Background(), p, spawning, spawns{levels, each})
		},
		Answer: uint64(jobs),
	}
}

// spawns is a tree of jobs, each of which takes so long.
type spawns struct {
	levels int
	each   simulate.Time
}

// spawning spawns the tree. All jobs of a level share a closure, so that a job
// costs no more allocations than its Spawn does.
func spawning(w *pool.Worker, t spawns) uint64 {
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		job := func(*pool.Worker) { user.Busy(t.each) }
		for range t.levels - 1 {
			child := job
			job = func(w *pool.Worker) {
				user.Busy(t.each)
				for range 2 {
					user.Own(work.Forking)
					s.Spawn(w, child)
				}
			}
		}
		job(w)
	})
	return 1<<t.levels - 1
}

func spawnsCost(levels int, each simulate.Time) Cost {
	c := step(each)
	for range levels - 1 {
		second := step(work.Forking).then(c)
		c = step(each).then(step(work.Forking).then(c.beside(second)))
	}
	return c
}
