package conformance

import (
	"slices"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// joinOrders are orders in which n forks may be joined, in place of the newest first.
var joinOrders = []struct {
	name  string
	order func(r *run, n int) []int
}{
	{"the oldest first", func(_ *run, n int) []int { return ascending(n) }},
	{"at random", func(r *run, n int) []int { return r.RNG.Perm(n) }},
	{"one from the middle first, and downwards from there", func(_ *run, n int) []int { return fromTheMiddle(n, n/2) }},
	{"two from the middle first, downwards", func(_ *run, n int) []int { return fromTheMiddle(n, 2) }},
	{"each second one first, downwards", func(_ *run, n int) []int {
		var odd, even []int
		for i := n - 1; i >= 0; i-- {
			if i%2 == 1 {
				odd = append(odd, i)
			} else {
				even = append(even, i)
			}
		}
		return append(odd, even...)
	}},
}

func ascending(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// fromTheMiddle has so many of n numbers come first, downwards from the middle, and
// then the others, the highest first.
func fromTheMiddle(n, first int) []int {
	all := ascending(n)
	middle := n/2 - first
	few := slices.Clone(all[middle : n/2])
	all = slices.Delete(all, middle, n/2)
	slices.Reverse(few)
	slices.Reverse(all)
	return append(few, all...)
}

// runOutOfOrder joins forks in other orders than the newest first: few, and so many
// that a pool will not move all that lie above the one that is joined.
func runOutOfOrder(r *run, p *pool.Pool) {
	for _, n := range []int{5, 70, 400} {
		for _, o := range joinOrders {
			r.During("P1", "%d forks are joined, %s", n, o.name)
			var ran atomic.Int32
			sum := enter(r, p, func(w *pool.Worker) (sum int) {
				forks := make([]pool.Forked[int, int], n)
				for i := range forks {
					forks[i] = pool.Fork(w, func(_ *pool.Worker, i int) int { ran.Add(1); return i }, i)
				}
				for _, i := range o.order(r, n) {
					got := forks[i].Join(w)
					if got != i {
						r.Report("P1", "of %d forks, joined %s, number %d gives %d", n, o.name, i, got)
					}
					sum += got
				}
				return sum
			})
			r.Check(sum == n*(n-1)/2 && int(ran.Load()) == n, "P1", "%d forks, joined %s, have run %d times and give %d in all, want %d", n, o.name, ran.Load(), sum, n*(n-1)/2)
		}
	}
}
