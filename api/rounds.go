package api

import (
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
)

// Rounds says how long a worker looks for work before it sleeps, in fruitless
// searches: first Spin of them, each followed by a short busy wait, then Yield,
// each followed by [prim.Yield]; then it announces that it will sleep, searches
// Sleepy more times, each but the last followed by a yield, and sleeps.
//
// A worker that was at work for long ([Idle].Lingers) does Linger searches before all
// these, each followed by a busy wait, too.
//
// A backend that takes rounds, or other options, keeps a rule:
//
//   - S12. A worker searches as its Rounds say. Each option does what its documentation
//     says, in any order of the options and with any number of workers. A value out of
//     range is refused, and the refusal names the limit: the function that makes the
//     backend returns an error, a method panics.
type Rounds struct {
	Linger int
	Spin   int
	Yield  int
	Sleepy int
}

// The round counts of the source documents.
var (
	// RoundsThreadPool are those of "Blitz: Thread Pool" and of the older
	// "Sleep/Wake Protocol", and Rayon's: 32 yields, the announcement, one
	// yield more.
	RoundsThreadPool = Rounds{Yield: 32, Sleepy: 2}
	// RoundsFutex are those of "Blitz: Lock-Free Futex Wake": 64 spins, then
	// yields up to round 256.
	RoundsFutex = Rounds{Spin: 64, Yield: 192, Sleepy: 1}
)

// DefaultRounds returns what the backends use for so many workers if you ask for
// nothing else.
//
// Workers that find nothing search for some microseconds: less than a wake
// takes, so that of two short jobs one after the other the second need not wake
// anybody. Each search visits every other worker, so the number of rounds falls as
// the number of workers grows: the visits take the time.
//
// A worker that was at work for long lingers in addition, in all for some 40 µs: about
// the time from a wake until the woken worker is at work. So most loops that follow
// another one find its workers awake. In a pool of 32 workers and more the visits take
// as long without that.
//
// Where there are more workers than processors, workers that search take time from those
// that have work: they visit fewer, and yield between two searches, the more workers the
// fewer. Elsewhere they do not yield, for that takes a lock of Go's scheduler.
func DefaultRounds(workers int) Rounds {
	if workers > prim.Processors() {
		return Rounds{Spin: min(64, 128/workers), Yield: min(4, 256/workers), Sleepy: 1}
	}
	rounds := max(1, min(512, visits/max(1, workers)))
	spin := min(64, rounds)
	return Rounds{Linger: rounds - spin, Spin: spin, Sleepy: 1}
}

// visits is how many other workers one looks at before it sleeps.
const visits = 2048

// maxRounds keeps a mistaken count from looking like a hang.
const maxRounds = 1 << 20

// Validate returns an error that names the field and the limit if a count is
// out of range: Linger, Spin and Yield are 0 to 2^20, Sleepy 1 to 2^20, since at least
// one search must follow the announcement.
func (r Rounds) Validate() error {
	for _, f := range []struct {
		name     string
		n, least int
	}{{"Linger", r.Linger, 0}, {"Spin", r.Spin, 0}, {"Yield", r.Yield, 0}, {"Sleepy", r.Sleepy, 1}} {
		if f.n < f.least || f.n > maxRounds {
			return fmt.Errorf("rounds: %s is %d, must be %d to %d", f.name, f.n, f.least, maxRounds)
		}
	}
	return nil
}

// A Phase says what a worker does after a fruitless search.
type Phase uint8

const (
	// Look: pause shortly and search again.
	Look Phase = iota
	// Announce: announce the sleep and search again.
	Announce
	// Block: sleep.
	Block
)

// spinSteps is how long one busy wait is: some tens of nanoseconds, the time
// in which another worker can push a job.
const spinSteps = 64

// Next does the pause that follows a fruitless search, and says what comes after it.
// idle.Round is the number of searches before; the caller counts this one. The first
// search after the lingering finds Round at 0, and idle lingers no more.
func (r Rounds) Next(idle *Idle) Phase {
	if idle.Lingers {
		if idle.Round < r.Linger {
			prim.Spin(spinSteps)
			return Look
		}
		idle.Round, idle.Lingers = 0, false
	}
	switch round, announce := idle.Round, r.Announcement(); {
	case round < r.Spin:
		prim.Spin(spinSteps)
		return Look
	case round < announce:
		prim.Yield()
		return Look
	case round == announce:
		return Announce
	case round < announce+r.Sleepy:
		prim.Yield()
		return Look
	}
	return Block
}

// Announcement is the round in which a worker announces its sleep. A worker
// that has to announce anew returns to it.
func (r Rounds) Announcement() int { return r.Spin + r.Yield }
