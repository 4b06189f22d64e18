// Package cells makes graphs of cells. Each cell is computed once, from others, and
// goroutines that need it meanwhile wait.
package cells

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Graphs is how many the suite computes in the default time for stress.
const Graphs = 500

// A Graph says which cells each cell is computed from, and how.
type Graph struct {
	seed uint64
	need [][]int // the cells that each cell is computed from, all of them before it
	how  []int   // in which of the [Ways]
	late []bool  // whether the cell lets others run before it is entered
}

// Ways are the ways in which a cell may have the cells that it needs evaluated.
const Ways = 6

// New makes the graph of a seed, of up to 60 cells, each of which needs up
// to four others.
func New(seed uint64) *Graph {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := 2 + rng.IntN(59)
	g := &Graph{seed: seed, need: make([][]int, n), how: make([]int, n), late: make([]bool, n)}
	near := 1 + rng.IntN(n) // how far back a cell looks: small makes deep graphs
	for i := range n {
		g.how[i] = rng.IntN(Ways)
		g.late[i] = rng.IntN(4) == 0
		if i == 0 {
			continue
		}
		for range rng.IntN(5) {
			g.need[i] = append(g.need[i], i-1-rng.IntN(min(i, near)))
		}
	}
	return g
}

// Len returns how many cells there are.
func (g *Graph) Len() int { return len(g.need) }

// sequential returns the value of each cell, as one goroutine computes them.
func (g *Graph) sequential() []int {
	value := make([]int, len(g.need))
	for i := range value {
		value[i] = g.compute(i, value)
	}
	return value
}

// compute returns the value of a cell from those of the cells that it needs.
func (g *Graph) compute(cell int, value []int) int {
	v := cell + 1
	for _, n := range g.need[cell] {
		v = (31*v + value[n]) % 1_000_003
	}
	return v
}

// An Evaluation is one computation of all cells, by workers of a pool.
type Evaluation[W any] struct {
	*Graph
	once  []sync.Once
	value []int
	each  func(w W, e *Evaluation[W], way int, cells []int)
}

// Evaluate returns an evaluation that has not begun. each has the cells entered that one
// cell needs, and returns when they have a value.
func Evaluate[W any](g *Graph, each func(w W, e *Evaluation[W], way int, cells []int)) *Evaluation[W] {
	n := g.Len()
	return &Evaluation[W]{Graph: g, once: make([]sync.Once, n), value: make([]int, n), each: each}
}

// Enter returns when the cell has a value. The first that comes computes it;
// the others wait, in its sync.Once.
func (e *Evaluation[W]) Enter(w W, cell int) int {
	if e.late[cell] {
		runtime.Gosched()
	}
	e.once[cell].Do(func() {
		e.each(w, e, e.how[cell], e.need[cell])
		e.value[cell] = e.compute(cell, e.value)
	})
	return 0
}

// All enters all cells, the last ones first or the first ones. The last ones need
// the others.
func (e *Evaluation[W]) All(w W, way int, lastFirst bool) {
	order := make([]int, len(e.need))
	for i := range order {
		order[i] = i
	}
	if lastFirst {
		slices.Reverse(order)
	}
	e.each(w, e, way, order)
}

// Check compares all values with those of one goroutine.
func (e *Evaluation[W]) Check() error {
	for i, want := range e.sequential() {
		if e.value[i] != want {
			return fmt.Errorf("cell %d of %d of graph %d is %d, want %d", i, len(e.value), e.seed, e.value[i], want)
		}
	}
	return nil
}
