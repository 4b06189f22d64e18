// Package linear checks recorded histories: whether some order of the
// operations, in which none is moved out of the time that it took, explains
// their results (Herlihy and Wing, TOPLAS 1990).
package linear

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// Check returns "" if the model explains the operations, or if the time was not
// enough to tell; else it lists them.
func Check(model porcupine.Model, ops []porcupine.Operation, timeout time.Duration) (trouble string) {
	if porcupine.CheckOperationsTimeout(model, ops, timeout) != porcupine.Illegal {
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
