package lang

import (
	"reflect"
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

func (k *RecvCase[T]) block() { k.v, k.ok = <-k.ch }

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

func (k *RecvCase[T]) taken(v reflect.Value, ok bool) {
	reflect.ValueOf(&k.v).Elem().Set(v)
	k.ok = ok
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

func (k *SendCase[T]) at() *base                 { return &k.base }
func (k *SendCase[T]) length() int               { return len(k.ch) }
func (k *SendCase[T]) value() any                { return k.v }
func (k *SendCase[T]) noted() any                { return k.v }
func (k *SendCase[T]) deliver(any, bool)         {}
func (k *SendCase[T]) taken(reflect.Value, bool) {}
func (k *SendCase[T]) block()                    { k.ch <- k.v }

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
type Case interface{ part }

// Select returns which of the cases it has performed: len(cases) is the default.
func Select(hasDefault bool, cases ...Case) int {
	if drive.Driven() {
		return choose(hasDefault, cases)
	}
	if len(cases) == 1 && !hasDefault {
		drive.Wait(cases[0].block)
		return 0
	}
	if len(cases) == 1 {
		if cases[0].perform() {
			return 0
		}
		return 1
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
	if i < len(cases) {
		cases[i].taken(v, ok)
	}
	return i
}

func choose(hasDefault bool, cases []Case) int {
	parts := make([]part, len(cases))
	var cells []unsafe.Pointer
	for i, k := range cases {
		parts[i] = k
		if b := enter(k); b.c != nil {
			cells = append(cells, b.p)
		}
	}
	drive.Steps(drive.OpSelect, cells)
	var possible []int
	for i, k := range parts {
		if can(k) {
			possible = append(possible, i)
		}
	}
	if n := len(possible); n > 0 {
		i := possible[drive.Choose(n)]
		noteCase(parts[i]) // of a send to a closed channel, too
		try(parts[i])
		noteCase(parts[i])
		return i
	}
	for i, k := range parts {
		if try(k) { // with a goroutine that is not of the execution
			return i
		}
	}
	if hasDefault {
		drive.Missed()
		drive.Note(drive.Text("default"))
		return len(cases)
	}
	i := await(drive.OpSelectReturn, parts).which
	noteCase(parts[i])
	return i
}
