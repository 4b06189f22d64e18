package conformance_test

import (
	"flag"
	"math"
	"testing"
	"time"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/counters"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/latch"
)

var stress = flag.Duration("stress", 10*time.Millisecond,
	"for how long each subtest that is a matter of luck goes on, with each sleep backend and each pool but the default one")

// stressed is less than the suite has it with -short. In that time, too, the mutants of the
// sleep backends are caught, each time, and there are some twenty backends and pools, so the
// sum is long anyway.
func stressed() conformance.Option { return conformance.WithStress(*stress) }

// broken is a test of a part that has failed.
var broken atomic.String

// part begins a test of a part.
func part(t *testing.T) {
	t.Cleanup(func() {
		if t.Failed() {
			broken.Store(t.Name())
		}
	})
}

// composed begins a test of what is composed of parts: sleep backends, and whole pools. It
// skips the test if a part is broken. What is composed of it hangs, or crashes on a goroutine
// of its own, and says less. So the tests of parts come first: their files are named before
// those of the others.
func composed(t *testing.T) {
	if test := broken.Load(); test != "" {
		// So are the examples, which run last: nothing notices that one hangs.
		flag.Set("test.skip", "^Example")
		t.Skipf("a part is broken: see %s", test)
	}
}

func TestCounters(t *testing.T) {
	part(t)
	for name, bits := range map[string]int{"bits=32": 32, "bits=8": 8, "bits=1": 1} {
		t.Run(name, func(t *testing.T) {
			var how []conformance.Option
			if bits != 32 {
				how = append(how, stressed())
			}
			conformance.TestCounters(t, func(workers int) (api.Counters, error) {
				return counters.New(workers, counters.WithJobsBits(bits))
			}, append(how, conformance.WithJobsBits(bits))...)
		})
	}
}

func TestLatch(t *testing.T) {
	part(t)
	t.Run("latch=core", func(t *testing.T) {
		conformance.TestLatch(t, func() api.Latch { return new(latch.Core) })
	})
	t.Run("latch=count", func(t *testing.T) {
		conformance.TestLatch(t, func() api.Latch {
			l := new(latch.Count)
			l.Init(3)
			return l
		}, conformance.WithSets(3))
	})
}

func TestDeque(t *testing.T) {
	part(t)
	t.Run("deque=chaselev", func(t *testing.T) {
		conformance.TestDeque(t, func() api.Deque[int] { return deque.NewChaseLev[int]() })
	})
	// A small one grows, and its indices wrap, while others steal.
	t.Run("deque=chaselev_small", func(t *testing.T) {
		conformance.TestDeque(t, func() api.Deque[int] { return deque.NewChaseLevAt[int](1, math.MaxInt64-3) }, stressed())
	})
	t.Run("deque=locked", func(t *testing.T) {
		conformance.TestDeque(t, func() api.Deque[int] { return deque.NewLocked[int]() }, stressed())
	})
}

func TestInjector(t *testing.T) {
	part(t)
	conformance.TestInjector(t, func() api.Injector[int] { return deque.NewInjector[int]() })
}

// In small blocks most pushes and steals meet at the end of one.
func TestInjectorBlocks(t *testing.T) {
	part(t)
	for name, slots := range map[string]int{"slots=1": 1, "slots=2": 2} {
		t.Run(name, func(t *testing.T) {
			conformance.TestInjector(t, func() api.Injector[int] { return deque.NewInjectorSized[int](slots) }, stressed())
		})
	}
}

// TestExample runs what the example shows.
func TestExample(t *testing.T) {
	composed(t)
	t.Run("deque", checkDeque)
	t.Run("pool", checkPool)
}
