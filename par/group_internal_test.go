package par

import "testing"

// If this fails, one worker groups all elements that have the same key.
func TestStrips(t *testing.T) {
	const n = 1_000_000
	g := &grouping[int, bool]{s: make([]int, n)}
	g.find(func(int) bool { return true }, config{})
	most := 0
	for shard := range g.shards() {
		for _, x := range g.strips(shard) {
			most = max(most, g.begin(shard, x.end)-g.begin(shard, x.block))
		}
	}
	if most > n/16 {
		t.Errorf("F7: of %d elements with one key, one worker groups %d", n, most)
	}
}
