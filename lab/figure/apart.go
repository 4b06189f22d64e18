package figure

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Apart moves what is at these places so far apart that they have a gap
// between them, all within the limits if there is room.
func Apart(places []vg.Length, gap, least, most vg.Length) []vg.Length {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	moved := slices.Clone(places)
	for range 200 { // It settles long before.
		for i := 1; i < len(order); i++ {
			low, high := &moved[order[i-1]], &moved[order[i]]
			if lacks := gap - (*high - *low); lacks > 0 {
				*low -= lacks / 2
				*high += lacks / 2
			}
		}
		for i := range moved {
			moved[i] = min(max(moved[i], least), most)
		}
	}
	return moved
}
