package par_test

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// pairs returns elements of which each two are equal.
func pairs(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i / 2 * 7919 % n
	}
	return s
}

// shown returns an input whose functions do work besides, and whose results show where brackets
// stand, and in which order equal elements are.
func shown(s []int, work func(i int)) *input {
	const many = 4100
	in := newInput(s)
	in.do = work
	tryAdd := in.tryAdd
	in.add = func(a, b int) int { work(b); return 31*a + b }
	in.tryAdd = func(ctx context.Context, a, b int) (int, error) {
		_, err := tryAdd(ctx, a, b)
		return 31*a + b, err
	}
	in.cmp = func(a, b int) int { work(b); return a/100 - b/100 }
	in.eq = func(x, before int) bool { work(x); return x < before }
	in.no = func(x int) bool { work(x); return x > many }
	in.yes = func(x int) bool { work(x); return x <= many }
	in.several = func(x int) []int { work(x); return slices.Repeat([]int{x}, x%4) }
	in.ranges = func(lo, hi int) {
		for i := range nonEmpty(lo, hi) {
			in.body(lo + i)
		}
	}
	in.tryRange = func(ctx context.Context, lo, hi int) (err error) {
		for i := lo; i < lo+nonEmpty(lo, hi) && err == nil; i++ {
			in.to[i]++
			err = in.try(ctx, i)
		}
		return err
	}
	for i := range in.fns {
		in.fns[i] = func() { in.body(i) }
	}
	in.had = func(r int) error { in.result = append(in.result, r); return nil }
	return in
}

// nonEmpty returns how many elements a range has, or panics if it has none.
func nonEmpty(lo, hi int) int {
	if lo >= hi {
		panic(fmt.Sprintf("F1: there is a range %d to %d", lo, hi))
	}
	return hi - lo
}

// results makes a call, and returns all that it leaves behind. Of elements above one that has failed
// nobody knows which have run.
func (in *input) results(c operation, o ...par.Option) []any {
	clear(in.to)
	clear(in.counts)
	in.err, in.value, in.is = nil, 0, false
	in.result, in.others, in.groups, in.sums = nil, nil, nil, nil
	c.call(in, o...)
	to := in.to
	if at, ok := in.err.(failure); ok {
		to = to[:at]
	}
	return []any{in.err, in.value, in.is, in.result, in.others, in.groups, in.sums, slices.Clone(to), slices.Clone(in.counts)}
}

var loopWithScratch = operation{"Scratch", 0, 0, 0, func(in *input) {
	var parts par.Scratch[[10]int]
	par.ForRange(len(in.s), func(lo, hi int) {
		parts.Do(func(a *[10]int) {
			for _, x := range in.s[lo:hi] {
				a[in.bucket(x)%10]++
			}
		})
	}, in.o...)
	for a := range parts.All() {
		for k, n := range a {
			in.counts[k] += n
		}
	}
}}

// Each call has the results that it has without workers, on pools whose thieves choose at random and
// whose forks wait at random to be taken, with functions that take long at random: so loops are split
// anew each time. Those that may fail are called with elements that do, too.
func TestSchedules(t *testing.T) {
	schedules := 18
	if testing.Short() {
		schedules = 6
	}
	all := func(p *pool.Pool, work func(int)) map[string][]any {
		in, results := shown(pairs(4200), work), map[string][]any{}
		for _, c := range append(table, loopWithScratch) {
			in.fails = nil
			results[c.name] = in.results(c, par.On(p))
			if c.holds&tries == 0 {
				continue
			}
			in.fails = func(i int) error {
				if i > 3000 && i%7 == 0 {
					return failure(i)
				}
				return nil
			}
			results[c.name+", which fails"] = in.results(c, par.On(p))
		}
		return results
	}
	want := all(closedPool(t), func(int) {})
	for _, workers := range []int{1, 2, 3, 64} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			for k := range schedules {
				seed := uint64(workers*schedules + k)
				how := []pool.Option{pool.WithWorkers(workers), pool.WithRandomSchedule(seed)}
				if k%3 == 2 {
					how = append(how, pool.WithEagerPublish())
				}
				for what, got := range all(newPool(t, how...), hesitant(seed)) {
					if !reflect.DeepEqual(got, want[what]) {
						t.Errorf("F1: %s has other results on %d workers, seed %d, than without workers", what, workers, seed)
					}
				}
			}
		})
	}
}

// hesitant returns what functions do besides: at random they let others run, or sleep for
// so long that a loop asks for help.
func hesitant(seed uint64) (work func(int)) {
	var calls atomic.Uint64
	return func(int) {
		x := (calls.Add(1) ^ seed) * 0x9E3779B97F4A7C15
		switch x >> 51 { // one of 8192
		case 0:
			time.Sleep(30 * time.Microsecond)
		case 1, 2, 3, 4:
			runtime.Gosched()
		}
	}
}
