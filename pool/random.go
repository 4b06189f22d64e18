package pool

import (
	"math/rand/v2"

	"github.com/rouse-go/rouse/api/prim"
)

// WithRandomSchedule is for tests of what uses the pool. It makes every fork visible to
// all workers; has about every second one, and job of a scope or group, wait a while for
// a worker to take it, if one is without work; and has thieves choose at random. What is
// random depends on the seed, and on the schedule.
//
// A fork usually runs where it is joined, so that the race detector takes what it does
// for a part of the caller, and a race between the two stays hidden. With this option,
// and some more workers than processors, the detector sees most such races in a few
// runs. A fork costs some microseconds.
func WithRandomSchedule(seed uint64) Option {
	return func(c *config) { c.random, c.seed = true, seed }
}

// randomness is what the workers of a pool with a random schedule throw dice by.
type randomness struct {
	seed uint64
	// dealt counts the workers that have dice.
	dealt prim.Uint64
}

// deal gives a new worker its dice.
func (r *randomness) deal() *rand.Rand {
	return rand.New(rand.NewPCG(r.seed, r.dealt.Add(1)))
}

// hesitate throws the worker's dice, and perhaps waits for another worker to begin a job
// that this one has just made public.
func (w *Worker) hesitate(j *Job) {
	if w.dice == nil || w.dice.IntN(2) == 0 {
		return
	}
	for range maxHesitation {
		prim.Yield() // also to goroutines of the pool that have not begun
		if inactive, _ := w.pool.sleep.Counts(); inactive == 0 || j.isClaimed() {
			return
		}
	}
}

// maxHesitation is about as long as waking a worker takes.
const maxHesitation = 1000
