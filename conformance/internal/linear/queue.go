package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
)

// The operations of deques and injectors. A push is a Push with its item; its
// result is nil or, for an injector that tells, whether the queue was empty.
// A StealBatch is one with the number of its places. The result of pop, steal and a batch
// is a [Taken], of the others a bool and an int.
type (
	Push       int
	StealBatch int
	Op         string
)

const (
	Pop   Op = "pop"
	Steal Op = "steal"
	Empty Op = "empty"
	Len   Op = "len"
)

// Taken is the result of a pop, a steal or a batch: the items, the oldest first.
type Taken struct {
	Items   []int
	Outcome api.Outcome
}

// TakenOf makes a result from the values of Steal or Pop.
func TakenOf(item *int, o api.Outcome) Taken {
	if item == nil && o != api.Stolen {
		return Taken{Outcome: o}
	}
	return TakenBatchOf([]*int{item}, api.Stolen)
}

// TakenBatchOf makes a result of the items that a batch put into its first places.
// A nil item that is called stolen is one that was never pushed.
func TakenBatchOf(items []*int, o api.Outcome) Taken {
	t := Taken{Outcome: o}
	for _, item := range items {
		if item == nil {
			t.Items = append(t.Items, -1)
		} else {
			t.Items = append(t.Items, *item)
		}
	}
	return t
}

func (t Taken) String() string {
	if t.Outcome == api.Stolen {
		return fmt.Sprint(t.Items)
	}
	return t.Outcome.String()
}

// Queue is the model of deques and injectors (these are never popped): a
// sequence of items, as a string with a byte for each.
var Queue = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		s := state.(string)
		switch in := input.(type) {
		case Push:
			// One that says that the queue was not empty may have met
			// another push.
			return output != true || s == "", s + string([]byte{byte(in)})
		case StealBatch:
			return take(s, false, min(int(in), (len(s)+1)/2), output.(Taken))
		case Op:
			switch in {
			case Empty:
				return output.(bool) == (s == ""), s
			case Len:
				return output.(int) == len(s), s
			}
			return take(s, in == Pop, min(1, len(s)), output.(Taken))
		}
		return false, s
	},
	DescribeOperation: describe,
}

// take takes items at once, at most so many: the oldest, or the newest.
func take(s string, newest bool, most int, out Taken) (ok bool, rest string) {
	n := len(out.Items)
	taken := s[:min(n, len(s))]
	rest = s[len(taken):]
	if newest {
		rest, taken = s[:len(rest)], s[len(rest):]
	}
	switch {
	case out.Outcome == api.Lost:
		return true, s
	case out.Outcome == api.Empty:
		return s == "", s
	case n == 0 || n > most:
		return false, s
	}
	for i, item := range out.Items {
		if int(taken[i]) != item {
			return false, s
		}
	}
	return true, rest
}

func describe(input, output any) string {
	if in, ok := input.(StealBatch); ok {
		return fmt.Sprintf("batch of at most %d -> %v", in, output)
	}
	in, ok := input.(Push)
	switch {
	case !ok:
		return fmt.Sprintf("%s -> %v", input, output)
	case output == nil:
		return fmt.Sprintf("push %d", in)
	}
	return fmt.Sprintf("push %d -> was empty: %v", in, output)
}
