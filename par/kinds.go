package par

import (
	"slices"

	"github.com/rouse-go/rouse/api/prim"
)

// Where many elements are equal, a merge sort compares them more often than it takes to tell
// their kinds. So a sample of the elements is sorted, and if many of it are the same, each
// element is put where its kind is, or between two kinds. The elements between two kinds are
// sorted then: a sample sort (Frazer and McKellar, "Samplesort", 1970).

const (
	// kindsMost is how many kinds elements are told apart by, at most, and kindsSample how
	// many elements the sample has, or a part of all.
	kindsMost   = 63
	kindsSample = 2 * (kindsMost + 1)
	kindsPart   = 16
	// kindsFirst is how many elements show of less than kindsShort that hardly any are the same:
	// fewer than kindsSame.
	kindsFirst = 24
	kindsSame  = 2
	kindsShort = 1 << 15
	// kindsAny is for elements that are told apart by kinds even if all are different.
	kindsAny = kindsSample + 1
	// kindsFew is how many kinds are told apart faster than a key is taken from an element.
	kindsFew = 8
	// kindsLeast is from how many elements on.
	kindsLeast = 1 << 9
	// classesMost is how many kinds there are, and gaps between them.
	classesMost = 2*kindsMost + 1
)

// kindsOf returns some kinds of elements, in order, or nil if in a sample of s hardly any are
// the same, or there are more kinds than most, or cmp does not say of a greater one that it is.
func kindsOf[E any](s []E, most int, cmp func(a, b E) int) []E {
	n := min(kindsSample, len(s)/kindsPart)
	if n == 0 {
		return nil
	}
	if most != kindsAny {
		var few [kindsFirst]E
		if len(s) < kindsShort && len(sampleKinds(s, few[:], cmp)) > min(most, kindsFirst-kindsSame) {
			return nil
		}
		most = min(most, n-n/8)
	}
	kinds := sampleKinds(s, make([]E, n), cmp)
	all := len(kinds)
	if all > most || all < 2 {
		return nil
	}
	if all > kindsMost {
		for i := range kindsMost {
			kinds[i] = kinds[i*all/kindsMost]
		}
		kinds = kinds[:kindsMost]
	}
	return kinds
}

// sampleKinds returns the kinds, in order, of a sample of s of as many elements as some, where it
// leaves them. One kind is all that cmp does not say to be greater.
func sampleKinds[E any](s, some []E, cmp func(a, b E) int) []E {
	for i := range some {
		some[i] = s[int(uint64(i)*uint64(len(s))/uint64(len(some)))]
	}
	if len(some) <= kindsFirst {
		insertion(some, cmp)
	} else {
		sortChunk(some, make([]E, len(some)), false, cmp)
	}
	return slices.CompactFunc(some, func(next, last E) bool { return cmp(next, last) <= 0 })
}

// classOf returns twice the number of kinds that are less than x, and one more if x is of a
// kind.
func classOf[E any](x E, kinds []E, cmp func(a, b E) int) int {
	lo, hi := 0, len(kinds)
	for lo < hi {
		at := int(uint(lo+hi) >> 1)
		switch order := cmp(x, kinds[at]); {
		case order == 0:
			return 2*at + 1
		case order < 0:
			hi = at
		default:
			lo = at + 1
		}
	}
	return 2 * lo
}

// A kindSort sorts elements by what kind they are of, in blocks.
type kindSort[E any] struct {
	s, buf, kinds []E
	cmp           func(a, b E) int
	class         []uint8
	size          int // of a block
	// at has how many elements of each block are of each class; then, where the next one goes.
	at   [][classesMost + 1]int
	few  [1][classesMost + 1]int // room for one
	ends [classesMost]int        // of each class
}

// sortKindsAlone is sortKinds by one worker.
func sortKindsAlone[E any](s, kinds []E, cmp func(a, b E) int) {
	k := &kindSort[E]{s: s, kinds: kinds, cmp: cmp, size: len(s)}
	k.class, k.at = make([]uint8, len(s)), k.few[:]
	(*kindsTold[E])(k).run(0, 1)
	k.place()
	buf, loan := borrow[E](len(s))
	k.buf = buf
	(*kindsMoved[E])(k).run(0, 1)
	copy(s, buf)
	giveBack(buf, loan)
	for i := range len(kinds) + 1 {
		sortAlone(k.gap(2*i), cmp, true)
	}
}

// sortKinds compares all elements with the kinds, moves them, and sorts those between two
// kinds.
func sortKinds[E any](s, kinds []E, cmp func(a, b E) int, c config) {
	k := kindsOfAll(s, kinds, max(prim.Size(chunkLeast), partsOf(len(s), radixBlocks)), cmp, c)
	k.buf = uncleared[E](len(s))
	do(len(k.at), (*kindsMoved[E])(k), c.further())
	copyAll(s, k.buf, c.further())
	k.buf = nil
	for i := range len(kinds) + 1 {
		if s := k.gap(2 * i); len(s) >= 2*prim.Size(chunkLeast) {
			m := &mergeSort[E]{cmp: cmp, s: s, config: c.further()}
			m.merge(c.further())
		}
	}
	do(len(kinds)+1, (*gapsSorted[E])(k), c.further())
}

// kindsOfAll compares all elements with the kinds, in blocks of a size, and has the places where those
// of each class go.
func kindsOfAll[E any](s, kinds []E, size int, cmp func(a, b E) int, c config) *kindSort[E] {
	k := &kindSort[E]{s: s, kinds: kinds, cmp: cmp, size: size}
	k.class, k.at = uncleared[uint8](len(s)), make([][classesMost + 1]int, partsOf(len(s), size))
	do(len(k.at), (*kindsTold[E])(k), c)
	k.place()
	return k
}

func (k *kindSort[E]) place() {
	end := 0
	for class := range 2*len(k.kinds) + 1 {
		for b := range k.at {
			n := k.at[b][class]
			k.at[b][class] = end
			end += n
		}
		k.ends[class] = end
	}
}

// gap returns the elements of a class.
func (k *kindSort[E]) gap(class int) []E {
	if class == 0 {
		return k.s[:k.ends[0]]
	}
	return k.s[k.ends[class-1]:k.ends[class]]
}

func (k *kindSort[E]) block(b int) (lo, hi int) {
	return b * k.size, min((b+1)*k.size, len(k.s))
}

type (
	kindsTold[E any]  kindSort[E]
	kindsMoved[E any] kindSort[E]
	gapsSorted[E any] kindSort[E]
)

func (k *kindsTold[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		from, end := (*kindSort[E])(k).block(b)
		s, to, at, kinds, cmp := k.s[from:end], k.class[from:end], &k.at[b], k.kinds, k.cmp
		for i := range s {
			class := classOf(s[i], kinds, cmp)
			to[i] = uint8(class)
			at[class]++
		}
	}
	return nil
}

func (k *kindsMoved[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		from, end := (*kindSort[E])(k).block(b)
		s, class, at, buf := k.s[from:end], k.class[from:end], &k.at[b], k.buf
		for i := range s {
			p := &at[class[i]%(classesMost+1)]
			buf[*p] = s[i]
			*p++
		}
	}
	return nil
}

func (k *gapsSorted[E]) run(lo, hi int) error {
	for i := lo; i < hi; i++ {
		if s := (*kindSort[E])(k).gap(2 * i); len(s) < 2*prim.Size(chunkLeast) {
			sortAlone(s, k.cmp, false)
		}
	}
	return nil
}
