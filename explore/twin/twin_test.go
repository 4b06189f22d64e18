package twin_test

import (
	rm "hash/maphash"
	"reflect"
	rs "sync"
	ra "sync/atomic"
	"testing"
	rt "time"

	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/maphash"
	"github.com/rouse-go/rouse/explore/twin/sync"
	"github.com/rouse-go/rouse/explore/twin/time"
)

// Types have the methods of theirs, and the same size where it matters.
func TestMethods(t *testing.T) {
	for _, x := range []struct{ twin, original any }{
		{&sync.Mutex{}, &rs.Mutex{}}, {&sync.RWMutex{}, &rs.RWMutex{}}, {&sync.Once{}, &rs.Once{}},
		{&sync.WaitGroup{}, &rs.WaitGroup{}}, {&sync.Cond{}, &rs.Cond{}}, {&sync.Pool{}, &rs.Pool{}},
		{&sync.Map{}, &rs.Map{}}, {&atomic.Value{}, &ra.Value{}}, {&atomic.Bool{}, &ra.Bool{}},
		{&atomic.Int32{}, &ra.Int32{}}, {&atomic.Int64{}, &ra.Int64{}}, {&atomic.Uint32{}, &ra.Uint32{}},
		{&atomic.Uint64{}, &ra.Uint64{}}, {&atomic.Uintptr{}, &ra.Uintptr{}},
		{&atomic.Pointer[int]{}, &ra.Pointer[int]{}},
		{&time.Timer{}, &rt.Timer{}}, {&time.Ticker{}, &rt.Ticker{}},
		{&maphash.Hash{}, &rm.Hash{}},
	} {
		twin, original := reflect.TypeOf(x.twin), reflect.TypeOf(x.original)
		for i := range original.NumMethod() {
			name := original.Method(i).Name
			m, ok := twin.MethodByName(name)
			if !ok {
				t.Errorf("%v.%s has no twin", original, name)
				continue
			}
			a, b := reflect.ValueOf(x.twin).MethodByName(m.Name).Type(), reflect.ValueOf(x.original).MethodByName(name).Type()
			if a != b && original.Elem().Name() != "RWMutex" {
				t.Errorf("%v.%s is a %v, its twin a %v", original, name, b, a)
			}
		}
		switch original.Elem().Name() {
		case "Cond", "Pool", "Map", "Timer", "Ticker", "Hash": // nobody pads these
		default:
			if twin.Elem().Size() != original.Elem().Size() || twin.Elem().Align() != original.Elem().Align() {
				t.Errorf("%v has %d bytes, its twin %d", original, original.Elem().Size(), twin.Elem().Size())
			}
		}
	}
}
