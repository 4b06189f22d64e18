package par

import (
	"math"
	"testing"
)

// If this fails, one worker groups all elements that have the same key, of few keys or of many.
func TestStrips(t *testing.T) {
	const n = 1_000_000
	for name, key := range map[string]func(int) int{
		"one key":         func(int) int { return 0 },
		"one key of many": func(i int) int { return i * (i & 1) },
	} {
		s := make([]int, n)
		for i := range s {
			s[i] = i
		}
		g := &grouping[int, int]{s: s, key: key}
		g.group(func([]group[int]) {}, 0, config{})
		most := 0
		for shard := range g.shards() {
			for _, x := range g.strips(shard) {
				most = max(most, g.begin(shard, x.end)-g.begin(shard, x.block))
			}
		}
		if most > n/16 {
			t.Errorf("F7: of %d elements with %s, one worker groups %d", n, name, most)
		}
	}
}

// Moving elements twice is for many keys alone.
func TestShards(t *testing.T) {
	s := make([]int, 100_000)
	for i := range s {
		s[i] = i
	}
	// If a strip took all keys, 1000 would fit into its table, and more would not: so the first failure ends the test.
	for _, keys := range []int{1, 500, 1000, len(s)} {
		want := keys > manyKeys
		g := &grouping[int, int]{s: s}
		g.key = func(x int) int { return x % keys }
		g.group(func([]group[int]) {}, 0, config{})
		if (g.shards() > 1) != want {
			t.Fatalf("GroupBy: %d elements with %d keys are moved into %d shards", len(s), keys, g.shards())
		}
	}
}

// Parts come in any order, and also if the last one in a range belongs to the first key, its failure counts.
func TestPartsInAnyOrder(t *testing.T) {
	s := []int{2, 1, 0}
	f := &keyFold[int, int, int]{part: 1, folder: elementFolder[int, int]{s: s, start: func() int { return 0 }, add: func(_, x int) int { panic(x) }}}
	f.failed.Store(math.MaxInt64)
	for i, x := range s {
		f.parts = append(f.parts, keyPart[int, int]{first: x, at: i, n: 1, several: -1})
	}
	if at, _ := f.run(t.Context(), 0, len(s), &never.stop); at != len(s) || f.failure == nil || f.failure.Value != 0 {
		t.Errorf("F2: parts panic with 2, 1 and 0: after part %d FoldBy has noted %v, want 0", at, f.failure)
	}
}
