package par

import "testing"

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
	const n = 100_000
	for keys, want := range map[int]bool{1: false, 500: false, 5000: true, n: true} {
		g := &grouping[struct{}, int]{s: make([]struct{}, n)}
		i := 0
		g.key = func(struct{}) int { i++; return i % keys }
		g.group(func([]group[int]) {}, 0, config{})
		if (g.shards() > 1) != want {
			t.Errorf("Cost: %d elements with %d keys are moved into %d shards", n, keys, g.shards())
		}
	}
}
