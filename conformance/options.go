package conformance

import (
	"time"

	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// A run is a subtest under way.
type run = harness.Run

// An Option changes how a suite runs.
type Option func(*config)

// A config has what the options say about the subtests and the part under test.
type config struct {
	harness.Config
	jobsBits int
	sets     int
}

func newConfig(opts []Option) config {
	c := config{Config: harness.NewConfig(), jobsBits: 32, sets: 1}
	for _, o := range opts {
		o(&c)
	}
	return c
}

// WithTimeout sets how much processor time a subtest may use before it counts as hung. The
// default is 2 minutes, and 30 seconds with -short. It is for code that spins: blocked
// goroutines need no limit. A subtest always counts as hung if the process gets processors
// and uses almost no processor time for 2 seconds. So a busy machine makes no test fail.
//
// Once a subtest has hung, the others of the same call get a twentieth of the time.
func WithTimeout(d time.Duration) Option { return func(c *config) { c.Timeout = d } }

// WithStress sets how long each subtest that depends on luck keeps trying. The
// default is 100 milliseconds, and 25 with -short. Below 25 milliseconds, large
// numbers, such as that of pending forks, are smaller, too; that is for a repository
// that tests many pools and backends. Before you release a new backend, run it for
// hours.
func WithStress(d time.Duration) Option { return func(c *config) { c.Stress = d } }

// WithSynctest runs the subtests that wait in a bubble of [testing/synctest],
// which notices at once when all goroutines are blocked: a missed wake fails in a
// millisecond instead of after the timeout.
//
// Use it for backends whose sleepers wait only on condition variables, channels
// and the like. Do not use it if sleepers wait in a system call, such as a futex:
// the bubble does not see that they are blocked.
func WithSynctest() Option { return func(c *config) { c.Synctest = true } }

// WithJobsBits sets the number of bits in the jobs event counter under test, for
// [TestCounters]. The default is 32.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// WithSets says that the n-th call of Set sets the latch under test, for
// [TestLatch]. The default is 1. If n is larger, the suite also checks L5: one
// more Set must panic.
func WithSets(n int) Option { return func(c *config) { c.sets = n } }
