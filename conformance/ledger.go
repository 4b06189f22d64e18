package conformance

import "sync/atomic"

// A ledger notes which of the items 0 to n-1 were taken, and how often.
type ledger struct {
	times []atomic.Int32
	alien atomic.Int64 // values that were never pushed, plus one
}

func newLedger(n int) *ledger { return &ledger{times: make([]atomic.Int32, n)} }

// take notes an item. Any goroutine may call it.
func (l *ledger) take(item *int) {
	if item == nil {
		return
	}
	if *item < 0 || *item >= len(l.times) {
		l.alien.Store(int64(*item) + 1)
		return
	}
	l.times[*item].Add(1)
}

// check fails unless each item was taken exactly once.
func (l *ledger) check(r *run, rule string) {
	r.T.Helper()
	if a := l.alien.Load(); a != 0 {
		r.Fail(rule, "took %d, which was never pushed", a-1)
	}
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
