package par

import (
	"cmp"
	"math/bits"
)

// Where most elements are equal, or each is one of two, the equal ones are gathered, and only the
// others are sorted: that takes a comparison for each.

const (
	// mostSample is how many elements show that so many are equal as mostLeast, or that there
	// are two kinds. mostSlack is how many others there may be more, of so many.
	mostSample = 16
	mostLeast  = 12
	mostSlack  = 3
	// gatherBlock is for how many elements the buffer has room, whatever they are.
	gatherBlock = 64
)

// mostOf returns what most elements of s are equal to, and for how many others there should be
// room: 0, if a sample does not show so. It reports whether the sample has others. The steps between those of the sample are in the golden
// ratio to s, so that what repeats itself in s does not show as one kind.
func mostOf[E any](s []E, cmp func(a, b E) int) (x E, room int, different bool) {
	var some [2]E
	var count [2]int
	others := 0
	for i := range mostSample {
		at, _ := bits.Mul64(uint64(i)*0x9e3779b97f4a7c15, uint64(len(s)))
		y := s[at]
		switch {
		case count[0] == 0 || cmp(y, some[0]) == 0:
			some[0] = y
			count[0]++
		case count[1] == 0 || cmp(y, some[1]) == 0:
			some[1] = y
			count[1]++
		default:
			if others++; others > mostSample-mostLeast {
				return x, 0, true
			}
		}
	}
	most := 0
	if count[1] > count[0] {
		most = 1
	}
	if others > 0 && count[most] < mostLeast {
		return x, 0, true
	}
	different = count[most] < mostSample
	return some[most], len(s)/mostSample*(mostSample-count[most]+mostSlack) + gatherBlock, different
}

// mostly sorts s if most elements are equal to x, so that there is room for the others, and reports
// whether it did. If it did not, no element has passed its equal. It sorts the others by sort.
func mostly[E any](s []E, x E, room int, by order[E], sort func([]E)) bool {
	buf, loan := borrow[E](room)
	equal, at := by.gather(s, x, buf)
	giveBack(buf, loan)
	if at < len(s) {
		return false
	}
	sort(s[equal:])
	less := gallop(s[equal:], func(y E) bool { return by.cmp(y, x) < 0 })
	buf, loan = borrow[E](less)
	copy(buf, s[equal:])
	copy(s[less:], s[:equal])
	copy(s, buf)
	giveBack(buf, loan)
	return true
}

// gatherOrdered and gatherFunc write each element to both places: a branch could not be predicted.
func gatherOrdered[E cmp.Ordered](s []E, x E, buf []E) (equal, at int) {
	others := 0
	for at < len(s) && others+gatherBlock <= len(buf) {
		end := min(at+gatherBlock, len(s))
		for _, y := range s[at:end] {
			one := 0
			if y == x {
				one = 1
			}
			s[equal], buf[others] = y, y
			equal += one
			others += 1 - one
		}
		at = end
	}
	copy(s[equal:], buf[:others])
	return equal, at
}

func gatherFunc[E any](s []E, x E, buf []E, cmp func(a, b E) int) (equal, at int) {
	others := 0
	defer func() { copy(s[equal:], buf[:others]) }() // also if cmp panics
	for ; at < len(s) && others < len(buf); at++ {
		y, one := s[at], 0
		if cmp(y, x) == 0 {
			one = 1
		}
		s[equal], buf[others] = y, y
		equal += one
		others += 1 - one
	}
	return equal, at
}
