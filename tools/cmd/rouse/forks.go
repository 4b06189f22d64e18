package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// A node is one of a binary tree, which is what many recursions walk. Here each node is a little
// work, as a comparison or a hash is: so little that a goroutine for it costs many times as much.
type node struct {
	left, right *node
	value       uint64
}

// grow returns a tree of n nodes. Its halves differ in size, as those of real trees do.
func grow(n int, rng *rand.Rand) *node {
	if n == 0 {
		return nil
	}
	left := rng.IntN(n)
	value := rng.Uint64()
	return &node{grow(left, rng), grow(n-1-left, rng), value}
}

// work is what there is to do at one node.
func (n *node) work() uint64 {
	x := n.value
	for range 16 {
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
	}
	return x
}

func plainSum(n *node) uint64 {
	if n == nil {
		return 0
	}
	return plainSum(n.left) + n.work() + plainSum(n.right)
}

// goroutineSum starts a goroutine at each node of so many levels.
func goroutineSum(n *node, levels int) uint64 {
	if n == nil || levels == 0 {
		return plainSum(n)
	}
	var left uint64
	var wg sync.WaitGroup
	wg.Go(func() { left = goroutineSum(n.left, levels-1) })
	right := goroutineSum(n.right, levels-1)
	wg.Wait()
	return left + n.work() + right
}

func forkSum(w *pool.Worker, n *node) uint64 {
	if n == nil {
		return 0
	}
	left, right := pool.Invoke(w, forkSum, n.left, forkSum, n.right)
	return left + n.work() + right
}

// forkTask is the sum of a tree.
func forkTask(pools pools) task[uint64] {
	root := grow(size.nodes, rand.New(rand.NewPCG(1, 2)))
	// Some dozens of goroutines for each processor even out that the halves differ.
	levels := bits.Len(uint(runtime.GOMAXPROCS(0))) + 5
	ways := []way[uint64]{
		{"plain Go", func(context.Context) (uint64, error) { return plainSum(root), nil }},
		{"a goroutine for each fork", func(context.Context) (uint64, error) { return goroutineSum(root, math.MaxInt), nil }},
		{"goroutines, cut off by hand", func(context.Context) (uint64, error) { return goroutineSum(root, levels), nil }},
	}
	for _, p := range pools {
		ways = append(ways, way[uint64]{p.name, func(ctx context.Context) (uint64, error) { return pool.Run(ctx, p.Pool, forkSum, root) }})
	}
	return task[uint64]{title: fmt.Sprintf("Sum over a tree of %d nodes, a fork at each node\n", size.nodes), ways: ways, differs: unequal}
}

// unequal says in one line that two sums are not the same.
func unequal(a, b uint64) []string {
	if a == b {
		return nil
	}
	return []string{"the result"}
}

// A namedPool is a pool with the parts that its name has.
type namedPool struct {
	*pool.Pool
	name string
}

type pools []namedPool

// newPools makes a pool of each deque with each sleep backend, with the other options besides.
func newPools(others ...pool.Option) (all pools, err error) {
	type sleep struct {
		name string
		new  func(workers int) (api.Sleep, error)
	}
	sleeps := []sleep{
		{"jec", func(n int) (api.Sleep, error) { return jec.New(n) }},
		{"futex", func(n int) (api.Sleep, error) { return futex.New(n) }},
	}
	if runtime.GOOS == "linux" { // Elsewhere a futex backend parks goroutines in any case.
		sleeps = append(sleeps, sleep{"futex-goroutine", func(n int) (api.Sleep, error) { return futex.New(n, futex.WithGoroutinePark()) }})
	}
	for _, d := range []struct {
		name string
		new  func() api.Deque[pool.Job]
	}{
		{"chaselev", func() api.Deque[pool.Job] { return deque.NewChaseLev[pool.Job]() }},
		{"locked", func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }},
	} {
		for _, s := range sleeps {
			p, err := pool.New(append(others, pool.WithDeque(d.new), pool.WithSleep(s.new))...)
			if err != nil {
				return nil, errors.Join(err, all.close())
			}
			all = append(all, namedPool{p, "rouse, " + d.name + ", " + s.name})
		}
	}
	return all, nil
}

func (all pools) close() (err error) {
	for _, p := range all {
		err = errors.Join(err, p.Close())
	}
	return err
}
