package public

import (
	"testing"

	"github.com/alphadose/haxmap"

	"github.com/rouse-go/rouse/explore"
)

// In haxmap 1.4.0 two calls of GetOrSet store a value each, and both say so.
func TestHaxmapGetOrSet(t *testing.T) {
	fault(t, "loaded is false for both", func(x *explore.Exec) {
		m := haxmap.New[int, int]()
		loaded := make(chan bool, 2)
		for i := range 2 {
			go func() {
				_, was := m.GetOrSet(1, i)
				loaded <- was
			}()
		}
		if a, b := <-loaded, <-loaded; a == b {
			x.Errorf("loaded is %v for both", a)
		}
	})
}

// A Set of another key is lost beside a Del of the one before it.
func TestHaxmapDel(t *testing.T) {
	fault(t, "is not there", func(x *explore.Exec) {
		m := haxmap.New[int, int]()
		m.SetHasher(func(k int) uintptr { return uintptr(k) })
		m.Set(1, 1)
		done := make(chan bool)
		go func() { m.Del(1); done <- true }()
		m.Set(2, 2)
		<-done
		if _, ok := m.Get(2); !ok {
			x.Errorf("what was set is not there")
		}
	})
}

// A Set is lost beside a GetAndDel that returns the value before.
func TestHaxmapGetAndDel(t *testing.T) {
	fault(t, "is not there", func(x *explore.Exec) {
		m := haxmap.New[int, int]()
		m.Set(1, 1)
		deleted := make(chan int)
		go func() { v, _ := m.GetAndDel(1); deleted <- v }()
		m.Set(1, 2)
		if _, ok := m.Get(1); <-deleted == 1 && !ok {
			x.Errorf("what was set is not there")
		}
	})
}
