package lang

import (
	"iter"
	"runtime"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A puller is what the functions that Pull or Pull2 has returned have in common.
//
// The sequence runs in a coroutine of the runtime, which is never in parallel with the caller of
// next or stop: so in an execution it is that thread, and there are no other orders than those of
// its steps.
type puller struct {
	name    string
	running bool // the sequence is
	open    bool // and has not ended
	left    bool // by an execution that is over
}

// pulled returns a puller, of which stop ends the sequence.
func pulled(name string, stop func()) *puller {
	p := &puller{name: name, open: true}
	drive.OnEnd(func() {
		if !p.open {
			return
		}
		// Its deferred functions run, up to the first that performs an operation. Each may end
		// the goroutine that waits for it, or panic: nobody is there to see it.
		p.left = true
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }()
			stop()
		}()
		<-done
	})
	return p
}

// call has the sequence go on, for next or stop. Two calls that nothing orders are a data race.
func (p *puller) call(function string, goOn func()) {
	if drive.Driven() {
		drive.Access(unsafe.Pointer(Named(p, "the iterator of "+p.name)), 1, true)
		if p.running {
			panic(p.name + ": " + function + " called again before yield")
		}
	}
	p.running = true
	defer func() {
		p.running = false
		drive.Resumed()
	}()
	goOn()
}

// yield has the sequence wait until it is called for again, and reports whether it is to go on.
func (p *puller) yield(yield func() bool) bool {
	more := yield()
	if p.left {
		runtime.Goexit()
	}
	drive.Resumed()
	return more
}

// sequence runs it.
func (p *puller) sequence(seq func()) {
	defer func() { p.open = false }()
	drive.Resumed()
	seq()
}

// Pull is iter.Pull.
func Pull[V any](seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	var p *puller
	realNext, realStop := iter.Pull(func(yield func(V) bool) {
		p.sequence(func() {
			seq(func(v V) bool { return p.yield(func() bool { return yield(v) }) })
		})
	})
	p = pulled("iter.Pull", realStop)
	next = func() (v V, ok bool) {
		p.call("next", func() { v, ok = realNext() })
		return v, ok
	}
	return next, func() { p.call("stop", realStop) }
}

// Pull2 is iter.Pull2.
func Pull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	var p *puller
	realNext, realStop := iter.Pull2(func(yield func(K, V) bool) {
		p.sequence(func() {
			seq(func(k K, v V) bool { return p.yield(func() bool { return yield(k, v) }) })
		})
	})
	p = pulled("iter.Pull2", realStop)
	next = func() (k K, v V, ok bool) {
		p.call("next", func() { k, v, ok = realNext() })
		return k, v, ok
	}
	return next, func() { p.call("stop", realStop) }
}
