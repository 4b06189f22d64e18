package mutants

import (
	"runtime"
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

// Empty implements [api.Injector].
func (q *Injector) Empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fault == BatchNotCounted {
		return len(q.stack) == 0
	}
	return len(q.stack)+len(q.batch) == 0
}
