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
	// groups has the group of each number, from 1 on, and none for those that are free or lost.
	groups []weak.Pointer[Group[W]]
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

// A Group has the workers of one pool that have a number, some of them twice, and nil for a goroutine
// that reports a panic. The zero value is an empty group. The lock of the table guards it. Rejected: a weak
// pointer to each worker, which costs a microsecond: a pool of eight took twice as long to make.
type Group[W any] struct {
	self    weak.Pointer[Group[W]]
	workers map[uint32]*W // by their numbers
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
		t.groups = append(t.groups, make([]weak.Pointer[Group[W]], 64)...)
	}
	word := &t.free[t.first]
	i := 64*t.first + bits.TrailingZeros64(*word)
	*word &= *word - 1
	t.used++
	if g.workers == nil {
		g.self, g.workers = weak.Make(g), make(map[uint32]*W)
	}
	number := uint32(i + 1)
	t.groups[i], g.workers[number] = g.self, w
	return number
}

// prune drops the numbers of groups that were collected. There are at most about as many of these as
// others.
func (t *Table[W]) prune() {
	for i, of := range t.groups {
		if of != (weak.Pointer[Group[W]]{}) && of.Value() == nil {
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
	t.release(number)
}

// Lose is [Table.Drop] for a number that a stack still spells, and may for long: a look there must not take it
// for another worker's. body is what [Call] has got, so the stack refers to it. Once it is garbage, the number
// can be given out again.
func Lose[W, B any](t *Table[W], number uint32, body *B) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clear(number)
	prim.AddCleanup(body, t.Drop, number)
}

// release makes the number stand for nothing, if it does not yet, and lets it be given out again.
func (t *Table[W]) release(number uint32) {
	t.clear(number)
	i := int(number - 1)
	t.free[i/64] |= 1 << (i % 64)
	t.first = min(t.first, i/64)
	t.used--
}

// clear makes the number stand for nothing.
func (t *Table[W]) clear(number uint32) {
	of := &t.groups[number-1]
	if g := of.Value(); g != nil {
		delete(g.workers, number)
	}
	*of = weak.Pointer[Group[W]]{}
}

// Get returns the worker with the number, and its group, or nil. A stack may have spelt what is no number.
func (t *Table[W]) Get(number uint32) (g *Group[W], w *W) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := number - 1; int64(i) < int64(len(t.groups)) {
		if g = t.groups[i].Value(); g != nil {
			w = g.workers[number]
		}
	}
	return g, w
}
