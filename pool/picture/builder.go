package picture

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// A goroutine has jobs, the innermost last.
type goroutine struct {
	frames []frame
	lane   int // where it is, or -1
	worker int // that it has, or -1
	left   int // the worker that it had last, or -1
	leftAt time.Duration
}

// A frame is a job, a loop or a piece of one.
type frame struct {
	state  state
	job    int
	number int // of a loop
	name   string
	detail string
	// mode is own while the job runs, else aside or blocked.
	mode state
}

type builder struct {
	*timeline
	r *record.Recording
	// of has the goroutine of each job that has not ended; at that on each worker, or nil.
	of map[int]*goroutine
	at []*goroutine
	// base is what a worker does that has no job.
	base []state
	// free are the rows of each state that are not in use, each list in order.
	free    [states][]int
	laneOf  [states][]int // the lane of each row
	rowOf   map[int]int
	loops   map[int]string
	running map[string]int // how many jobs run, by function
	runs    int
	waits   int
	active  map[*goroutine]bool // those that run
	// steals that wait for the beginning of their job, by worker.
	stealing []int
	last     time.Duration
}

func newBuilder(t *timeline, r *record.Recording) *builder {
	b := &builder{timeline: t, r: r, rowOf: map[int]int{}, loops: map[int]string{}, stealing: make([]int, r.Workers)}
	for n := range r.Workers {
		t.lanes = append(t.lanes, lane{name: fmt.Sprint("worker ", n)})
	}
	b.forget()
	return b
}

// forget forgets what goes on.
func (b *builder) forget() {
	b.of, b.running, b.active = map[int]*goroutine{}, map[string]int{}, map[*goroutine]bool{}
	b.at, b.base = make([]*goroutine, b.r.Workers), make([]state, b.r.Workers)
	b.runs, b.waits = 0, 0
	for n := range b.stealing {
		b.stealing[n] = -1
	}
	for s, rows := range b.laneOf {
		b.free[s] = nil
		for n := range rows {
			b.free[s] = append(b.free[s], n)
		}
	}
}

// lose shows that nothing is known for a while.
func (b *builder) lose(from, to time.Duration) {
	b.pass(from)
	b.last = to
	for n := range b.lanes {
		b.closeTo(n, 0, from)
	}
	b.forget()
	for n := range b.r.Workers {
		b.show(n, from)
	}
}

// begin shows what is known of the time before the first event of each worker, from a moment on, and of each
// job that began before.
func (b *builder) begin(events []record.Event, now time.Duration) {
	first := make([]*record.Event, b.r.Workers)
	begun := map[int]bool{}
	for i := range events {
		e := &events[i]
		if e.Worker >= 0 && first[e.Worker] == nil {
			first[e.Worker] = e
			if e.Job != 0 && e.Kind != record.EventBegin && e.Kind != record.EventTake && e.Kind != record.EventSteal && !begun[e.Job] && b.of[e.Job] == nil {
				b.base[e.Worker] = looking
				b.start(e.Job, e.Worker)
			}
		}
		if e.Kind == record.EventBegin {
			begun[e.Job] = true
		}
	}
	for n, e := range first {
		switch {
		case b.at[n] != nil:
		case b.r.Asleep == b.r.Workers && now == 0:
			b.base[n] = asleep
		case e == nil:
		case e.Kind == record.EventWake:
			b.base[n] = asleep
		case e.Kind == record.EventSleep, e.Kind == record.EventSteal:
			b.base[n] = looking
		}
		b.show(n, now)
	}
}

// start makes a goroutine for a job that began before the recording.
func (b *builder) start(job, worker int) *goroutine {
	g := &goroutine{lane: -1, worker: worker, left: -1}
	b.of[job] = g
	if worker >= 0 {
		b.at[worker], g.lane = g, worker
	}
	b.push(g, frame{state: own, job: job, name: "a job that began before the recording", mode: own})
	b.count(g, +1)
	return g
}

// goroutineOf returns that of the job of an event.
func (b *builder) goroutineOf(e *record.Event) *goroutine {
	g := b.of[e.Job]
	if g == nil {
		g = b.start(e.Job, e.Worker)
	}
	return g
}

// pass adds up the time until now.
func (b *builder) pass(now time.Duration) {
	passed := now - b.last
	b.last = now
	if passed <= 0 {
		return
	}
	b.ran += time.Duration(b.runs) * passed
	if b.runs > 0 {
		b.lastRan = now
	}
	if over := b.runs - b.r.Processors; over >= 0 && b.r.Processors > 0 {
		b.full += passed
		b.over += time.Duration(over) * passed
	}
	only := alone{from: now - passed, to: now}
	for g := range b.active {
		top := &g.frames[len(g.frames)-1]
		only.job, only.fn, only.inLoop = g.top().job, top.name, top.number != 0
		if w := b.work[only.job]; w != nil {
			w.took += passed
		}
	}
	idle := 0
	for n := range b.at {
		if b.isIdle(n) {
			idle++
		}
	}
	lost := min(idle, max(0, useful(b.r)-b.runs))
	switch {
	case idle == 0:
	case len(b.active) == 1:
		only.idle, only.lost = idle, lost
		b.alone = append(b.alone, only)
	default:
		why := reason{running: min(b.runs, 2), waiting: b.runs == 0 && b.waits > 0}
		if len(b.running) == 1 {
			for fn := range b.running {
				why.fn = fn
			}
		}
		b.idle[why] += time.Duration(idle) * passed
		b.lost[why] += time.Duration(lost) * passed
	}
}

func (b *builder) isIdle(n int) bool {
	g := b.at[n]
	if g == nil {
		return b.base[n] == asleep || b.base[n] == looking
	}
	return g.top().mode != own
}

// top returns the frame of the innermost job, not that of a loop.
func (g *goroutine) top() *frame {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if g.frames[i].number == 0 {
			return &g.frames[i]
		}
	}
	return &g.frames[0]
}

// name is the function that runs: in a loop, its body.
func (g *goroutine) name() string { return g.frames[len(g.frames)-1].name }

// state is what the innermost job does.
func (g *goroutine) state() state {
	switch top := g.top(); {
	case g.worker >= 0 && top.mode == own:
		return own
	case g.worker >= 0:
		return looking
	case top.mode == own && g.left < 0:
		return seatless
	case top.mode == own:
		return aside // it has left its worker
	default:
		return top.mode
	}
}

// count counts a goroutine's job, once, or takes it off.
func (b *builder) count(g *goroutine, by int) {
	switch s := g.state(); s {
	case own, seatless:
		b.runs += by
		if b.active[g] = true; by < 0 {
			delete(b.active, g)
		}
		name := g.name()
		if b.running[name] += by; b.running[name] == 0 {
			delete(b.running, name)
		}
	case aside, blocked:
		b.waits += by
	}
}

// change changes a goroutine, and shows what it does then.
func (b *builder) change(g *goroutine, now time.Duration, f func()) {
	before, frames, worked := g.worker, len(g.frames), false
	if frames > 0 {
		b.count(g, -1)
		worked = g.state() == own
	}
	f()
	if len(g.frames) > 0 {
		b.count(g, +1)
		if worked && g.worker == before && g.state() == own { // what lies beneath goes on
			b.closeTo(g.lane, min(frames, len(g.frames)), now)
			for _, f := range g.frames[min(frames, len(g.frames)):] {
				b.open(g.lane, f.span(now))
			}
			return
		}
	}
	if g.lane >= 0 {
		b.closeTo(g.lane, 0, now)
	}
	if before >= 0 && b.at[before] == g && (before != g.worker || len(g.frames) == 0) {
		b.at[before] = nil
		b.base[before] = looking
		b.show(before, now)
	}
	switch {
	case len(g.frames) == 0:
		b.leaveRow(g)
	case g.worker >= 0:
		b.leaveRow(g)
		if other := b.at[g.worker]; other != nil && other != g { // only if an event is missing
			other.worker, other.lane = -1, -1
		}
		b.at[g.worker], g.lane = g, g.worker
		b.show(g.worker, now)
	default:
		s := g.state()
		if g.lane < b.r.Workers || b.lanes[g.lane].state != s {
			b.leaveRow(g)
			g.lane = b.row(s)
		}
		b.open(g.lane, span{from: now, state: s, job: g.top().job, name: g.top().name})
	}
}

func (f *frame) span(from time.Duration) span {
	return span{from: from, state: f.state, job: f.job, name: f.name, detail: f.detail}
}

// row returns a free lane for jobs in that state without a worker.
func (b *builder) row(s state) int {
	if free := b.free[s]; len(free) > 0 {
		b.free[s] = free[1:]
		return b.laneOf[s][free[0]]
	}
	n := len(b.laneOf[s])
	b.lanes = append(b.lanes, lane{name: fmt.Sprint(stateNames[s], " ", n+1), state: s})
	at := len(b.lanes) - 1
	b.laneOf[s] = append(b.laneOf[s], at)
	b.rowOf[at] = n
	b.rows[s]++
	return at
}

// leaveRow frees the lane of a goroutine that had no worker.
func (b *builder) leaveRow(g *goroutine) {
	if g.lane >= b.r.Workers {
		s, n := b.lanes[g.lane].state, b.rowOf[g.lane]
		at, _ := slices.BinarySearch(b.free[s], n)
		b.free[s] = slices.Insert(b.free[s], at, n)
	}
	g.lane = -1
}

// show opens the spans of a worker's lane.
func (b *builder) show(n int, now time.Duration) {
	b.closeTo(n, 0, now)
	g := b.at[n]
	switch {
	case g == nil:
		b.open(n, span{from: now, state: b.base[n]})
	case g.state() != own:
		b.open(n, span{from: now, state: looking, job: g.top().job, name: g.top().name, detail: "while this job waits for others"})
	default:
		for _, f := range g.frames {
			b.open(n, f.span(now))
		}
	}
}

func (b *builder) open(n int, s span) {
	l := &b.lanes[n]
	s.depth = len(l.open)
	l.open = append(l.open, s)
}

// closeTo closes the spans from that depth on. A state that lasted no time is left out, and
// one that goes on is one span.
func (b *builder) closeTo(n, depth int, now time.Duration) {
	l := &b.lanes[n]
	for len(l.open) > depth {
		s := l.open[len(l.open)-1]
		l.open = l.open[:len(l.open)-1]
		if s.to = now; s.to <= s.from {
			continue
		}
		if k := len(l.spans) - 1; k >= 0 && s.depth == 0 && s.job == 0 {
			if p := &l.spans[k]; p.state == s.state && p.to == s.from && p.job == 0 {
				p.to = s.to
				continue
			}
		}
		l.spans = append(l.spans, s)
	}
}

func (b *builder) push(g *goroutine, f frame) { g.frames = append(g.frames, f) }

// pop takes off the innermost job, or the loop or piece with that number, and all above.
func (g *goroutine) pop(is func(f *frame) bool) {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if is(&g.frames[i]) {
			g.frames = g.frames[:i]
			return
		}
	}
}

func (b *builder) add(e *record.Event) {
	b.pass(e.At)
	switch e.Kind {
	case record.EventSleep, record.EventWake, record.EventClose:
		b.base[e.Worker] = map[record.EventKind]state{record.EventSleep: asleep, record.EventWake: looking, record.EventClose: closed}[e.Kind]
		if b.at[e.Worker] == nil {
			b.show(e.Worker, e.At)
		}
		return
	case record.EventSteal:
		b.steals[e.Worker]++
		if e.Other == record.NoWorker { // a guest, which has no lane
			return
		}
		b.stealing[e.Worker] = len(b.arrows)
		b.arrows = append(b.arrows, arrow{from: e.Other, to: e.Worker, leaves: e.At, job: e.Job, steal: true, nextBegin: true})
		return
	case record.EventBegin:
		b.begins(e)
		return
	}
	g := b.goroutineOf(e)
	b.mark(e)
	switch e.Kind {
	case record.EventEnd:
		if w := b.work[e.Job]; w != nil {
			w.ended = true
		}
		b.change(g, e.At, func() { g.pop(func(f *frame) bool { return f.number == 0 && f.job == e.Job }) })
		delete(b.of, e.Job)
	case record.EventWait, record.EventBlock:
		b.change(g, e.At, func() {
			if g.top().mode = aside; e.Kind == record.EventBlock {
				g.top().mode = blocked
			}
		})
	case record.EventGoOn:
		b.change(g, e.At, func() { g.top().mode = own })
	case record.EventLeave:
		b.change(g, e.At, func() { g.left, g.leftAt, g.worker = max(e.Worker, 0), e.At, -1 })
	case record.EventTake:
		if g.left >= 0 && g.worker < 0 {
			b.arrows = append(b.arrows, arrow{from: g.left, to: e.Worker, leaves: g.leftAt, arrives: e.At, job: e.Job})
		}
		b.change(g, e.At, func() { g.worker, g.left = e.Worker, -1 })
	case record.EventSeatless:
		b.change(g, e.At, func() { g.left = -1 })
	case record.EventLoop:
		b.loops[e.Loop] = e.Func
		b.noteWhere(e)
		f := frame{state: loops, job: e.Job, number: e.Loop, name: e.Func, detail: fmt.Sprintf("loop %d, of %d elements", e.Loop, e.Hi)}
		b.change(g, e.At, func() { b.push(g, f) })
	case record.EventPiece:
		f := frame{state: piece, job: e.Job, number: e.Loop, name: b.loops[e.Loop],
			detail: fmt.Sprintf("piece of loop %d: elements %d to %d, or fewer if others take some", e.Loop, e.Lo, e.Hi-1)}
		b.change(g, e.At, func() { b.push(g, f) })
	case record.EventPieceEnd, record.EventLoopEnd:
		s := piece
		if e.Kind == record.EventLoopEnd {
			s = loops
		}
		b.change(g, e.At, func() { g.pop(func(f *frame) bool { return f.state == s && f.number == e.Loop }) })
	}
}

// mark notes how many forks there were.
func (b *builder) mark(e *record.Event) {
	if w := b.work[e.Job]; w != nil && e.Kind != record.EventLoop && e.Kind != record.EventLoopEnd && e.Kind != record.EventPiece && e.Kind != record.EventPieceEnd {
		m := mark{at: e.At, forks: e.Forks}
		if e.Kind == record.EventPublish {
			m.visible = e.Count
		}
		w.marks = append(w.marks, m)
	}
}

// noteWhere notes where a function is.
func (b *builder) noteWhere(e *record.Event) {
	if e.File != "" && b.where[e.Func] == "" {
		b.where[e.Func] = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
}

// begins shows a job that begins.
func (b *builder) begins(e *record.Event) {
	b.jobs++
	b.noteWhere(e)
	b.work[e.Job] = &work{kind: e.JobKind, name: e.Func}
	b.mark(e)
	g := b.of[e.Parent]
	if g == nil {
		g = &goroutine{lane: -1, worker: -1, left: -1}
	}
	f := frame{state: own, job: e.Job, name: cmp.Or(e.Func, "a function of the pool"), detail: e.JobKind.String(), mode: own}
	if e.Other >= 0 {
		f.state = stolen
		f.detail += fmt.Sprintf(", stolen from worker %d", e.Other)
	}
	if e.Worker >= 0 {
		if at := b.stealing[e.Worker]; at >= 0 {
			b.arrows[at].arrives, b.arrows[at].job, b.arrows[at].nextBegin = e.At, e.Job, false
			b.stealing[e.Worker] = -1
		}
	}
	b.change(g, e.At, func() {
		g.worker = e.Worker
		b.push(g, f)
	})
	b.of[e.Job] = g
}
