//go:build explore

package simulate

import (
	"container/heap"
	"fmt"
	"iter"
	"math"
	"runtime/debug"
	"slices"
	"strings"
)

// An engine is a run. One virtual thread runs at a time, the one with the least clock,
// so whatever it does happens after all that is earlier. All state is that thread's,
// and the hub's between two threads. If threads ran ahead of each other by some
// nanoseconds, there would be fewer switches, but no closed form would be exact.
type engine struct {
	Machine
	account

	threads []*thread
	current *thread
	// reached is the time that all threads have reached.
	reached Time
	// runnable are the threads that have a processor, except the current one.
	runnable byClock

	scheduler
	cells cells

	failure error
}

// never is the time of what is not expected.
const never = Time(math.MaxInt64)

func newEngine(m Machine) *engine {
	e := &engine{Machine: m}
	e.account = account{until: never, misses: map[string]Time{}, part: 1}
	e.scheduler = scheduler{idle: 1<<m.Processors - 1, arrival: never}
	e.cells.known = map[uintptr]*cell{}
	return e
}

// run runs the program and the threads that it starts. The hub has a goroutine of its
// own: a thread that calls runtime.Goexit ends it.
func (e *engine) run(program func()) {
	t := e.newThread(program)
	e.occupy(t, 0, 0)
	heap.Push(&e.runnable, t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e.next() {
			e.current.resume()
		}
	}()
	<-done
}

// next makes the thread with the least clock the current one. It returns false if
// the run is over.
func (e *engine) next() bool {
	t := e.current
	if t != nil && t.state != active {
		t = nil
	}
	for e.failure == nil {
		if len(e.runnable) > 0 && (t == nil || e.runnable[0].before(t)) {
			if t == nil {
				t = heap.Pop(&e.runnable).(*thread)
			} else {
				t, e.runnable[0] = e.runnable[0], t
				heap.Fix(&e.runnable, 0)
			}
		}
		if e.arrival == never || t != nil && t.clock < e.arrival {
			break
		}
		if t != nil {
			heap.Push(&e.runnable, t)
			t = nil
		}
		e.arrive()
	}
	if e.failure != nil {
		return false
	}
	if e.current = t; t == nil {
		e.failure = e.deadlock()
		return false
	}
	return true
}

// deadlock returns the error of a run in which no thread can go on, or nil if all have
// ended.
func (e *engine) deadlock() error {
	var all []string
	for _, t := range e.threads {
		if t.state != ended {
			all = append(all, fmt.Sprintf("thread %d in %s", t.id, t.blockedIn))
		}
	}
	if all == nil {
		return nil
	}
	return fmt.Errorf("%d virtual threads are blocked: %s", len(all), strings.Join(all[:min(8, len(all))], ", "))
}

// sync returns the current thread when it has the least clock: what it does now, it
// does after all that was earlier.
func (e *engine) sync() *thread {
	t := e.current
	if e.arrival <= t.clock || len(e.runnable) > 0 && e.runnable[0].before(t) {
		t.pause()
	}
	e.reached = t.clock
	e.book(t)
	return t
}

// The states of a thread.
const (
	queued  = iota // it could run, had it a processor
	active         // it has a processor
	blocked        // it waits to be released
	ended
)

// A thread is a virtual thread: a goroutine of the program. It is a coroutine that the
// hub resumes.
type thread struct {
	id    int
	state int
	// clock is the thread's own time. It is ahead of the others' by what the thread
	// has done since sync. The log has what has not been booked.
	clock  Time
	log    []segment
	booked Time
	worked int // the part of the account in which it called Work

	processor int
	// home is the processor in whose run queue it waits.
	home int
	// held is the line that was obtained for writing last; it stays until heldUntil.
	held      *line
	heldUntil Time

	// released says that the wait which has begun, or is about to, is over.
	released  bool
	blockedIn string

	resume func() (struct{}, bool)
	pause  func() // lets the threads go on that are earlier
}

// newThread returns a thread that will run f once it has a processor.
func (e *engine) newThread(f func()) *thread {
	t := &thread{id: len(e.threads), blockedIn: "no processor"}
	t.resume, _ = iter.Pull(func(yield func(struct{}) bool) {
		t.pause = func() { yield(struct{}{}) }
		returned := false
		defer func() {
			if r := recover(); r != nil {
				e.failure = fmt.Errorf("thread %d panics: %v\n%s", t.id, r, debug.Stack())
			} else if !returned {
				e.failure = fmt.Errorf("thread %d calls runtime.Goexit, which is not simulated", t.id)
			}
		}()
		f()
		e.sync()
		t.state = ended
		e.vacate(t)
		returned = true
	})
	e.threads = append(e.threads, t)
	return t
}

// before orders threads by their clocks, and among equals by the time of their start.
func (t *thread) before(u *thread) bool {
	return t.clock < u.clock || t.clock == u.clock && t.id < u.id
}

// byClock is a heap of threads. Their clocks do not change meanwhile.
type byClock []*thread

func (h byClock) Len() int           { return len(h) }
func (h byClock) Less(i, j int) bool { return h[i].before(h[j]) }
func (h byClock) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byClock) Push(t any)        { *h = append(*h, t.(*thread)) }
func (h *byClock) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = slices.Delete(*h, last, last+1)
	return t
}
