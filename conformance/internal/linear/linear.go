// Package linear checks recorded histories: whether some order of the
// operations, in which none is moved out of the time that it took, explains
// their results (Herlihy and Wing, TOPLAS 1990).
package linear

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// Check returns "" if the model explains the operations; else it lists them. Each client
// does one thing after the other, so there are at most as many prefixes to look at as the
// product of the numbers of operations of the clients, for each state.
func Check(model porcupine.Model, ops []porcupine.Operation) (trouble string) {
	if porcupine.CheckOperations(model, ops) {
		return ""
	}
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	var b strings.Builder
	b.WriteString("no order of these operations explains their results (client, from-to, operation):\n")
	for _, op := range ops {
		fmt.Fprintf(&b, "\t%d  %3d-%-3d  %s\n", op.ClientId, op.Call, op.Return, model.DescribeOperation(op.Input, op.Output))
	}
	return b.String()
}
