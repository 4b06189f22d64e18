package api

import (
	"fmt"

	"github.com/rouse-go/rouse/api/prim"
)

// Rounds says how many fruitless searches a worker does before it sleeps: first
// Spin searches, each followed by a short busy wait; then Yield searches, each
// followed by [prim.Yield]. Then it announces that it will sleep, does Sleepy more
// searches, each except the last followed by a yield, and sleeps.
//
// A worker that was busy for long ([Idle].Lingers) does Linger searches first,
// each followed by a busy wait.
//
// A backend with options keeps a rule:
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

// The rounds of other pools.
var (
	// RoundsThreadPool are those of "Blitz: Thread Pool", of its older
	// "Sleep/Wake Protocol", and of Rayon: 32 yields, the announcement, one
	// more yield.
	RoundsThreadPool = Rounds{Yield: 32, Sleepy: 2}
	// RoundsFutex are those of "Blitz: Lock-Free Futex Wake": 64 busy waits, then
	// yields up to round 256.
	RoundsFutex = Rounds{Spin: 64, Yield: 192, Sleepy: 1}
)

// DefaultRounds returns the rounds that the backends use by default for a number of
// workers.
//
// A worker that finds nothing searches for less time than a wake takes. So when one
// short job follows another, the second need not wake a worker. A search visits every
// other worker, so the more workers there are, the fewer rounds they do.
//
// A worker that was busy for long lingers: it searches for about as long as waking a
// worker takes. So a loop that follows another one finds most workers awake. In a large
// pool the visits take that long anyway.
//
// If there are more workers than processors, a search takes time from workers that have
// work. So they search less, and yield between two searches. Otherwise they do not yield,
// because a yield takes a lock of Go's scheduler.
func DefaultRounds(workers int) Rounds {
	if workers > prim.Processors() {
		return Rounds{Spin: min(64, 128/workers), Yield: min(4, 256/workers), Sleepy: 1}
	}
	rounds := max(1, min(512, visits/max(1, workers)))
	spin := min(64, rounds)
	return Rounds{Linger: rounds - spin, Spin: spin, Sleepy: 1}
}

// visits is how many other workers a worker visits before it sleeps, lingering included:
// that takes some 40 µs.
const visits = 2048

// maxRounds keeps a mistaken count from looking like a hang.
const maxRounds = 1 << 20

// Validate returns an error that names the field and the limit if a count is out of
// range. Linger, Spin and Yield may be 0 to 2^20. Sleepy may be 1 to 2^20, because at
// least one search must follow the announcement.
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
	// Look: search again.
	Look Phase = iota
	// Announce: announce the sleep and search again.
	Announce
	// Block: sleep.
	Block
)

// spinSteps is how long one busy wait is: some tens of nanoseconds, the time
// in which another worker can push a job.
const spinSteps = 64

// Next pauses after a fruitless search, and returns what the worker does next. The caller
// counts the search in idle.Round after the call. When the worker has lingered, Next
// clears idle.Lingers and begins again with Round 0.
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

// Announcement returns the round in which a worker announces its sleep. A worker
// that must announce again goes back to that round.
func (r Rounds) Announcement() int { return r.Spin + r.Yield }
