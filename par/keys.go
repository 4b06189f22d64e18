package par

import (
	"context"
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// A grouping moves elements with the same key next to each other, in their order.
//
// A strip is some blocks of elements. Each strip numbers its keys, with a table of its own, and counts the
// elements of each. So it is known where the elements of each key and each strip belong, and all strips move
// theirs there at the same time.
//
// If there are many keys, no cache has room for the tables, and each strip has most keys. So when a strip finds
// too many, the elements are first moved into shards, by a part of the hash of their keys, and then each shard
// is grouped by itself. That is how a radix join partitions (Manegold, Boncz and Kersten, "Optimizing
// main-memory join on modern hardware", 2002). All moves write a few hundred places in turn, or places next
// to each other, and read in order: to pick each element where it was would miss the cache each time.
//
// Most shards are one strip. A shard has several if many elements have one key, so that no input leaves
// workers without work.
type grouping[E any, K comparable] struct {
	s    []E
	key  func(E) K
	seed maphash.Seed
	size int // of a block
	bits int // of a hash that tell the shard
	// tags are those of the elements, in their order: then all are one shard. dealt are the elements, shard by shard.
	tags  []tagged[struct{}, K]
	dealt []tagged[E, K]
	// ends is where the elements of each shard end, block by block.
	ends []int
	most int // keys that a strip may have
	// many says that a strip has more.
	//
	// Writers: a goroutine that numbers that strip. Between two loops, group clears it.
	// Pairs:   none: the loop over the strips has ended when it counts.
	many prim.Bool
	// grouped are the elements where their groups are.
	grouped []E
	slots   Scratch[[]uint32]
}

// A tagged is an element, or nothing, with its key and the hash of that, whose upper bits tell the shard. They
// are together, so that a move writes to one place of a shard and not to two.
type tagged[X any, K comparable] struct {
	x    X
	key  K
	hash uint32
	// at is the index of the element, mod 2^32, and then the number of its key in the strip.
	at uint32
}

const (
	// A slice has manyBlocks blocks, or fewer of smallBlock elements.
	smallBlock = 1 << 12
	manyBlocks = 64
	// A strip has room for fewGroups keys at first, and one more for eight elements.
	fewGroups = 64
	// manyKeys is how many keys a strip may have if all elements are one shard.
	manyKeys = 1 << 9
	// shardLeast is how many elements have a second shard, and twice as many two more.
	shardLeast = 1 << 12
	// mostShardBits makes 64 shards of a large slice. With 256 of them it took up to a quarter longer: so
	// many places that are written in turn have no room in a cache.
	mostShardBits = 6
)

// A group is the elements lo to hi-1 of the grouped. The first of them has the index first in the slice.
type group[K comparable] struct {
	key           K
	lo, hi, first int
}

func (g *grouping[E, K]) shards() int { return 1 << g.bits }

func (g *grouping[E, K]) blocks() int { return partsOf(len(g.s), g.size) }

// group calls the user's function for each element, moves the elements to their groups, and calls done with
// the groups of each shard, in the order in which their keys come first, possibly several times at the same
// time. After that the call goes over its elements rest times.
func (g *grouping[E, K]) group(done func([]group[K]), rest int, c config) {
	n := len(g.s)
	g.size = max(prim.Size(smallBlock), partsOf(n, manyBlocks))
	g.seed = maphash.MakeSeed()
	g.tags, g.grouped = uncleared[tagged[struct{}, K]](n), uncleared[E](n)
	for b := range g.blocks() {
		_, end := part(b, g.size, n)
		g.ends = append(g.ends, end)
	}
	shardBits := min(bits.Len(uint(n/prim.Size(shardLeast))), mostShardBits)
	if g.most = math.MaxInt; shardBits > 0 {
		g.most = prim.Size(manyKeys)
	}
	passes := 3 + rest
	c = c.stages(n, passes*n)
	c.each(n, g)
	c = c.further()
	groups := g.groups(0, c)
	if !g.many.Load() {
		done(groups)
		return
	}
	g.many.Store(false)
	g.bits, g.most = shardBits, math.MaxInt
	c = c.stages(n, passes*n)
	g.deal(c)
	inside := c.nested()
	spread(g.shards(), func(shard, end int) {
		for ; shard < end; shard++ {
			done(g.groups(shard, inside))
		}
	}, c)
}

// run tags elements.
func (g *grouping[E, K]) run(_ context.Context, lo, hi int, stop *prim.Bool) (at int, err error) {
	s, tags := g.s[lo:hi], g.tags[lo:hi]
	for i := range tags {
		k := g.key(s[i])
		tags[i] = tagged[struct{}, K]{key: k, hash: uint32(maphash.Comparable(g.seed, k)), at: uint32(lo + i)}
		if stop.Load() {
			return lo + i + 1, nil
		}
	}
	return hi, nil
}

// deal moves the elements into shards.
func (g *grouping[E, K]) deal(c config) {
	n, shift := len(g.s), 32-g.bits
	ends := make([]int, g.blocks()<<g.bits)
	spread(g.blocks(), func(b, end int) {
		for ; b < end; b++ {
			lo, hi := part(b, g.size, n)
			counts := ends[b<<g.bits:][:g.shards()]
			for _, x := range g.tags[lo:hi] {
				counts[x.hash>>shift]++
			}
		}
	}, c)
	sum := 0
	for shard := range g.shards() {
		for b := shard; b < len(ends); b += g.shards() {
			ends[b], sum = sum, sum+ends[b]
		}
	}
	dealt := uncleared[tagged[E, K]](n)
	spread(g.blocks(), func(b, end int) {
		for ; b < end; b++ {
			lo, hi := part(b, g.size, n)
			ends, s := ends[b<<g.bits:][:g.shards()], g.s[lo:hi]
			for i, x := range g.tags[lo:hi] {
				end := &ends[x.hash>>shift]
				dealt[*end] = tagged[E, K]{s[i], x.key, x.hash, uint32(lo + i)} // a strip may have numbered the key
				*end++
			}
		}
	}, c)
	g.tags, g.dealt, g.ends = nil, dealt, ends
}

// begin is where the elements of a shard in a block begin.
func (g *grouping[E, K]) begin(shard, block int) int {
	switch {
	case block > 0:
		return g.ends[(block-1)<<g.bits+shard]
	case shard > 0:
		return g.ends[len(g.ends)-g.shards()+shard-1]
	}
	return 0
}

// A strip is the elements of a shard in some blocks.
type strip[K comparable] struct {
	block, end int
	keys       []group[K] // hi is how many elements a key has, and in the end lo its group in the shard
	next       []int      // where the next element of each key goes
}

// groups moves the elements of a shard to their groups, unless a strip has too many keys.
func (g *grouping[E, K]) groups(shard int, c config) []group[K] {
	strips := g.strips(shard)
	spread(len(strips), func(i, end int) {
		for ; i < end && !g.many.Load(); i++ {
			g.number(shard, &strips[i])
		}
	}, c)
	if g.many.Load() {
		return nil
	}
	groups := g.lay(shard, strips)
	spread(len(strips), func(i, end int) {
		for ; i < end; i++ {
			lo, hi := g.begin(shard, strips[i].block), g.begin(shard, strips[i].end)
			next, to := strips[i].next, g.grouped
			if g.dealt == nil {
				for i, x := range g.s[lo:hi] {
					next := &next[g.tags[lo+i].at]
					to[*next] = x
					*next++
				}
				continue
			}
			all := g.dealt[lo:hi]
			for i := range all {
				next := &next[all[i].at]
				to[*next] = all[i].x
				*next++
			}
		}
	}, c)
	return groups
}

// strips cuts a shard into strips of two blocks' size or more. Of shards by hash most are one strip: in a large
// slice a shard has about as many elements as a block.
func (g *grouping[E, K]) strips(shard int) (strips []strip[K]) {
	from, one := g.begin(shard, 0), strip[K]{}
	for b := range g.blocks() {
		one.end = b + 1
		if to := g.begin(shard, b+1); to-from >= 2*g.size || one.end == g.blocks() {
			strips = append(strips, one)
			one.block, from = b+1, to
		}
	}
	return strips
}

// number numbers the keys of a strip, in the order in which they come, and counts their elements. It has a table
// with at least twice as many slots as there may be keys, which it probes one after the other: a smaller one, made
// larger as needed, was slower, for in a table that is nearly empty hardly any search takes a second step.
func (g *grouping[E, K]) number(shard int, to *strip[K]) {
	g.slots.Do(func(slots *[]uint32) {
		most := min(g.begin(shard, to.end)-g.begin(shard, to.block), g.most)
		n := 2 << bits.Len(uint(most))
		if len(*slots) < n {
			*slots = make([]uint32, n)
		}
		seen, keys := (*slots)[:n], make([]group[K], 0, min(most, fewGroups+most/8))
		defer clear(seen)
		for b := to.block; b < to.end && !g.many.Load(); b++ {
			lo, hi := g.begin(shard, b), g.begin(shard, b+1)
			if g.dealt == nil {
				keys = number(g.tags[lo:hi], b*g.size, seen, keys, g.most)
			} else {
				keys = number(g.dealt[lo:hi], b*g.size, seen, keys, g.most)
			}
			if len(keys) > g.most {
				g.many.Store(true)
			}
		}
		to.keys = keys
	})
}

// number numbers the keys of some elements of the block that begins at lo, and counts them. It ends when there are
// more than most. seen has the number of a key and 1, or 0.
func number[X any, K comparable](all []tagged[X, K], lo int, seen []uint32, keys []group[K], most int) []group[K] {
	for i := range all {
		x, at := &all[i], 0
		for at = int(x.hash) & (len(seen) - 1); seen[at] != 0 && keys[seen[at]-1].key != x.key; {
			at = (at + 1) & (len(seen) - 1)
		}
		if seen[at] == 0 {
			keys = append(keys, group[K]{key: x.key, first: lo + int(x.at-uint32(lo))})
			if len(keys) > most {
				break
			}
			seen[at] = uint32(len(keys))
		}
		x.at = seen[at] - 1
		keys[x.at].hi++
	}
	return keys
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
