//go:build !race

package par_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A loop each on many goroutines is cheap as long as none of these needs more stack than it begins
// with: to copy a stack takes longer than a short loop. In a bubble no call takes long.
func TestShortCallsFitNewStacks(t *testing.T) {
	const small = "adaptivestackstart=0" // stacks begin small, whatever those before have needed
	if os.Getenv("GODEBUG") != small {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "GODEBUG="+small)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Skipf("no other process can be started here: %v", err)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	in := newInput(indices(10))
	for _, c := range table {
		if !strings.Contains(" For ForRange ForErr Each Do Map MapInto MapErr IndexFunc IsSortedFunc Sum ", " "+c.name+" ") {
			continue
		}
		inBubble(t, 2, func(t *testing.T, p *pool.Pool) {
			o := []par.Option{par.On(p)}
			c.call(in, o...)
			c.call(in, o...) // from now on the caller does it alone, with the same options
			const many = 8   // any may grow, where the memory that it asks for must be got first
			grown, moved := 0, make(chan bool)
			for range many {
				go func() {
					var local byte
					before := uintptr(unsafe.Pointer(&local))
					c.with(in)
					moved <- before != uintptr(unsafe.Pointer(&local))
				}()
				if <-moved {
					grown++
				}
			}
			if grown == many {
				t.Errorf("package par: Cost: the stack of each new goroutine grows for a short call of %s", c.name)
			}
		})
	}
}
