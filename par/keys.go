package par

import (
	"hash/maphash"
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// A grouping moves elements with the same key next to each other, in their order.
//
// One map of all keys could not be shared, and no cache would have room for it. So passes over blocks
// of elements first move them into shards, by a part of the hash of their keys. Then each shard numbers
// its keys, with a map of its own, and moves its elements to where their groups are. That is how a radix
// join partitions (Manegold, Boncz and Kersten, "Optimizing main-memory join on modern hardware", 2002).
// Both moves write a few hundred places in turn, or places next to each other, and read in order: to
// pick each element where it was would miss the cache each time.
//
// A shard that is much larger than others, because many elements have one key, is cut into strips,
// which are done at the same time. So no input leaves workers without work.
type grouping[E any, K comparable] struct {
	s    []E
	keys []K // of the elements
	seed maphash.Seed
	bits int // of a hash that tell the shard
	size int // of a block
	// hash has 32 bits for each element. The upper ones tell the shard.
	hash []uint32
	// ends is where the elements of each shard end in moved, block by block.
	ends  []int
	moved []moved[E, K]
	// grouped are the elements where their groups are.
	grouped []E
	slots   Scratch[[]uint32]
}

// A moved is an element in its shard. Those of a shard are in their order.
type moved[E any, K comparable] struct {
	key K
	x   E
	// place is the one in the block. number is the hash of the key, and then the number of the key in
	// the strip.
	place, number uint32
}

// groupingPasses is how often a grouping goes over its elements.
const groupingPasses = 4

const (
	// A slice has manyBlocks blocks, or fewer of smallBlock elements.
	smallBlock = 1 << 12
	manyBlocks = 64
	// shardLeast is how many elements have a second shard, and twice as many two more.
	shardLeast = 1 << 12
	// shardBits makes maps of a 256th of the keys of a large slice.
	shardBits = 8
)

// A group is the elements lo to hi-1 of the grouped. The first of them has the index first in the slice.
type group[K comparable] struct {
	key           K
	lo, hi, first int
}

func (g *grouping[E, K]) shards() int { return 1 << g.bits }

func (g *grouping[E, K]) blocks() int { return partsOf(len(g.s), g.size) }

// find calls the user's function for each element, and moves the elements into shards.
func (g *grouping[E, K]) find(key func(E) K, c config) {
	n := len(g.s)
	g.keys = uncleared[K](n)
	c.each(n, &mapping[E, K]{g.keys, g.s, key})
	c = c.further()
	g.bits = min(bits.Len(uint(n/prim.Size(shardLeast))), shardBits)
	g.size = max(prim.Size(smallBlock), partsOf(n, manyBlocks))
	g.seed = maphash.MakeSeed()
	g.hash, g.moved, g.grouped = uncleared[uint32](n), uncleared[moved[E, K]](n), uncleared[E](n)
	g.ends = make([]int, g.blocks()<<g.bits)
	spread(g.blocks(), g.tell, c)
	sum := 0
	for shard := range g.shards() {
		for b := shard; b < len(g.ends); b += g.shards() {
			g.ends[b], sum = sum, sum+g.ends[b]
		}
	}
	spread(g.blocks(), g.deal, c)
}

// tell tells the shards of the elements of blocks, and counts them.
func (g *grouping[E, K]) tell(b, end int) {
	for ; b < end; b++ {
		lo, hi := part(b, g.size, len(g.s))
		counts, hash := g.ends[b<<g.bits:][:g.shards()], g.hash[lo:hi]
		for i, k := range g.keys[lo:hi] {
			hash[i] = uint32(maphash.Comparable(g.seed, k))
			counts[hash[i]>>(32-g.bits)]++
		}
	}
}

// deal moves the elements of blocks into shards.
func (g *grouping[E, K]) deal(b, end int) {
	for ; b < end; b++ {
		lo, hi := part(b, g.size, len(g.s))
		ends, keys, s := g.ends[b<<g.bits:][:g.shards()], g.keys[lo:hi], g.s[lo:hi]
		for i, hash := range g.hash[lo:hi] {
			end := &ends[hash>>(32-g.bits)]
			g.moved[*end] = moved[E, K]{keys[i], s[i], uint32(i), hash}
			*end++
		}
	}
}

// begin is where the elements of a shard in a block begin among the moved.
func (g *grouping[E, K]) begin(shard, block int) int {
	switch {
	case block > 0:
		return g.ends[(block-1)<<g.bits+shard]
	case shard > 0:
		return g.ends[len(g.ends)-g.shards()+shard-1]
	}
	return 0
}

// gather moves the elements to their groups, and calls done with the groups of each shard, in the order in
// which their keys come first, possibly several times at the same time.
func (g *grouping[E, K]) gather(done func([]group[K]), c config) {
	inside := c.nested()
	spread(g.shards(), func(shard, end int) {
		for ; shard < end; shard++ {
			done(g.groups(shard, inside))
		}
	}, c)
}

// A strip is the elements of a shard in some blocks.
type strip[K comparable] struct {
	block, end int
	keys       []group[K] // hi is how many elements a key has, and in the end lo its group in the shard
	next       []int      // where the next element of each key goes
}

func (g *grouping[E, K]) groups(shard int, c config) []group[K] {
	strips := g.strips(shard)
	spread(len(strips), func(i, end int) {
		for ; i < end; i++ {
			g.number(shard, &strips[i])
		}
	}, c)
	groups := g.lay(shard, strips)
	spread(len(strips), func(i, end int) {
		for ; i < end; i++ {
			next := strips[i].next
			for at, end := g.begin(shard, strips[i].block), g.begin(shard, strips[i].end); at < end; at++ {
				x := &g.moved[at]
				g.grouped[next[x.number]] = x.x
				next[x.number]++
			}
		}
	}, c)
	return groups
}

// strips cuts a shard: most are one strip.
func (g *grouping[E, K]) strips(shard int) (strips []strip[K]) {
	most := 4 * max(len(g.s)>>g.bits, prim.Size(smallBlock))
	from, one := g.begin(shard, 0), strip[K]{}
	for b := range g.blocks() {
		one.end = b + 1
		if to := g.begin(shard, b+1); to-from >= most || one.end == g.blocks() {
			strips = append(strips, one)
			one.block, from = b+1, to
		}
	}
	return strips
}

// number numbers the keys of a strip, in the order in which they come, and counts their elements. The map is
// a table of twice as many slots as there are elements, for the hashes are there, and open to linear probes.
func (g *grouping[E, K]) number(shard int, to *strip[K]) {
	g.slots.Do(func(slots *[]uint32) {
		n := 2 << bits.Len(uint(g.begin(shard, to.end)-g.begin(shard, to.block)))
		if len(*slots) < n {
			*slots = make([]uint32, n)
		}
		seen := (*slots)[:n] // the number of a key and 1, or 0
		for b := to.block; b < to.end; b++ {
			lo := b * g.size
			all := g.moved[g.begin(shard, b):g.begin(shard, b+1)]
			for i := range all {
				x, at := &all[i], 0
				for at = int(all[i].number) & (n - 1); seen[at] != 0 && to.keys[seen[at]-1].key != x.key; {
					at = (at + 1) & (n - 1)
				}
				if seen[at] == 0 {
					to.keys = append(to.keys, group[K]{key: x.key, first: lo + int(x.place)})
					seen[at] = uint32(len(to.keys))
				}
				x.number = seen[at] - 1
				to.keys[x.number].hi++
			}
		}
		clear(seen)
	})
}

// lay returns the groups of a shard, and has strips put their elements there: those of a key are in the
// order of the strips.
func (g *grouping[E, K]) lay(shard int, strips []strip[K]) []group[K] {
	groups := make([]group[K], 0, len(strips[0].keys))
	var seen map[K]int // not needed for one strip
	if len(strips) > 1 {
		seen = make(map[K]int)
	}
	for i := range strips {
		x := &strips[i]
		x.next = make([]int, len(x.keys))
		for j := range x.keys {
			k := &x.keys[j]
			at, ok := seen[k.key]
			if !ok {
				at = len(groups)
				groups = append(groups, group[K]{key: k.key, first: k.first})
				if seen != nil {
					seen[k.key] = at
				}
			}
			k.lo, x.next[j] = at, groups[at].hi
			groups[at].hi += k.hi
		}
	}
	from := g.begin(shard, 0)
	for i := range groups {
		groups[i].lo, groups[i].hi = from, from+groups[i].hi
		from = groups[i].hi
	}
	for _, x := range strips {
		for j, k := range x.keys {
			x.next[j] += groups[k.lo].lo
		}
	}
	return groups
}

// A growing is a map that several goroutines fill.
type growing[K comparable, V any] struct {
	mu  prim.Mutex
	all map[K]V // guarded by mu
}

// fill calls f with the map. If there is none, it makes one for so many keys.
func (g *growing[K, V]) fill(keys int, f func(map[K]V)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all == nil {
		g.all = make(map[K]V, keys)
	}
	f(g.all)
}
