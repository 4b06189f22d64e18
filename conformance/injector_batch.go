package conformance

import (
	"slices"

	"github.com/rouse-go/rouse/api"
)

// untouched is in the places of a batch before it.
var untouched = new(int)

// takeBatch takes a batch, or one item by Steal if there are no places, and
// fails if the result contradicts itself. Others may be at work.
func takeBatch(q api.Injector[int], places int, fail func(format string, args ...any)) ([]*int, api.Outcome) {
	if places == 0 {
		return takeOne(q, fail)
	}
	into := slices.Repeat([]*int{untouched}, places)
	n, o := q.StealBatch(into)
	if n < 0 || n > places || (n > 0) != (o == api.Stolen) {
		fail("StealBatch returned %d with the outcome %v, and had %d places", n, o, places)
		return nil, o
	}
	for i, item := range into {
		switch {
		case i < n && (item == nil || item == untouched):
			fail("StealBatch returned %d, and place %d has no item", n, i)
			return nil, o
		case i >= n && item != untouched:
			fail("StealBatch returned %d, and wrote to place %d", n, i)
		}
	}
	return into[:n], o
}

// stealBatch takes a batch while nobody else is at work. It returns none if the queue is empty.
func stealBatch(q api.Injector[int], places int, fail func(format string, args ...any)) []*int {
	return undisturbed("StealBatch", func() ([]*int, api.Outcome) { return takeBatch(q, places, fail) }, fail)
}

// nextBatch takes a batch of a queue in which the items want are, while nobody else is at
// work. It returns how many it has, or fails with a rule.
func nextBatch(q api.Injector[int], places int, want []int, fail func(rule, format string, args ...any)) (n int) {
	items := stealBatch(q, places, func(f string, a ...any) { fail("I3", f, a...) })
	n = len(items)
	switch half := (len(want) + 1) / 2; {
	case n > half:
		fail("I3", "a batch has %d of %d items, and may have %d", n, len(want), half)
	case n == 0 && len(want) > 0:
		fail("I3", "StealBatch returned Empty, with %d inside and nobody at work", len(want))
	}
	for i, item := range items {
		if *item != want[i] {
			fail("I2", "place %d of a batch of %d is %d, want %d: the oldest come first", i, n, *item, want[i])
		}
	}
	return n
}

// batches empties queues of few items by batches with few places.
func (s injectorSuite) batches(r *run) {
	for inside := 1; inside <= 9; inside++ {
		for places := 1; places <= 9; places++ {
			q := s.make()
			var want []int
			for i := range inside {
				q.Push(&i)
				want = append(want, i)
			}
			for len(want) > 0 {
				want = want[nextBatch(q, places, want, r.Fail):]
				r.Check(q.Empty() == (len(want) == 0), "I4", "Empty is %t, with %d inside and nobody at work", q.Empty(), len(want))
			}
			r.Check(nextBatch(q, places, nil, r.Fail) == 0, "I1", "a batch has items of an empty queue")
		}
	}
}
