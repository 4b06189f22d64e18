package conformance

import (
	"fmt"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api"
)

// A ledger notes which of the items 0 to n-1 were taken, and how often.
type ledger struct {
	times []atomic.Int32
	alien atomic.Error // the first that was never pushed
}

func newLedger(n int) *ledger { return &ledger{times: make([]atomic.Int32, n)} }

// take notes an item, if there is one that was pushed. Any goroutine may call it.
func (l *ledger) take(item *int) (pushed bool) {
	if item == nil {
		return false
	}
	if *item < 0 || *item >= len(l.times) {
		l.alien.CompareAndSwap(nil, fmt.Errorf("took %d, which was never pushed", *item))
		return false
	}
	l.times[*item].Add(1)
	return true
}

// check fails unless each item was taken exactly once.
func (l *ledger) check(r *run, rule string) {
	r.T.Helper()
	alien := l.alien.Load()
	r.Check(alien == nil, rule, "%v", alien)
	lost, twice := 0, 0
	for i := range l.times {
		switch l.times[i].Load() {
		case 0:
			lost++
		case 1:
		default:
			twice++
		}
	}
	r.Check(lost == 0 && twice == 0, rule, "of %d items, %d never came out and %d came out more than once", len(l.times), lost, twice)
}

type stealer interface{ Steal() (*int, api.Outcome) }

// steal takes an item while nobody else is at work, when nothing can be lost for long, or nil if
// there is none.
func steal(d stealer, fail func(format string, args ...any)) *int {
	for range 1000 {
		if item, o := takeOne(d, fail); o != api.Lost {
			return item
		}
	}
	fail("Steal was Lost 1000 times in a row, with nobody else at work")
	return nil
}

// takeOne takes an item, and fails if the result contradicts itself. Others may be at work.
func takeOne(d stealer, fail func(format string, args ...any)) (*int, api.Outcome) {
	item, o := d.Steal()
	if (item != nil) != (o == api.Stolen) {
		fail("Steal returned %v with the outcome %v", show(item), o)
	}
	return item, o
}

// takeAll takes items until no more come and all are taken, and notes them. Each pusher has so
// many of the items, and each taker must see the earlier first.
func takeAll(r *run, rule string, d stealer, fail func(format string, args ...any), over func() bool, got *ledger, each int) {
	next := make([]int, len(got.times)/each) // by pusher
	for !r.Aborted() {
		end := over()
		item, o := takeOne(d, fail)
		switch {
		case o == api.Empty && end:
			return
		case item == nil:
			r.Yield()
			continue
		case !got.take(item):
			continue
		}
		by := *item / each
		if *item < next[by] {
			r.Report(rule, "a taker got item %d after item %d, which was pushed later by the same", *item, next[by]-1)
			return
		}
		next[by] = *item + 1
	}
}
