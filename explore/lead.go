//go:build explore

package explore

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// The process that leads has the top of the tree of schedules: the nodes at which several
// processes try outcomes. It explores nothing itself.
//
// To try an outcome, a member is sent the path to it. A sleep set needs what was tried before,
// not that it has ended: so those are told of that were begun earlier, with what their steps
// did. Until that is known, no other outcome of the node is begun.
//
// A member that finds a race with a step of the path tells which threads could turn it round. If
// none of them is to be tried there, one is added. To the reduction that is the same as if one
// process did it: a node needs one of these threads, whenever it comes to know of it.

// A fork is a node at the top.
type fork struct {
	node    node // done: those that were begun
	via     *branch
	depth   int
	live    int // branches that have not ended
	unknown int // branches of which it is not known what their step does
}

// A branch is an outcome of a fork that was begun.
type branch struct {
	of             *fork
	outcome        int
	done, doneVain uint64 // what was begun before
	known          bool
}

// A process is one that takes part.
type process struct {
	number int
	cmd    *exec.Cmd
	in     chan []byte
	words  *words
	ready  bool
	branch *branch // that it explores, or nil
	asked  bool    // to give away a part
	silent int     // ticks since it said something
	totals totals
	gone   bool
}

// A heard is what a process says, or that it has ended.
type heard struct {
	from *process
	telling
	gone bool
	err  error
}

// A crew is what leads.
type crew struct {
	e         *engine
	processes []*process
	events    chan heard
	forks     []*fork
	static    bool     // what is to be tried at a node is known when it is met
	stopping  bool     // nothing more is begun
	failure   *Failure // the first one in the order of the search, of those that have come
	at        []int    // where that is
	before    totals
}

// tickTime is how often members tell their counts. One that says nothing for some ticks is asked:
// whoever is asked between two executions only may be long in one. To be asked costs it a thread
// that wakes up beside the one that explores, and the system may put the two on one processor.
// A member that says nothing for very many ticks is lost.
const (
	tickTime   = 100 * time.Millisecond
	silentSome = 10
	silentMost = 600
)

// shares reports whether other processes are to take part in the search from here on.
func (e *engine) shares(before int) bool {
	c := &e.config
	return c.processes > 1 && c.call.n > 0 && e.few == 0 && e.report.Schedules-before >= c.alone
}

// together goes on with the search in several processes. It returns false if it was ended early.
func (e *engine) together(start time.Time) (ok bool) {
	c := &crew{e: e, events: make(chan heard), static: e.config.strategy != unbounded || !e.config.reduce}
	c.before = totals{e.report.Schedules, e.report.Steps, e.report.Redundant}
	e.report.Processes = e.config.processes
	e.watch.rests.Store(true)
	c.plant()
	c.start()
	ok = c.lead(start)
	c.finish()
	e.watch.rests.Store(false)
	e.path = e.path[:0]
	if c.failure == nil {
		return ok && !e.restart
	}
	// An invalid schedule is shown by the replay.
	e.schedule, _ = parseSchedule(c.failure.Schedule)
	e.failure = c.failure
	e.goesOn(start)
	return false
}

// plant makes forks of the path that comes next.
func (c *crew) plant() {
	var via *branch
	last := len(c.e.path) - 1
	for i := range c.e.path {
		f := c.grow(c.e.path[i], via)
		if i == last {
			break // the outcome is still to be begun
		}
		via = f.begin(f.node.outcome)
		via.known = f.node.didOf(via.outcome).Known || c.static
		if !via.known {
			f.unknown++
		}
	}
}

func (c *crew) grow(n node, via *branch) *fork {
	f := &fork{node: n, via: via}
	if via != nil {
		f.depth = via.of.depth + 1
	}
	c.forks = append(c.forks, f)
	return f
}

func (f *fork) begin(outcome int) *branch {
	b := &branch{of: f, outcome: outcome, done: f.node.done, doneVain: f.node.doneVain}
	f.live++
	f.node.begun(outcome)
	return b
}

// ended takes note that all below a branch was explored.
func (c *crew) ended(b *branch) {
	for b != nil {
		f := b.of
		c.knows(b)
		if f.live--; f.live > 0 || f.node.next() >= 0 {
			return
		}
		c.forks = slices.DeleteFunc(c.forks, func(g *fork) bool { return g == f })
		b = f.via
	}
}

func (c *crew) knows(b *branch) {
	if !b.known {
		b.known = true
		b.of.unknown--
	}
}

// path returns what a member needs to explore a branch.
func (b *branch) path() []wire {
	var path []wire
	for ; b != nil; b = b.of.via {
		n := b.of.node
		n.outcome, n.done, n.doneVain = b.outcome, b.done, b.doneVain
		path = append(path, n.wired(b.done))
	}
	slices.Reverse(path)
	return path
}

// place says where a branch is in the order of a search in one process, if it is static.
func (b *branch) place() []int {
	var at []int
	for ; b != nil; b = b.of.via {
		at = append(at, bits.OnesCount64(b.done)+bits.OnesCount64(b.doneVain))
	}
	slices.Reverse(at)
	return at
}

// fork returns that of the given depth above the branch.
func (b *branch) fork(depth int) (f *fork, below *branch) {
	for ; b.of.depth > depth; b = b.of.via {
	}
	return b.of, b
}

// left returns a fork with an outcome to begin, or nil if there is none for now.
func (c *crew) left() *fork {
	var best *fork
	for _, f := range c.forks {
		if (best == nil || f.depth < best.depth) && f.unknown == 0 && f.node.next() >= 0 && !c.late(f) {
			best = f
		}
	}
	return best
}

// late reports whether what is left of the fork is not to be begun.
func (c *crew) late(f *fork) bool {
	if c.stopping || c.failure == nil {
		return c.stopping
	}
	at := append(f.via.place(), bits.OnesCount64(f.node.done)+bits.OnesCount64(f.node.doneVain))
	return slices.Compare(at, c.at) > 0
}

// lead has all explored. It returns false if it was ended early.
func (c *crew) lead(start time.Time) bool {
	tick := time.NewTicker(tickTime)
	defer tick.Stop()
	for c.deal() {
		select {
		case v := <-c.events:
			c.hear(v)
		case <-tick.C:
			c.ask(start)
		}
	}
	return !c.stopping && c.failure == nil
}

// deal gives work to those that have none. It returns false if there is none to come.
func (c *crew) deal() bool {
	busy, idle := 0, 0
	for _, p := range c.processes {
		if !p.ready && c.e.config.eager && !c.stopping {
			return true // all are to have some
		}
	}
	for _, p := range c.processes {
		if p.branch == nil && p.ready && !p.gone {
			if f := c.left(); f != nil {
				c.send(p, f)
			} else {
				idle++
			}
		}
		if p.branch != nil {
			busy++
			if p.asked {
				idle--
			}
		}
	}
	if busy == 0 && c.left() == nil {
		return false
	}
	for _, p := range c.processes {
		if idle > 0 && p.branch != nil && !p.asked {
			p.asked = true
			p.send(command{Split: true})
			idle--
		}
	}
	return true
}

// send has a process explore an outcome of a fork.
func (c *crew) send(p *process, f *fork) {
	b := f.begin(f.node.next())
	if b.known = c.static || b.outcome >= maxThreads; !b.known {
		f.unknown++
	}
	p.branch, p.asked = b, false
	p.send(command{Path: b.path()})
}

// hear takes in what a process says.
func (c *crew) hear(v heard) {
	p := v.from
	if v.gone {
		c.lost(p, v.err)
		return
	}
	p.silent = 0
	p.totals = v.Totals
	c.count()
	if v.Hello {
		p.ready = true
		e := c.e
		p.send(command{Phase: &phase{e.config.strategy, e.limit, e.tries, e.dpor.anyJoin, e.wanted, e.oracle != nil, e.config.eager}})
	}
	if p.branch == nil {
		return
	}
	for _, d := range v.Did {
		f, b := p.branch.fork(d.Node)
		if f.node.learn(d); d.Known {
			c.knows(b)
		}
	}
	for _, w := range v.Wants {
		f, _ := p.branch.fork(w.Node)
		if n := &f.node; w.Initials&(n.backtrack|n.asleep) == 0 {
			n.backtrack |= w.Thread
		}
	}
	for i := range v.Gave {
		n := v.Gave[i].node()
		f := c.grow(n, p.branch)
		b := f.begin(n.outcome)
		b.known = c.static || n.outcome >= maxThreads
		for _, d := range v.Gave[i].Did {
			b.known = b.known || d.Outcome == n.outcome && d.Known
		}
		if !b.known {
			f.unknown++
		}
		p.branch, p.asked = b, false
	}
	if v.End != nil {
		c.take(p, v.End)
	}
}

// count adds up what all have run.
func (c *crew) count() {
	sum := c.before
	for _, p := range c.processes {
		sum.Schedules += p.totals.Schedules
		sum.Steps += p.totals.Steps
		sum.Redundant += p.totals.Redundant
	}
	r := &c.e.report
	r.Schedules, r.Steps, r.Redundant = sum.Schedules, sum.Steps, sum.Redundant
}

// take takes in what came of a branch.
func (c *crew) take(p *process, end *end) {
	e, b := c.e, p.branch
	p.branch = nil
	e.curtailed = e.curtailed || end.Curtailed
	e.held.any, e.held.told = e.held.any || end.Held, append(e.held.told, end.Where...)
	e.drawn.told = append(e.drawn.told, end.Drawn...)
	e.silence.add(end.Acted, end.Silent)
	for _, q := range end.Possible {
		e.config.possible.note(q.What, q.OK)
	}
	for order, n := range end.Orders {
		e.oracle.orders[order] += n
	}
	switch at := b.place(); {
	case end.Failure != nil && !c.static:
		c.fail(end.Failure)
	case end.Failure != nil && (c.failure == nil || slices.Compare(at, c.at) < 0):
		c.failure, c.at = end.Failure, at
		for _, q := range c.processes {
			if q.branch != nil && slices.Compare(q.branch.place(), at) > 0 {
				q.send(command{Stop: true})
			}
		}
	case end.Restart:
		e.tries, e.dpor.anyJoin, e.wanted = e.tries || end.Tries, e.dpor.anyJoin || end.AnyJoin, extras{e.wanted.Ends || end.Wanted.Ends, e.wanted.Receives || end.Wanted.Receives}
		e.restart = true
		c.stop()
	}
	c.ended(b)
}

// stop has all end what they do.
func (c *crew) stop() {
	c.stopping = true
	for _, p := range c.processes {
		if p.branch != nil {
			p.send(command{Stop: true})
		}
	}
}

// fail ends the search with a failure, if it has none.
func (c *crew) fail(f *Failure) {
	if c.failure == nil || c.failure.Kind != Lost && f.Kind == Lost {
		c.failure = f
	}
	c.stop()
}

// lost is for a process that has ended while it was needed.
func (c *crew) lost(p *process, err error) {
	p.gone = true
	why := "before it reached the call that it was to explore: the test does not reach it when it runs alone"
	if p.ready {
		why = "during the exploration"
	}
	if err != nil {
		why += ": " + err.Error()
	}
	if p.branch = nil; !c.stopping {
		c.fail(&Failure{Kind: Lost, Message: fmt.Sprintf("process %d of %d ended %s\n%s", p.number, len(c.processes), why, p.words.last())})
	}
}

// ask is called once in a while.
func (c *crew) ask(start time.Time) {
	e := c.e
	e.tell(start)
	if !c.stopping {
		if e.report.Cut = e.cut(start); e.report.Cut != "" {
			c.stop()
		}
	}
	for _, p := range c.processes {
		if !p.ready || p.gone {
			continue
		}
		if p.silent++; p.silent == silentMost {
			c.fail(&Failure{Kind: Lost, Message: fmt.Sprintf("process %d of %d does not answer", p.number, len(c.processes))})
			p.kill()
		}
		if p.silent%silentSome == 0 {
			p.send(command{Ping: true})
		}
	}
}

// start starts the processes.
func (c *crew) start() {
	for i := range c.e.config.processes {
		p, err := launch(i+1, c.e.config.call, c.events)
		if err != nil {
			c.fail(&Failure{Kind: Lost, Message: fmt.Sprintf("process %d cannot be started: %v", i+1, err)})
			return
		}
		c.processes = append(c.processes, p)
	}
}

// finish ends the processes, and waits for that.
func (c *crew) finish() {
	c.stopping = true
	for _, p := range c.processes {
		if !p.gone {
			close(p.in)
			defer time.AfterFunc(farewell, p.kill).Stop()
		}
	}
	for _, p := range c.processes {
		for !p.gone {
			v := <-c.events
			if !v.gone {
				continue
			}
			v.from.gone = true
			if v.err != nil && c.failure == nil {
				// The race detector has found something, or a cleanup of the test failed.
				c.failure = &Failure{Kind: Lost, Message: fmt.Sprintf("process %d of %d has failed: %v\n%s", v.from.number, len(c.processes), v.err, v.from.words.last())}
			}
		}
	}
}

// launch starts a process that takes part in an exploration.
func launch(number int, c call, events chan<- heard) (*process, error) {
	me, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{number: number, in: make(chan []byte, 64), words: &words{}}
	p.cmd = exec.Command(me, arguments(c)...)
	p.cmd.Dir, p.cmd.Stderr = startedIn, p.words
	// The race detector sleeps for a second before a process ends, or else would not see what
	// others do meanwhile: nothing.
	p.cmd.Env = append(os.Environ(), memberVariable+"="+c.String(), ranVariable+"=", progressVariable+"=", "GORACE="+os.Getenv("GORACE")+" atexit_sleep_ms=0")
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.write(in)
	go p.read(out, events)
	return p, nil
}

// startedIn is where the program was started: the test may have gone elsewhere, as it will in
// other processes.
var startedIn, _ = os.Getwd()

// arguments are those of this program, but for one test alone.
func arguments(c call) []string {
	positional := flag.Args()
	args := slices.Clone(os.Args[1 : len(os.Args)-len(positional)])
	if n := len(args); n > 0 && args[n-1] == "--" {
		args = args[:n-1]
		positional = append([]string{"--"}, positional...)
	}
	// What go test asks for besides is this process's to do.
	for _, f := range []string{
		"run=" + c.pattern(), "count=1", "v=false", "timeout=0", "bench=", "fuzz=", "list=", "skip=", "paniconexit0=false", "testlogfile=",
		"coverprofile=", "gocoverdir=", "cpuprofile=", "memprofile=", "blockprofile=", "mutexprofile=", "trace=",
	} {
		args = append(args, "-test."+f)
	}
	return append(args, positional...)
}

func (p *process) send(c command) {
	if p.gone {
		return
	}
	if c.Ping && len(p.in) > 0 {
		return
	}
	p.in <- encode(c)
}

func (p *process) write(in io.WriteCloser) {
	for line := range p.in {
		in.Write(line) // if it fails, the process has ended, and so read tells
	}
	in.Close()
}

func (p *process) read(out io.Reader, events chan<- heard) {
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		v := heard{from: p}
		if decode(line, &v.telling) {
			events <- v
		}
	}
	events <- heard{from: p, gone: true, err: p.cmd.Wait()}
}

func (p *process) kill() { p.cmd.Process.Kill() }

// words are what a process writes as errors. What comes after it has begun to take part is
// passed on, for it would be there with one process as well.
type words struct {
	mu    sync.Mutex
	begun bool
	text  []byte
}

const wordsMost = 16 << 10

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun {
		return os.Stderr.Write(p)
	}
	w.text = append(w.text, p...)
	if _, after, ok := bytes.Cut(w.text, []byte(begun)); ok {
		w.begun, w.text = true, nil
		if len(after) > 0 {
			os.Stderr.Write(after)
		}
	}
	if n := len(w.text) - wordsMost; n > 0 {
		w.text = w.text[n:]
	}
	return len(p), nil
}

// last returns what was not passed on.
func (w *words) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun {
		return "its output is above"
	}
	return string(w.text)
}
