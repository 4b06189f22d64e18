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
	mostSample = 32
	mostLeast  = 21
	mostSlack  = 8
	// gatherBlock is for how many elements the buffer has room, whatever they are.
	gatherBlock = 64
)

// mostOf returns an element that most of s are equal to, and for how many others there should be
// room: 0, if a sample does not show so. An element that is neither of two candidates lowers the
// count of each, so it does not matter which elements come first: Misra and Gries, "Finding
// repeated elements" (1982). The elements of the sample lie where a generator of random numbers
// says, so that a pattern that repeats in s does not look like one kind.
func mostOf[E any](s []E, cmp func(a, b E) int) (x E, room int) {
	var some [2]E
	var count [2]int
	random, others := uint64(0), 0
	for range mostSample {
		random = random*6364136223846793005 + 1442695040888963407
		at, _ := bits.Mul64(random, uint64(len(s)))
		y := s[at]
		switch {
		case count[0] > 0 && cmp(y, some[0]) == 0:
			count[0]++
		case count[1] > 0 && cmp(y, some[1]) == 0:
			count[1]++
		case count[0] == 0:
			some[0], count[0] = y, 1
		case count[1] == 0:
			some[1], count[1] = y, 1
		default:
			count[0]--
			count[1]--
			if others += 2; others > mostSample-mostLeast {
				return x, 0
			}
		}
	}
	most := 0
	if count[1] > count[0] {
		most = 1
	}
	if count[most] < mostLeast && count[0]+count[1] < mostSample {
		return x, 0
	}
	return some[most], len(s)/mostSample*(mostSample-count[most]+mostSlack) + gatherBlock
}

// mostly sorts s, which is not in order, if most elements are equal to x, so that there is room for
// the others, and reports whether it did. If it did not, no element has passed its equal. It sorts the
// others by sort. Elements that cmp never says to be greater might only seem equal: so it compares
// one of the others the other way around.
func mostly[E any](s []E, x E, room int, by order[E], sort func([]E)) bool {
	buf, loan := borrow[E](room)
	equal, at := by.gather(s, x, buf)
	giveBack(buf, loan)
	if at < len(s) || equal == len(s) || by.cmp(s[equal], x) < 0 && by.cmp(x, s[equal]) <= 0 {
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
			one := oneIf(y == x)
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
