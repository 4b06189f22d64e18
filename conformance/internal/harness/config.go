package harness

import (
	"sync/atomic"
	"testing"
	"time"
)

// A Config says how subtests run.
type Config struct {
	Timeout  time.Duration // how much processor time a subtest may use
	Stress   time.Duration // how long a matter of luck goes on
	Synctest bool          // whether bubbles may be used
	hangs    *atomic.Int32 // how many subtests with this configuration have hung
}

// By default a matter of luck goes on for fullStress, and for shortStress with -short.
const (
	fullStress  = 100 * time.Millisecond
	shortStress = fullStress / 4
)

// NewConfig returns the defaults. With -short they are less.
func NewConfig() Config {
	c := Config{
		Timeout: 2 * time.Minute,
		Stress:  fullStress,
		hangs:   new(atomic.Int32),
	}
	if testing.Short() {
		c.Stress = shortStress
		c.Timeout /= 4
	}
	return c
}

// hurry returns by how much sooner than otherwise something counts as hung. It is more
// than 1 when a subtest has hung: the suite has failed by then, and a fault that makes
// most of them hang is to be named by its rule before the time for all tests is over, for
// that end names none.
func (c Config) hurry() int {
	if c.hangs.Load() > 0 {
		return 20
	}
	return 1
}
