package lang

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// Channels keep their type. What waits at one in an execution is found by the channel's
// address. The real channel has what is buffered, and is closed when it is: so code that
// was not rewritten sees it, too.
//
// An operation is one step, which may have to wait. Without a buffer a send is two: it comes to the
// channel, and goes on when a receive has taken its value. So there is one order in which the two
// meet. Nobody sees a receive wait, but a select with a default that would send. If there is one
// in the program, a receive without a buffer is two steps as well.

// A channel is what an execution knows of one.
type channel struct {
	closed *byte // what closed it, as a mark
	timer  bool  // it seems to have no buffer

	// senders and receivers have come, in this order: the latter only if that is seen.
	senders, receivers []*waiter

	// A value orders its send before its receive; its place, the receive before the send that takes that.
	values, places marks
}

// marks are those of buffered values, or of free places. The first few, which were there before, have none.
type marks struct {
	without int
	all     []*byte
}

// take has the step under way come after the one that has left the first mark.
func (m *marks) take() {
	if m.without > 0 {
		m.without--
	} else if len(m.all) > 0 {
		drive.Follows(unsafe.Pointer(m.all[0]))
		acquire(m.all[0])
		m.all = m.all[1:]
	}
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
		c = &channel{values: marks{without: length}, places: marks{without: capacity - length}}
		channels[p] = c
	}
	return c
}

// A waiter is a thread in a send, a receive or a select.
type waiter struct {
	cases []part
	tries bool // it does not wait
	which int  // of the cases has been performed by another one, if done
	done  bool
	// mark is what the thread did before it came; after, what the one did that it has met.
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

// comes returns the cell that a case changes when it comes to its channel, or nil if nobody sees that.
func (b *base) comes() unsafe.Pointer {
	switch {
	case b.c == nil || b.size > 0:
		return nil
	case b.send:
		return b.p
	case drive.Arrivals(false):
		return unsafe.Pointer(&b.c.receivers)
	}
	return nil
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

// first returns the first that w may meet in the case. One of the two came first, and has waited: it
// has no other case that is possible without a partner.
func (w *waiter) first(b *base) *waiter {
	for _, x := range b.partners() {
		if x != w && (!w.hasOther() || !x.hasOther()) { // one select may send and receive
			return x
		}
	}
	return nil
}

// partners are those that wait for what the case does.
func (b *base) partners() []*waiter {
	if b.send {
		return b.c.receivers
	}
	return b.c.senders
}

// hasOther reports whether w need not wait for a partner.
func (w *waiter) hasOther() bool {
	for _, k := range w.cases {
		b := k.at()
		if b.c != nil && (b.c.closed != nil || b.send && k.length() < b.size || !b.send && k.length() > 0) {
			return true
		}
	}
	return w.tries
}

// take has w, which waits at c, go on, and returns its case.
func (w *waiter) take(c *channel, send bool) part {
	w.changes(c)
	w.done, w.which = true, slices.IndexFunc(w.cases, func(k part) bool { return k.at().c == c && k.at().send == send })
	w.after = mark()
	w.leave()
	return w.cases[w.which]
}

// changes says that the step under way depends on all that w waits for but c.
func (w *waiter) changes(c *channel) {
	for _, k := range w.cases {
		if b := k.at(); b.c != nil && b.c != c {
			drive.Wake(b.p)
		}
	}
}

// come has w wait where others see it.
func (w *waiter) come() {
	w.mark = mark()
	for _, k := range w.cases {
		switch b := k.at(); {
		case b.comes() == nil:
		case b.send:
			b.c.senders = append(b.c.senders, w)
		default:
			b.c.receivers = append(b.c.receivers, w)
		}
	}
}

// leave has w wait no more.
func (w *waiter) leave() {
	other := func(x *waiter) bool { return x == w }
	for _, k := range w.cases {
		if b := k.at(); w.mark != nil && b.comes() != nil && b.c.closed == nil {
			b.c.senders, b.c.receivers = slices.DeleteFunc(b.c.senders, other), slices.DeleteFunc(b.c.receivers, other)
			if !b.send || w.after == nil {
				drive.Wake(b.comes())
			}
		}
	}
}

// can reports whether the model says that w can perform the case now.
func (w *waiter) can(k part) bool {
	b := k.at()
	switch {
	case b.c == nil:
		return false
	case b.c.closed != nil:
		return true
	case b.send && b.size == 0:
		return w.tries && w.first(b) != nil // or the receive takes what is sent
	case b.send:
		return k.length() < b.size
	default:
		return w.first(b) != nil || k.length() > 0
	}
}

// ready reports whether w need not wait.
func (w *waiter) ready() bool { return w.done || slices.ContainsFunc(w.cases, w.can) || w.outside() }

// outside performs a case with a goroutine that is not of the execution, if one waits, or
// has closed the channel.
func (w *waiter) outside() bool {
	for i, k := range w.cases {
		b := k.at()
		if b.c != nil && b.c.closed == nil && k.perform() {
			w.leave()
			w.which, w.done = i, true
			return true
		}
	}
	return false
}

// try performs the case if that is possible now. It panics for a send to a closed channel.
func (w *waiter) try(k part) (did bool) {
	b := k.at()
	c := b.c
	if c.closed == nil && b.size == 0 && w.can(k) {
		o := w.first(b)
		if len(o.cases) == 1 { // or it depends on what else that one could do
			drive.Follows(unsafe.Pointer(o.mark))
		}
		from, to := o.take(c, !b.send), k
		if b.send {
			from, to = to, from
		}
		to.deliver(from.value(), true)
		acquire(o.mark)
		return true
	}
	buffered := k.length() > 0
	if !k.perform() {
		return false
	}
	switch {
	case b.send && b.size > 0:
		c.places.take()
		c.values.all = append(c.values.all, mark())
	case b.send:
	case buffered:
		c.values.take()
		c.places.all = append(c.places.all, mark())
	default: // it is closed, and stays so
		drive.Missed()
		acquire(c.closed)
	}
	return true
}

// one performs a send or a receive.
func one(op, returns drive.Op, k part) {
	b := enter(k)
	if b.c == nil {
		Forever()
	}
	w := &waiter{cases: []part{k}}
	switch came := w.arrives(op); {
	case came && b.send && b.c.closed != nil:
		k.perform() // panics
	case came || !b.send:
		op = returns
	}
	drive.Await(op, b.p, w.ready)
	if op == drive.OpSend {
		note(k)
	}
	if !w.met() {
		w.try(k)
	}
	if !b.send {
		note(k)
	}
}

// arrives has w come to its channels, in a step, if others may see that.
func (w *waiter) arrives(op drive.Op) bool {
	var cells []unsafe.Pointer
	for _, k := range w.cases {
		if p := k.at().comes(); p != nil {
			cells = append(cells, p)
		}
	}
	if cells != nil {
		drive.Steps(op, cells[0], cells[1:], nil)
		w.come()
		if op == drive.OpSend {
			note(w.cases[0])
		}
	}
	return cells != nil
}

// met reports whether another thread has performed a case, or a goroutine that is not of the execution.
func (w *waiter) met() bool {
	switch {
	case w.after != nil:
		drive.Met(unsafe.Pointer(w.after))
		acquire(w.after)
	case w.done:
		drive.Missed()
	default:
		w.leave()
	}
	return w.done
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
	one(drive.OpArrive, drive.OpRecv, k)
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
	channelAt(address(ch), len(ch), cap(ch)).closed = mark()
}

// SendNow sends, if that is possible at once, as part of a step of another operation.
func SendNow[T any](ch chan<- T, v T) (sent bool) {
	k := newSend(ch, "", v)
	if !drive.Driven() {
		return k.perform()
	}
	k.c = channelAt(k.p, len(ch), cap(ch))
	return new(waiter).try(k)
}

// Drain takes what is buffered, as part of a step of another operation.
func Drain[T any](ch <-chan T) {
	for len(ch) > 0 {
		k := OnRecv(ch, "")
		if drive.Driven() {
			k.c = channelAt(k.p, len(ch), cap(ch))
			new(waiter).try(k)
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
