package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
)

// A Word is the content of counters.
type Word struct {
	Inactive, Sleeping int
	Jobs               uint32
}

func (w Word) String() string {
	return fmt.Sprintf("inactive=%d sleeping=%d jobs=%d", w.Inactive, w.Sleeping, w.Jobs)
}

// A Call is one of the method of [api.Counters] that it names, with its argument.
type Call struct {
	Name     string
	Ticket   uint32 // of TrySleep
	Sleepers int    // of SubSleeping
}

// A Return has the results of a call, as far as it returned any.
type Return struct {
	Word
	OK bool
}

// Of calls the method of c.
func (call Call) Of(c api.Counters) (out Return) {
	switch call.Name {
	case "Load":
		out.Inactive, out.Sleeping, out.Jobs = c.Load()
	case "AddInactive":
		c.AddInactive()
	case "SubInactive":
		out.Inactive, out.Sleeping = c.SubInactive()
	case "Announce":
		out.Jobs = c.Announce()
	case "TrySleep":
		out.OK = c.TrySleep(call.Ticket)
	case "SubSleeping":
		c.SubSleeping(call.Sleepers)
	case "Post":
		out.Inactive, out.Sleeping = c.Post()
	case "Lend":
		c.Lend()
	case "Restore":
		out.OK = c.Restore()
	}
	return out
}

// Step is the effect of a call on counters whose jobs event counter has so many bits, and its
// result.
func (w Word) Step(call Call, bits int) (next Word, out Return) {
	toggle := func(odd bool) {
		if (w.Jobs&1 == 1) != odd {
			w.Jobs = (w.Jobs + 1) & uint32(uint64(1)<<bits-1)
		}
	}
	switch call.Name {
	case "Load":
		out.Word = w
	case "AddInactive":
		w.Inactive++
	case "SubInactive":
		w.Inactive--
		out.Word = Word{w.Inactive, w.Sleeping, 0}
	case "Announce":
		toggle(false)
		out.Jobs = w.Jobs
	case "TrySleep":
		if out.OK = call.Ticket == w.Jobs; out.OK {
			w.Sleeping++
		}
	case "SubSleeping":
		w.Sleeping -= call.Sleepers
	case "Post":
		toggle(true)
		out.Word = Word{w.Inactive, w.Sleeping, 0}
	case "Lend":
		w.Inactive--
		w.Sleeping--
	case "Restore":
		w.Inactive++
		w.Sleeping++
		out.OK = w.Inactive == 1
	}
	return w, out
}

// Counters is the model of counters whose jobs event counter has so many bits.
func Counters(bits int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return Word{} },
		Step: func(state, input, output any) (bool, any) {
			w, out := state.(Word).Step(input.(Call), bits)
			return out == output && 0 <= w.Sleeping && w.Sleeping <= w.Inactive, w
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%v -> %v", input, output) },
	}
}
