package par

import (
	"maps"
	"testing"
)

// More sums than a room has columns are added to by turns: one that has lost its column gets
// another, with its keys where they are.
func TestColumnsByTurns(t *testing.T) {
	f := &keyFold[int, int, int]{
		key: func(x int) int { return x % 3 }, start: func() int { return 0 },
		add: func(sum, x int) int { return sum + x }, merge: func(a, b int) int { return a + b },
	}
	f.rooms.New = func() *keyRoom[int, int] { return &keyRoom[int, int]{ids: make(map[int]uint32)} }
	var one *keyRoom[int, int] // as a goroutine has it that is alone
	f.rooms.Do(func(r **keyRoom[int, int]) { one = *r })
	part := func(s ...int) *keySums[int, int] {
		f.s = s
		sums, err := f.fold(t.Context(), 0, len(s))
		if err != nil || sums.room != one {
			t.Fatalf("a part is folded in another room: error %v", err)
		}
		return sums
	}
	var all [2 * keyColumns]*keySums[int, int]
	for i := range all {
		all[i] = part(3*i, 3*i+1+i%2)
	}
	for range 3 {
		for i := range all {
			f.join(all[i], part(30, 31, 32))
		}
	}
	for i, s := range all {
		got := map[int]int{}
		for j, k := range s.keys {
			if _, twice := got[k]; twice {
				t.Errorf("F1: sum %d has the key %d twice", i, k)
			}
			got[k] = s.sums[j]
		}
		want := map[int]int{0: 3*i + 90, 1: 93, 2: 96}
		want[1+i%2] += 3*i + 1 + i%2
		if !maps.Equal(got, want) {
			t.Errorf("F1: sum %d is %v, want %v", i, got, want)
		}
	}
}
