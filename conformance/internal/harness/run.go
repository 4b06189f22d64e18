// Package harness runs the subtests of the suite. It reports broken rules, and subtests
// that hang.
//
// It is a package of its own so that it can be tested from inside: the suite takes long to
// compile, and tests inside that package would have it compiled twice.
package harness

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"go.uber.org/atomic"

	"github.com/rouse-go/rouse/api/pulse"
	"github.com/rouse-go/rouse/pool"
)

// A Run is one subtest under way. Its body runs on a goroutine of its own, so
// that the subtest ends, with a report, even if the body never does.
type Run struct {
	T      *testing.T
	Config Config
	RNG    *rand.Rand // for the body's goroutine
	bubble bool

	claim atomic.Pointer[claim]
	spent atomic.Bool // the time for stress is over
	pulse pulse.Pulse

	// failure is the first that any goroutine reports. The rest mostly follows from it.
	failure atomic.Error
	abort   chan struct{} // closed by the first failure

	mu    sync.Mutex
	pools []weak.Pointer[pool.Pool] // open, for the report of a hang
}

// A claim is what a hang would disprove.
type claim struct{ rule, doing string }

// Subtest runs body as a subtest. Until the body claims otherwise, a hang
// breaks the given rule.
func (cfg Config) Subtest(t *testing.T, name, rule string, body func(r *Run)) bool {
	return t.Run(name, func(t *testing.T) {
		newRun(t, cfg, rule, name).watch(func(r *Run) { body(r) })
	})
}

// Bubbled is Subtest for bodies that wait for backends to sleep or to wake. If
// the configuration allows it they run in a synctest bubble.
func (cfg Config) Bubbled(t *testing.T, name, rule string, body func(r *Run)) bool {
	if !cfg.Synctest {
		return cfg.Subtest(t, name, rule, body)
	}
	return t.Run(name, func(t *testing.T) {
		r := newRun(t, cfg, rule, name)
		r.bubble = true
		r.watch(func(r *Run) {
			defer func() {
				// A failed body leaves blocked goroutines, about which synctest
				// panics. That is news only if the body did not fail.
				if p := recover(); p != nil && !r.Failed() {
					panic(p)
				}
			}()
			synctest.Test(r.T, func(*testing.T) {
				r.abort = make(chan struct{}) // of the bubble, to count as durable
				<-r.Go(func() { body(r) })
			})
		})
	})
}

func newRun(t *testing.T, cfg Config, rule, doing string) *Run {
	// For a program that reads the output of go test -json.
	t.Attr("rule", rule)
	if testing.Short() {
		t.Attr("short", "true")
	}
	r := &Run{T: t, Config: cfg, abort: make(chan struct{})}
	// The runs differ from day to day, on purpose; the schedules do anyway.
	r.RNG = NewRNG()
	r.claim.Store(&claim{rule, doing})
	latest.Store(r)
	return r
}

// watch runs body on a goroutine of its own and reports a hang.
func (r *Run) watch(body func(r *Run)) {
	r.T.Helper()
	stress := time.AfterFunc(r.Config.Stress, func() { r.spent.Store(true) })
	defer stress.Stop()
	r.pulse.Limit = r.Config.Timeout + time.Duration(runtime.NumCPU())*r.Config.Stress
	defer r.pulse.Start()()
	done := r.Go(func() { body(r) })
	if why := r.pulse.Wait(done, r.Config.hurry); why != "" {
		r.hangs(why, done)
	}
}

// hangs reports that the body does not end, and lets the body's waits for the suite
// give up, so that it can clear up.
func (r *Run) hangs(why string, done <-chan struct{}) {
	r.T.Helper()
	r.Config.hangs.Add(1)
	c := r.claim.Load()
	first := r.record(c.rule, "no end of: %s (%s)\n\n%s", c.doing, why, r.scene())
	if r.bubble {
		return // the channel is the bubble's
	}
	if first {
		close(r.abort)
	}
	for range pulse.StillBeats / 4 {
		select {
		case <-done:
			return
		case <-time.After(pulse.Beat):
		}
	}
}

// Recovered turns a panic of the body into a failure.
func (r *Run) Recovered() {
	if p := recover(); p != nil {
		c := r.claim.Load()
		r.Report(c.rule, "panic: %v, while: %s\n\n%s", p, c.doing, debug.Stack())
	}
}

// Go calls fn on a goroutine of its own. done is closed when fn has ended.
func (r *Run) Go(fn func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		defer r.Recovered()
		fn()
	}()
	return done
}

// stacks returns the stacks of all goroutines.
func stacks() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}

// Failure returns a channel that the first failure closes: waits of the body other than
// [Run.Wait] end with it.
func (r *Run) Failure() <-chan struct{} { return r.abort }

// Spent reports whether the time for stress is over.
func (r *Run) Spent() bool { return r.spent.Load() }

// Report records that a rule is broken, and makes the body's waits give up.
// Any goroutine of the body's may call it.
func (r *Run) Report(rule, format string, args ...any) {
	r.T.Helper()
	if r.record(rule, format, args...) {
		close(r.abort)
	}
}

// Reporter returns a function that reports a broken rule from any goroutine.
func (r *Run) Reporter(rule string) func(format string, args ...any) {
	return func(format string, args ...any) { r.Report(rule, format, args...) }
}

// record is Report without the ending of waits.
func (r *Run) record(rule, format string, args ...any) (first bool) {
	r.T.Helper()
	// Stacks come last: the rest should be seen first.
	seen, stacks, _ := strings.Cut(fmt.Sprintf(format, args...), "\n\n")
	err := fmt.Errorf("%s: %s\nRule %s: %s\n\n%s", rule, seen, rule, Rules[rule], stacks)
	if !r.failure.CompareAndSwap(nil, err) {
		return false
	}
	r.T.Error(err)
	return true
}

// Failed reports whether a rule is known to be broken.
func (r *Run) Failed() bool { return r.failure.Load() != nil }

// Fail is Report, and ends the body. For the body's goroutine.
func (r *Run) Fail(rule, format string, args ...any) {
	r.T.Helper()
	r.Report(rule, format, args...)
	runtime.Goexit()
}

// Check fails unless ok.
func (r *Run) Check(ok bool, rule, format string, args ...any) {
	r.T.Helper()
	if !ok {
		r.Fail(rule, format, args...)
	}
}

// During says what the body does from here on, and which rule is broken if
// that does not end.
func (r *Run) During(rule, format string, args ...any) {
	r.claim.Store(&claim{rule, fmt.Sprintf(format, args...)})
}

// More reports whether to go on trying: for at least the given number of
// rounds, and until the time for stress is over.
func (r *Run) More(round, least int) bool {
	if r.Aborted() {
		return false
	}
	if testing.Short() {
		least = (least + 3) / 4
	}
	if runtime.GOARCH == "wasm" {
		// Nothing preempts the goroutine that tries, not even to tell the time.
		runtime.Gosched()
	}
	return round < least || !r.spent.Load()
}

// Rounds calls f as often as the time for stress allows: n times for the default
// of 100 milliseconds.
func (r *Run) Rounds(n int, f func(round int)) {
	n = max(2, int(time.Duration(n)*r.Config.Stress/fullStress))
	for round := 0; round < n && !r.Aborted(); round++ {
		f(round)
	}
}

// Brief reports whether matters of luck go on for less than they do with -short: the pool or
// backend under test is one of many. Then large cases are smaller, too.
func (r *Run) Brief() bool { return r.Config.Stress < shortStress }

func (r *Run) Aborted() bool {
	select {
	case <-r.abort:
		return true
	default:
		return false
	}
}

// Wait waits until ch is closed or has a value. If that does not happen, the
// claim of [Run.During] is disproved.
func (r *Run) Wait(ch <-chan struct{}) {
	r.T.Helper()
	select {
	case <-ch:
		return
	default:
	}
	select {
	case <-ch:
	case <-r.abort:
		runtime.Goexit()
	case <-r.bubbleEnds():
		r.hung()
	}
}

// Receive waits for a signal on behalf of a job.
func (r *Run) Receive(ch <-chan struct{}) {
	select {
	case <-ch:
	case <-r.abort:
	}
}

// bubbleTime is how long a wait may take by a bubble's clock. That goes on as soon as
// nothing else can.
const bubbleTime = 20 * time.Second

// bubbleEnds returns a channel that gets a value when nothing in the bubble goes on. It
// is nil outside of bubbles, where [Run.watch] sees to that.
func (r *Run) bubbleEnds() <-chan time.Time {
	if !r.bubble {
		return nil
	}
	return time.After(bubbleTime)
}

// hung fails because the claimed step does not end in the bubble.
func (r *Run) hung() {
	r.T.Helper()
	r.Config.hangs.Add(1)
	c := r.claim.Load()
	r.Fail(c.rule, "no end of: %s (all that is in the bubble is blocked)\n\n%s", c.doing, r.scene())
}

// Until waits for a state, which cond asks for.
func (r *Run) Until(cond func() bool) {
	r.T.Helper()
	ends := r.bubbleEnds()
	nap := 10 * time.Microsecond
	for i := 0; !r.pulse.Ask(cond); i++ {
		if i < 100 {
			runtime.Gosched()
			continue
		}
		if r.Aborted() {
			runtime.Goexit()
		}
		// Sleep between two calls of cond, so that the observed goroutines get
		// the processor. To sleep and to wake takes processor time, which is not
		// to look as if something went on.
		time.Sleep(nap)
		nap = min(2*nap, pulse.Beat/2)
		select {
		case <-ends:
			r.hung()
		default:
		}
	}
}

// Procs sets GOMAXPROCS until the body ends.
func (r *Run) Procs(n int) (restore func()) {
	old := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(old) }
}

// TwoProcs is Procs for a test that needs two goroutines to run at once.
func (r *Run) TwoProcs() (restore func()) { return r.Procs(max(2, runtime.GOMAXPROCS(0))) }

// Together runs each function on a goroutine of its own, starts them as close
// together as can be, and waits for all.
func (r *Run) Together(fns ...func()) {
	r.T.Helper()
	var ready atomic.Int32
	done := make(chan struct{})
	var wg sync.WaitGroup
	for _, fn := range fns {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer r.Recovered()
			ready.Add(1)
			for i := 0; ready.Load() < int32(len(fns)); i++ {
				if i > 100 {
					runtime.Gosched()
				}
			}
			fn()
		}()
	}
	go func() { wg.Wait(); close(done) }()
	r.Wait(done)
}

// Panics calls f and reports whether it panicked.
func Panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// NewRNG returns random numbers for one goroutine, others each time.
func NewRNG() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

// Pause lets some time pass, from none to a few microseconds, in one of the
// ways in which a goroutine can be late.
func Pause(rng *rand.Rand) {
	switch n := rng.IntN(12); {
	case n < 4:
	case n < 9:
		for range rng.IntN(4 << n) {
			// The compiler keeps empty counted loops.
		}
	default:
		for range n - 8 {
			runtime.Gosched()
		}
	}
}

// Yield is for loops that spin: mostly it does nothing, so that goroutines meet
// closely, but one that is waiting for a processor gets it soon.
func (r *Run) Yield() {
	switch n := rand.IntN(4096); {
	case n == 0 && !r.bubble:
		// Other programs may have left this one a single processor of the
		// machine. Then no other goroutine runs while this thread spins.
		time.Sleep(time.Microsecond)
	case n%64 == 0 || runtime.GOMAXPROCS(0) == 1:
		runtime.Gosched()
	}
}
