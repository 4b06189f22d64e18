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

func TestSleepJEC(t *testing.T) {
	for name, r := range rounds {
		t.Run("rounds="+name, func(t *testing.T) {
			conformance.TestSleep(t, func(workers int) (api.Sleep, error) {
				return jec.New(workers, jec.WithRounds(r))
			}, conformance.WithSynctest(), stressed())
		})
	}
	t.Run("bits=1", func(t *testing.T) {
		conformance.TestSleep(t, func(workers int) (api.Sleep, error) {
			return jec.New(workers, jec.WithJobsBits(1), jec.WithRounds(rounds["none"]))
		}, conformance.WithSynctest(), stressed())
	})
}

func TestSleepWithoutGoroutines(t *testing.T) {
	for name, bits := range map[string]int{"bits=32": 32, "bits=1": 1} {
		t.Run(name, func(t *testing.T) {
			conformance.TestSleep(t, func(workers int) (api.Sleep, error) {
				return jec.New(workers, jec.WithoutGoroutines(), jec.WithJobsBits(bits), jec.WithRounds(rounds["none"]))
			}, conformance.WithSynctest(), stressed())
		})
	}
}

func TestSleepFutex(t *testing.T) {
	for name, r := range rounds {
		t.Run("rounds="+name, func(t *testing.T) {
			conformance.TestSleep(t, func(workers int) (api.Sleep, error) {
				return futex.New(workers, futex.WithThreadPark(), futex.WithRounds(r))
			}, stressed())
		})
	}
	t.Run("bits=1", func(t *testing.T) {
		conformance.TestSleep(t, func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithThreadPark(), futex.WithJobsBits(1), futex.WithRounds(rounds["none"]))
		}, stressed())
	})
	t.Run("park=goroutine", func(t *testing.T) {
		conformance.TestSleep(t, func(workers int) (api.Sleep, error) {
			return futex.New(workers, futex.WithGoroutinePark(), futex.WithRounds(rounds["none"]))
		}, conformance.WithSynctest(), stressed())
	})
}
