package par_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// No two have the same value at a time, and there are no more than are used at once.
func TestScratch(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		type sum struct {
			busy  atomic.Bool
			total int
		}
		var made atomic.Int64
		var inside level
		sums := par.Scratch[*sum]{New: func() *sum { made.Add(1); return new(sum) }}
		use := func(x int, f func()) {
			inside.during(func() {
				sums.Do(func(s **sum) {
					if !(*s).busy.CompareAndSwap(false, true) {
						t.Error("Scratch: two have the same value")
					}
					(*s).total += x
					f()
					(*s).busy.Store(false)
				})
			})
		}
		const rounds = 3
		for range rounds {
			par.For(100, func(i int) {
				use(1000, func() {
					par.For(100, func(int) { use(1, func() { runtime.Gosched() }) }, par.On(p))
				})
			}, par.On(p))
		}
		total, values := 0, int64(0)
		for s := range sums.All() {
			total += (*s).total
			values++
		}
		if want := rounds * 100 * (1000 + 100); total != want {
			t.Errorf("Scratch: the sums have %d, want %d", total, want)
		}
		if values != made.Load() || values > int64(inside.most.Load()) {
			t.Errorf("Scratch: %d values, of which %d were made, for %d at once", values, made.Load(), inside.most.Load())
		}
	})
}

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
