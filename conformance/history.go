package conformance

import (
	"slices"
	"sync/atomic"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/conformance/internal/linear"
)

// A client performs operations on an object, one after the other, each by do.
type client = func(do func(input any, op func() any))

// histories records short histories of several clients, with the moments at which each operation
// began and ended. It fails if no order of the operations explains their results: each result must
// be the one of that very step, not of a later look. Without pauses the steps meet at close
// quarters, with them in more different ways.
func histories(r *run, rule string, model porcupine.Model, newClients func() []client) {
	for round := 0; r.More(round, 50); round++ {
		var clock atomic.Int64
		var fns []func()
		clients := newClients()
		ops := make([][]porcupine.Operation, len(clients))
		for i, performs := range clients {
			fns = append(fns, func() {
				rng := harness.NewRNG()
				performs(func(input any, op func() any) {
					call := clock.Add(1)
					output := op()
					ops[i] = append(ops[i], porcupine.Operation{ClientId: i, Input: input, Call: call, Output: output, Return: clock.Add(1)})
					if round%4 >= 2 {
						harness.Pause(rng)
					}
				})
			})
		}
		r.Together(fns...)
		if trouble := linear.Check(model, slices.Concat(ops...)); trouble != "" {
			r.Fail(rule, "%s", trouble)
		}
	}
}
