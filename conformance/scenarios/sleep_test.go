package scenarios_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/scenarios"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// atOnce is to fall asleep after the first search that finds nothing.
var atOnce = api.Rounds{Sleepy: 1}

func TestSleep(t *testing.T) {
	for _, b := range []struct {
		name string
		new  func(workers, jobsBits int) (api.Sleep, error)
	}{
		{"sleep=jec", func(workers, jobsBits int) (api.Sleep, error) {
			return jec.New(workers, jec.WithRounds(atOnce), jec.WithJobsBits(jobsBits))
		}},
		{"sleep=futex", func(workers, jobsBits int) (api.Sleep, error) {
			return futex.New(workers, futex.WithThreadPark(), futex.WithRounds(atOnce), futex.WithJobsBits(jobsBits))
		}},
		{"sleep=futex,park=goroutine", func(workers, jobsBits int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(atOnce), futex.WithJobsBits(jobsBits), futex.WithGoroutinePark())
		}},
	} {
		t.Run(b.name, func(t *testing.T) {
			scenarios.TestSleep(t, func(workers int) (api.Sleep, error) { return b.new(workers, 32) })
		})
		t.Run(b.name+",bits=1", func(t *testing.T) {
			scenarios.TestSleep(t, func(workers int) (api.Sleep, error) { return b.new(workers, 1) })
		})
	}
}
