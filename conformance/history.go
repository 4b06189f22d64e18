package conformance

import (
	"slices"
	"sync/atomic"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/conformance/internal/linear"
)

// A history has the operations of several clients on one object, with the
// moments at which each began and ended.
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
	r.T.Helper()
	if trouble := linear.Check(model, slices.Concat(h.clients...)); trouble != "" {
		r.Fail(rule, "%s", trouble)
	}
}
