package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rouse-go/rouse/par"
)

// collatz returns how many steps lead from n to 1: from a few to hundreds, so that parts of a loop
// that have equally many elements are not equally long.
func collatz(n int) (steps uint64) {
	for ; n > 1; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return steps
}

// loopTask is a loop, whose result is a number for each element.
func loopTask() task[uint64] {
	steps := make([]uint64, size.loop)
	sum := func() (uint64, error) {
		all := uint64(0)
		for i, n := range steps {
			all += uint64(i) * n
			steps[i] = 0 // The next one must find it by itself.
		}
		return all, nil
	}
	return task[uint64]{
		title: fmt.Sprintf("A loop over %d numbers, where some take longer\n", size.loop),
		ways: []way[uint64]{
			{"plain Go", func(context.Context) (uint64, error) {
				for i := range steps {
					steps[i] = collatz(i)
				}
				return sum()
			}},
			{"rouse, par.For", func(context.Context) (uint64, error) {
				par.For(len(steps), func(i int) { steps[i] = collatz(i) })
				return sum()
			}},
		},
		differs: unequal,
	}
}

// sortTask is a sort of numbers, with the copy that there is to sort.
func sortTask() task[uint64] {
	rng := rand.New(rand.NewPCG(3, 4))
	numbers := make([]int, size.sort)
	for i := range numbers {
		numbers[i] = rng.Int()
	}
	return task[uint64]{
		title: fmt.Sprintf("A sort of %d random numbers\n", size.sort),
		ways: []way[uint64]{
			{"plain Go, slices.Sort", sorted(numbers, slices.Sort[[]int])},
			{"rouse, par.Sort", sorted(numbers, func(s []int) { par.Sort(s) })},
		},
		differs: unequal,
	}
}

// sorted returns a way that sorts a copy of the numbers, and returns a sum that depends on the
// order.
func sorted(numbers []int, sort func([]int)) func(context.Context) (uint64, error) {
	return func(context.Context) (all uint64, err error) {
		s := slices.Clone(numbers)
		sort(s)
		for _, n := range s {
			all = all*31 + uint64(n)
		}
		return all, nil
	}
}
