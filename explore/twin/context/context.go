// Package context is a twin of package context, for rewritten code: in an execution the end
// of a context is a step, and deadlines are in virtual time.
//
// Context and the errors are those of package context, so contexts can go to and from code
// that was not rewritten.
package context

import (
	rc "context"
	"fmt"
	"reflect"
	"slices"
	rs "sync"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/time"
)

type (
	Context         = rc.Context
	CancelFunc      = rc.CancelFunc
	CancelCauseFunc = rc.CancelCauseFunc
)

var (
	Canceled         = rc.Canceled
	DeadlineExceeded = rc.DeadlineExceeded
)

func Background() Context { return rc.Background() }

func TODO() Context { return rc.TODO() }

func WithValue(parent Context, key, val any) Context { return rc.WithValue(parent, key, val) }

// A node is a context that can be canceled.
type node struct {
	Context  // the parent
	kind     string
	done     chan struct{}
	deadline time.Time

	mu       rs.Mutex // is never held while another thread may run
	err      error
	cause    error
	children []child
	timer    *time.Timer
}

// A child ends with its parent.
type child interface {
	end(err, cause error)
	// ended is closed when the child no longer needs the parent.
	ended() <-chan struct{}
}

// self is the key for which a node gives itself.
var self int

func (n *node) Done() <-chan struct{} { return n.done }

func (n *node) Value(key any) any {
	if key == &self {
		return n
	}
	return n.Context.Value(key)
}

func (n *node) Deadline() (time.Time, bool) {
	if n.deadline.IsZero() {
		return n.Context.Deadline()
	}
	return n.deadline, true
}

func (n *node) Err() error {
	err, _ := n.read()
	return err
}

func (n *node) read() (err, cause error) {
	drive.Step(drive.OpContextRead, unsafe.Pointer(n))
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.err != nil {
		drive.Acquire(unsafe.Pointer(n))
	}
	if drive.Tracing() {
		drive.Note(n.err)
	}
	return n.err, n.cause
}

// AfterFunc is what package context asks a parent for that is not its own.
func (n *node) AfterFunc(f func()) func() bool { return AfterFunc(n, f) }

func (n *node) String() string { return nameOf(n.Context) + "." + n.kind }

func nameOf(c Context) string {
	if s, ok := c.(fmt.Stringer); ok {
		return s.String()
	}
	return reflect.TypeOf(c).String()
}

func (n *node) ended() <-chan struct{} { return n.done }

// end cancels n, and then its children, in the order in which they came.
func (n *node) end(err, cause error) {
	if timer := n.ends(err, cause); timer != nil {
		timer.Stop()
	}
}

// expire is cancel for the timer, which need not be stopped.
func (n *node) expire(cause error) {
	n.ends(DeadlineExceeded, cause)
	forget(n.Context, n)
}

// ends cancels n and its children, and returns the timer that is left.
func (n *node) ends(err, cause error) *time.Timer {
	if drive.Driven() {
		drive.Steps(drive.OpContextCancel, unsafe.Pointer(n), []unsafe.Pointer{lang.Cell(n.done)}, nil)
	}
	n.mu.Lock()
	if n.err != nil {
		n.mu.Unlock()
		drive.Missed()
		return nil
	}
	if cause == nil {
		cause = err
	}
	n.err, n.cause = err, cause
	drive.Release(unsafe.Pointer(n))
	children, timer := n.children, n.timer
	n.children = nil
	n.mu.Unlock()
	lang.CloseNow(n.done)
	for _, c := range children {
		c.end(err, cause)
	}
	return timer
}

// cancel ends n, of which its parent need no longer know.
func (n *node) cancel(err, cause error) {
	n.end(err, cause)
	forget(n.Context, n)
}

// nodeOf returns the node that ends c, or nil if something else does.
func nodeOf(c Context) *node {
	if n, ok := c.Value(&self).(*node); ok && n.done == c.Done() {
		return n
	}
	return nil
}

func forget(parent Context, c child) {
	n := nodeOf(parent)
	if n == nil {
		return
	}
	drive.Wake(unsafe.Pointer(n)) // the step under way is about it, too, if c is there or not
	n.mu.Lock()
	defer n.mu.Unlock()
	if i := slices.Index(n.children, c); i >= 0 {
		n.children = slices.Delete(n.children, i, i+1)
	}
}

// follow has c end when parent does.
func follow(parent Context, c child) {
	if parent.Done() == nil {
		return
	}
	if n := nodeOf(parent); n != nil {
		drive.Step(drive.OpContextChild, unsafe.Pointer(n))
		n.mu.Lock()
		err, cause := n.err, n.cause
		if err == nil {
			n.children = append(n.children, c)
		}
		n.mu.Unlock()
		if err != nil {
			drive.Acquire(unsafe.Pointer(n))
			c.end(err, cause)
		}
		return
	}
	if lang.Select(true, lang.OnRecv(parent.Done(), "")) == 0 {
		c.end(parent.Err(), Cause(parent))
		return
	}
	drive.Daemon(func() {
		if lang.Select(false, lang.OnRecv(parent.Done(), ""), lang.OnRecv(c.ended(), "")) == 0 {
			c.end(parent.Err(), Cause(parent))
		}
	})
}

func newNode(parent Context, kind string) *node {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return &node{Context: parent, kind: kind, done: make(chan struct{})}
}

func withCancel(parent Context) *node {
	n := newNode(parent, "WithCancel")
	follow(parent, n)
	return n
}

// WithCancel is that of package context, like all functions here.
func WithCancel(parent Context) (Context, CancelFunc) {
	n := withCancel(parent)
	return n, func() { n.cancel(Canceled, nil) }
}

func WithCancelCause(parent Context) (Context, CancelCauseFunc) {
	n := withCancel(parent)
	return n, func(cause error) { n.cancel(Canceled, cause) }
}

func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithTimeoutCause(parent, timeout, nil)
}

// WithTimeoutCause takes one step on the clock, if it can: between two of them time could pass, and then the
// context would end at once. So it may when that step is over.
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	n := newNode(parent, "")
	if _, ok := parent.Deadline(); ok || timeout <= 0 || !drive.Driven() {
		return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
	}
	n.timer, n.deadline = time.Deadline(timeout, func() { n.expire(cause) })
	n.kind = fmt.Sprintf("WithDeadline(%v)", n.deadline)
	follow(parent, n)
	return n, func() { n.cancel(Canceled, nil) }
}

func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	n := newNode(parent, fmt.Sprintf("WithDeadline(%v)", d))
	if earlier, ok := parent.Deadline(); ok && earlier.Before(d) {
		return WithCancel(parent)
	}
	n.deadline = d
	follow(parent, n)
	left := time.Until(d)
	if left <= 0 {
		n.cancel(DeadlineExceeded, cause)
		return n, func() { n.cancel(Canceled, nil) }
	}
	if n.Err() == nil {
		timer, _ := time.Deadline(left, func() { n.expire(cause) })
		drive.Step(drive.OpContextChild, unsafe.Pointer(n))
		n.mu.Lock()
		ended := n.err != nil
		n.timer = timer
		n.mu.Unlock()
		if ended {
			timer.Stop()
		}
	}
	return n, func() { n.cancel(Canceled, nil) }
}

func Cause(c Context) error {
	if n := nodeOf(c); n != nil {
		_, cause := n.read()
		return cause
	}
	return rc.Cause(c)
}

// An after is a function that is called when a context ends.
type after struct {
	f     func()
	stop  chan struct{}
	mu    rs.Mutex
	begun bool // or stopped
}

// begin reports whether the function has neither begun nor been stopped before.
func (a *after) begin() bool {
	if drive.Driven() {
		drive.Steps(drive.OpContextChild, unsafe.Pointer(a), []unsafe.Pointer{lang.Cell(a.stop)}, nil)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	first := !a.begun
	a.begun = true
	if first { // the original is a Once, which orders
		drive.Release(unsafe.Pointer(a))
	} else {
		drive.Acquire(unsafe.Pointer(a))
	}
	return first
}

func (a *after) end(error, error) {
	if a.begin() {
		drive.Go(a.f)
	}
}

func (a *after) ended() <-chan struct{} { return a.stop }

func AfterFunc(ctx Context, f func()) (stop func() bool) {
	a := &after{f: f, stop: make(chan struct{})}
	follow(ctx, a)
	return func() bool {
		stopped := a.begin()
		if stopped {
			lang.CloseNow(a.stop)
			forget(ctx, a)
		}
		return stopped
	}
}

// withoutCancel has the values of its parent, and nothing else.
type withoutCancel struct{ parent Context }

func WithoutCancel(parent Context) Context {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	return withoutCancel{parent}
}

func (withoutCancel) Deadline() (deadline time.Time, ok bool) { return }
func (withoutCancel) Done() <-chan struct{}                   { return nil }
func (withoutCancel) Err() error                              { return nil }
func (c withoutCancel) Value(key any) any {
	if key == &self {
		return nil
	}
	return c.parent.Value(key)
}
func (c withoutCancel) String() string { return nameOf(c.parent) + ".WithoutCancel" }
