package par

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/pool"
)

// litter leaves garbage where the next allocations of so many bytes will be.
func litter(bytes int) {
	for range 8 {
		b := make([]byte, bytes)
		for i := range b {
			b[i] = 0xa5
		}
		runtime.KeepAlive(b)
	}
	runtime.GC()
}

// The memory is not cleared, or it buys nothing; unless it may hold pointers, which the
// garbage collector would follow.
func TestUncleared(t *testing.T) {
	type plain struct {
		_ [3]int32
		_ struct{ _ complex128 }
		_ [0]*int
	}
	type pointing struct {
		_ int
		_ [1]struct{ _ string }
	}
	const n = 1 << 17
	found := func(find func() bool) (any bool) {
		for range 20 { // the memory may be another one
			litter(n * 8)
			any = any || find()
		}
		return any
	}
	if !found(func() bool {
		s := uncleared[uint64](n)
		return slices.Contains(s, 0xa5a5a5a5a5a5a5a5)
	}) {
		t.Error("package par: memory for integers is cleared")
	}
	if found(func() bool {
		s := uncleared[*int](n)
		return slices.ContainsFunc(s, func(p *int) bool { return p != nil })
	}) {
		t.Error("package par: memory for pointers is not cleared")
	}
	for of, want := range map[reflect.Type]bool{
		reflect.TypeFor[bool]():           false,
		reflect.TypeFor[uintptr]():        false,
		reflect.TypeFor[complex128]():     false,
		reflect.TypeFor[plain]():          false,
		reflect.TypeFor[pointing]():       true,
		reflect.TypeFor[string]():         true,
		reflect.TypeFor[any]():            true,
		reflect.TypeFor[func()]():         true,
		reflect.TypeFor[unsafe.Pointer](): true,
		reflect.TypeFor[map[int]int]():    true,
		reflect.TypeFor[chan int]():       true,
		reflect.TypeFor[[]int]():          true,
		reflect.TypeFor[[2]*int]():        true,
	} {
		if got := pointers(of); got != want {
			t.Errorf("package par: that %v may hold pointers: %v", of, got)
		}
	}
	for _, n := range []int{0, 1, unclearedLeast/8 - 1, unclearedLeast / 8, unclearedLeast/8 + 1, n} {
		s := uncleared[uint64](n)
		if len(s) != n || cap(s) != n {
			t.Errorf("package par: memory for %d elements has %d, room for %d", n, len(s), cap(s))
		}
		for i := range s {
			s[i] = uint64(i)
		}
		if n > 0 && uintptr(unsafe.Pointer(&s[0]))%8 != 0 {
			t.Errorf("package par: memory for %d elements is not aligned", n)
		}
	}
	if s := uncleared[struct{}](n); len(s) != n {
		t.Errorf("package par: memory for %d empty elements has %d", n, len(s))
	}
}

// Nobody sees what was in the memory before.
func TestUnclearedIsWritten(t *testing.T) {
	const n = 1 << 17
	in := make([]uint64, n)
	for i := range in {
		in[i] = uint64(i*7919) % 1000
	}
	third := func(x uint64) bool { return x%3 == 0 }
	byX := func(a, b uint64) int { return int(a) - int(b) }
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	defer func() { soil = nil }()
	for name, f := range map[string]func() []uint64{
		"Map":       func() []uint64 { return Map(in, func(x uint64) uint64 { return x }, On(p)) },
		"Tabulate":  func() []uint64 { return Tabulate(n, func(i int) uint64 { return in[i] }, On(p)) },
		"Filter":    func() []uint64 { return Filter(in, third, On(p)) },
		"FilterMap": func() []uint64 { return FilterMap(in, func(x uint64) (uint64, bool) { return x, third(x) }, On(p)) },
		"Partition": func() []uint64 {
			yes, no := Partition(in, third, On(p))
			return append(yes, no...)
		},
		"FlatMap": func() []uint64 { return FlatMap(in, func(x uint64) []uint64 { return []uint64{x} }, On(p)) },
		"Scan":    func() []uint64 { return Scan(in, func(a, b uint64) uint64 { return a + b }, On(p)) },
		"ScanExclusive": func() []uint64 {
			to, all := ScanExclusive(in, 1, func(a, b uint64) uint64 { return a + b }, On(p))
			return append(to, all)
		},
		"Compact": func() []uint64 { return Compact(in, On(p)) },
		"Merge": func() []uint64 {
			s := slices.Sorted(slices.Values(in))
			return Merge(s, s, On(p))
		},
		"Sort": func() []uint64 {
			s := slices.Clone(in)
			for i := range s {
				s[i] <<= 20 // fewer bits would be counted
			}
			Sort(s, On(p))
			return s
		},
		"SortFunc": func() []uint64 {
			s := slices.Clone(in)
			SortFunc(s, byX, On(p))
			return s
		},
		"SortKey": func() []uint64 {
			s := slices.Clone(in)
			SortKey(s, func(x uint64) uint64 { return x }, On(p))
			return s
		},
		"GroupBy": func() (all []uint64) {
			for _, g := range GroupBy(in, func(x uint64) uint64 { return x }, On(p)) {
				all = append(all, g...)
			}
			slices.Sort(all) // groups come in any order
			return all
		},
	} {
		soil = func(memory []byte) { clear(memory) }
		want := f()
		soiled := false
		soil = func(memory []byte) {
			soiled = true
			for i := range memory {
				memory[i] = 0xa5
			}
		}
		func() {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("F1: %s panics where memory is not clear: %v", name, v)
				}
			}()
			if got := f(); !slices.Equal(got, want) {
				t.Errorf("F1: %s gives something else where memory is not clear", name)
			}
		}()
		if !soiled {
			t.Errorf("F1: %s uses no memory that is not clear, so this shows nothing", name)
		}
	}
}

// BenchmarkUncleared shows what it buys: the time to make memory and to write it, by two
// workers.
func BenchmarkUncleared(b *testing.B) {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for _, n := range []int{1 << 13, 1 << 17, 1 << 20, 1 << 23} {
		for name, get := range map[string]func(int) []uint64{
			"make":      func(n int) []uint64 { return make([]uint64, n) },
			"uncleared": uncleared[uint64],
		} {
			b.Run(fmt.Sprintf("n=%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					to := get(n)
					ForRange(n, func(lo, hi int) {
						for i := range to[lo:hi] {
							to[lo+i] = uint64(i)
						}
					}, On(p))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/elem")
			})
		}
	}
}
