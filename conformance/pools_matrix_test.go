package conformance_test

import (
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance"
	"github.com/rouse-go/rouse/deque"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep/futex"
	"github.com/rouse-go/rouse/sleep/jec"
)

// TestPool is about the pool as it comes, with its default backends.
func TestPool(t *testing.T) {
	composed(t)
	t.Run("publish=demand", func(t *testing.T) { conformance.TestPool(t, pool.New) })
	t.Run("publish=eager", func(t *testing.T) {
		conformance.TestPool(t, func(opts ...pool.Option) (*pool.Pool, error) {
			return pool.New(append(opts, pool.WithEagerPublish())...)
		}, stressed())
	})
}

// virtual are the pools that virtual time is for: every way to publish, every
// deque, and each backend that parks goroutines, one of which lends no seats.
var virtual = []struct {
	name string
	opts []pool.Option
}{
	{"default", nil},
	{"publish=eager", []pool.Option{pool.WithEagerPublish()}},
	{"deque=locked", []pool.Option{pool.WithDeque(func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() })}},
	{"sleep=jec_1bit", []pool.Option{pool.WithSleep(newOneBit)}},
	{"sleep=no_goroutines", []pool.Option{pool.WithSleep(noGoroutines)}},
	{"sleep=no_lender", []pool.Option{pool.WithSleep(func(n int) (api.Sleep, error) {
		s, err := jec.New(n)
		return struct{ api.Sleep }{s}, err
	})}},
}

// noGoroutines makes the backend of the built-in default pool.
func noGoroutines(n int) (api.Sleep, error) { return jec.New(n, jec.WithoutGoroutines()) }

func TestAtRest(t *testing.T) {
	composed(t)
	conformance.TestAtRest(t, func(opts ...pool.Option) (*pool.Pool, error) {
		return pool.New(append([]pool.Option{pool.WithSleep(noGoroutines)}, opts...)...)
	})
}

func TestFill(t *testing.T)    { inVirtualTime(t, conformance.TestFill) }
func TestLatency(t *testing.T) { inVirtualTime(t, conformance.TestLatency) }

// inVirtualTime runs the test on each of these pools, and all but the default one less often.
func inVirtualTime(t *testing.T, test func(*testing.T, func(...pool.Option) (*pool.Pool, error), ...conformance.Option)) {
	composed(t)
	for _, c := range virtual {
		var less []conformance.Option
		if c.name != "default" {
			less = append(less, stressed())
		}
		t.Run(c.name, func(t *testing.T) {
			test(t, func(opts ...pool.Option) (*pool.Pool, error) { return pool.New(append(c.opts, opts...)...) }, less...)
		})
	}
}

func TestMatrix(t *testing.T) {
	composed(t)
	conformance.TestMatrix(t, conformance.Matrix{
		Deques: map[string]func() api.Deque[pool.Job]{
			"chaselev": func() api.Deque[pool.Job] { return deque.NewChaseLev[pool.Job]() },
			"locked":   func() api.Deque[pool.Job] { return deque.NewLocked[pool.Job]() },
		},
		Sleeps: map[string]func(workers int) (api.Sleep, error){
			"jec":      func(n int) (api.Sleep, error) { return jec.New(n) },
			"jec_1bit": newOneBit,
			"futex":    func(n int) (api.Sleep, error) { return futex.New(n, futex.WithThreadPark()) },
			"no_goroutines": func(n int) (api.Sleep, error) {
				return jec.New(n, jec.WithoutGoroutines(), jec.WithRounds(rounds["none"]))
			},
			"simple": newSimple, // nothing that is optional
		},
	}, stressed())
}
