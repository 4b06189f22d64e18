package conformance_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// rounds are the presets, and one with which workers fall asleep at once.
var rounds = map[string]api.Rounds{
	"default":    api.DefaultRounds(2),
	"threadpool": api.RoundsThreadPool,
	"futex":      api.RoundsFutex,
	"none":       {Sleepy: 1},
}

// testSleep runs the suite on a backend. Those that park goroutines can be in a bubble.
func testSleep(t *testing.T, name string, newSleep func(workers int) (api.Sleep, error), opts ...conformance.Option) {
	t.Run(name, func(t *testing.T) { conformance.TestSleep(t, newSleep, append(opts, stressed())...) })
}

var bubble = conformance.WithSynctest()

func TestSleepJEC(t *testing.T) {
	composed(t)
	part(t)
	for name, r := range rounds {
		testSleep(t, "rounds="+name, func(n int) (api.Sleep, error) { return jec.New(n, jec.WithRounds(r)) }, bubble)
	}
	testSleep(t, "bits=1", newOneBit, bubble)
}

// newOneBit makes a backend whose jobs event counter wraps with every second post, and whose
// workers fall asleep at once.
func newOneBit(n int) (api.Sleep, error) {
	return jec.New(n, jec.WithJobsBits(1), jec.WithRounds(rounds["none"]))
}

func TestSleepWithoutGoroutines(t *testing.T) {
	composed(t)
	part(t)
	for name, bits := range map[string]int{"bits=32": 32, "bits=1": 1} {
		testSleep(t, name, func(n int) (api.Sleep, error) {
			return jec.New(n, jec.WithoutGoroutines(), jec.WithJobsBits(bits), jec.WithRounds(rounds["none"]))
		}, bubble)
	}
}

func TestSleepFutex(t *testing.T) {
	composed(t)
	part(t)
	for name, r := range rounds {
		testSleep(t, "rounds="+name, func(n int) (api.Sleep, error) {
			return futex.New(n, futex.WithThreadPark(), futex.WithRounds(r))
		})
	}
	testSleep(t, "bits=1", func(n int) (api.Sleep, error) {
		return futex.New(n, futex.WithThreadPark(), futex.WithJobsBits(1), futex.WithRounds(rounds["none"]))
	})
	testSleep(t, "park=goroutine", func(n int) (api.Sleep, error) {
		return futex.New(n, futex.WithGoroutinePark(), futex.WithRounds(rounds["none"]))
	}, bubble)
}
