//go:build explore

package simulate

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
)

type state uint8

// The states of a thread.
const (
	queued  state = iota // it could run, had it a processor
	running              // it has a processor
	blocked              // it waits to be released
	asleep               // it waits for its own clock
	ended
)

// A thread is a virtual thread: a goroutine of the program. It is a coroutine
// that the hub resumes.
type thread struct {
	e     *engine
	id    int
	state state
	// clock is the thread's own time. It is ahead of the others' by what the
	// thread has done since sync.
	clock Time
	// readied is when it was put into the queue.
	readied Time

	processor int
	since     Time // when it got the processor
	// held is the line that was obtained for writing last; it stays until
	// heldUntil.
	held      *line
	heldUntil Time

	// released says that the wait which has begun, or is about to, is over.
	released  bool
	blockedIn string

	// log is what was charged since sync, for a mark that comes in between.
	log    []segment
	worked int // the part of the accounts in which it called Work last

	resume  func() (struct{}, bool)
	end     func()
	yield   func(struct{}) bool
	unwound int
	leaked  chan struct{}
}

// newThread returns a thread that will run f once it has a processor.
func (e *engine) newThread(f func()) *thread {
	t := &thread{e: e, id: len(e.threads), leaked: make(chan struct{})}
	t.resume, t.end = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		t.body(f)
	})
	e.threads = append(e.threads, t)
	return t
}

func (t *thread) body(f func()) {
	returned := false
	defer func() {
		if !returned {
			if r := recover(); r != nil {
				t.e.fail(fmt.Errorf("thread %d panics: %v\n%s", t.id, r, debug.Stack()))
			}
		}
		t.e.ended(t)
	}()
	f()
	returned = true
}

// ended frees the processor of a thread that has returned, or has called
// runtime.Goexit.
func (e *engine) ended(t *thread) {
	if e.aborting || e.failure != nil {
		t.state = ended
		return
	}
	e.sync()
	t.state = ended
	t.resume, t.end, t.yield, t.log = nil, nil, nil, nil
	if t == e.program {
		e.over = true
		e.conclude(t.clock)
		return
	}
	e.vacate(t)
}

// pause lets the threads go on that are earlier.
func (t *thread) pause() {
	if !t.yield(struct{}{}) {
		t.unwind()
	}
}

// unwind ends the thread because the run has. Deferred calls that perform
// operations come here again; one that never has enough is left where it is.
func (t *thread) unwind() {
	if t.unwound++; t.unwound > 100 {
		close(t.leaked)
		select {}
	}
	runtime.Goexit()
}

// stop ends the thread from outside, if it has not ended.
func (t *thread) stop() {
	if t.state == ended {
		return
	}
	t.e.current = t
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.end()
	}()
	select {
	case <-done:
	case <-t.leaked:
	}
}
