// Package pulse tells whether a test hangs, without asking a clock.
package pulse

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Beat is how long a pulse sleeps between two checks.
const Beat = 20 * time.Millisecond

// StillBeats is a number of beats in which anything that can make progress gets a
// processor, even if dozens of other programs want it, too. A process that makes
// progress uses more than stillTime in that time. The beats themselves and the
// runtime in the background use a fifth of that.
const (
	StillBeats = 100
	stillTime  = 60 * time.Millisecond
)

// A beat counts leastUsed at least, so that a test that polls, and sleeps in between,
// comes to an end as well.
const leastUsed = Beat / 20

// A Pulse tells whether a test hangs.
//
// A clock cannot tell. On a busy machine, a correct test may get no processor for
// seconds, and takes as long as other programs let it. So a pulse asks two questions
// that other programs do not influence:
//
//   - Does the process make progress? A pulse sleeps for a beat at a time. Each return
//     from that sleep shows that the process gets processors. If it uses almost no
//     processor time in 100 beats, nothing in it can continue.
//   - Does the test end? A test that spins uses processor time forever. It may use Limit.
//
// Where the system does not report processor time, a pulse only counts beats, and
// treats each as a beat of processor time.
type Pulse struct {
	Limit time.Duration // of processor time

	beats int           // since the last beat but which it was not still
	quiet time.Duration // processor time used in those

	all  int           // beats
	used time.Duration // processor time, or what stands for it

	// cpuTime is [CPUTime], but in tests.
	cpuTime func() (used time.Duration, known bool)
	cpu     time.Duration // at the last beat
	known   bool
	// asked is processor time that does not count: the waiter uses it to see whether
	// the wait is over.
	asked atomic.Int64
}

// pulses counts the pulses that are under way. Their tests share the processor time of
// the process.
var pulses atomic.Int32

// Start begins to count. Call stop at the end.
func (p *Pulse) Start() (stop func()) {
	pulses.Add(1)
	if p.cpuTime == nil {
		p.cpuTime = CPUTime
	}
	p.Again()
	return func() { pulses.Add(-1) }
}

// Again counts from here on: what has used processor time since the last beat has its own pulse.
// In a synctest bubble the time is not the process's: it begins in 2000, and passes only while all
// is blocked.
func (p *Pulse) Again() {
	p.beats, p.quiet, p.all, p.used = 0, 0, 0, 0
	p.cpu, p.known = p.cpuTime()
	p.known = p.known && time.Now().Year() > 2010
}

// Call Beat after each beat. It returns the reason if the test counts as hung, else "".
// With a hurry of n it decides n times as soon.
func (p *Pulse) Beat(hurry int) (hung string) {
	cpu, _ := p.cpuTime()
	before := p.cpu + time.Duration(p.asked.Swap(0))
	used := max(0, cpu-before)
	p.cpu = max(before, cpu) // a question may end, and so be counted, a beat late
	p.all++
	if p.known {
		p.beats++
		if p.quiet += used; p.quiet > stillTime {
			p.beats, p.quiet = 0, 0
		}
		p.used += max(used/time.Duration(pulses.Load()), leastUsed)
	} else {
		p.used += Beat
	}
	limit := p.Limit / time.Duration(hurry)
	switch {
	case p.beats >= StillBeats/min(hurry, 4):
		return fmt.Sprintf("no progress: in %d beats of %v the process used %v of processor time", p.beats, Beat, p.quiet)
	case p.used < limit:
		return ""
	case p.known:
		return fmt.Sprintf("in %d beats of %v it used %v of processor time, and may use %v", p.all, Beat, p.used, limit)
	}
	return fmt.Sprintf("in %d beats of %v", p.all, Beat)
}

// Await is Start, Wait and stop.
func (p *Pulse) Await(done <-chan struct{}) (hung string) {
	defer p.Start()()
	return p.Wait(done, func() int { return 1 })
}

// Wait returns "" when done is closed, or why the test that should close it counts as
// hung. It asks hurry before each [Pulse.Beat].
func (p *Pulse) Wait(done <-chan struct{}, hurry func() int) (hung string) {
	tick := time.NewTimer(Beat)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return ""
		case <-tick.C:
		}
		if why := p.Beat(hurry()); why != "" {
			return why
		}
		tick.Reset(Beat)
	}
}

// Ask calls cond without counting the processor time that cond uses.
func (p *Pulse) Ask(cond func() bool) bool {
	before, _ := p.cpuTime()
	defer func() {
		after, _ := p.cpuTime()
		p.asked.Add(int64(after - before))
	}()
	return cond()
}
