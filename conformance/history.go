package conformance

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
)

// A history is what several clients did to one object, with the moments at
// which each operation began and ended.
type history struct {
	clock   atomic.Int64
	clients [][]porcupine.Operation
}

func newHistory(clients int) *history {
	return &history{clients: make([][]porcupine.Operation, clients)}
}

// do runs an operation by a client and notes its result.
func (h *history) do(client int, input any, op func() any) {
	call := h.clock.Add(1)
	output := op()
	h.clients[client] = append(h.clients[client], porcupine.Operation{
		ClientId: client, Input: input, Call: call, Output: output, Return: h.clock.Add(1),
	})
}

// check fails if no order of the operations explains their results.
func (h *history) check(r *run, rule string, model porcupine.Model) {
	r.t.Helper()
	var ops []porcupine.Operation
	for _, c := range h.clients {
		ops = append(ops, c...)
	}
	// Unknown means that the time was not enough, which says nothing.
	if porcupine.CheckOperationsTimeout(model, ops, 2*time.Second) == porcupine.Illegal {
		r.fail(rule, "no order of these operations explains their results (client, from-to, operation):\n%s", list(model, ops))
	}
}

func list(model porcupine.Model, ops []porcupine.Operation) string {
	sort.Slice(ops, func(i, j int) bool { return ops[i].Call < ops[j].Call })
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&b, "\t%d  %3d-%-3d  %s\n", op.ClientId, op.Call, op.Return, model.DescribeOperation(op.Input, op.Output))
	}
	return b.String()
}

// The operations of deques and injectors. A push is a queuePush with its item,
// the others are strings.
type queuePush int

const (
	queuePop   = "pop"
	queueSteal = "steal"
	queueEmpty = "empty"
)

// taken is the result of a pop or steal.
type taken struct {
	item    int
	outcome api.Outcome
}

func (t taken) String() string {
	if t.outcome == api.Stolen {
		return fmt.Sprint(t.item)
	}
	return t.outcome.String()
}

// queueModel is a sequence of items, as a string of which each byte is one.
// Both deques and injectors are such; an injector is never popped.
var queueModel = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		s := state.(string)
		switch in := input.(type) {
		case queuePush:
			return true, s + string([]byte{byte(in)})
		case string:
			if in == queueEmpty {
				return output.(bool) == (s == ""), s
			}
			out := output.(taken)
			switch {
			case out.outcome == api.Lost:
				return true, s
			case out.outcome == api.Empty:
				return s == "", s
			case s == "":
				return false, s
			case in == queuePop:
				return int(s[len(s)-1]) == out.item, s[:len(s)-1]
			}
			return int(s[0]) == out.item, s[1:]
		}
		return false, s
	},
	DescribeOperation: func(input, output any) string {
		if in, ok := input.(queuePush); ok {
			return fmt.Sprintf("push %d", in)
		}
		return fmt.Sprintf("%s -> %v", input, output)
	},
}

// outcomeOf makes a result of what Steal or Pop returned.
func outcomeOf(item *int, o api.Outcome) any {
	if item == nil {
		if o == api.Stolen {
			return taken{-1, o}
		}
		return taken{outcome: o}
	}
	return taken{*item, api.Stolen}
}

// linearizable records short histories of an owner and two thieves.
func (s dequeSuite) linearizable(r *run) {
	for round := 0; r.more(round, 50); round++ {
		d := s.make()
		h := newHistory(3)
		items := numbers(16)
		plan := make([]bool, 14) // push or pop
		for i := range plan {
			plan[i] = r.rng.IntN(5) < 3
		}
		thief := func(client int) func() {
			rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
			return func() {
				for range 7 {
					h.do(client, queueSteal, func() any { return outcomeOf(d.Steal()) })
					pause(rng)
				}
			}
		}
		rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
		r.together(thief(1), thief(2), func() {
			next := 0
			for _, push := range plan {
				if push {
					h.do(0, queuePush(next), func() any { d.Push(&items[next]); return nil })
					next++
				} else {
					h.do(0, queuePop, func() any { return outcomeOf(d.Pop(), api.Empty) })
				}
				pause(rng)
			}
		})
		h.check(r, "D3", queueModel)
	}
}
