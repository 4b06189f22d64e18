//go:build !explore

package simulate_test

import (
	"errors"
	"testing"

	"github.com/rouse-go/rouse/lab/simulate"
)

// Without the tag nothing runs, and Run says so.
func TestUnavailable(t *testing.T) {
	ran := false
	if _, err := simulate.Run(simulate.Plain(), func() { ran = true }); !errors.Is(err, simulate.ErrUnavailable) || ran {
		t.Errorf("error %v, the program ran: %v", err, ran)
	}
	simulate.Work(1)
	simulate.Sleep(1)
	simulate.Mark("")
	if simulate.Now() != 0 {
		t.Error("there is a clock without a run")
	}
}
