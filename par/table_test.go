package par_test

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// An input is what the calls of the table work on. Their functions call do, with the element or
// with one of them. Those that may fail hand their context to told, and return what fails says.
type input struct {
	ctx   context.Context
	do    func(i int)
	fails func(i int) error
	told  func(ctx context.Context)
	s     []int
	seq   iter.Seq[int]
	had   func(result int) error // of a stream
	o     []par.Option

	err    error
	value  int
	is     bool
	result []int
	others []int
	groups map[int][]int
	sums   map[int]int

	to, counts []int
	low, high  []int // in order, of the elements at even and at odd places
	rising     []int

	body     func(i int)
	work     func(w *pool.Worker, i int)
	tryWork  func(ctx context.Context, w *pool.Worker, i int) error
	ranges   func(lo, hi int)
	touch    func(i int, x *int)
	try      func(ctx context.Context, i int) error
	tryRange func(ctx context.Context, lo, hi int) error
	tryTouch func(ctx context.Context, i int, x *int) error
	fns      []func()
	tries    []func(ctx context.Context) error
	double   func(x int) int
	tryMap   func(ctx context.Context, x int) (int, error)
	no, yes  func(x int) bool
	odd      func(x int) bool
	tryOdd   func(ctx context.Context, x int) (bool, error)
	maybe    func(x int) (int, bool)
	several  func(x int) []int
	zero     func() int
	add      func(a, b int) int // the larger one: its bits do not depend on the schedule
	tryAdd   func(ctx context.Context, a, b int) (int, error)
	leaf     func(lo, hi int) int
	cmp      func(a, b int) int
	eq       func(x, before int) bool
	bucket   func(x int) int
}

// newInput returns one with the elements s, whose functions do nothing besides.
func newInput(s []int) *input {
	in := &input{ctx: background, do: func(int) {}, s: s, seq: slices.Values(s), low: []int{}, high: []int{}}
	in.had = func(int) error { return nil }
	in.to, in.counts, in.rising = make([]int, len(s)), make([]int, 100), slices.Sorted(in.seq)
	for i, x := range in.rising {
		if i%2 == 0 {
			in.low = append(in.low, x)
		} else {
			in.high = append(in.high, x)
		}
	}
	did := func(ctx context.Context, i int) error {
		if in.told != nil {
			in.told(ctx)
		}
		if in.do(i); in.fails != nil {
			return in.fails(i)
		}
		return nil
	}
	in.body = func(i int) { in.do(i); in.to[i]++ }
	none := func(*pool.Worker, int) int { return 0 }
	in.work = func(w *pool.Worker, i int) { pool.Invoke(w, none, i, none, i); in.body(i) }
	in.tryWork = func(ctx context.Context, w *pool.Worker, i int) error { return did(ctx, i) }
	in.ranges = func(lo, hi int) { in.do(lo) }
	in.touch = func(i int, x *int) { in.do(i); in.to[i] += *x }
	in.try = func(ctx context.Context, i int) error { return did(ctx, i) }
	in.tryRange = func(ctx context.Context, lo, hi int) error {
		err := did(ctx, lo)
		for i := lo + 1; err == nil && in.fails != nil && i < hi; i++ {
			err = in.fails(i)
		}
		return err
	}
	in.tryTouch = func(ctx context.Context, i int, x *int) error { in.to[i] += *x; return did(ctx, i) }
	for i := range s {
		in.fns = append(in.fns, func() { in.do(i) })
		in.tries = append(in.tries, func(ctx context.Context) error { return did(ctx, i) })
	}
	in.double = func(x int) int { in.do(x); return 2 * x }
	in.tryMap = func(ctx context.Context, x int) (int, error) { return 2 * x, did(ctx, x) }
	in.no = func(x int) bool { in.do(x); return false }
	in.yes = func(x int) bool { in.do(x); return true }
	in.odd = func(x int) bool { in.do(x); return x%2 == 1 }
	in.tryOdd = func(ctx context.Context, x int) (bool, error) { return x%2 == 1, did(ctx, x) }
	in.maybe = func(x int) (int, bool) { in.do(x); return 2 * x, x%2 == 1 }
	in.several = func(x int) []int { in.do(x); return s[:min(len(s), x&1)] }
	in.zero = func() int { in.do(0); return 0 }
	in.add = func(a, b int) int { in.do(b); return max(a, b) }
	in.tryAdd = func(ctx context.Context, a, b int) (int, error) { return max(a, b), did(ctx, b) }
	in.leaf = func(lo, hi int) int { in.do(lo); return lo }
	in.cmp = func(a, b int) int { in.do(b); return cmp.Compare(a, b) }
	in.eq = func(x, before int) bool { in.do(before); return x == before }
	in.bucket = func(x int) int { in.do(x); return x % 100 }
	return in
}

// copied returns a copy of the elements, for what writes to them.
func (in *input) copied() []int {
	copy(in.to, in.s)
	return in.to
}

// by returns the order by a key.
func (in *input) by(key func(x int) int) func(a, b int) int {
	return func(a, b int) int { in.do(b); return cmp.Compare(key(a), key(b)) }
}

// What holds of a call.
const (
	each      = 1 << iota // it calls do for each element by itself
	inParts               // it calls do for each element, those of a part in a row
	tries                 // it has a context, and functions that may fail
	some                  // it needs an element
	uncleared             // it asks for memory that is not cleared
	list                  // its results are nil if, and only if, its elements are
	forks                 // its function is handed a worker
	plain                 // it calls no function of the input
	stream
)

// An operation is a call of a function of par that takes options. Its name is that of the function,
// with the parameter that is the input's if there are several, or with how it is called.
type operation struct {
	name   string
	holds  int
	allocs float64 // at most, whatever the length, with the result; 0: a test of its own counts
	bytes  int     // for each element, at most, besides some KB
	with   func(in *input)
}

func (c operation) call(in *input, o ...par.Option) {
	in.o = o
	c.with(in)
}

// over calls with the elements 0 to n-1.
func (c operation) over(n int, do func(i int), o ...par.Option) {
	in := newInput(indices(n))
	in.do = do
	c.call(in, o...)
}

// Tests call the rows whose elements keep what holds says, and check how they end, what they
// cost, what they do to the elements of the input, and that results are the same on each schedule.
// What the results should be they do not know: each has a test of its own.
var table = []operation{
	{"For", each, 2, 0, func(in *input) { par.For(len(in.s), in.body, in.o...) }},
	{"ForRange", 0, 2, 0, func(in *input) { par.ForRange(len(in.s), in.ranges, in.o...) }},
	{"ForErr", each | tries, 2, 0, func(in *input) { in.err = par.ForErr(in.ctx, len(in.s), in.try, in.o...) }},
	{"ForRangeErr", tries, 2, 0, func(in *input) {
		in.err = par.ForRangeErr(in.ctx, len(in.s), in.tryRange, in.o...)
	}},
	{"ForWorker", each | forks, 0, 0, func(in *input) { par.ForWorker(len(in.s), in.work, in.o...) }},
	{"ForWorkerErr", each | forks | tries, 0, 0, func(in *input) {
		in.err = par.ForWorkerErr(in.ctx, len(in.s), in.tryWork, in.o...)
	}},
	{"Each", each, 2, 0, func(in *input) { par.Each(in.s, in.touch, in.o...) }},
	{"EachErr", each | tries, 2, 0, func(in *input) { in.err = par.EachErr(in.ctx, in.s, in.tryTouch, in.o...) }},
	{"Do", each, 6, 0, func(in *input) { par.Do(in.fns, in.o...) }},
	{"DoErr", each | tries, 6, 0, func(in *input) { in.err = par.DoErr(in.ctx, in.tries, in.o...) }},
	{"Map", each | list | uncleared, 3, 8, func(in *input) { in.result = par.Map(in.s, in.double, in.o...) }},
	{"MapInto", each, 2, 0, func(in *input) { par.MapInto(in.to, in.s, in.double, in.o...) }},
	{"MapErr", each | tries | list, 3, 8, func(in *input) {
		in.result, in.err = par.MapErr(in.ctx, in.s, in.tryMap, in.o...)
	}},
	{"Tabulate", each | uncleared, 3, 8, func(in *input) {
		in.result = par.Tabulate(len(in.s), in.double, in.o...)
	}},
	{"FlatMap", each | list | uncleared, 12, 40, func(in *input) {
		in.result = par.FlatMap(in.s, in.several, in.o...)
	}},
	{"Filter", each | list | uncleared, 5, 9, func(in *input) { in.result = par.Filter(in.s, in.odd, in.o...) }},
	{"FilterErr", each | tries | list, 6, 9, func(in *input) {
		in.result, in.err = par.FilterErr(in.ctx, in.s, in.tryOdd, in.o...)
	}},
	{"FilterMap", each | list | uncleared, 7, 17, func(in *input) {
		in.result = par.FilterMap(in.s, in.maybe, in.o...)
	}},
	{"Partition", each | list | uncleared, 6, 9, func(in *input) {
		in.result, in.others = par.Partition(in.s, in.odd, in.o...)
	}},
	{"IndexFunc", each, 2, 0, func(in *input) { in.value = par.IndexFunc(in.s, in.no, in.o...) }},
	{"ContainsFunc", each, 2, 0, func(in *input) { in.is = par.ContainsFunc(in.s, in.no, in.o...) }},
	{"AllFunc", each, 2, 0, func(in *input) { in.is = par.AllFunc(in.s, in.yes, in.o...) }},
	{"CountFunc", inParts, 3, 0, func(in *input) { in.value = par.CountFunc(in.s, in.odd, in.o...) }},
	{"Scan", list | uncleared, 4, 8, func(in *input) { in.result = par.Scan(in.s, in.add, in.o...) }},
	{"ScanInto", 0, 3, 0, func(in *input) { par.ScanInto(in.to, in.s, in.add, in.o...) }},
	{"ScanExclusive", list | uncleared, 4, 8, func(in *input) {
		in.result, in.value = par.ScanExclusive(in.s, 7, in.add, in.o...)
	}},
	{"Reduce", inParts, 3, 0, func(in *input) { in.value, in.is = par.Reduce(in.s, in.add, in.o...) }},
	{"Fold.start", 0, 3, 0, func(in *input) { in.value = par.Fold(in.s, in.zero, add, add, in.o...) }},
	{"Fold.add", inParts, 3, 0, func(in *input) { in.value = par.Fold(in.s, zero, in.add, add, in.o...) }},
	{"Fold.merge", 0, 3, 0, func(in *input) { in.value = par.Fold(in.s, zero, add, in.add, in.o...) }},
	{"FoldErr.start", 0, 3, 0, func(in *input) {
		in.value, in.err = par.FoldErr(background, in.s, in.zero, tryAdd, add, in.o...)
	}},
	{"FoldErr.add", inParts | tries, 3, 0, func(in *input) {
		in.value, in.err = par.FoldErr(in.ctx, in.s, zero, in.tryAdd, add, in.o...)
	}},
	{"FoldErr.merge", 0, 3, 0, func(in *input) {
		in.value, in.err = par.FoldErr(background, in.s, zero, tryAdd, in.add, in.o...)
	}},
	{"FoldRange.leaf", 0, 3, 0, func(in *input) { in.value = par.FoldRange(len(in.s), in.leaf, add, in.o...) }},
	{"FoldRange.op", 0, 3, 0, func(in *input) { in.value = par.FoldRange(len(in.s), first, in.add, in.o...) }},
	{"Sum", plain, 2, 0, func(in *input) { in.value = par.Sum(in.s, in.o...) }},
	{"Min", plain | some, 2, 0, func(in *input) { in.value = par.Min(in.s, in.o...) }},
	{"Max", plain | some, 2, 0, func(in *input) { in.value = par.Max(in.s, in.o...) }},
	{"MinFunc", some, 3, 0, func(in *input) { in.value = par.MinFunc(in.s, in.cmp, in.o...) }},
	{"MaxFunc", some, 3, 0, func(in *input) { in.value = par.MaxFunc(in.s, in.cmp, in.o...) }},
	{"Sort", plain | uncleared, 0, 8, func(in *input) { par.Sort(in.copied(), in.o...) }},
	{"SortFunc", uncleared, 0, 32, func(in *input) { par.SortFunc(in.copied(), in.cmp, in.o...) }},
	{"SortStableFunc", uncleared, 0, 32, func(in *input) { par.SortStableFunc(in.copied(), in.cmp, in.o...) }},
	{"SortStableFunc, by no field", plain, 0, 16, func(in *input) {
		par.SortStableFunc(in.copied(), in.by(func(x int) int { return x * 7919 % 10_007 }), in.o...)
	}},
	{"SortFunc, by no field", plain, 0, 8, func(in *input) {
		par.SortFunc(in.copied(), in.by(func(x int) int { return x * 7919 % 10_007 }), in.o...)
	}},
	{"SortFunc, by a field but for the last block", plain, 0, 40, func(in *input) {
		par.SortFunc(in.copied(), in.by(func(x int) int { return x % (len(in.s) - 1) }), in.o...)
	}},
	{"SortKey", uncleared, 0, 32, func(in *input) { par.SortKey(in.copied(), in.bucket, in.o...) }},
	{"SortKey, of large", plain, 0, 0, func(in *input) {
		large := make([]row, len(in.s))
		par.SortKey(large, func(c row) int { return in.bucket(c.place) }, in.o...)
	}},
	{"Merge", plain | uncleared, 7, 8, func(in *input) { in.result = par.Merge(in.low, in.high, in.o...) }},
	{"MergeFunc", 0, 7, 8, func(in *input) { in.result = par.MergeFunc(in.low, in.high, in.cmp, in.o...) }},
	{"IsSorted", plain, 2, 0, func(in *input) { in.is = par.IsSorted(in.rising, in.o...) }},
	{"IsSortedFunc", 0, 2, 0, func(in *input) { in.is = par.IsSortedFunc(in.rising, in.cmp, in.o...) }},
	{"Nth", plain | some, 0, 3, func(in *input) { in.value = par.Nth(in.s, len(in.s)/3, in.o...) }},
	{"NthFunc", some, 0, 3, func(in *input) { in.value = par.NthFunc(in.s, len(in.s)/3, in.cmp, in.o...) }},
	{"TopK", plain | list, 0, 1, func(in *input) { in.result = par.TopK(in.s, 3, in.o...) }},
	{"TopKFunc", list, 0, 1, func(in *input) { in.result = par.TopKFunc(in.s, 3, in.cmp, in.o...) }},
	{"TopKFunc, of many", 0, 0, 0, func(in *input) {
		in.result = par.TopKFunc(in.s, len(in.s)/4, in.cmp, in.o...)
	}},
	{"Compact", plain | list | uncleared, 7, 9, func(in *input) { in.result = par.Compact(in.s, in.o...) }},
	{"CompactFunc", each | list, 7, 9, func(in *input) { in.result = par.CompactFunc(in.s, in.eq, in.o...) }},
	{"CountInto", each, 2, 0, func(in *input) { par.CountInto(in.counts, in.s, in.bucket, in.o...) }},
	{"GroupBy", each | uncleared, 0, 45, func(in *input) { in.groups = par.GroupBy(in.s, in.bucket, in.o...) }},
	{"FoldBy.key", each | uncleared, 0, 45, func(in *input) {
		in.sums = par.FoldBy(in.s, in.bucket, zero, add, add, in.o...)
	}},
	{"FoldBy.start", 0, 0, 45, func(in *input) { in.sums = par.FoldBy(in.s, bucket, in.zero, add, add, in.o...) }},
	{"FoldBy.add", inParts, 0, 45, func(in *input) { in.sums = par.FoldBy(in.s, bucket, zero, in.add, add, in.o...) }},
	{"FoldBy.merge", 0, 0, 45, func(in *input) { in.sums = par.FoldBy(in.s, bucket, zero, add, in.add, in.o...) }},
	{"MapSeq", stream | each | tries, 0, 0, func(in *input) {
		in.err = mapSeq(in.ctx, in.seq, in.tryMap, in.had, in.o...)
	}},
	{"MapSeq, of a live source", stream | each | tries, 0, 0, func(in *input) {
		in.err = liveSeq(in.ctx, in.seq, in.tryMap, in.had, in.o...)
	}},
	{"NewPipe", stream | each | tries, 0, 0, func(in *input) {
		in.err = piped(in.ctx, in.seq, in.tryMap, in.had, in.o...)
	}},
}

// streams are the functions of par for elements that come one after the other, with a source and
// with what has the results.
var streams = map[string]func(ctx context.Context, from iter.Seq[int], f func(context.Context, int) (int, error), had func(int) error, o ...par.Option) error{
	"MapSeq": mapSeq, "MapSeq of a live source": liveSeq, "Pipe": piped,
}

func mapSeq(ctx context.Context, from iter.Seq[int], f func(context.Context, int) (int, error), had func(int) error, o ...par.Option) error {
	for r, err := range par.MapSeq(ctx, from, f, o...) {
		if err == nil {
			err = had(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func liveSeq(ctx context.Context, from iter.Seq[int], f func(context.Context, int) (int, error), had func(int) error, o ...par.Option) error {
	return mapSeq(ctx, from, f, had, append(o, par.WithLiveSource())...)
}

func piped(ctx context.Context, from iter.Seq[int], f func(context.Context, int) (int, error), had func(int) error, o ...par.Option) error {
	p := par.NewPipe(ctx, f, had, o...)
	defer p.Close()
	for x := range from {
		if err := p.Push(x); err != nil {
			return err
		}
	}
	return p.Close()
}

// having yields the operations of which something in with holds, or all if that is 0, and nothing
// in without.
func having(with, without int) iter.Seq[operation] {
	return func(yield func(operation) bool) {
		for _, c := range table {
			if (with == 0 || c.holds&with != 0) && c.holds&without == 0 && !yield(c) {
				return
			}
		}
	}
}

// function returns of which function it is a call.
func (c operation) function() string {
	name, _, _ := strings.Cut(c.name, ",")
	name, _, _ = strings.Cut(name, ".")
	return name
}
