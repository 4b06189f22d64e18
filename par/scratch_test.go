package par_test

import (
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/par"
)

// A value whose user panics, exits, or cannot be made, is not used again.
func TestScratchFailures(t *testing.T) {
	made := 0
	s := par.Scratch[int]{New: func() int {
		if made++; made == 3 {
			panic("no")
		}
		return made
	}}
	s.Do(func(*int) {})
	caught(func() { s.Do(func(*int) { panic(1) }) })
	var wg sync.WaitGroup
	wg.Go(func() { s.Do(func(*int) { runtime.Goexit() }) })
	wg.Wait()
	for range s.All() {
		t.Error("Scratch: a value is there though its user has failed")
	}
	if v := caught(func() { s.Do(func(*int) {}) }); v != "no" {
		t.Errorf("Scratch: the panic of New is %v", v)
	}
	for range 3 {
		s.Do(func(x *int) {
			if *x != 4 {
				t.Errorf("Scratch: value %d, want 4", *x)
			}
		})
	}
	for x := range s.All() {
		if *x++; *x != 5 {
			t.Errorf("Scratch: All yields %d", *x)
		}
		break
	}
	if n := s.Made(); n != 1 {
		t.Errorf("Scratch: one is used at a time, by users that fail, and there is room for %d", n)
	}
	var none par.Scratch[int]
	for range none.All() {
		t.Error("an unused Scratch has values")
	}
}

func TestScratchCost(t *testing.T) {
	var s par.Scratch[[64]byte]
	k := 0
	s.Do(func(*[64]byte) {})
	if n := testing.AllocsPerRun(1000, func() { s.Do(func(x *[64]byte) { x[1]++; k++ }) }); n != 0 {
		t.Errorf("Scratch: Do allocates %v times", n)
	}
	buffer := weak.Make(func() *par.Scratch[[]byte] {
		s := &par.Scratch[[]byte]{New: func() []byte { return make([]byte, 1<<10) }}
		s.Do(func(*[]byte) {})
		return s
	}())
	runtime.GC()
	if runtime.GC(); buffer.Value() != nil {
		t.Error("Scratch: it is kept though nothing refers to it")
	}
}
