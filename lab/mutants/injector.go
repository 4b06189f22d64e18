package mutants

import (
	"runtime"
	"slices"
	"sync"

	"github.com/rouse-go/rouse/api"
)

// An InjectorFault is what is wrong with an [Injector].
type InjectorFault int

const (
	InjectorSound InjectorFault = iota
	InjectorLIFO
	BatchNotCounted
	InjectorNeverClears
	TakenTwice
	BatchReversed
	BatchTakesAll
	BatchTakesTwice
	BatchDropsOne
	BatchWritesBehind
)

// An Injector is a stack of what was pushed and a batch, oldest first, of what
// is about to be taken.
type Injector struct {
	fault        InjectorFault
	mu           sync.Mutex
	stack, batch []*int
}

// NewInjector returns an injector with the fault.
func NewInjector(fault InjectorFault) *Injector { return &Injector{fault: fault} }

// Push implements [api.Injector].
func (q *Injector) Push(item *int) (wasEmpty bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stack = append(q.stack, item)
	return len(q.stack)+len(q.batch) == 1
}

// Steal implements [api.Injector].
func (q *Injector) Steal() (*int, api.Outcome) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.batch) == 0 {
		q.batch, q.stack = q.stack, nil
	}
	if len(q.batch) == 0 {
		return nil, api.Empty
	}
	i := 0
	if q.fault == InjectorLIFO {
		i = len(q.batch) - 1
	}
	item := q.batch[i]
	if q.fault == TakenTwice && *item%100 == 99 {
		q.mu.Unlock()
		runtime.Gosched() // as if preempted
		q.mu.Lock()
		if len(q.batch) == 0 {
			return item, api.Stolen
		}
	}
	if q.fault != InjectorNeverClears {
		q.batch[i] = nil
	}
	if i == 0 {
		q.batch = q.batch[1:]
	} else {
		q.batch = q.batch[:i]
	}
	return item, api.Stolen
}

// StealBatch implements [api.Injector].
func (q *Injector) StealBatch(into []*int) (int, api.Outcome) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.batch, q.stack = append(q.batch, q.stack...), nil
	inside := len(q.batch)
	if inside == 0 {
		return 0, api.Empty
	}
	n := min(len(into), (inside+1)/2)
	if q.fault == BatchTakesAll {
		n = min(len(into), inside)
	}
	copy(into, q.batch[:n])
	left := n
	switch {
	case q.fault == BatchReversed:
		slices.Reverse(into[:n])
	case q.fault == BatchTakesTwice && n > 1:
		left-- // the last of them stays inside
	case q.fault == BatchDropsOne && n > 1:
		n-- // as if its slot were behind a void one
	case q.fault == BatchWritesBehind && n < len(into):
		into[n] = into[0]
	}
	if q.fault != InjectorNeverClears {
		clear(q.batch[:left])
	}
	q.batch = q.batch[left:]
	return n, api.Stolen
}

// Empty implements [api.Injector].
func (q *Injector) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fault == BatchNotCounted {
		return len(q.stack) == 0
	}
	return len(q.stack)+len(q.batch) == 0
}
