package par

import (
	"hash/maphash"
	"math/bits"

	"github.com/rouse-go/rouse/api/prim"
)

// A keyIndex tells which keys of blocks are the same. A worker adds the keys of a block,
// each of them once. Then find compares those of all blocks, by shards: keys whose hashes
// begin alike. So each worker has a map of its own for that, which a cache has room for.
type keyIndex[K comparable] struct {
	seed   maphash.Seed
	bits   int // of a hash that tell the shard
	blocks []keysByShard[K]
	starts []int // where the keys of each block begin, among all
	// first is where each key of all blocks comes first.
	first []int
	seen  Scratch[map[K]int]
	room  Scratch[[]uint8]
}

// keysByShard has the keys of a block in the order in which they came.
type keysByShard[K comparable] struct {
	keys  []K
	order []uint32 // of which shard after shard is made, unless there is one only
	ends  []uint32 // of each shard
}

const (
	// shardLeast is how many elements have a second shard, and twice as many two more.
	shardLeast = 1 << 14
	// shardBits makes maps of a 256th of the keys of a large slice.
	shardBits = 8
)

// newKeyIndex is for so many blocks, which together have n elements.
func newKeyIndex[K comparable](blocks, n int) *keyIndex[K] {
	x := &keyIndex[K]{blocks: make([]keysByShard[K], blocks)}
	if blocks > 1 {
		x.seed = maphash.MakeSeed()
		x.bits = min(bits.Len(uint(n/prim.Size(shardLeast))), shardBits)
	}
	return x
}

// add adds the keys of a block. It may be called for several blocks at the same time.
func (x *keyIndex[K]) add(b int, keys []K) {
	block := &x.blocks[b]
	block.keys = keys
	if x.bits == 0 {
		return
	}
	block.ends, block.order = make([]uint32, 1<<x.bits), make([]uint32, len(keys))
	x.room.Do(func(shards *[]uint8) {
		*shards = (*shards)[:0]
		for _, k := range keys {
			s := uint8(maphash.Comparable(x.seed, k) >> (64 - x.bits))
			*shards = append(*shards, s)
			block.ends[s]++
		}
		starts(block.ends)
		for i, s := range *shards {
			block.order[block.ends[s]] = uint32(i)
			block.ends[s]++
		}
	})
}

// find sets first.
func (x *keyIndex[K]) find(c config) {
	x.starts = make([]int, len(x.blocks)+1)
	for b, block := range x.blocks {
		x.starts[b+1] = x.starts[b] + len(block.keys)
	}
	x.first = uncleared[int](x.starts[len(x.blocks)])
	do(1<<x.bits, x, c)
}

func (x *keyIndex[K]) run(lo, hi int) error {
	x.seen.Do(func(seen *map[K]int) {
		if *seen == nil {
			*seen = make(map[K]int)
		}
		for shard := lo; shard < hi; shard++ {
			x.findShard(shard, *seen)
			clear(*seen)
		}
	})
	return nil
}

func (x *keyIndex[K]) findShard(shard int, seen map[K]int) {
	for b, block := range x.blocks {
		switch start := x.starts[b]; {
		case len(x.blocks) == 1: // all are different
			for i := range block.keys {
				x.first[i] = i
			}
		case x.bits == 0:
			for i, k := range block.keys {
				x.note(k, start+i, seen)
			}
		default:
			from := uint32(0)
			if shard > 0 {
				from = block.ends[shard-1]
			}
			for _, i := range block.order[from:block.ends[shard]] {
				x.note(block.keys[i], start+int(i), seen)
			}
		}
	}
}

func (x *keyIndex[K]) note(k K, at int, seen map[K]int) {
	first, ok := seen[k]
	if !ok {
		first = at
		seen[k] = at
	}
	x.first[at] = first
}

// layOut returns the different keys, in the order in which they come, and for elements that
// are grouped by key, where each group starts, and how many elements there are. counts is
// how many elements each key of each block has. layOut sets it to where the first of these
// goes: those of a key are in the order of their blocks.
func (x *keyIndex[K]) layOut(counts [][]int) (keys []K, starts []int) {
	groups := uncleared[int](len(x.first)) // of the keys of all blocks
	var sizes []int
	for b, block := range x.blocks {
		for i, k := range block.keys {
			at := x.starts[b] + i
			first := x.first[at]
			if first == at {
				groups[at] = len(keys)
				keys, sizes = append(keys, k), append(sizes, 0)
			}
			g := groups[first]
			groups[at] = g
			sizes[g], counts[b][i] = sizes[g]+counts[b][i], sizes[g]
		}
	}
	starts = make([]int, len(keys)+1)
	for g, size := range sizes {
		starts[g+1] = starts[g] + size
	}
	for b, places := range counts {
		for i := range places {
			places[i] += starts[groups[x.starts[b]+i]]
		}
	}
	return keys, starts
}

// starts turns the sizes of shards into the places where they start.
func starts(counts []uint32) {
	sum := uint32(0)
	for i, n := range counts {
		counts[i] = sum
		sum += n
	}
}
