package lang

import (
	"reflect"

	"github.com/rouse-go/rouse/explore/drive"
)

// A reflected is a case of a channel whose type is known by reflection alone.
type reflected struct {
	base
	ch, v reflect.Value
	ok    bool
}

// ofReflected returns a case. v is what to send, or none to receive.
func ofReflected(ch, v reflect.Value) *reflected {
	k := &reflected{base: base{send: v.IsValid()}, ch: ch}
	if !ch.IsValid() {
		return k // a case that is never ready
	}
	k.p, k.size = ch.UnsafePointer(), ch.Cap()
	if k.v = reflect.New(ch.Type().Elem()).Elem(); k.send {
		k.v.Set(v)
	}
	return k
}

func (k *reflected) at() *base  { return &k.base }
func (k *reflected) value() any { return k.v.Interface() }
func (k *reflected) noted() any { return k.v.Interface() }

func (k *reflected) length() int {
	if k.p == nil {
		return 0
	}
	return k.ch.Len()
}

func (k *reflected) perform() bool {
	if k.send {
		return k.ch.TrySend(k.v)
	}
	v, ok := k.ch.TryRecv()
	if v.IsValid() {
		k.v, k.ok = v, ok
	}
	return v.IsValid()
}

func (k *reflected) deliver(v any, ok bool) {
	k.v, k.ok = reflect.New(k.ch.Type().Elem()).Elem(), ok
	if x := reflect.ValueOf(v); x.IsValid() {
		k.v.Set(x)
	}
}

func (k *reflected) real() reflect.SelectCase {
	if k.send {
		return reflect.SelectCase{Dir: reflect.SelectSend, Chan: k.ch, Send: k.v}
	}
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: k.ch}
}

// ReflectSelect is reflect.Select.
func ReflectSelect(cases []reflect.SelectCase) (chosen int, recv reflect.Value, ok bool) {
	if !drive.Driven() {
		drive.Wait(func() { chosen, recv, ok = reflect.Select(cases) })
		return chosen, recv, ok
	}
	var all []Case
	var at []int
	other := -1
	for i, c := range cases {
		if c.Dir == reflect.SelectDefault {
			other = i
			continue
		}
		all, at = append(all, ofReflected(c.Chan, c.Send)), append(at, i)
	}
	i := Select(other >= 0, all...)
	if i == len(all) {
		return other, recv, false
	}
	if k := all[i].(*reflected); !k.send {
		recv, ok = k.v, k.ok
	}
	return at[i], recv, ok
}

// A Channel has the methods of a reflect.Value that wait or wake others.
type Channel struct{ v reflect.Value }

// Reflected returns what stands for v.
func Reflected(v reflect.Value) Channel { return Channel{v} }

func (c Channel) Send(x reflect.Value) { Select(false, ofReflected(c.v, x)) }

func (c Channel) TrySend(x reflect.Value) bool { return Select(true, ofReflected(c.v, x)) == 0 }

func (c Channel) Recv() (reflect.Value, bool) {
	k := ofReflected(c.v, reflect.Value{})
	Select(false, k)
	return k.v, k.ok
}

func (c Channel) TryRecv() (x reflect.Value, ok bool) {
	if k := ofReflected(c.v, reflect.Value{}); Select(true, k) == 0 {
		return k.v, k.ok
	}
	return x, false
}

func (c Channel) Close() {
	if drive.Driven() && !c.v.IsNil() {
		drive.Step(drive.OpClose, enter(ofReflected(c.v, reflect.Value{})).p)
	}
	c.v.Close()
	if drive.Driven() {
		channelAt(c.v.UnsafePointer(), c.v.Len(), c.v.Cap()).closed = mark()
	}
}
