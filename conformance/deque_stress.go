package conformance

import (
	"math/rand/v2"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// A dequeMix says what the owner does while thieves steal.
type dequeMix struct {
	name    string
	rule    string
	thieves int
	turn    func(rng *rand.Rand) (pushes, pops int)
	// full, if not zero, makes the owner wait before each push until there
	// are fewer items inside. A power of two is likely to be a capacity.
	full int
}

var dequeMixes = []dequeMix{
	{name: "last_item", rule: "D4", thieves: 2, turn: func(*rand.Rand) (int, int) { return 1, 1 }},
	{name: "last_item_pop_empty", rule: "D4", thieves: 1, turn: func(*rand.Rand) (int, int) { return 1, 2 }},
	{name: "owner_stealer", rule: "D1", thieves: 1, turn: func(rng *rand.Rand) (int, int) { return rng.IntN(5), rng.IntN(5) }},
	{name: "owner_4_stealers", rule: "D1", thieves: 4, turn: func(rng *rand.Rand) (int, int) { return rng.IntN(9), rng.IntN(9) }},
	{name: "growth", rule: "D5", thieves: 2, turn: func(rng *rand.Rand) (int, int) { return 1 << rng.IntN(12), rng.IntN(1 << 8) }},
	{name: "stealers_only", rule: "D1", thieves: 3, turn: func(*rand.Rand) (int, int) { return 64, 0 }},
	{name: "full_4", rule: "D5", thieves: 2, turn: func(*rand.Rand) (int, int) { return 16, 0 }, full: 4},
	{name: "full_64", rule: "D5", thieves: 2, turn: func(*rand.Rand) (int, int) { return 256, 0 }, full: 64},
}

// stress lets the owner and thieves run free. The items are numbered in the
// order of the pushes, so that each taker can tell at once whether its items
// are in order, and the ledger at the end whether everything came out once.
func (s dequeSuite) stress(r *run, m dequeMix) {
	defer r.TwoProcs()()
	n := 1 << 14
	if m.full > 0 {
		n = 1 << 11 // they go one by one
	}
	items := numbers(n)
	for round := 0; r.More(round, 2); round++ {
		d := s.make()
		taken := newLedger(n)
		var over atomic.Bool
		fns := []func(){func() {
			defer over.Store(true)
			s.owner(r, d, m, items, taken)
		}}
		for range m.thieves {
			fns = append(fns, func() {
				takeAll(r, "D2", d, r.Reporter("D3"), over.Load, taken, n)
			})
		}
		r.Together(fns...)
		taken.check(r, m.rule)
	}
}

// owner pushes all items and pops some of them.
func (s dequeSuite) owner(r *run, d api.Deque[int], m dequeMix, items []int, taken *ledger) {
	rng := harness.NewRNG()
	var inside []int // items that the owner has pushed and neither popped nor found gone
	pop := func() bool {
		item := d.Pop()
		if item == nil {
			inside = inside[:0] // stolen, all of them
			return false
		}
		taken.take(item)
		if len(inside) == 0 {
			r.Report("D3", "Pop returned %d, after a Pop that found the deque empty and no Push since", *item)
			return false
		}
		if want := inside[len(inside)-1]; *item != want {
			r.Report("D2", "Pop returned %d, want the newest, %d", *item, want)
			return false
		}
		inside = inside[:len(inside)-1]
		return true
	}
	for next := 0; next < len(items); {
		pushes, pops := m.turn(rng)
		for range min(pushes, len(items)-next) {
			for m.full > 0 && d.Len() >= m.full && !r.Aborted() {
				r.Yield()
			}
			d.Push(&items[next])
			inside = append(inside, next)
			next++
		}
		for range pops {
			pop()
		}
		if r.Aborted() {
			return
		}
	}
	for pop() {
	}
}
