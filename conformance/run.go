package conformance

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/rouse-go/rouse/conformance/internal/pulse"
	"github.com/rouse-go/rouse/pool"
)

// A run is one subtest under way. Its body runs on a goroutine of its own, so
// that the subtest ends, with a report, even if the body never does.
type run struct {
	t      *testing.T
	cfg    config
	rng    *rand.Rand // for the body's goroutine
	bubble bool

	claim atomic.Pointer[claim]
	spent atomic.Bool // the time for stress is over
	pulse pulse.Pulse

	mu     sync.Mutex
	failed bool
	abort  chan struct{}             // closed by the first failure
	pools  []weak.Pointer[pool.Pool] // open, for the report of a hang
}

// A claim is what a hang would disprove.
type claim struct{ rule, doing string }

// subtest runs body as a subtest. Until the body claims otherwise, a hang
// breaks the given rule.
func subtest(t *testing.T, cfg config, name, rule string, body func(r *run)) bool {
	return t.Run(name, func(t *testing.T) {
		newRun(t, cfg, rule, name).watch(func(r *run) { body(r) })
	})
}

// bubbled is subtest for bodies that wait for backends to sleep or to wake. If
// the configuration allows it they run in a synctest bubble.
func bubbled(t *testing.T, cfg config, name, rule string, body func(r *run)) bool {
	if !cfg.synctest {
		return subtest(t, cfg, name, rule, body)
	}
	return t.Run(name, func(t *testing.T) {
		r := newRun(t, cfg, rule, name)
		r.bubble = true
		r.watch(func(r *run) {
			defer func() {
				// A failed body leaves blocked goroutines, about which synctest
				// panics. That is news only if the body did not fail.
				if p := recover(); p != nil && !r.hasFailed() {
					panic(p)
				}
			}()
			synctest.Test(r.t, func(*testing.T) {
				r.abort = make(chan struct{}) // of the bubble, to count as durable
				done := make(chan struct{})
				go func() {
					defer close(done)
					defer r.recovered()
					body(r)
				}()
				<-done
			})
		})
	})
}

func newRun(t *testing.T, cfg config, rule, doing string) *run {
	// For a program that reads the output of go test -json.
	t.Attr("rule", rule)
	if testing.Short() {
		t.Attr("short", "true")
	}
	r := &run{t: t, cfg: cfg, abort: make(chan struct{})}
	// The runs differ from day to day, on purpose; the schedules do anyway.
	r.rng = newRNG()
	r.claim.Store(&claim{rule, doing})
	return r
}

// watch runs body on a goroutine of its own and reports a hang.
func (r *run) watch(body func(r *run)) {
	r.t.Helper()
	stress := time.AfterFunc(r.cfg.stress, func() { r.spent.Store(true) })
	defer stress.Stop()
	r.pulse.Limit = r.cfg.timeout + time.Duration(runtime.NumCPU())*r.cfg.stress
	defer r.pulse.Start()()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.recovered()
		// If a goroutine of a pool panics, the process dies before the test is
		// named. With GODEBUG=tracebacklabels=1 and GOTRACEBACK=all this says it.
		pprof.SetGoroutineLabels(pprof.WithLabels(background, pprof.Labels("test", r.t.Name())))
		body(r)
	}()
	if why := r.pulse.Wait(done, r.cfg.hurry); why != "" {
		r.hangs(why, done)
	}
}

// hangs reports that the body does not end, and lets what of it waits for the suite
// give up, so that it can clear up.
func (r *run) hangs(why string, done <-chan struct{}) {
	r.t.Helper()
	r.cfg.hangs.Add(1)
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

// recovered turns a panic of the body into a failure.
func (r *run) recovered() {
	if p := recover(); p != nil {
		c := r.claim.Load()
		r.report(c.rule, "panic: %v, while: %s\n\n%s", p, c.doing, debug.Stack())
	}
}

// stacks returns the stacks of all goroutines.
func stacks() []byte {
	buf := make([]byte, 1<<20)
	return buf[:runtime.Stack(buf, true)]
}

// report records that a rule is broken, and makes the body's waits give up.
// Any goroutine of the body's may call it.
func (r *run) report(rule, format string, args ...any) {
	r.t.Helper()
	if r.record(rule, format, args...) {
		close(r.abort)
	}
}

// record is report without the ending of waits. Only the first record of a
// subtest counts: the rest follows from it, as a rule.
func (r *run) record(rule, format string, args ...any) (first bool) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed {
		return false
	}
	r.failed = true
	// Stacks come last: the rest should be seen first.
	seen, stacks, _ := strings.Cut(fmt.Sprintf(format, args...), "\n\n")
	r.t.Errorf("%s: %s\nRule %s: %s.\n\n%s", rule, seen, rule, rules[rule], stacks)
	return true
}

func (r *run) hasFailed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// fail is report, and ends the body. For the body's goroutine.
func (r *run) fail(rule, format string, args ...any) {
	r.t.Helper()
	r.report(rule, format, args...)
	runtime.Goexit()
}

// check fails unless ok.
func (r *run) check(ok bool, rule, format string, args ...any) {
	r.t.Helper()
	if !ok {
		r.fail(rule, format, args...)
	}
}

// during says what the body does from here on, and which rule is broken if
// that does not end.
func (r *run) during(rule, format string, args ...any) {
	r.claim.Store(&claim{rule, fmt.Sprintf(format, args...)})
}

// more reports whether to go on trying: for at least the given number of
// rounds, and until the time for stress is over.
func (r *run) more(round, least int) bool {
	if r.aborted() {
		return false
	}
	if testing.Short() {
		least = (least + 3) / 4
	}
	if runtime.GOARCH == "wasm" {
		// Nothing preempts the one who tries, not even to tell the time.
		runtime.Gosched()
	}
	return round < least || !r.spent.Load()
}

// rounds calls f as often as the time for stress allows: n times for the default
// of 100 milliseconds.
func (r *run) rounds(n int, f func(round int)) {
	n = max(2, int(time.Duration(n)*r.cfg.stress/(100*time.Millisecond)))
	for round := 0; round < n && !r.aborted(); round++ {
		f(round)
	}
}

func (r *run) aborted() bool {
	select {
	case <-r.abort:
		return true
	default:
		return false
	}
}

// wait waits until ch is closed or has a value. If that does not happen, what
// is claimed by [run.during] is disproved.
func (r *run) wait(ch <-chan struct{}) {
	r.t.Helper()
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

// bubbleTime is how long a wait may take by a bubble's clock. That goes on as soon as
// nothing else can.
const bubbleTime = 20 * time.Second

// bubbleEnds returns a channel that gets a value when nothing in the bubble goes on. It
// is nil outside of bubbles, where [run.watch] sees to that.
func (r *run) bubbleEnds() <-chan time.Time {
	if !r.bubble {
		return nil
	}
	return time.After(bubbleTime)
}

// hung fails because what is claimed does not end in the bubble.
func (r *run) hung() {
	r.t.Helper()
	r.cfg.hangs.Add(1)
	c := r.claim.Load()
	r.fail(c.rule, "no end of: %s (all that is in the bubble is blocked)\n\n%s", c.doing, r.scene())
}

// until waits for a state, which cond asks for.
func (r *run) until(cond func() bool) {
	r.t.Helper()
	ends := r.bubbleEnds()
	nap := 10 * time.Microsecond
	for range 100 {
		if cond() {
			return
		}
		runtime.Gosched()
	}
	for !r.pulse.Ask(cond) {
		if r.aborted() {
			runtime.Goexit()
		}
		// Between two questions, so that those asked about get the processor. To
		// sleep and to wake takes processor time, which is not to look as if
		// something went on.
		time.Sleep(nap)
		nap = min(2*nap, pulse.Beat/2)
		select {
		case <-ends:
			r.hung()
		default:
		}
	}
}

// procs sets GOMAXPROCS until the body ends.
func (r *run) procs(n int) (restore func()) {
	old := runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(old) }
}

// twoProcs is procs for what needs two goroutines to run at once.
func (r *run) twoProcs() (restore func()) { return r.procs(max(2, runtime.GOMAXPROCS(0))) }

// together runs each function on a goroutine of its own, starts them as close
// together as can be, and waits for all.
func (r *run) together(fns ...func()) {
	r.t.Helper()
	var ready atomic.Int32
	done := make(chan struct{})
	var wg sync.WaitGroup
	for _, fn := range fns {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer r.recovered()
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
	r.wait(done)
}

// tb lets a library that wants a testing.TB report to the run.
type tb struct {
	*testing.T
	r *run
}

func (b tb) FailNow() {
	b.T.Fail()
	b.r.mu.Lock()
	b.r.failed = true
	b.r.mu.Unlock()
	runtime.Goexit()
}
func (b tb) Fatal(args ...any)         { b.T.Error(args...); b.FailNow() }
func (b tb) Fatalf(f string, a ...any) { b.T.Errorf(f, a...); b.FailNow() }

// panics calls f and reports whether it panicked.
func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// newRNG returns random numbers for one goroutine, others each time.
func newRNG() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

// pause lets some time pass, from none to a few microseconds, in one of the
// ways in which a goroutine can be late.
func pause(rng *rand.Rand) {
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

// yield is for loops that spin: mostly it does nothing, so that goroutines meet
// closely, but one that is waiting for a processor gets it soon.
func (r *run) yield() {
	switch n := rand.IntN(4096); {
	case n == 0 && !r.bubble:
		// Other programs may have left this one a single processor of the
		// machine. Then nobody else runs while this thread spins.
		time.Sleep(time.Microsecond)
	case n%64 == 0 || runtime.GOMAXPROCS(0) == 1:
		runtime.Gosched()
	}
}
