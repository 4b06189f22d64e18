package conformance

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/linear"
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
	if trouble := linear.Check(model, slices.Concat(h.clients...), 2*time.Second); trouble != "" {
		r.fail(rule, "%s", trouble)
	}
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
					h.do(client, linear.Steal, func() any { return linear.TakenOf(d.Steal()) })
					pause(rng)
				}
			}
		}
		rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
		r.together(thief(1), thief(2), func() {
			next := 0
			for _, push := range plan {
				if push {
					h.do(0, linear.Push(next), func() any { d.Push(&items[next]); return nil })
					next++
				} else {
					h.do(0, linear.Pop, func() any { return linear.TakenOf(d.Pop(), api.Empty) })
				}
				pause(rng)
			}
		})
		h.check(r, "D3", linear.Queue)
	}
}
