package par

//lint:file-ignore U1000 The methods are those of leaf; the check does not see it of generic types.

import (
	"context"

	"github.com/rouse-go/rouse/api/prim"
)

// FoldRange returns the results of leaf(lo, hi) for the ranges that together are 0 to
// n-1, combined by op in their order. op is associative; it need not be commutative. The
// ranges, and the order of the calls of op, depend on n alone, so the result is the same
// on any number of workers, to the last bit. op may change its first argument and return
// it. With n = 0 FoldRange returns leaf(0, 0).
//
// There are at most 511 ranges, of one element each if n is below 512. FoldRange allocates
// room for their results, for the next multiple of eight, and a word for each eight.
// Neighbours are put together as soon as both are there: see [Fold].
func FoldRange[A any](n int, leaf func(lo, hi int) A, op func(a, b A) A, opts ...Option) A {
	refuse("FoldRange", n, leaf == nil || op == nil)
	var c config
	c.heeds(codeOf(leaf)*31+codeOf(op), opts)
	return folded(n, rangeOf(n), folder[A]{leaf, op}, &c)
}

// Fold folds each part of s from a value of start by add, and returns all parts combined
// by merge, in their order. The parts depend on the length of s alone, so the result is
// the same on any number of workers, to the last bit, if start returns the same each time.
// With an empty s it returns start().
//
// There are at most 511 parts, of one element each if s has fewer than 512. A part and the
// value of start for it belong to one call of add or merge at a time: add and merge may
// change their first argument and return it.
//
// Parts that are next to each other are merged as soon as both are there. So at any time at
// most 17 values for each worker, and 8, are made and not merged. With a [WithLimit] above
// the number of workers it is so many for each part that may be under way.
func Fold[S ~[]E, E, A any](s S, start func() A, add func(A, E) A, merge func(a, b A) A, opts ...Option) A {
	refuse("Fold", 0, start == nil || add == nil || merge == nil)
	var c config
	c.heeds((codeOf(start)*31+codeOf(add))*31+codeOf(merge), opts)
	f := elementFolder[E, A]{s, start, add, merge}
	return folded(len(s), rangeOf(len(s)), f, &c)
}

type elementFolder[E, A any] struct {
	s     []E
	start func() A
	add   func(A, E) A
	merge func(a, b A) A
}

func (f elementFolder[E, A]) fold(_ context.Context, lo, hi int) (A, error) {
	sum, add := f.start(), f.add
	for _, x := range f.s[lo:hi] {
		sum = add(sum, x)
	}
	return sum, nil
}

func (f elementFolder[E, A]) join(a, b A) A { return f.merge(a, b) }

// FoldErr is [Fold] for an add that may fail, and that wants a context: see [ForErr]. With an
// error it returns the zero A.
func FoldErr[S ~[]E, E, A any](ctx context.Context, s S, start func() A, add func(context.Context, A, E) (A, error), merge func(a, b A) A, opts ...Option) (sum A, err error) {
	refuse("FoldErr", 0, start == nil || add == nil || merge == nil)
	mustContext("FoldErr", ctx)
	var c config
	c.within(ctx, (codeOf(start)*31+codeOf(add))*31+codeOf(merge), opts)
	f := adding[E, A]{elementFolder[E, A]{s: s, start: start, merge: merge}, add}
	return fold(len(s), rangeOf(len(s)), f, &c)
}

// An adding is an elementFolder whose add may fail.
type adding[E, A any] struct {
	elementFolder[E, A]
	add func(context.Context, A, E) (A, error)
}

func (a adding[E, A]) fold(ctx context.Context, lo, hi int) (sum A, err error) {
	sum = a.start()
	for i := lo; i < hi && err == nil; i++ {
		sum, err = a.add(ctx, sum, a.s[i])
	}
	return sum, err
}

// Reduce returns s[0] op s[1] op … in the order of s, and whether there is an element. op
// is associative; it need not be commutative. The arguments of op depend on the length of
// s alone, so the result is the same on any number of workers, to the last bit.
//
// It calls op len(s)-1 times, and allocates room for at most 512 elements, a multiple of eight,
// and a word for each eight. op must leave its arguments as they are: use [Fold] for one that
// changes them.
func Reduce[S ~[]E, E any](s S, op func(a, b E) E, opts ...Option) (sum E, ok bool) {
	refuse("Reduce", 0, op == nil)
	var c config
	c.heeds(codeOf(op), opts)
	return folded(len(s), rangeOf(len(s)), reduction[E]{s, op}, &c), len(s) > 0
}

// manyRanges is how many ranges a fold has at least, if it has as many elements: enough to
// share among some dozens of workers, even if some take longer than others.
const manyRanges = 256

// rangeOf is how many of n elements a range has.
func rangeOf(n int) int { return max(1, n/manyRanges) }

// fan is how many results, of ranges or of others, are put together to one.
const (
	fan     = 1 << fanBits
	fanBits = 3
)

// A leaf says what folds do with ranges of indices. It has all functions to call, so that a
// fold needs no closures: those would be allocated.
type leaf[A any] interface {
	// fold folds a range, which is empty if there is nothing to fold.
	fold(ctx context.Context, lo, hi int) (A, error)
	// join puts together the results of two neighbours.
	join(a, b A) A
}

type folder[A any] struct {
	leaf func(lo, hi int) A
	op   func(a, b A) A
}

func (f folder[A]) fold(_ context.Context, lo, hi int) (A, error) { return f.leaf(lo, hi), nil }
func (f folder[A]) join(a, b A) A                                 { return f.op(a, b) }

// A reduction folds elements by an operation.
type reduction[E any] struct {
	s  []E
	op func(a, b E) E
}

func (r reduction[E]) join(a, b E) E { return r.op(a, b) }

func (r reduction[E]) fold(_ context.Context, lo, hi int) (sum E, _ error) {
	if lo == hi {
		return sum, nil
	}
	sum, s, op := r.s[lo], r.s[lo+1:hi], r.op
	for ; len(s) >= 4; s = s[4:] {
		sum = op(op(op(op(sum, s[0]), s[1]), s[2]), s[3])
	}
	for _, x := range s {
		sum = op(sum, x)
	}
	return sum, nil
}

// partsOf is how many parts of a size n elements have.
func partsOf(n, size int) int {
	if n == 0 {
		return 0
	}
	return (n-1)/size + 1
}

// part returns where part i of a size begins and ends, of n elements.
func part(i, size, n int) (lo, hi int) {
	lo = i * size
	return lo, lo + min(size, n-lo)
}

// fold folds n elements in ranges of a size that depends on n alone. It puts the results of neighbours
// together as soon as both are there, so that few are kept at the same time. All of it is one loop over
// the ranges, so a fold has the promises of loops.
func fold[A any, L leaf[A]](n, size int, l L, c *config) (sum A, err error) {
	all := c.stages(n, n)
	switch {
	case n > 0 && (size < n || c.limit > 0): // with a limit the caller may have to give up its worker
		count := partsOf(n, size)
		f := &folding[A, L]{l, n, size, count, make([]place[A], partsOf(count, fan))}
		if err = all.each(count, f); err == nil {
			sum = *f.sum(0)
		}
	case n > 0 && c.isOver():
		err = endOf(c.ctx)
	default: // there is nothing to put together
		sum, err = l.fold(c.ctx, 0, n)
	}
	if err == nil {
		c.finished(n)
	}
	return sum, err
}

// folded is fold with a leaf that returns no error.
func folded[A any, L leaf[A]](n, size int, l L, c *config) A {
	sum, _ := fold(n, size, l, c)
	return sum
}

// A folding is a fold. Its brackets are a tree: a node has up to fan children, which are
// ranges, or nodes of the level below, and joins them from the first to the last. A node puts
// its result where its first range put its own.
//
// A goroutine that ends a child joins it, if it is the child's turn: all before it are joined, so
// nobody else can join anything in this node. Then it joins those that have ended before their
// turn. The one that joins the last child has ended the node, and does the same on the next level.
//
// A fold keeps at most 17 results for each goroutine that works at it, and 8, as long as there
// are three levels. A result waits for one on its left in the same node, or has been joined
// with all on its left and waits for one on its right. A goroutine does its piece from the
// lower end on. So what it has not ended is one gap: from where it is to the end of its piece.
// On each level, up to 7 wait in the node in which the gap ends, and one in the node in which
// it begins. That makes 8 on each of two levels, 8 in the one node at the top, and one that
// the goroutine is at.
//
// A failure of join is noted for the range whose end has led to it. On another schedule that
// may be another range, but it is one of the joined ranges, and so the lowest failure is the
// same on all. For the ranges that are joined, and what was joined within them, have not
// failed. All else that may fail lies below all of them, or above, as far as it does not come
// after this join, which never ends.
type folding[A any, L leaf[A]] struct {
	leaf    L
	n, size int
	count   int // of ranges
	places  []place[A]
}

// A place is where a node of the lowest level folds its ranges to.
type place[A any] struct {
	sums [fan]A
	// turns are those of the node. above are those of a node on level k, in its place k-2. A
	// node that has so few places that it has none has one child, and needs no turns.
	turns, above turns
}

// turns says in its lowest byte how many children of a node are joined, which is whose turn
// it is. A bit above that says that a child has ended before its turn.
//
// Writers: a goroutine that ends a child, by Or; the one that has the turn passes it on, by Add.
// Readers: a goroutine that ends a child.
// Pairs:   the Or with the Add. Either the Add comes second and returns the bit: then the one
// that passes the turn on joins the child. Or the Or does, and returns that it is the child's
// turn. A turn that is read stays, since only the one that ends the child can pass it on.
type turns struct{ prim.Uint32 }

// early is the bit of the first child.
const early = 1 << 8

// has reports whether it is the turn of a child.
func (t *turns) has(child int) bool { return uint8(t.Load()) == uint8(child) }

// take reports whether it is the turn of a child that has ended. If it is not, somebody else
// joins the child.
func (t *turns) take(child int) bool {
	return t.has(child) || uint8(t.Or(early<<child)) == uint8(child)
}

// pass passes the turn on from one child to another one, and reports whether that has ended.
func (t *turns) pass(from, to int) bool {
	return t.Add(uint32(to-from))&(early<<to) != 0
}

// run goes from node to node of the second level. In each it keeps the turn from the first child
// that it joins to the last one, and passes it on when it leaves. All ranges in between are its own:
// so nobody else can end one of these children, or could have gone on meanwhile. Where the flag that
// has stopped it is lowered before it looks again, it goes on.
func (f *folding[A, L]) run(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	for {
		n := f.node(2, lo)
		from, to := 0, 0 // are joined since it is our turn, if any
		for end := min(hi, n.first+fan*fan); ; {
			child, ended := n.child(lo), false
			if lo, ended, err = f.lowest(ctx, lo, end, stop); err != nil {
				return lo, err
			}
			if ended && (from < to || f.turns(n).take(child)) {
				if from == to {
					from = child
				}
				to = child + 1
				f.join(n.first, n.first+child<<fanBits)
			}
			if lo == end || stop.Load() {
				break
			}
		}
		if from < to && f.goOn(n, from, to) {
			f.above(n.first)
		}
		if lo == hi || stop.Load() {
			return lo, nil
		}
	}
}

// lowest does ranges of the node of the lowest level that has lo, and reports whether it has ended
// the node. When it has the turn, it keeps it as long as it goes on. So the ranges that one
// goroutine does in a row cost no atomic operations.
func (f *folding[A, L]) lowest(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, ended bool, err error) {
	p, from := &f.places[lo>>fanBits], lo&(fan-1)
	first := lo - from
	hi = min(hi, first+fan)
	again := true
	if !p.turns.has(from) {
		if lo, again, err = f.early(ctx, lo, hi, stop); !again {
			return lo, false, err
		}
		from = lo - 1 - first
		again = lo < hi && !stop.Load()
	}
	if again {
		if lo, err = f.row(ctx, p, lo, hi, stop); err != nil {
			return lo, false, err
		}
	}
	n := f.node(1, first)
	return lo, lo == first+n.children || f.goOn(n, from, lo-first), nil
}

// row does ranges of a node of the lowest level, from the one whose turn it is.
func (f *folding[A, L]) row(ctx context.Context, p *place[A], lo, hi int, stop *prim.Bool) (at int, err error) {
	for {
		begin, end := part(lo, f.size, f.n)
		sum, err := f.leaf.fold(ctx, begin, end)
		if err != nil {
			return lo, err
		}
		if lo&(fan-1) != 0 {
			sum = f.leaf.join(p.sums[0], sum)
		}
		p.sums[0] = sum
		if lo++; lo == hi || stop.Load() {
			return lo, nil
		}
	}
}

// early does the ranges whose turn has not come, and reports whether it has come to one whose
// turn it is. Then that is joined, too.
func (f *folding[A, L]) early(ctx context.Context, lo, hi int, stop *prim.Bool) (at int, mine bool, err error) {
	p, i := &f.places[lo>>fanBits], lo&(fan-1)
	first := lo - i
	for again := true; again; again = lo < hi && !stop.Load() {
		begin, end := part(lo, f.size, f.n)
		if p.sums[i], err = f.leaf.fold(ctx, begin, end); err != nil {
			return lo, false, err
		}
		lo++
		if p.turns.take(i) {
			f.join(first, first+i)
			return lo, true, nil
		}
		i++
	}
	return lo, false, nil
}

// join joins the result at i to the one of the node that begins at first.
func (f *folding[A, L]) join(first, i int) {
	if i > first {
		a, b := f.sum(first), f.sum(i)
		*a = f.leaf.join(*a, *b)
		*b = *new(A)
	}
}

// sum is where range i puts its result.
func (f *folding[A, L]) sum(i int) *A { return &f.places[i>>fanBits].sums[i&(fan-1)] }

// A node has children of fan to the power of level-1 ranges each, but for the last one, which
// may have fewer, from the range first on.
type node struct{ first, children, level int }

// node returns the node on a level that has range i.
func (f *folding[A, L]) node(level, i int) node {
	bits := level * fanBits
	first := i >> bits << bits
	return node{first, min(fan, (f.count-first-1)>>(bits-fanBits)+1), level}
}

// child is the number of the child of n that has range i.
func (n node) child(i int) int { return (i - n.first) >> ((n.level - 1) * fanBits) }

// turns returns the turns of a node of the lower two levels, or of one that has several children.
func (f *folding[A, L]) turns(n node) *turns {
	if n.level == 1 {
		return &f.places[n.first>>fanBits].turns
	}
	return &f.places[n.first>>fanBits+n.level-2].above
}

// goOn passes the turn on from one child to another one, and so on for as long as that has
// ended and can be joined. It reports whether it has come to the end of the node.
func (f *folding[A, L]) goOn(n node, from, to int) bool {
	for ; to < n.children; from, to = to, to+1 {
		if !f.turns(n).pass(from, to) {
			return false
		}
		f.join(n.first, n.first+to<<((n.level-1)*fanBits))
	}
	return true
}

// above goes on above a node of the second level, which has ended. A node with one child is
// that child.
func (f *folding[A, L]) above(first int) {
	for level := 3; f.count > 1<<((level-1)*fanBits); level++ {
		n := f.node(level, first)
		if child := n.child(first); n.children > 1 {
			if !f.turns(n).take(child) {
				return
			}
			f.join(n.first, first)
			if !f.goOn(n, child, child+1) {
				return
			}
		}
		first = n.first
	}
}
