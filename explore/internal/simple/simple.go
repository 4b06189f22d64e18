// Package simple is a driver for tests of twins: it searches all schedules with up to a
// number of preemptions, without a reduction.
package simple

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Result is that of a search.
type Result struct {
	Executions int
	Failure    string
	Trace      []string // of the execution that failed
}

const maxSteps = 2000

type choice struct{ taken, of int }

type engine struct {
	bound       int
	path        []choice
	depth       int
	threads     []*thread
	current     *thread
	preemptions int
	steps       int
	aborting    bool
	failure     string
	trace       []string
	names       map[unsafe.Pointer]string
	onEnd       []func()
	done        chan struct{}

	clocks map[unsafe.Pointer]clock
	plain  map[unsafe.Pointer]*accesses
}

type thread struct {
	e             *engine
	index         int
	turn          chan struct{}
	op            drive.Op
	ready         func() bool
	yielded       bool
	daemon, ended bool
	unwound       int
	vc            clock
}

type clock [16]int

func (a *clock) join(b clock) {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
}

type accesses struct {
	reads  clock
	writes clock
}

// Explore runs f in all schedules with up to bound preemptions, until one fails.
func Explore(bound int, f func()) Result {
	e := &engine{bound: bound}
	r := Result{}
	for {
		e.execute(f)
		r.Executions++
		if e.failure != "" {
			r.Failure, r.Trace = e.failure, e.trace
			return r
		}
		for len(e.path) > 0 && e.path[len(e.path)-1].taken+1 == e.path[len(e.path)-1].of {
			e.path = e.path[:len(e.path)-1]
		}
		if len(e.path) == 0 {
			return r
		}
		e.path[len(e.path)-1].taken++
	}
}

func (e *engine) execute(f func()) {
	e.depth, e.preemptions, e.steps, e.aborting, e.failure = 0, 0, 0, false, ""
	e.threads, e.trace, e.onEnd = nil, nil, nil
	e.names = map[unsafe.Pointer]string{}
	e.clocks = map[unsafe.Pointer]clock{}
	e.plain = map[unsafe.Pointer]*accesses{}
	e.done = make(chan struct{})
	drive.Install(e)
	e.pass(e.start(f, false))
	<-e.done
	drive.Install(nil)
	for _, f := range e.onEnd {
		f()
	}
}

func (e *engine) start(f func(), daemon bool) *thread {
	t := &thread{e: e, index: len(e.threads), turn: make(chan struct{}), daemon: daemon}
	if t.index == len(t.vc) {
		e.Fail("too many threads")
	}
	if e.current != nil {
		t.vc = e.current.vc
		e.current.tick()
	}
	t.tick()
	e.threads = append(e.threads, t)
	go func() {
		defer e.end(t)
		defer func() {
			if r := recover(); r != nil {
				e.fails(fmt.Sprintf("panic: %v\n%s", r, debug.Stack()))
			}
		}()
		<-t.turn
		if !e.aborting {
			f()
		}
	}()
	return t
}

func (t *thread) tick() { t.vc[t.index]++ }

func (e *engine) pass(t *thread) {
	e.current = t
	t.turn <- struct{}{}
}

func (e *engine) end(t *thread) {
	t.ended = true
	if !e.aborting {
		for _, u := range e.threads {
			if !u.ended && !u.daemon {
				if next := e.decide(t); next != nil {
					e.pass(next)
					return
				}
				break
			}
		}
		e.aborting = true
	}
	for _, u := range e.threads {
		if !u.ended {
			e.pass(u)
			return
		}
	}
	e.current = nil
	close(e.done)
}

func (e *engine) fails(message string) {
	if !e.aborting {
		e.failure, e.aborting = message, true
	}
}

func (e *engine) branch(n int) int {
	if n == 1 {
		return 0
	}
	if e.depth == len(e.path) {
		e.path = append(e.path, choice{0, n})
	}
	c := e.path[e.depth]
	if c.of != n {
		e.fails("nondeterminism")
		return 0
	}
	e.depth++
	return c.taken
}

func (t *thread) canRun() bool { return t.ready == nil || t.ready() }

func (e *engine) decide(t *thread) *thread {
	goesOn := !t.ended && !t.yielded && t.canRun()
	if goesOn && e.preemptions >= e.bound {
		return t
	}
	var can []*thread
	if goesOn {
		can = append(can, t)
	}
	yielded := 0
	for _, u := range e.threads {
		if !u.ended && (u != t || !goesOn) && u.canRun() {
			if u.yielded {
				yielded++
				continue
			}
			can = append(can, u)
		}
	}
	if len(can) == 0 && yielded > 0 {
		for _, u := range e.threads {
			if !u.ended && u.yielded && u.canRun() {
				u.yielded = false
				can = append(can, u)
			}
		}
	}
	if len(can) == 0 {
		text := "deadlock:"
		for _, u := range e.threads {
			if !u.ended && !u.daemon {
				text += fmt.Sprintf(" T%d %v", u.index, u.op)
			}
		}
		e.fails(text)
		return nil
	}
	next := can[e.branch(len(can))]
	if goesOn && next != t {
		e.preemptions++
	}
	return next
}

func (e *engine) enter() *thread {
	t := e.current
	if t == nil {
		panic("simple: not driven")
	}
	if e.aborting {
		e.unwind(t)
	}
	return t
}

func (e *engine) unwind(t *thread) {
	if t.unwound++; t.unwound > 100 {
		go e.end(t)
		select {}
	}
	runtime.Goexit()
}

func (e *engine) Step(op drive.Op, p unsafe.Pointer) { e.Await(op, p, nil) }

func (e *engine) Steps(op drive.Op, ps []unsafe.Pointer) {
	var p unsafe.Pointer
	if len(ps) > 0 {
		p = ps[0]
	}
	e.Await(op, p, nil)
}

func (e *engine) Await(op drive.Op, p unsafe.Pointer, ready func() bool) {
	t := e.enter()
	t.op, t.ready, t.yielded = op, ready, op == drive.OpYield
	if e.steps++; e.steps > maxSteps {
		e.fails("livelock")
		e.unwind(t)
	}
	next := e.decide(t)
	if next == nil || e.aborting {
		e.unwind(t)
	}
	if next != t {
		e.pass(next)
		<-t.turn
		if e.aborting {
			e.unwind(t)
		}
	}
	t.ready, t.yielded = nil, false
	name := e.names[p]
	if name == "" {
		name = fmt.Sprint(p)
	}
	e.trace = append(e.trace, fmt.Sprintf("T%d %v %s", t.index, op, name))
}

func (e *engine) Wake(p unsafe.Pointer) {}

func (e *engine) Missed() {}

func (e *engine) Choose(n int) int {
	t := e.enter()
	k := e.branch(n)
	if e.aborting {
		e.unwind(t)
	}
	return k
}

func (e *engine) Go(f func()) {
	e.enter()
	e.start(f, false)
	e.Step(drive.OpGo, nil)
}

func (e *engine) Daemon(f func()) {
	e.enter()
	e.start(f, true)
}

func (e *engine) Release(p unsafe.Pointer) {
	t := e.enter()
	c := e.clocks[p]
	c.join(t.vc)
	e.clocks[p] = c
	t.tick()
}

func (e *engine) Acquire(p unsafe.Pointer) {
	t := e.enter()
	t.vc.join(e.clocks[p])
}

func (e *engine) Access(p unsafe.Pointer, size uintptr, write bool) {
	t := e.enter()
	a := e.plain[p]
	if a == nil {
		a = &accesses{}
		e.plain[p] = a
	}
	for i := range e.threads {
		if a.writes[i] > t.vc[i] || write && a.reads[i] > t.vc[i] {
			e.fails("data race on " + e.names[p])
			e.unwind(t)
		}
	}
	if write {
		a.writes[t.index] = t.vc[t.index]
	} else {
		a.reads[t.index] = t.vc[t.index]
	}
}

func (e *engine) Tracing() bool { return true }

func (e *engine) Note(values ...any) {
	if n := len(e.trace); n > 0 {
		e.trace[n-1] += " " + fmt.Sprintln(values...)
	}
}

func (e *engine) Name(p unsafe.Pointer, name string) { e.names[p] = name }

func (e *engine) Fail(message string) {
	t := e.enter()
	e.fails(message)
	e.unwind(t)
}

func (e *engine) OnEnd(f func()) { e.onEnd = append(e.onEnd, f) }

func (e *engine) TB(t testing.TB) testing.TB { return t }
