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
	both, wraps, wide := []int{32, 1}, []int{1}, []int{32}
	for _, b := range []struct {
		name string
		bits []int // those that differ only in their Blocker take one of them
		new  func(workers, jobsBits int) (api.Sleep, error)
	}{
		{"sleep=jec", both, func(workers, jobsBits int) (api.Sleep, error) {
			return jec.New(workers, jec.WithRounds(atOnce), jec.WithJobsBits(jobsBits))
		}},
		{"sleep=futex", both, func(workers, jobsBits int) (api.Sleep, error) {
			return futex.New(workers, futex.WithThreadPark(), futex.WithRounds(atOnce), futex.WithJobsBits(jobsBits))
		}},
		{"sleep=futex,park=goroutine", wraps, func(workers, jobsBits int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(atOnce), futex.WithJobsBits(jobsBits), futex.WithGoroutinePark())
		}},
		{"sleep=futex,threads=1", wraps, func(workers, jobsBits int) (api.Sleep, error) {
			return futex.New(workers, futex.WithRounds(atOnce), futex.WithJobsBits(jobsBits), futex.WithThreadLimit(1))
		}},
		{"sleep=no_goroutines", wide, func(workers, jobsBits int) (api.Sleep, error) {
			return jec.New(workers, jec.WithoutGoroutines(), jec.WithRounds(atOnce), jec.WithJobsBits(jobsBits))
		}},
	} {
		for _, bits := range b.bits {
			name := b.name
			if bits == 1 {
				name += ",bits=1"
			}
			t.Run(name, func(t *testing.T) {
				scenarios.TestSleep(t, func(workers int) (api.Sleep, error) { return b.new(workers, bits) })
			})
		}
	}
}
