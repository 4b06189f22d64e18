package bench

import (
	"fmt"
	"strconv"

	"github.com/rouse-go/rouse/lab/bench/work"
)

// DepthPrefix begins the names of the workloads that sum a tree of some depth.
// The depth follows.
const DepthPrefix = "depth-"

// depthBeside are the pool and Rayon, each with its plain function.
var depthBeside = []string{SequentialName, SequentialName + "-rayon", "rayon", "rouse"}

// depths are trees of 2^10 to 2^22 nodes, one less each, with one and two
// workers: the table "Scaling with Depth" of "Lock-Free Futex Wake", measured.
func depths(s Sizes) (all []*Workload) {
	for depth := 10; depth <= 22; depth += 2 {
		all = append(all, byDepth(depth, of(s, depth, depth, depth/4)))
	}
	return all
}

// byDepth is a tree of some levels, under the name of a depth.
func byDepth(depth, levels int) *Workload {
	w := tree(levels)
	w.Name = DepthPrefix + strconv.Itoa(depth)
	w.Unit, w.Ops = "fork", work.TreeForks(levels)
	w.About = fmt.Sprintf("sum of a tree of 2^%d-1 nodes, a fork at every inner one: %d forks", levels, w.Ops)
	w.Workers, w.Beside = []int{1, 2}, depthBeside
	return w
}
