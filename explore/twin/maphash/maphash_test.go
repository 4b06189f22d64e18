//go:build explore

package maphash_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/internal/planted"
	"github.com/rouse-go/rouse/explore/twin/maphash"
	"github.com/rouse-go/rouse/explore/twin/sync"
)

// early is of a seed that was made before any execution.
var early = maphash.MakeSeed()

// A Seed must be a number.
var _ [8]byte = [unsafe.Sizeof(maphash.Seed{})]byte{}

// Hashes are the same in each execution, before it, and in each process.
func TestSame(t *testing.T) {
	const want = "[7666189280033055743 14604604027160905494] 11798238742248378926"
	before, seen := maphash.String(early, "a"), make(map[string]bool)
	planted.Passes(t, func() {
		var done sync.WaitGroup
		var all [2]uint64
		for i := range all {
			done.Add(1)
			drive.Go(func() {
				all[i] = maphash.Comparable(maphash.MakeSeed(), i)
				done.Done()
			})
		}
		done.Wait()
		seen[fmt.Sprint(all, maphash.String(early, "a"))] = true
		seen[fmt.Sprint(all, before)] = true
	})
	if len(seen) != 1 || !seen[want] {
		t.Error(seen)
	}
}

type point struct {
	x, _ int
	name any
}

// What is equal has the same hash; what differs has another one, with these values.
func TestHashes(t *testing.T) {
	h := new(maphash.Hash)
	sum := func(parts ...string) uint64 {
		h.Reset()
		for _, s := range parts {
			h.WriteString(s)
		}
		return h.Sum64()
	}
	seed := h.Seed()
	if sum("ab", "", "c") != maphash.Bytes(seed, []byte("abc")) || sum("abc") != maphash.String(seed, "abc") || sum("abc") == sum("abd") {
		t.Error("parts of a text are another text")
	}
	c, err := h.Clone()
	if h.WriteByte('e'); err != nil || c.(*maphash.Hash).Sum64() != sum("abd") || h.Sum64() != sum("abd") || len(h.Sum(nil)) != h.Size() {
		t.Error("a clone is not what it was")
	}
	h.Reset()
	var hasher maphash.Hasher[int] = maphash.ComparableHasher[int]{}
	hasher.Hash(h, 1)
	if maphash.Comparable(seed, 1) != h.Sum64() || maphash.Comparable(seed, 1) == maphash.Comparable(maphash.MakeSeed(), 1) || !hasher.Equal(1, 1) || hasher.Equal(1, 2) {
		t.Error("the seed is not heeded")
	}
	zero := 0.0
	p, q := new(int), make(chan int)
	seen := make(map[uint64]any)
	for _, v := range []any{
		false, true, 1, -1, uint8(1), "", "a", "1", 0.5, zero, complex(0, 1), complex(1, 0), p, q, unsafe.Pointer(p), [2]int{1, 2}, [2]int{2, 1},
		point{x: 1}, point{x: 2}, point{x: 1, name: 1}, point{x: 1, name: "1"}, nil,
	} {
		n := maphash.Comparable(seed, v)
		if w, ok := seen[n]; ok {
			t.Errorf("%v and %v have the same hash", v, w)
		}
		seen[n] = v
	}
	a, b := point{x: 1}, point{x: 1}
	*(*int)(unsafe.Add(unsafe.Pointer(&b), unsafe.Sizeof(b.x))) = 2
	if a != b || maphash.Comparable(seed, a) != maphash.Comparable(seed, b) ||
		maphash.Comparable(seed, zero) != maphash.Comparable(seed, math.Copysign(0, -1)) {
		t.Error("what is equal has two hashes")
	}
}

// As the original does, they panic.
func TestPanics(t *testing.T) {
	for want, f := range map[string]func(){
		"uninitialized Seed":         func() { maphash.String(maphash.Seed{}, "") },
		"hash of unhashable type []": func() { maphash.Comparable(early, any([]int{})) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			}()
			f()
		}()
	}
}
