package conformance

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// cellGraphs is how many graphs there are, for the default time for stress, and
// cellWorkers are the pools that evaluate each.
var (
	cellGraphs  = 500
	cellWorkers = []int{1, 2, 3, 4, 64}
)

// cells is a graph of cells, each of which is computed once, from others.
type cells struct {
	seed uint64
	need [][]int // of each cell, those that it is computed from, all of them before it
	how  []cellWay
	late []bool // whether the cell lets others run before it is entered
}

// A cellWay says how a cell has those that it needs evaluated.
type cellWay int

const (
	byFork       cellWay = iota // joined newest first
	byOldestFork                // joined in the order of forking
	byInvoke                    // by halves
	byScope
	bySubmit
	cellWays
)

// newCells makes the graph of a seed, of up to 60 cells, each of which needs up
// to four others.
func newCells(seed uint64) *cells {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := 2 + rng.IntN(59)
	c := &cells{seed: seed, need: make([][]int, n), how: make([]cellWay, n), late: make([]bool, n)}
	near := 1 + rng.IntN(n) // how far back a cell looks: small makes deep graphs
	for i := range n {
		c.how[i] = cellWay(rng.IntN(int(cellWays)))
		c.late[i] = rng.IntN(4) == 0
		if i == 0 {
			continue
		}
		for range rng.IntN(5) {
			c.need[i] = append(c.need[i], i-1-rng.IntN(min(i, near)))
		}
	}
	return c
}

// sequential returns the value of each cell, as one goroutine computes them.
func (c *cells) sequential() []int {
	value := make([]int, len(c.need))
	for i := range value {
		value[i] = c.compute(i, value)
	}
	return value
}

// compute returns the value of a cell from those of the cells that it needs.
func (c *cells) compute(cell int, value []int) int {
	v := cell + 1
	for _, n := range c.need[cell] {
		v = (31*v + value[n]) % 1_000_003
	}
	return v
}

// An evaluation is one computation of all cells.
type evaluation struct {
	*cells
	once  []sync.Once
	value []int
	// each has the cells entered that one cell needs, and returns when they have
	// a value.
	each func(w *pool.Worker, e *evaluation, how cellWay, cells []int)
}

func (c *cells) evaluation(each func(*pool.Worker, *evaluation, cellWay, []int)) *evaluation {
	n := len(c.need)
	return &evaluation{cells: c, once: make([]sync.Once, n), value: make([]int, n), each: each}
}

// enter returns when the cell has a value. Whoever comes first computes it; the
// others wait, in its sync.Once.
func (e *evaluation) enter(w *pool.Worker, cell int) int {
	if e.late[cell] {
		runtime.Gosched()
	}
	e.once[cell].Do(func() {
		e.each(w, e, e.how[cell], e.need[cell])
		e.value[cell] = e.compute(cell, e.value)
	})
	return 0
}

// all enters all cells, the last ones first or the first ones. The last ones need
// the others.
func (e *evaluation) all(w *pool.Worker, how cellWay, lastFirst bool) {
	order := make([]int, len(e.need))
	for i := range order {
		order[i] = i
	}
	if lastFirst {
		slices.Reverse(order)
	}
	e.each(w, e, how, order)
}

// check compares all values with those of one goroutine.
func (e *evaluation) check() error {
	for i, want := range e.sequential() {
		if e.value[i] != want {
			return fmt.Errorf("cell %d of %d of graph %d is %d, want %d", i, len(e.value), e.seed, e.value[i], want)
		}
	}
	return nil
}

// inPool has cells entered by jobs.
func inPool(w *pool.Worker, e *evaluation, how cellWay, cells []int) {
	switch how {
	case byFork, byOldestFork:
		forks := make([]pool.Forked[int, int], len(cells))
		for i, c := range cells {
			forks[i] = pool.Fork(w, e.enter, c)
		}
		if how == byFork {
			slices.Reverse(forks)
		}
		for _, f := range forks {
			f.Join(w)
		}
	case byInvoke:
		switch n := len(cells); n {
		case 0:
		case 1:
			e.enter(w, cells[0])
		default:
			half := func(w *pool.Worker, cells []int) int { inPool(w, e, byInvoke, cells); return 0 }
			pool.Invoke(w, half, cells[:n/2], half, cells[n/2:])
		}
	case byScope:
		w.Scope(func(s *pool.Scope) {
			for _, c := range cells {
				s.Spawn(w, func(w *pool.Worker) { e.enter(w, c) })
			}
		})
	case bySubmit:
		handles := make([]*pool.Handle[int], len(cells))
		for i, c := range cells {
			h, err := pool.Submit(w.Pool(), func(w *pool.Worker) int { return e.enter(w, c) })
			if err != nil {
				panic(fmt.Errorf("P1: Submit in a job returned the error %w", err))
			}
			handles[i] = h
		}
		for _, h := range handles {
			if _, err := h.Join(w); err != nil {
				panic(fmt.Errorf("P1: Join of a handle returned the error %w", err))
			}
		}
	}
}

// cells computes graphs of cells on pools of each size. All roots of a graph are
// entered at once, by two callers of Run that begin from both ends. Run is
// called first and the cells are entered inside: admission counts as a lock.
func (s poolSuite) cells(t *testing.T, cfg config) {
	graphs := cellGraphs
	if cfg.parts {
		graphs /= 5 // it is called for many parts, and all graphs wait in the same five ways
	}
	for _, workers := range cellWorkers {
		s.test(t, cfg, fmt.Sprintf("Cells/workers=%d", workers), "P14", workers, func(r *run, p *pool.Pool) {
			r.rounds(graphs, func(seed int) {
				c := newCells(uint64(seed))
				r.during("P14", "graph %d of cells that are computed once, from %d cells, on %d workers", seed, len(c.need), workers)
				e := c.evaluation(inPool)
				caller := func(how cellWay, lastFirst bool) func() {
					return func() {
						_, err := pool.Run(background, p, func(w *pool.Worker, _ int) int {
							e.all(w, how, lastFirst)
							return 0
						}, 0)
						if err != nil {
							r.report("P1", "Run returned the error %v", err)
						}
					}
				}
				r.together(
					caller(cellWay(seed)%cellWays, true),
					caller(cellWay(seed/2)%cellWays, seed%2 == 0),
				)
				if err := e.check(); err != nil {
					r.fail("P1", "%v, on %d workers", err, workers)
				}
			})
		})
	}
}
