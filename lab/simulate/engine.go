//go:build explore

package simulate

import (
	"errors"
	"fmt"
	"strings"
)

// An engine is a run. One virtual thread runs at a time, the one with the least
// clock, so whatever it does happens after all that is earlier. All state is that
// thread's, and the hub's between two threads.
type engine struct {
	machine *Machine
	cost    costs

	threads []*thread
	current *thread
	program *thread
	// reached is the time that all threads have reached.
	reached Time
	// runnable are the threads that have a processor, but for the current one.
	runnable heap
	// timers are those that are asleep. Their clocks are when that is over.
	timers heap

	processors []processor
	idle       set
	// waiting counts the threads in all run queues, global has those in the one of
	// no processor.
	waiting int
	global  []*thread
	// lock is the one of Go's scheduler.
	lock line
	// started is when the thread runs that was woken for a goroutine. polled is when the
	// thread runs that waited for the end of a sleep. There is one of each at a time. event
	// is the earlier of the two, or when the end of a sleep is noticed.
	started, polled, event Time

	cells cells
	names names

	accounts
	digest uint64

	over     bool
	aborting bool
	failure  error
}

func newEngine(m *Machine) *engine {
	e := &engine{machine: m, cost: m.costs(), started: never, polled: never, event: never}
	e.topology()
	e.lock = line{owner: noThread}
	e.accounts.init(m.Processors)
	e.cells.init()
	return e
}

// run runs the program, and ends the threads that it leaves behind.
func (e *engine) run(program func()) {
	t := e.newThread(program)
	e.program = t
	e.place(t, 0, 0)
	done := make(chan struct{})
	go e.hub(done)
	<-done
	e.aborting = true
	for _, t := range e.threads {
		t.stop()
	}
}

// hub runs the threads in turn. A thread that calls runtime.Goexit ends the
// goroutine that resumed it, too: then another one goes on here.
func (e *engine) hub(done chan struct{}) {
	finished := false
	defer func() {
		if !finished {
			go e.hub(done)
		}
	}()
	for e.next() {
		e.current.resume()
	}
	finished = true
	close(done)
}

// next makes the thread with the least clock the current one. It returns false if
// the run is over.
func (e *engine) next() bool {
	if e.over || e.failure != nil {
		return false
	}
	if t := e.current; t != nil && t.state != running {
		e.current = nil
	}
	for e.event != never && e.event <= e.earliest() {
		e.happen()
	}
	if t := e.current; t != nil {
		e.current = e.runnable.exchange(t)
	} else if len(e.runnable) > 0 {
		e.current = e.runnable.pop()
	} else {
		e.failure = errors.New(e.deadlock())
		return false
	}
	e.reached = e.current.clock
	return true
}

// earliest returns the least clock of a thread that has a processor.
func (e *engine) earliest() Time {
	at := never
	if e.current != nil {
		at = e.current.clock
	}
	if len(e.runnable) > 0 {
		at = min(at, e.runnable[0].clock)
	}
	return at
}

// sync returns the current thread when it is the one with the least clock: what
// it does now, it does after all that was earlier.
func (e *engine) sync() *thread {
	t := e.current
	if e.aborting {
		t.unwind()
	}
	if e.event <= t.clock || len(e.runnable) > 0 && e.runnable[0].before(t.clock, t.id) {
		t.pause()
	}
	t.log = t.log[:0]
	if e.waiting > 0 && t.clock-t.since >= e.cost.timeSlice && e.hasNext(t.processor, t.clock) {
		e.giveTurn(t)
	}
	return t
}

// fail ends the run.
func (e *engine) fail(err error) {
	if e.failure == nil {
		e.failure = err
	}
}

func (e *engine) deadlock() string {
	var b strings.Builder
	b.WriteString("all virtual threads are blocked:")
	n := 0
	for _, t := range e.threads {
		if t.state != blocked {
			continue
		}
		if n++; n > 8 {
			b.WriteString(" …")
			break
		}
		fmt.Fprintf(&b, " thread %d in %s,", t.id, t.blockedIn)
	}
	return strings.TrimSuffix(b.String(), ",")
}

// observe adds an operation to the digest.
func (e *engine) observe(t *thread, op int, c *cell) {
	x := uint64(t.clock)*0x9e3779b97f4a7c15 ^ uint64(t.id)<<40 ^ uint64(op)<<32
	if c != nil {
		x ^= uint64(c.number)
	}
	e.digest = mix(e.digest ^ x)
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
