package harness

import (
	"fmt"
	"os"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api/prim"
)

// latest is the run that began last. A panic on a goroutine of the code under test, such as a
// pool's, cannot be recovered for good, but the rule is named before the process ends.
var latest atomic.Pointer[Run]

func init() { prim.AtEnd = nameCrash }

func nameCrash() {
	v := recover()
	if v == nil {
		return
	}
	if r := latest.Load(); r != nil {
		c := r.claim.Load()
		fmt.Fprintf(os.Stderr, "%s: panic: %v, while: %s, in %s\nRule %s: %s\n", c.rule, v, c.doing, r.T.Name(), c.rule, Rules[c.rule])
	}
	panic(v)
}
