//go:build explore

package explore

import (
	"context"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
)

// A thread is a goroutine that runs only when it is its turn. Threads and their
// goroutines are used again in the next execution.
type thread struct {
	e     *engine
	index int
	// turn is sent to when it is the thread's turn.
	turn chan struct{}
	// alive says that there is a goroutine.
	alive     bool
	goroutine string // its id, if asked for

	// The fields from here on are of one execution.

	hb     []int32 // what happens before, by the operations' own order
	f      func()
	name   string
	past   []past   // those that it followed
	names  []string // of those that it followed, and its own
	parent *thread
	// starting says that the thread has not come to its first operation, and
	// its parent waits for that.
	starting bool
	joined   bool // counts for Exec.Wait
	daemon   bool // waits for a context, or for timers, and need not end
	// expendable says that nobody sees what it does when there are but daemons.
	expendable bool
	timer      bool  // it was started as a daemon
	used       int32 // when, by its own clock, it has last done something
	late       bool  // its first operation is patient
	pending    bool  // has not ended when the execution was over
	ended      bool
	acted      bool // performed an operation, other than Errorf
	blocked    bool // when there was a deadlock

	// op is the operation that it is about to perform, or performs, on cell.
	op       prim.Op
	cell     *cell
	more     []*cell         // the other cells of it
	touched  []*cell         // those of the step under way
	shared   []*cell         // locks that it has for reading
	ready    func() bool     // whether it can be performed
	ctx      context.Context // of a Park
	released bool            // a wait has been ended
	yielded  bool            // it is not its turn while others can run
	noted    bool            // and that has made a difference
	patient  bool            // op is such that others come first
	// patientAt is how many steps there were at its last step that was, or 0.
	patientAt int
	been      visits // where it has given way, or waited for time
	acts      int    // how many of its steps do more than to read and to give way
	yields    int    // how many gave way
	then      int    // how many did either, when it came to the operation before
	read      int    // how many came since, which did not
	finding   uint64 // what it has found last, of what others may change
	same      int    // how often it has found that again
	// operations is how many it has come to, of twins, not alone.
	operations int

	// What follows is for the reduction.
	clock []int32 // how many steps of each thread happen before its next one
	steps int32
	last  int  // its last step, or -1
	since int  // how many steps there were when it came to the next one
	by    int  // the step that has ended its wait, or -1
	woken int  // the same, from 1, if it was ended before the thread came to it
	could bool // it could run when there was a decision, and it was
	fresh bool // not there at the last one
	// inVain says that it returns for no reason.
	inVain   bool
	children uint64
	turns    int    // operations but to add to a wait group, which comes before a start
	id, hash uint64 // of itself, and of its steps: the same in each order
	draws    uint64 // of random numbers
	chances  int    // the sequences of those that are tried
	told     int    // draws, where they are

	priority int64 // in PCT
	unwound  int
	at       []uintptr // where op is, if traced
	called   string    // and what cell is called there
	on       *cell     // what the operation is on
	// waitsOn and waitsCalled are those of the first half of a wait.
	waitsOn     *cell
	waitsCalled string
	writes      []int // events of plain writes that have not taken place
	// startedAt is where the thread was started, if traced.
	startedAt []uintptr
	edge      byte // an address for the start of the thread
}

// bit is the thread in a set of threads.
//
//go:norace
func (t *thread) bit() uint64 { return 1 << t.index }

// newThread returns a thread that will run f, with its goroutine waiting.
//
//go:norace
func (e *engine) newThread(parent *thread, name string, f func(), follows *thread) *thread {
	i := len(e.threads)
	if follows != nil {
		i = follows.index
	} else if i == len(e.pooled) {
		e.pooled = append(e.pooled, &thread{e: e, index: i, turn: make(chan struct{}, 1)})
	}
	t := e.pooled[i]
	if follows == nil {
		t.names = t.names[:0]
	}
	t.names = append(t.names, name)
	t.f, t.name, t.parent = f, name, parent
	t.unwound = 0
	t.starting = parent != nil
	t.expendable, t.startedAt = false, nil
	t.joined, t.daemon, t.pending, t.ended, t.acted = false, false, false, false, false
	t.more, t.shared, t.ready = t.more[:0], t.shared[:0], nil
	t.cell, t.ctx, t.released, t.yielded = nil, nil, false, false
	t.patient, t.noted, t.acts, t.yields, t.then, t.read = false, false, 0, 0, 0, 0
	t.finding, t.same, t.operations = 0, 0, 0
	t.been.reset()
	if t.late = e.late != nil; t.late {
		t.been.all = append(t.been.all, visit{calls: e.late.calls})
		t.been.last, e.late = 1, nil
	}
	t.called, t.waitsCalled, t.on, t.waitsOn, t.writes = "", "", nil, nil, nil
	e.inherit(t, parent, follows)
	if e.config.strategy == pct {
		t.priority = int64(e.random()>>1) | 1<<32
	}
	if follows == nil {
		e.threads = append(e.threads, t)
	}
	e.dpor.newborn |= t.bit()
	e.live++
	if !t.alive {
		t.alive = true
		e.goroutines++
		go t.serve()
	}
	release(unsafe.Pointer(&t.edge))
	return t
}

// serve is the body of the goroutine, until a thread ends it by Goexit or
// there is no more to run.
func (t *thread) serve() {
	retired := false
	defer func() {
		hide()
		serving.Delete(t.goroutine)
		unhide()
		if !retired {
			t.died()
		}
	}()
	t.identify()
	for t.await() {
		t.run()
		t.e.end(t)
	}
	retired = true
}

// await waits for the thread's turn and reports whether there is something to
// run.
//
//go:norace
func (t *thread) await() bool {
	t.take()
	if t.f == nil {
		t.alive = false
		return false
	}
	acquire(unsafe.Pointer(&t.edge))
	return true
}

// run calls the function and takes a panic for a failure.
func (t *thread) run() {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			t.e.panicked(r)
		} else {
			t.e.exited(t)
		}
	}()
	t.call()
	returned = true
}

// exited fails the execution if the thread, which has ended by runtime.Goexit, is the test's own
// one, and the test has called neither FailNow nor SkipNow: so does package testing.
//
//go:norace
func (e *engine) exited(t *thread) {
	if t.parent != nil || e.aborting || e.inner == nil || e.inner.skipped || e.inner.T.Failed() || e.inner.T.Skipped() {
		return
	}
	e.fail(Panicked, "test executed panic(nil) or runtime.Goexit")
}

//go:norace
func (t *thread) function() func() { return t.f }

func (t *thread) call() { t.function()() }

//go:norace
func (t *thread) died() {
	t.alive = false
	t.e.goroutines--
	t.e.end(t)
}

// unwind ends the thread because the execution is being aborted. Deferred
// calls that perform operations come here again; one that never has enough is
// left where it is.
//
//go:norace
func (t *thread) unwind() {
	if t.unwound++; t.unwound > 100 {
		t.e.leaked++
		t.e.goroutines--
		t.e.pooled[t.index] = &thread{e: t.e, index: t.index, turn: make(chan struct{}, 1)}
		t.e.end(t)
		select {}
	}
	runtime.Goexit()
}

// end passes the turn on when the thread has ended.
//
//go:norace
func (e *engine) end(t *thread) {
	e.written(t)
	release(unsafe.Pointer(&e.edge))
	if !t.starting {
		e.account()
	}
	t.ended, t.yielded = true, false
	e.live--
	if t.joined {
		release(unsafe.Pointer(&e.joined))
		e.unjoined--
	}
	if t.daemon {
		e.daemons--
	}
	if e.config.all && t.parent == nil {
		e.testEnds()
	}
	if e.aborting {
		e.unwindNext()
		return
	}
	if t.starting {
		t.starting = false
		e.pass(t.parent)
		return
	}
	if next := e.decide(t); next != nil {
		e.pass(next)
	} else {
		e.unwindNext()
	}
}

// over reports whether there are but daemons, of which none goes on. Those that nobody would see
// do so for the reduction, which learns what they could have come before.
//
//go:norace
func (e *engine) over() bool {
	if e.live > e.daemons {
		return false
	}
	all := e.recording || e.config.strategy == replay && !e.follow.over()
	for _, t := range e.threads {
		if !t.ended && !t.yielded && (!t.expendable || all) && e.canRun(t) {
			return false
		}
	}
	return true
}

// leave notes which threads have not ended.
//
//go:norace
func (e *engine) leave() {
	for _, t := range e.threads {
		t.pending = !t.ended
	}
	e.aborting = true
}

// pass makes it another thread's turn.
//
//go:norace
func (e *engine) pass(next *thread) {
	e.current = next
	e.give(next)
}

// give and take hand the turn over. Code that is built on package prim shares nothing with other
// threads but what it shares itself: the race detector sees each order that is missing, so it must
// not see this one. Twins, and the t of an execution, have state that threads have in turns.
//
//go:norace
func (e *engine) give(next *thread) {
	if e.inTurns {
		release(unsafe.Pointer(&e.baton))
	}
	hide()
	next.turn <- struct{}{}
	unhide()
}

//go:norace
func (t *thread) take() {
	hide()
	<-t.turn
	unhide()
	if t.e.inTurns {
		acquire(unsafe.Pointer(&t.e.baton))
	}
}

// switchTo makes it another thread's turn and waits until it is t's again.
//
//go:norace
func (e *engine) switchTo(t, next *thread) {
	e.current = next
	e.give(next)
	t.take()
	if e.aborting {
		t.unwind()
	}
}

// unwindNext ends a thread that has not ended, or the execution.
//
//go:norace
func (e *engine) unwindNext() {
	for _, t := range e.threads {
		if !t.ended {
			e.pass(t)
			return
		}
	}
	e.finish()
}

// finish tells the explorer that the execution is over.
//
//go:norace
func (e *engine) finish() {
	e.current = nil
	hide()
	e.done <- struct{}{}
	unhide()
}

// gone returns a thread that has ended, and that another one can follow under the same number, or nil.
// All that it has done happens before what t does next, by the operations' own order. So it does in all
// schedules of an order, and for the reduction the two are one thread.
//
//go:norace
func (e *engine) gone(t *thread, joined, daemon bool) *thread {
	if !e.inTurns || joined {
		return nil // on package prim there are no clocks of operations
	}
	for _, u := range e.threads {
		if u.index > 0 && u.ended && !u.joined && u.timer == daemon && t.hb[u.index] >= u.used {
			return u
		}
	}
	return nil
}

// makeRoom sees to it that there may be another thread.
//
//go:norace
func (e *engine) makeRoom(t *thread) {
	n, most, live := len(e.threads), maxThreads, e.config.maxThreads
	if e.config.all && e.config.strategy >= randomly { // without the sets of a search
		most, live = manyThreads, manyThreads
	}
	if n < e.dpor.width && e.live < live {
		return
	}
	if e.live < live && n < most {
		e.wider = true // once more, with longer clocks
		e.leave()
		t.unwind()
	}
	text := fmt.Sprintf("the limit is %d at one moment, counting the test's own; two or three threads show most faults", e.config.maxThreads)
	if e.live < e.config.maxThreads {
		text = fmt.Sprintf("%d is as many as there can be. A thread that has ended does not count if something, such as a WaitGroup, "+
			"orders its end before the start of a new one", maxThreads)
	}
	e.fail(TooManyThreads, fmt.Sprintf("more threads are started than MaxThreads allows%s\n\t%s", e.here(), text))
	t.unwind()
}

// start starts f as a thread, and goes on when that has come to its first
// operation: so the explorer knows of each thread what it is about to do.
//
//go:norace
func (e *engine) start(name string, f func(), joined, daemon bool) {
	t := e.enter()
	follows := e.gone(t, joined, daemon)
	if follows != nil {
		e.silence.noteOne(follows)
	} else {
		e.makeRoom(t)
	}
	e.tick(t)
	t.acts++
	e.sole = false
	if d := &e.dpor; e.recording && joined && !t.joined && t.parent != nil && !d.anyJoin {
		d.anyJoin, e.restart = true, true
	}
	child := e.newThread(t, name, f, follows)
	child.acted, e.rewritten = e.rewritten, false
	child.joined, child.timer = joined, daemon
	child.daemon = daemon || e.config.all && e.threads[0].ended
	if joined {
		e.unjoined++
	}
	if child.daemon {
		e.daemons++
	}
	if e.traced {
		t.at = callers()
		child.startedAt = t.at
		if place(t.at).line == 0 {
			child.startedAt = t.startedAt
		}
		e.written(t)
		t.on = nil
		e.event(t, prim.OpGo, child)
	}
	e.switchTo(t, child)
}
