package conformance

import (
	"time"

	"github.com/rouse-go/rouse/conformance/internal/harness"
)

// A run is a subtest under way.
type run = harness.Run

// An Option changes how a suite runs.
type Option func(*config)

// config has what the options say of the subtests and of the part under test.
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

// WithTimeout says how much processor time the process may use in a subtest before that
// counts as hung. The default is 2 minutes, and 30 seconds with -short. It is for code
// that spins: a blocked goroutine needs no limit. A subtest in which the process gets
// processors, and uses next to no processor time for 2 seconds, counts as hung in any
// case. No clock decides, so a busy machine changes nothing.
//
// Once a subtest has hung, the others of the same call get a twentieth of it.
func WithTimeout(d time.Duration) Option { return func(c *config) { c.Timeout = d } }

// WithStress says for how long each subtest that is a matter of luck keeps
// trying. The default is 100 milliseconds, and 25 with -short. With less than 25,
// large numbers, such as that of pending forks, are smaller, too: that is for the
// many pools and backends of one repository. A run of hours on a new backend is a
// good idea before it is first released.
func WithStress(d time.Duration) Option { return func(c *config) { c.Stress = d } }

// WithSynctest runs the subtests that wait for something in a bubble of
// [testing/synctest], which notices at once that all goroutines are blocked:
// a missed wake fails in a millisecond instead of after the timeout.
//
// It is for backends whose sleepers wait on nothing but condition variables,
// channels and the like. A goroutine in a system call, such as a futex, is not
// seen to be blocked, and such a backend must not use this option.
func WithSynctest() Option { return func(c *config) { c.Synctest = true } }

// WithJobsBits says how many bits the jobs event counter under test has, for
// [TestCounters]. The default is 32.
func WithJobsBits(n int) Option { return func(c *config) { c.jobsBits = n } }

// WithSets says that the latch under test becomes set by the n-th call of Set,
// for [TestLatch]. The default is 1. With more, the suite also checks L5: one
// Set too many must panic.
func WithSets(n int) Option { return func(c *config) { c.sets = n } }
