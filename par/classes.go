package par

import "github.com/rouse-go/rouse/api/prim"

// classifier sets the classes of the indices from lo on: 0, 1 or 2.
type classifier interface {
	classify(to []uint8, lo int)
}

// classBlock is how many indices are classified as one.
const classBlock = 1 << 12

// classes has the class of each index. They are noted, and not asked for again, so that
// functions that contradict themselves do no harm.
type classes struct {
	loop   *loop
	by     classifier
	size   int // of a block
	of     []uint8
	before [][3]int // of each class, the indices below each block
	total  [3]int
}

func classify(n int, by classifier, c config) *classes {
	size := prim.Size(classBlock)
	blocks := (n + size - 1) / size
	k := &classes{by: by, size: size, of: uncleared[uint8](n), before: make([][3]int, blocks)}
	c.loop = &k.loop
	do(blocks, k, c)
	for i, counts := range k.before {
		k.before[i] = k.total
		for class, n := range counts {
			k.total[class] += n
		}
	}
	return k
}

func (k *classes) block(b int) (lo, hi int) {
	return b * k.size, min((b+1)*k.size, len(k.of))
}

func (k *classes) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		from, to := k.block(b)
		k.by.classify(k.of[from:to], from)
		var counts [256]int // no check of the index
		for _, class := range k.of[from:to] {
			counts[class]++
		}
		k.before[b] = [3]int(counts[:3])
	}
	return nil
}

// index returns the index of which n of the same class are below.
func (k *classes) index(class uint8, n int) int {
	b := len(k.before) - 1
	for k.before[b][class] > n {
		b--
	}
	n -= k.before[b][class]
	i, _ := k.block(b)
	for ; n > 0 || k.of[i] != class; i++ {
		if k.of[i] == class {
			n--
		}
	}
	return i
}

// pickClass returns the elements of a class, in order.
func pickClass[E any](k *classes, from []E, class uint8, c config) []E {
	p := &classPicks[E]{k, uncleared[E](k.total[class]), from, class}
	c.loop = &k.loop
	do(len(k.before), p, c)
	return p.to
}

type classPicks[E any] struct {
	*classes
	to, from []E
	class    uint8
}

func (p *classPicks[E]) run(lo, hi int) error {
	for b := lo; b < hi; b++ {
		from, to := p.block(b)
		at := p.before[b][p.class]
		for i, class := range p.of[from:to] {
			if class == p.class {
				p.to[at] = p.from[from+i]
				at++
			}
		}
	}
	return nil
}
