package waits

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A phase says what goes on beside a recursion.
type phase = int32

const (
	settles phase = iota // the workers share the recursion, and nothing counts
	alone                // there are no requests
	beside               // a caller sends requests
	over                 // the recursion ends
)

// settleTime is how long the first phase lasts, phaseTime how long each of the next two.
// The second goes on until a leaf has been reached, on a machine that is busy with other
// things, and the third until a request has been answered.
const (
	settleTime = 50 * time.Millisecond
	phaseTime  = 100 * time.Millisecond
)

// A clock says which phase it is.
type clock struct {
	now     atomic.Int32 // the phase
	started atomic.Bool  // whether a leaf has been reached alone
}

// A branch is a part of a recursion: a tree of so many levels.
type branch struct {
	*clock
	levels int
}

const endless = 60

// halves returns one of the two halves of the branch, unless it is a leaf, or to end.
func (b branch) halves() (half branch, ok bool) {
	if b.levels == 0 || b.now.Load() == over {
		return b, false
	}
	return branch{b.clock, b.levels - 1}, true
}

// reached counts leaves by the phase in which they were reached.
type reached struct{ alone, beside uint64 }

func (b branch) leaf() (n reached) {
	switch b.now.Load() {
	case alone:
		n.alone = 1
		if !b.started.Load() { // or all workers would write it
			b.started.Store(true)
		}
	case beside:
		n.beside = 1
	}
	return n
}

func (n reached) plus(m reached) reached { return reached{n.alone + m.alone, n.beside + m.beside} }

// grow counts the leaves of a branch without a fork.
func grow(b branch) reached {
	half, ok := b.halves()
	if !ok {
		return b.leaf()
	}
	return grow(half).plus(grow(half))
}

// growBeside counts the leaves of n such branches, each on a goroutine of its own.
func growBeside(n int, b branch) (sum reached) {
	parts := make([]reached, n)
	var running sync.WaitGroup
	for i := range parts {
		running.Go(func() { parts[i] = grow(b) })
	}
	running.Wait()
	for _, part := range parts {
		sum = sum.plus(part)
	}
	return sum
}

// besideRecursion sends requests that do nothing beside a recursion on all workers, at fixed
// times: one that is late is sent at once. The recursion ends after so many milliseconds if
// none has been answered. It returns how many were answered and did not run.
func besideRecursion(every time.Duration) program {
	return func(s system, most uint64) outcome {
		var c clock
		now := &c.now
		grown := make(chan reached, 1)
		go func() { grown <- s.recurse(branch{&c, endless}) }()
		time.Sleep(settleTime)
		now.Store(alone)
		start := time.Now()
		for time.Sleep(phaseTime); !c.started.Load(); time.Sleep(phaseTime) {
		}
		tookAlone := time.Since(start)
		now.Store(beside)
		start = time.Now()
		last := time.AfterFunc(time.Duration(most)*time.Millisecond, func() { now.Store(over) })
		defer last.Stop()
		var ran int
		var took time.Duration
		var requests []time.Duration
		for due := start; len(requests) == 0 || took < phaseTime && now.Load() != over; due = due.Add(every) {
			time.Sleep(time.Until(due))
			sent := time.Now()
			s.request(func() { ran++ })
			requests = append(requests, time.Since(sent))
			took = time.Since(start)
		}
		now.Store(over)
		n := <-grown
		return outcome{uint64(len(requests) - ran), took, &recursion{
			requests: requests, alone: rate(n.alone, tookAlone), beside: rate(n.beside, took),
		}}
	}
}

// rate is how many there are a second.
func rate(n uint64, in time.Duration) uint64 { return uint64(float64(n) / in.Seconds()) }

// A recursion is what came of one with requests beside it.
type recursion struct {
	alone, beside uint64 // leaves a second
	requests      []time.Duration
}

// String returns it as it stands in an answer.
func (r *recursion) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, " %d %d", r.alone, r.beside)
	for _, t := range r.requests {
		fmt.Fprintf(&b, " %d", t.Nanoseconds())
	}
	return b.String()
}

// parseRecursion reads the words of an answer that String has written.
func parseRecursion(words []string) (*recursion, error) {
	numbers := make([]uint64, len(words))
	for i, word := range words {
		n, err := strconv.ParseUint(word, 10, 63)
		if err != nil {
			return nil, err
		}
		numbers[i] = n
	}
	if len(numbers) < 3 || numbers[0] == 0 {
		return nil, fmt.Errorf("%d numbers, must be the leaves a second, alone and beside, and the time of each request", len(numbers))
	}
	r := &recursion{alone: numbers[0], beside: numbers[1]}
	for _, n := range numbers[2:] {
		r.requests = append(r.requests, time.Duration(n))
	}
	return r, nil
}
