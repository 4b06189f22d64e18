package lang

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A RecvCase receives.
type RecvCase[T any] struct {
	base
	ch <-chan T
	v  T
	ok bool
}

// OnRecv is case <-ch.
func OnRecv[T any](ch <-chan T, name string) *RecvCase[T] {
	return &RecvCase[T]{base: base{p: address(ch), size: cap(ch), name: name}, ch: ch}
}

// Value is what was received.
func (k *RecvCase[T]) Value() T { return k.v }

// Value2 says, too, whether something was.
func (k *RecvCase[T]) Value2() (T, bool) { return k.v, k.ok }

// Value2As is Value2 for a type of one's own.
func Value2As[B ~bool, T any](k *RecvCase[T]) (T, B) { return k.v, B(k.ok) }

func (k *RecvCase[T]) at() *base   { return &k.base }
func (k *RecvCase[T]) length() int { return len(k.ch) }
func (k *RecvCase[T]) value() any  { return k.v }
func (k *RecvCase[T]) noted() any {
	if !k.ok {
		return drive.Text("closed")
	}
	return k.v
}

func (k *RecvCase[T]) perform() bool {
	select {
	case k.v, k.ok = <-k.ch:
		return true
	default:
		return false
	}
}

func (k *RecvCase[T]) deliver(v any, ok bool) {
	k.v, _ = v.(T)
	k.ok = ok
}

func (k *RecvCase[T]) real() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(k.ch)}
}

// A SendCase sends.
type SendCase[T any] struct {
	base
	ch chan<- T
	v  T
}

func newSend[T any](ch chan<- T, name string, v T) *SendCase[T] {
	return &SendCase[T]{base: base{p: address(ch), size: cap(ch), name: name, send: true}, ch: ch, v: v}
}

// OnSend(ch, name)(v) is case ch <- v.
func OnSend[T any](ch chan<- T, name string) func(v T) *SendCase[T] {
	return func(v T) *SendCase[T] { return newSend(ch, name, v) }
}

func (k *SendCase[T]) at() *base         { return &k.base }
func (k *SendCase[T]) length() int       { return len(k.ch) }
func (k *SendCase[T]) value() any        { return k.v }
func (k *SendCase[T]) noted() any        { return k.v }
func (k *SendCase[T]) deliver(any, bool) {}

func (k *SendCase[T]) perform() bool {
	select {
	case k.ch <- k.v:
		return true
	default:
		return false
	}
}

func (k *SendCase[T]) real() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(k.ch), Send: reflect.ValueOf(&k.v).Elem()}
}

// A Case is one of a select.
type Case = part

// Select returns which of the cases it has performed: len(cases) is the default.
func Select(hasDefault bool, cases ...Case) int {
	if drive.Driven() {
		return choose(hasDefault, cases)
	}
	real := make([]reflect.SelectCase, 0, len(cases)+1)
	for _, k := range cases {
		real = append(real, k.real())
	}
	if hasDefault {
		real = append(real, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	var i int
	var v reflect.Value
	var ok bool
	drive.Wait(func() { i, v, ok = reflect.Select(real) })
	if v.IsValid() {
		cases[i].deliver(v.Interface(), ok)
	}
	return i
}

func choose(hasDefault bool, cases []Case) int {
	w := &waiter{cases: cases, tries: hasDefault}
	var cells []unsafe.Pointer
	op, returns := drive.OpArrive, drive.OpSelect
	for _, k := range cases {
		b := enter(k)
		if b.c == nil {
			continue
		}
		cells = append(cells, b.p)
		if b.send && b.size == 0 {
			if op, returns = drive.OpSelect, drive.OpSelectReturn; hasDefault && drive.Arrivals(true) {
				cells = append(cells, unsafe.Pointer(&b.c.receivers))
			}
		}
	}
	if hasDefault {
		drive.Steps(drive.OpSelect, nil, cells, nil)
	} else {
		w.arrives(op)
		drive.Steps(returns, w.named(), cells, w.ready)
	}
	if !w.met() {
		w.which = w.perform()
	}
	if w.which < len(cases) {
		noteCase(w.cases[w.which])
	}
	return w.which
}

// perform performs one of the cases that are possible, if there is one, or the default, and returns which.
func (w *waiter) perform() int {
	var possible []int
	for i, k := range w.cases {
		if b := k.at(); b.c != nil && b.c.closed == nil && (w.tries || !b.send) && w.hasOther() {
			for _, x := range b.partners() {
				x.changes(b.c) // whether w may meet x depends on that
			}
		}
		if w.can(k) {
			possible = append(possible, i)
		}
	}
	if n := len(possible); n > 0 {
		i := possible[drive.Choose(n)]
		noteCase(w.cases[i]) // of a send to a closed channel, too
		w.try(w.cases[i])
		return i
	}
	drive.Missed()
	if w.outside() {
		return w.which
	}
	drive.Note(drive.Text("default"))
	return len(w.cases)
}

// named names w after its channels, for traces.
func (w *waiter) named() unsafe.Pointer {
	if !drive.Tracing() {
		return nil
	}
	names := make([]string, len(w.cases))
	for i, k := range w.cases {
		names[i] = k.at().name
	}
	drive.Name(unsafe.Pointer(w), strings.Join(names, ", "))
	return unsafe.Pointer(w)
}
