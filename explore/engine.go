//go:build explore

package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

const available = true

// An engine explores one scenario. Its state is used by the thread whose turn
// it is, and by the explorer between executions; the channels through which
// the turn is passed on order that. The race detector must not know of that
// order, so all code that runs on threads is hidden from it (go:norace), and
// uses no maps, copy or fmt, which would show themselves to it.
type engine struct {
	config   config
	scenario func(*Exec)

	// The fields from here on are of the whole exploration.

	path       []node
	tries      bool   // some thread has called TryLock
	restart    bool   // because of that
	wanted     extras // what else is to be a step, in later executions
	pooled     []*thread
	goroutines int
	leaked     int
	report     Report
	rng        uint64
	watch      *watchdog
	progress   progress
	strangers  strangers
	silence    silence
	recording  bool    // what the reduction needs
	oracle     *oracle // or nil
	inTurns    bool    // threads share state of twins, or of the test
	base       int     // how many nodes of the path are another process's
	wants      []want  // for that
	held       holdups
	quiet      quiet
	globals    *globals
	stale      bool    // they are not as new
	drawn      places  // where a random number is one of which others were not tried
	long       tooLong // executions
	begun      time.Time
	free       bool   // time moves at any moment, even for -all
	timed      bool   // some execution has to do with time
	shorter    bool   // loops are taken for such sooner: see soon
	spares     bool   // a quarter of the limits is left for another search
	picked     bool   // something else than a thread was chosen
	kept       []kept // executions to be compared with others

	// The fields from here on are of one execution.

	threads  []*thread
	current  *thread
	live     int
	daemons  int // how many live threads need not end
	unjoined int // how many live threads Exec.Wait waits for
	// sole says that there is but one thread and that all others, if there
	// were any, came before what it does now.
	sole        bool
	ordered     bool    // that is so even if threads are ordered by their own operations alone
	settler     *thread // in Exec.Settle
	ender       *thread // waits for the end of all that are no daemons, or nil
	cells       cells
	named       int // cells
	steps       int
	hash        uint64
	depth       int
	limit       int // of preemptions
	few         int // schedules until which there is a search, or 0
	fewSteps    int // steps until which there is, if few is not 0
	preemptions int
	curtailed   bool // the limit made a difference
	spurious    int  // returns still to be had
	dpor        dpor
	budget      cell // for returns for no reason
	coasting    bool // nothing new can come of it
	aborting    bool
	extra       extras // what else is a step
	rewritten   bool   // all is that the thread runs which is started next
	late        *visit // where the thread that is started next comes after others, or nil
	wider       bool   // there are more threads than the clocks have room for
	failure     *Failure
	able        uint64   // threads that could have gone on when it was too long
	schedule    schedule // as it was
	follow      follower // as it is to be
	changes     []int    // the steps at which PCT changes priorities
	longest     int      // execution so far, in steps
	traced      bool
	checked     bool // whether the goroutine is the thread's
	events      []event
	inner       *inner   // what stands for the test, or nil
	onEnd       []func() // of twins
	closing     bool     // these are called
	still       bool     // time moves when all wait
	polled      int      // see timeMoves
	turns       uint64   // patient steps
	races       [2]access
	raceOn      *cell
	racing      [2]event // the accesses, in the trace
	declared    []declared
	accesses    int     // plain ones, in the trace
	muted       bool    // Note is about what is not in the trace
	failedBy    *thread // and with what, and where, if traced
	failedWith  string
	failedAt    []uintptr
	edge        byte // an address for the end of the execution
	joined      byte // and one for what Exec.Wait waits for
	baton       byte // and one for the turn, if threads share state
	done        chan struct{}
}

// exploring keeps explorations from meeting, poisoned from following one that
// could not be ended.
var (
	exploring sync.Mutex
	poisoned  bool
	// serving has the engine of each goroutine that is a thread's, by its id.
	serving sync.Map
)

// run is Explore.
func run(c config, scenario func(*Exec)) Report { return explored(c, nil, scenario) }

// explored is run, and tells the oracle what it finds, if that is not nil.
func explored(c config, o *oracle, scenario func(*Exec)) Report {
	hide()
	outer, nested := serving.Load(self())
	unhide()
	if nested {
		e := outer.(*engine)
		if e.config.all { // the test explores itself
			twins{e}.Fail("explore.Test" + drive.NotControlled)
		}
		e.errorf("an exploration starts inside an execution of another one, but explorations take turns")
		e.abort()
	}
	if c.call.others() {
		return Report{part: absent}
	}
	exploring.Lock()
	defer exploring.Unlock()
	if poisoned {
		return Report{Failure: &Failure{Kind: Stuck, Message: "an earlier exploration was stuck, and its threads may still run"}}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	e := &engine{config: c, scenario: scenario, done: make(chan struct{}, 1), rng: c.seed, oracle: o, inTurns: c.test != nil}
	e.watch = newWatchdog(c.hung)
	defer e.watch.stop()
	if c.test != nil {
		e.progress = newProgress(c.test.Name())
		defer e.progress.end()
		defer e.quiet.close()
		e.quiet.loud = c.strategy == replay || testing.Verbose() && !c.call.ours()
	}
	e.strangers.init()
	prim.Drive(e)
	defer prim.Drive(nil)
	drive.Install(twins{e})
	defer drive.Install(nil)
	start := time.Now()
	e.begun = start
	if c.call.ours() {
		e.takePart()
		e.retire()
		return Report{part: took}
	}
	e.explore(start)
	if e.report.Failure == nil && e.long.n > 0 && !c.all {
		e.report.Failure = e.lengthy()
	}
	if e.report.Drawn = e.drawn.where(origin); e.report.Drawn != nil {
		e.report.Exhausted = false
	}
	if e.report.Failure == nil && c.strategy != replay && o == nil {
		e.report.Failure = e.silence.check(c.unseen, e.report.Schedules)
		if e.report.all.unseen = e.report.Failure != nil; c.all {
			e.report.Failure = nil
		}
	}
	if e.report.Failure == nil && c.strategy != replay && c.test != nil && (e.report.Exhausted || !c.all) {
		e.report.Failure = e.unsteady()
		e.report.Exhausted = e.report.Exhausted && e.report.Failure == nil
	}
	if f := e.report.Failure; f != nil && (f.Kind == Deadlock || f.Kind == Nondeterministic) {
		f.Message += outside()
	}
	e.retire()
	if e.globals != nil && !poisoned {
		e.globals.restore()
	}
	e.report.Elapsed = time.Since(start)
	return e.report
}

// execute runs the scenario once. It returns false if that did not end.
func (e *engine) execute() bool {
	if e.globals == nil {
		e.globals = newGlobals()
	} else if t := e.globals.restore(); t != "" {
		e.stale = true
		e.failure = &Failure{Kind: Nondeterministic, Message: "an execution has closed a channel of a package variable, a " + t +
			", which cannot be opened again: make it in the function that you pass to explore.Test"}
		return true
	}
	e.threads = e.threads[:0]
	e.cells.reset()
	e.live, e.daemons, e.unjoined, e.named, e.steps, e.depth = 0, 0, 0, 0, 0, 0
	e.sole, e.ordered, e.settler, e.ender = true, true, nil, nil
	e.hash, e.preemptions, e.spurious = 0, 0, e.config.spurious
	e.still, e.polled, e.turns = e.config.all && !e.free, 0, 0
	e.recording = e.config.strategy == unbounded && (e.config.reduce || e.oracle != nil)
	e.budget = cell{steps: e.budget.steps[:0], waited: true}
	e.resetDPOR()
	e.coasting, e.aborting, e.wider, e.rewritten, e.late, e.failure = false, false, false, false, nil, nil
	e.schedule = e.schedule[:0]
	if e.config.strategy != replay {
		e.extra = e.wanted
	}
	if e.extra.Ends {
		e.schedule = append(e.schedule, token{kind: ends})
	}
	if e.extra.Receives {
		e.schedule = append(e.schedule, token{kind: receives})
	}
	e.events, e.declared = nil, nil
	e.accesses, e.muted, e.racing = 0, false, [2]event{}
	e.failedBy, e.failedWith, e.failedAt = nil, "", nil
	x := &Exec{threads: e}
	name, body := "scenario", func() { e.scenario(x) }
	if e.config.test != nil {
		in := &inner{T: new(testing.T), e: e, outer: e.config.test, at: e.config.parts}
		e.inner, name, body = in, "test", func() { in.run(e.config.body) }
		e.quiet.begin()
		defer e.quiet.end()
	}
	t := e.newThread(nil, name, body, nil)
	e.watch.begin()
	e.pass(t)
	if stuck := e.watch.wait(e.done, e.loops); stuck != "" {
		poisoned = true
		var ids []string
		serving.Range(func(id, _ any) bool {
			ids = append(ids, id.(string))
			return true
		})
		drive.Abandon(ids)
		e.failure = &Failure{Kind: Stuck, Message: stuck}
		return false
	}
	acquire(unsafe.Pointer(&e.edge))
	e.report.Schedules++
	e.report.Steps += e.steps
	if e.account(); e.oracle != nil && e.recording && !e.wider {
		e.consult()
	}
	if e.recording && e.config.reduce && !e.coasting && !e.wider && e.failure == nil {
		e.unended()
	}
	e.silence.note(e.threads)
	if e.inner != nil {
		e.inner.finish()
	}
	e.closing = true
	for _, f := range e.onEnd {
		f()
	}
	e.onEnd, e.closing = e.onEnd[:0], false
	if e.wider {
		if e.dpor.width = maxThreads; len(e.threads) >= maxThreads {
			e.dpor.width = min(2*len(e.threads), manyThreads)
		}
		if e.config.strategy == replay {
			e.follow, e.extra = follow(e.follow.tokens)
		}
		e.report.Schedules--
		return e.execute()
	}
	if e.config.all && e.failure == nil && !e.coasting {
		e.report.all.left = max(e.report.all.left, e.leftBehind())
	}
	if e.failure == nil || e.failure.Kind == Deadlock {
		if f := e.strangers.check(e); f != nil {
			e.failure = f // which threads may have waited for
		}
	}
	e.explain()
	if e.inner != nil {
		e.failure = e.inner.end(e.failure)
	}
	return true
}

// retire ends the goroutines.
func (e *engine) retire() {
	if poisoned {
		return
	}
	for _, t := range e.pooled {
		if t.alive {
			t.f = nil
			e.pass(t)
		}
	}
	for i := 0; i < 1000 && runtime.NumGoroutine() > e.strangers.before+e.leaked; i++ {
		runtime.Gosched()
	}
}

// fail records the first failure and begins to abort the execution.
//
//go:norace
func (e *engine) fail(kind Kind, message string) {
	if e.failure == nil {
		e.failure = &Failure{Kind: kind, Message: message}
		if kind == Panicked {
			e.failedBy, e.failedWith = e.current, message
		}
		if kind == Panicked && e.traced {
			e.failedAt = callers()
		}
	}
	e.aborting = true
}

//go:norace
func (e *engine) panicked(value any) { e.fail(Panicked, text(value)) }

// text is for panic values. It hides what fmt shares between goroutines.
//
//go:norace
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case error:
		return v.Error()
	}
	hide()
	defer unhide()
	return fmt.Sprint(value)
}

// The methods of threads.

func (e *engine) spawn(name string, f func()) { e.start(name, f, true, false) }

//go:norace
func (e *engine) join() {
	t := e.enter()
	e.point(t, prim.OpJoin, nil)
	if e.live == 1 {
		e.account()
		e.sole, e.ordered = true, !e.recording || e.after(t)
	}
	acquire(unsafe.Pointer(&e.joined))
	for _, u := range e.threads {
		if u.joined && u.ended {
			join(t.hb, u.hb)
		}
	}
}

//go:norace
func (e *engine) choose(n int) int {
	t := e.enter()
	if n < 1 || n > maxThreads {
		e.fail(BadOption, "Choose(n): n must be 1 to 64")
		t.unwind()
	}
	k := e.pick(n)
	if k < 0 {
		t.unwind()
	}
	t.chose(uint64(k))
	return k
}

func (e *engine) errorf(format string, args ...any) {
	e.enter()
	message := fmt.Sprintf(format, args...)
	e.noteError(message)
}

//go:norace
func (e *engine) noteError(message string) {
	if e.failure == nil {
		e.failure = &Failure{Kind: Asserted, Message: message}
	} else {
		e.failure.Message += "\n" + message
	}
	if e.traced {
		t := e.current
		e.shows(t, opFails, callers())
		e.events[len(e.events)-1].marked = true
		at := place(t.at) // which the trace shows beside it
		e.Note("", drive.Text(strings.TrimPrefix(message, fmt.Sprintf("%s:%d: ", filepath.Base(at.file), at.line))))
	}
}

//go:norace
func (e *engine) abort() {
	t := e.enter()
	e.aborting = true
	t.unwind()
}
