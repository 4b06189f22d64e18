package lang

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Test has the methods of [testing.T].
type Test interface {
	testing.TB
	Run(name string, f func(t *testing.T)) bool
	Parallel()
	Deadline() (deadline time.Time, ok bool)
}

// T returns what stands for t in the execution: t itself, outside.
func T(t *testing.T) Test {
	if x, ok := drive.TB(t).(Test); ok {
		return x
	}
	if drive.All != nil {
		return alone{t}
	}
	return t
}

// An alone is a test that waits for no others: with -all they take turns.
type alone struct{ *testing.T }

func (alone) Parallel() {}

// Explore explores a test for the flag -all of the command.
func Explore(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	drive.All(t, f)
}

// TB is T for what may be a benchmark.
func TB(t testing.TB) testing.TB { return drive.TB(t) }
