package spell

import (
	"math/bits"
	"weak"

	"github.com/rouse-go/rouse/api/prim"
)

// A Table gives out numbers, and knows what each stands for: a worker of some pool. It keeps none of the
// workers in memory. So a pool that is forgotten at rest, without a goroutine, is collected; and one with
// goroutines shows in a profile of leaks, which are goroutines that nothing can wake any more.
//
// The zero value is an empty table.
type Table[W any] struct {
	mu prim.Mutex
	// places has the place of each number, from 1 on, and none for those that are free or lost.
	places []place[W]
	// free has a bit for each number that may be given out again, 64 in each word; all words before
	// first are 0. The smallest one is given out. So no more numbers are in use than there ever were
	// workers at once, and a profiler, which sees the number on each stack, sees no more different stacks.
	free  []uint64
	first int
	used  int // how many are not free
	// enough is how many numbers there may be in use before somebody looks for those of
	// groups that are gone.
	enough int
}

// A place is where a worker is found: in the list of its group.
type place[W any] struct {
	of   weak.Pointer[Group[W]]
	slot int
}

// A Group has the workers of one pool that have a number, some of them twice, and nil for a goroutine
// that reports a panic. The zero value is an empty group. The lock of the table guards it. Rejected: a weak
// pointer to each worker, which costs a microsecond: a pool of eight took twice as long to make.
type Group[W any] struct {
	self  weak.Pointer[Group[W]]
	slots []*W
	free  []int
}

// Add gives a number to w, which may have others, or to a goroutine of the group that is no worker, if w is
// nil. The number is not 0, so that it has a digit, and not in use: the smallest that was dropped, or a new
// one.
func (t *Table[W]) Add(g *Group[W], w *W) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used >= t.enough {
		t.prune()
	}
	for t.first < len(t.free) && t.free[t.first] == 0 {
		t.first++
	}
	if t.first == len(t.free) {
		t.free = append(t.free, ^uint64(0))
		t.places = append(t.places, make([]place[W], 64)...)
	}
	word := &t.free[t.first]
	i := 64*t.first + bits.TrailingZeros64(*word)
	*word &= *word - 1
	t.used++
	t.places[i] = g.add(w)
	return uint32(i + 1)
}

// prune drops the numbers of groups that were collected. There are at most about as many of these as
// others.
func (t *Table[W]) prune() {
	for i, at := range t.places {
		if at != (place[W]{}) && at.of.Value() == nil {
			t.clear(uint32(i + 1))
			t.release(uint32(i + 1))
		}
	}
	t.enough = max(fewNumbers, 2*t.used)
}

// fewNumbers is how many there may be without a look at them.
const fewNumbers = 1024

// Drop makes the number stand for nothing, until it is given out again: no stack spells it
// any more.
func (t *Table[W]) Drop(number uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear(number)
	t.release(number)
}

// A Lost is a number that stands for nothing, but that a stack still spells: a look there must
// not take it for another worker's. The [Body] refers to the Lost, and the stack to the body. Once the
// Lost is garbage, the number can be given out again.
//
// It has a pointer, which nobody uses: a value so small without one may share its memory with
// others, and is garbage only when they are.
type Lost struct{ _ *Lost }

// Lose is Drop for a number that a stack still spells, and may for long. That stack must refer to
// the returned Lost.
func (t *Table[W]) Lose(number uint32) *Lost {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear(number)
	l := new(Lost)
	prim.AddCleanup(l, t.find, number)
	return l
}

// find gives a number back that was lost.
func (t *Table[W]) find(number uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release(number)
}

// release lets the number be given out again.
func (t *Table[W]) release(number uint32) {
	i := int(number - 1)
	t.free[i/64] |= 1 << (i % 64)
	t.first = min(t.first, i/64)
	t.used--
}

// clear makes the number stand for nothing.
func (t *Table[W]) clear(number uint32) {
	at := &t.places[number-1]
	if g := at.of.Value(); g != nil {
		g.slots[at.slot] = nil
		g.free = append(g.free, at.slot)
	}
	*at = place[W]{}
}

// Get returns the worker with the number, and its group, or nil. A stack may have spelt what is no number.
func (t *Table[W]) Get(number uint32) (g *Group[W], w *W) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := number - 1; int64(i) < int64(len(t.places)) {
		if g = t.places[i].of.Value(); g != nil {
			w = g.slots[t.places[i].slot]
		}
	}
	return g, w
}

func (g *Group[W]) add(w *W) place[W] {
	if g.slots == nil {
		g.self = weak.Make(g)
	}
	n := len(g.free)
	if n == 0 {
		g.slots = append(g.slots, w)
		return place[W]{g.self, len(g.slots) - 1}
	}
	slot := g.free[n-1]
	g.free = g.free[:n-1]
	g.slots[slot] = w
	return place[W]{g.self, slot}
}
