package lang

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// Channels keep their type. What waits at one in an execution is found by the channel's
// address. The real channel has what is buffered, and is closed when it is: so code that
// was not rewritten sees it, too.
//
// An operation that cannot be performed at once is two steps: it arrives, and waits in a
// queue of the channel; whoever can perform it later does, and wakes it. With one step, a
// select with a default would never meet a partner that waits.

// A channel is what an execution knows of one.
type channel struct {
	p      unsafe.Pointer
	closed *byte // what closed it, as a mark
	timer  bool  // it seems to have no buffer

	senders, receivers []*waiter

	// A value orders its send before its receive; the place that it leaves orders the
	// receive before the send that takes the place. Both have a mark: those of the
	// buffered values, after the first few that were there before, and of free places.
	before, fresh int
	values        []*byte
	places        []*byte
}

// channels are those of the execution.
var channels map[unsafe.Pointer]*channel

// address is that of the channel itself.
func address[C any](ch C) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&ch)) }

// channelAt returns what is known of the channel, or nil for a nil channel.
func channelAt(p unsafe.Pointer, length, capacity int) *channel {
	if p == nil {
		return nil
	}
	if channels == nil {
		drive.OnEnd(func() { channels = nil }) // if this is the end, there is nothing to forget
		channels = make(map[unsafe.Pointer]*channel)
	}
	c := channels[p]
	if c == nil {
		c = &channel{p: p, before: length, fresh: capacity - length}
		channels[p] = c
	}
	return c
}

// A waiter is a thread in a send, a receive or a select that has arrived.
type waiter struct {
	cases  []part
	which  int // of the cases was performed
	done   bool
	closed bool // a send must panic
	// mark is what the thread did before; after, what the one did that released it.
	mark, after *byte
}

// A part is a case of a select, or the only one.
type part interface {
	at() *base
	// realSend and realReceive perform the case with the real channel, if possible at once.
	perform() (did bool)
	// deliver sets the received value; value is the one to send.
	deliver(v any, ok bool)
	value() any
	noted() any // for traces
	length() int
	real() reflect.SelectCase
	taken(v reflect.Value, ok bool)
	block()
}

// base is what the cases have in common.
type base struct {
	c    *channel
	p    unsafe.Pointer
	size int
	name string
	send bool
}

// enter finds the channel of a case.
func enter(k part) *base {
	b := k.at()
	b.c = channelAt(b.p, k.length(), b.size)
	if b.p != nil && b.name != "" && drive.Tracing() {
		drive.Name(b.p, b.name)
	}
	return b
}

func mark() *byte {
	m := new(byte)
	drive.Release(unsafe.Pointer(m))
	return m
}

func acquire(m *byte) {
	if m != nil {
		drive.Acquire(unsafe.Pointer(m))
	}
}

// take returns the first of the queue, off all queues that it is in, and which of its
// cases that was.
func take(c *channel, send bool) (*waiter, part) {
	q := c.receivers
	if send {
		q = c.senders
	}
	w := q[0] // first come, first served, as in the runtime
	w.leave()
	for _, k := range w.cases {
		if o := k.at().c; o != nil && o != c { // changes, too: w no longer waits there
			drive.Wake(o.p)
		}
	}
	w.done = true
	for i, k := range w.cases {
		if b := k.at(); b.c == c && b.send == send {
			w.which = i
			break
		}
	}
	return w, w.cases[w.which]
}

func (w *waiter) leave() {
	for _, k := range w.cases {
		if c := k.at().c; c != nil {
			c.senders = without(c.senders, w)
			c.receivers = without(c.receivers, w)
		}
	}
}

func without(q []*waiter, w *waiter) []*waiter {
	for i, x := range q {
		if x == w {
			return append(q[:i:i], q[i+1:]...)
		}
	}
	return q
}

func (w *waiter) wake(after *byte) {
	w.after = after
	drive.Wake(unsafe.Pointer(w))
}

// can reports whether the model says that the case can be performed now.
func can(k part) bool {
	b := k.at()
	switch c := b.c; {
	case c == nil:
		return false
	case c.closed != nil:
		return true
	case b.send:
		return len(c.receivers) > 0 || k.length() < b.size
	default:
		return len(c.senders) > 0 || k.length() > 0
	}
}

// try performs the case if that is possible now. It panics for a send to a closed channel.
func try(k part) (did bool) {
	b := k.at()
	switch {
	case b.c == nil:
		return false
	case b.send:
		return b.c.send(k)
	default:
		return b.c.receive(k)
	}
}

func (c *channel) send(k part) bool {
	if c.closed != nil {
		return k.perform() // panics
	}
	if len(c.receivers) > 0 {
		w, o := take(c, false)
		o.deliver(k.value(), true)
		m := mark()
		if k.at().size == 0 {
			acquire(w.mark)
		} else {
			c.fill() // and is emptied at once
			c.places = append(c.places, w.mark)
		}
		w.wake(m)
		return true
	}
	if !k.perform() {
		return false
	}
	if k.at().size > 0 {
		c.fill()
		c.values = append(c.values, mark())
	}
	return true
}

// fill takes a free place.
func (c *channel) fill() {
	if c.fresh > 0 {
		c.fresh--
	} else if len(c.places) > 0 {
		acquire(c.places[0])
		c.places = c.places[1:]
	}
}

func (c *channel) receive(k part) bool {
	if k.length() > 0 {
		k.perform()
		if c.before > 0 {
			c.before--
		} else if len(c.values) > 0 {
			acquire(c.values[0])
			c.values = c.values[1:]
		}
		if len(c.senders) == 0 {
			c.places = append(c.places, mark())
			return true
		}
		w, o := take(c, true)
		o.perform()
		c.values = append(c.values, w.mark)
		w.wake(mark())
		return true
	}
	if len(c.senders) > 0 {
		w, o := take(c, true)
		k.deliver(o.value(), true)
		acquire(w.mark)
		w.wake(mark())
		return true
	}
	did := k.perform()
	if did { // it is closed, and stays so
		drive.Missed()
		acquire(c.closed)
	}
	return did
}

// await enters the queues and waits until another thread has performed a case.
func await(op drive.Op, cases []part) *waiter {
	w := &waiter{cases: cases, mark: mark()}
	if drive.Tracing() {
		names := make([]string, len(cases))
		for i, k := range cases {
			names[i] = k.at().name
		}
		drive.Name(unsafe.Pointer(w), strings.Join(names, ", "))
	}
	for _, k := range cases {
		b := k.at()
		switch {
		case b.c == nil:
		case b.send:
			b.c.senders = append(b.c.senders, w)
		default:
			b.c.receivers = append(b.c.receivers, w)
		}
	}
	drive.Await(op, unsafe.Pointer(w), func() bool { return w.done || w.outside() })
	acquire(w.after)
	if w.closed {
		w.cases[w.which].perform() // panics
	}
	return w
}

// outside performs a case with a goroutine that is not of the execution, if one waits, or
// has closed the channel.
func (w *waiter) outside() bool {
	for i, k := range w.cases {
		b := k.at()
		if b.c != nil && !b.send && k.perform() {
			w.leave()
			w.which, w.done = i, true
			return true
		}
	}
	return false
}

// one performs a send or a receive.
func one(op, returns drive.Op, k part) {
	b := enter(k)
	if b.c == nil {
		Forever()
	}
	drive.Step(op, b.p)
	if b.send {
		note(k)
	}
	if !try(k) {
		await(returns, []part{k})
	}
	if !b.send {
		note(k)
	}
}

// note says what a case has sent or received.
func note(k part) {
	if !drive.Tracing() {
		return
	}
	drive.Note(k.noted())
}

// noteCase says which case of a select that was.
func noteCase(k part) {
	if !drive.Tracing() {
		return
	}
	b := k.at()
	how := "receive "
	if b.send {
		how = "send "
	}
	drive.Note(drive.Text(how+b.name), k.noted())
}

// Forever blocks, as select {} does.
func Forever() {
	if !drive.Driven() {
		drive.Wait(func() { select {} })
	}
	drive.Await(drive.OpBlock, nil, func() bool { return false })
}

// Send(ch, name)(v) is ch <- v.
func Send[T any](ch chan<- T, name string) func(v T) {
	return func(v T) {
		if !drive.Driven() {
			drive.Wait(func() { ch <- v })
			return
		}
		one(drive.OpSend, drive.OpSendReturn, newSend(ch, name, v))
	}
}

// Recv is <-ch.
func Recv[T any](ch <-chan T, name string) T {
	v, _ := Recv2(ch, name)
	return v
}

// Recv2 is v, ok := <-ch.
func Recv2[T any](ch <-chan T, name string) (v T, ok bool) {
	if !drive.Driven() {
		drive.Wait(func() { v, ok = <-ch })
		return v, ok
	}
	k := OnRecv(ch, name)
	one(drive.OpRecv, drive.OpRecvReturn, k)
	return k.v, k.ok
}

// Recv2As is Recv2 for a type of one's own.
func Recv2As[B ~bool, T any](ch <-chan T, name string) (T, B) {
	v, ok := Recv2(ch, name)
	return v, B(ok)
}

// Close is close(ch).
func Close[T any](ch chan<- T, name string) {
	if drive.Driven() && ch != nil {
		k := newSend(ch, name, *new(T))
		drive.Step(drive.OpClose, enter(k).p)
	}
	CloseNow(ch)
}

// CloseNow is Close, as part of a step of another operation.
func CloseNow[T any](ch chan<- T) {
	close(ch)
	if !drive.Driven() {
		return
	}
	closed(channelAt(address(ch), len(ch), cap(ch)))
}

// closed wakes all that wait at a channel, which was closed just now.
func closed(c *channel) {
	c.closed = mark()
	for len(c.receivers) > 0 {
		w, k := take(c, false)
		k.deliver(nil, false)
		w.wake(c.closed)
	}
	for len(c.senders) > 0 {
		w, _ := take(c, true)
		w.closed = true
		w.wake(c.closed)
	}
}

// SendNow sends, if that is possible at once, as part of a step of another operation.
func SendNow[T any](ch chan<- T, v T) (sent bool) {
	k := newSend(ch, "", v)
	if !drive.Driven() {
		return k.perform()
	}
	k.c = channelAt(k.p, len(ch), cap(ch))
	return try(k)
}

// Drain takes what is buffered, as part of a step of another operation.
func Drain[T any](ch <-chan T) {
	for len(ch) > 0 {
		k := OnRecv(ch, "")
		if drive.Driven() {
			k.c = channelAt(k.p, len(ch), cap(ch))
			try(k)
		} else {
			k.perform()
		}
	}
}

// Cell is the address of a channel's cell, for steps that touch it.
func Cell[T any](ch chan T) unsafe.Pointer { return address(ch) }

// OfTimer says that ch is the channel of a timer or a ticker.
func OfTimer[T any](ch chan T) chan T {
	channelAt(address(ch), 0, cap(ch)).timer = true
	return ch
}

// Len is len(ch).
func Len[T any](ch <-chan T, name string) int {
	if drive.Driven() && ch != nil {
		b := enter(OnRecv(ch, name))
		drive.Step(drive.OpLen, b.p)
		if b.c.timer {
			return 0
		}
	}
	return len(ch)
}

// Cap is cap(ch).
func Cap[T any](ch <-chan T) int {
	if drive.Driven() && ch != nil && channelAt(address(ch), len(ch), cap(ch)).timer {
		return 0
	}
	return cap(ch)
}

// LenToSend is Len for a channel that can only be sent to.
func LenToSend[T any](ch chan<- T, name string) int {
	if drive.Driven() && ch != nil {
		drive.Step(drive.OpLen, enter(newSend(ch, name, *new(T))).p)
	}
	return len(ch)
}

// A Values is the range of a channel.
type Values[T any] struct {
	ch   <-chan T
	name string
	V    T
}

// Range begins for range ch.
func Range[T any](ch <-chan T, name string) *Values[T] { return &Values[T]{ch: ch, name: name} }

// Range1 begins for v := range ch, and declares v.
func Range1[T any](ch <-chan T, name string) (*Values[T], T) {
	return Range(ch, name), *new(T)
}

// More receives V, and reports whether there is one.
func (r *Values[T]) More() (ok bool) {
	r.V, ok = Recv2(r.ch, r.name)
	return ok
}

// Next receives *v, and reports whether there is one.
func (r *Values[T]) Next(v *T) bool {
	x, ok := Recv2(r.ch, r.name)
	if ok {
		*v = x
	}
	return ok
}
