package conformance_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

var mixFor = flag.Duration("mix", 500*time.Millisecond, "for how long TestMix goes on")

// TestMix mixes the pools' backends, too: those of one round call each other's
// jobs.
func TestMix(t *testing.T) {
	composed(t)
	conformance.TestMix(t, func(opts ...pool.Option) (*pool.Pool, error) {
		return pool.New(append(anyBackends(), opts...)...)
	}, conformance.WithStress(*mixFor))
}

// anyBackends returns options for a pool that is made of anything.
func anyBackends() []pool.Option {
	kind, bits := rand.IntN(5), []int{1, 32}[rand.IntN(2)]
	rounds := []api.Rounds{api.DefaultRounds(2), {Sleepy: 1}}[rand.IntN(2)]
	hidden := rand.IntN(4) == 0
	opts := []pool.Option{pool.WithSleep(func(workers int) (s api.Sleep, err error) {
		switch kind {
		case 0:
			s, err = jec.New(workers, jec.WithJobsBits(bits), jec.WithRounds(rounds))
		case 1:
			s, err = futex.New(workers, futex.WithJobsBits(bits), futex.WithRounds(rounds), futex.WithThreadPark())
		case 2:
			s, err = futex.New(workers, futex.WithJobsBits(bits), futex.WithRounds(rounds), futex.WithGoroutinePark())
		case 3:
			s, err = jec.New(workers, jec.WithoutGoroutines(), jec.WithJobsBits(bits), jec.WithRounds(rounds))
		default:
			s, err = newSimple(workers)
		}
		if hidden {
			s = struct{ api.Sleep }{s} // lends no seats
		}
		return s, err
	})}
	if rand.IntN(4) == 0 {
		opts = append(opts, pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() }))
	}
	if rand.IntN(4) == 0 {
		opts = append(opts, pool.WithEagerPublish())
	}
	return opts
}
