package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
)

// The operations of deques and injectors. A push is a Push with its item; its
// result is nil or, for an injector that tells, whether the queue was empty.
// The result of pop and steal is a [Taken], of the others a bool and an int.
type (
	Push int
	Op   string
)

const (
	Pop   Op = "pop"
	Steal Op = "steal"
	Empty Op = "empty"
	Len   Op = "len"
)

// Taken is the result of a pop or a steal: the item, if the outcome is Stolen.
type Taken struct {
	Item    int
	Outcome api.Outcome
}

// TakenOf makes a result from the values of Steal or Pop. A nil item that is called stolen is
// one that was never pushed.
func TakenOf(item *int, o api.Outcome) Taken {
	switch {
	case item != nil:
		return Taken{*item, api.Stolen}
	case o == api.Stolen:
		return Taken{-1, api.Stolen}
	}
	return Taken{Outcome: o}
}

func (t Taken) String() string {
	if t.Outcome == api.Stolen {
		return fmt.Sprint(t.Item)
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
		case Op:
			switch in {
			case Empty:
				return output.(bool) == (s == ""), s
			case Len:
				return output.(int) == len(s), s
			}
			return take(s, in == Pop, output.(Taken))
		}
		return false, s
	},
	DescribeOperation: describe,
}

// take takes the oldest item, or the newest.
func take(s string, newest bool, out Taken) (ok bool, rest string) {
	switch {
	case out.Outcome == api.Lost:
		return true, s
	case out.Outcome == api.Empty:
		return s == "", s
	case s == "":
		return false, s
	case newest:
		last := len(s) - 1
		return int(s[last]) == out.Item, s[:last]
	}
	return int(s[0]) == out.Item, s[1:]
}

func describe(input, output any) string {
	in, ok := input.(Push)
	switch {
	case !ok:
		return fmt.Sprintf("%s -> %v", input, output)
	case output == nil:
		return fmt.Sprintf("push %d", in)
	}
	return fmt.Sprintf("push %d -> was empty: %v", in, output)
}
