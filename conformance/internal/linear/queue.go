package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
)

// The operations of deques and injectors. A push is a Push with its item; its
// result is nil or, for an injector that tells, whether the queue was empty.
// A StealBatch is one with the number of its places; its result is a
// [TakenBatch]. The result of pop and steal is a [Taken], of the others a bool and
// an int.
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

// Taken is the result of a pop or steal.
type Taken struct {
	Item    int
	Outcome api.Outcome
}

// TakenOf makes a result from the values of Steal or Pop. A nil item that is
// called stolen is one that was never pushed.
func TakenOf(item *int, o api.Outcome) Taken {
	switch {
	case item != nil:
		return Taken{*item, api.Stolen}
	case o == api.Stolen:
		return Taken{-1, o}
	}
	return Taken{Outcome: o}
}

func (t Taken) String() string {
	if t.Outcome == api.Stolen {
		return fmt.Sprint(t.Item)
	}
	return t.Outcome.String()
}

// TakenBatch is the result of a batch: the items, the oldest first.
type TakenBatch struct {
	Items   []int
	Outcome api.Outcome
}

// TakenBatchOf makes a result of the items that a batch put into its first places.
// A nil item is one that was never pushed.
func TakenBatchOf(items []*int, o api.Outcome) TakenBatch {
	t := TakenBatch{Outcome: o}
	for _, item := range items {
		t.Items = append(t.Items, TakenOf(item, api.Stolen).Item)
	}
	return t
}

func (t TakenBatch) String() string {
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
			return batch(s, int(in), output.(TakenBatch))
		case Op:
			switch in {
			case Empty:
				return output.(bool) == (s == ""), s
			case Len:
				return output.(int) == len(s), s
			}
			out := output.(Taken)
			switch {
			case out.Outcome == api.Lost:
				return true, s
			case out.Outcome == api.Empty:
				return s == "", s
			case s == "":
				return false, s
			case in == Pop:
				return int(s[len(s)-1]) == out.Item, s[:len(s)-1]
			}
			return int(s[0]) == out.Item, s[1:]
		}
		return false, s
	},
	DescribeOperation: describe,
}

// batch takes the items of a batch at once: the oldest, no more than there are
// places, and no more than half of the items inside, rounded up.
func batch(s string, places int, out TakenBatch) (ok bool, rest string) {
	switch n := len(out.Items); {
	case out.Outcome == api.Lost:
		return true, s
	case out.Outcome == api.Empty:
		return s == "", s
	case n == 0 || n > min(places, (len(s)+1)/2):
		return false, s
	default:
		for i, item := range out.Items {
			if int(s[i]) != item {
				return false, s
			}
		}
		return true, s[n:]
	}
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
