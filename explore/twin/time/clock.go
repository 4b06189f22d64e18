package time

import (
	"slices"
	"sort"
	rt "time"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/lang"
)

// A clock is the virtual time of an execution. Timers and sleeps end at any moment, as if
// what the program does could take that long, but in the order of their deadlines.
type clock struct {
	now     Duration // since the beginning of the execution
	pending []*entry // the earliest first
	begun   bool     // the thread that fires timers
	late    bool     // the one that fires those that are patient
	tickers []*entry
	calling []*entry // those that have a function
	called  int
	further Duration // how far time last went on for a thread that waits for that
	// still says that time moves only when all threads wait, and bubble that package synctest is in use.
	still, bubble bool
	looks         Duration
}

// An entry is a timer, a ticker or a sleep.
type entry struct {
	at     Duration
	sleeps bool
	c      chan Time
	f      func()
	period Duration
	fires  int
	// patient says that its time comes when other threads cannot go on: a loop that is left
	// to them would go on forever.
	patient bool
	// due is when its time has come, if that has had no effect yet. It is another pointer each time: one that
	// is reset may be due in the other thread that fires timers, while the first one is still about to fire it.
	due  *Duration
	void bool // it calls f no more
	// brief says that f does not wait: if timers have called many functions, theirs is the thread that
	// calls it. Otherwise a loop that sets deadlines has more threads in each round.
	brief bool
}

// virtual is that of the execution.
var virtual *clock

// cell is that of time, and end that of the moment from which timers call nothing.
var cell, end byte

// midnight is when an execution begins, or the first one of the process, with -all.
var midnight, process = rt.Unix(946684800, 0), rt.Time{}

// Bubble has time stand still for the rest of the execution, as package synctest does.
func Bubble() {
	c := clockNow()
	c.still, c.bubble = drive.Still(true), true
}

// time is what it is in an execution. Tests that were not written for the explorer, with -all, expect that
// it goes on with each look, and from what package variables have.
func (c *clock) time() Time {
	if drive.All != nil && !c.bubble {
		return process.Add(c.now + c.looks)
	}
	return midnight.Add(c.now)
}

func clockNow() *clock {
	if virtual == nil {
		drive.OnEnd(func() { virtual = nil }) // if this is the end, there is nothing to forget
		if process.IsZero() {
			process = rt.Now().Round(0)
		}
		virtual = &clock{still: drive.Still(false)}
	}
	return virtual
}

// own is the cell of what the timer has an effect on.
func (e *entry) own() unsafe.Pointer {
	if e.c != nil {
		return lang.Cell(e.c)
	}
	return unsafe.Pointer(e)
}

// step is one on the clock, and on what a timer has an effect on. To start or to stop one but reads the clock:
// whichever of two timers is started first, each is due at the same time.
func step(op drive.Op, e *entry) *clock {
	c := clockNow()
	var more []unsafe.Pointer
	if e != nil {
		more = append(more, e.own())
		if e.f != nil {
			more = append(more, unsafe.Pointer(&end))
		}
	}
	drive.Steps(op, unsafe.Pointer(&cell), more, nil)
	return c
}

// stalled says that nothing would be seen of it: a ticker's channel is full.
func (e *entry) stalled() bool { return e.period > 0 && len(e.c) == cap(e.c) }

// first reports whether no other entry must come before e. One that is patient holds up no other
// one: else a loop that sleeps for a millisecond would go round a thousand times in a second.
func (c *clock) first(e *entry) bool {
	for _, x := range c.pending {
		if x.at >= e.at {
			break
		}
		if (c.still || !e.patient && !x.patient) && !x.stalled() {
			return false
		}
	}
	return !e.stalled()
}

// ripe returns the timers whose time can come now, of those that are patient or of the others.
func (c *clock) ripe(patient bool) (all []*entry) {
	for _, e := range c.pending {
		if !e.sleeps && e.patient == patient && c.first(e) {
			all = append(all, e)
		}
	}
	return all
}

func (c *clock) remove(e *entry) (was bool) {
	i := slices.Index(c.pending, e)
	if i >= 0 {
		c.pending = slices.Delete(c.pending, i, i+1)
	}
	return i >= 0
}

// pass takes e, for which it is time.
func (c *clock) pass(e *entry) {
	c.remove(e)
	c.now = max(c.now, e.at)
}

// add has e come in d.
func (c *clock) add(e *entry, d Duration) {
	e.at = c.now + max(d, 0)
	if e.at < c.now {
		e.at = 1<<63 - 1
	}
	if drive.Tracing() {
		drive.Note(drive.Text(max(d, 0).String()))
	}
	c.put(e)
	if e.f != nil {
		if c.calling = append(c.calling, e); len(c.calling) == 1 {
			drive.Wake(unsafe.Pointer(&cell)) // who starts a thread matters
			drive.WhenIdle(unsafe.Pointer(&end), c.callNone)
		}
	}
}

// put has e come at its time.
func (c *clock) put(e *entry) {
	i := sort.Search(len(c.pending), func(i int) bool { return c.pending[i].at > e.at })
	c.pending = slices.Insert(c.pending, i, e)
	switch {
	case e.sleeps:
	case e.patient && !c.late:
		c.late = true
		drive.Wake(unsafe.Pointer(&cell))
		drive.Daemon(func() { c.fire(true) })
	case !e.patient && !c.begun:
		c.begun = true
		drive.Wake(unsafe.Pointer(&cell))
		drive.Daemon(func() { c.fire(false) })
	}
}

// callNone is the end of the test, which does not wait for timers.
func (c *clock) callNone() {
	for _, e := range c.calling {
		e.void = true
	}
}

// waited says that the step under way may have waited for a ticker that was not stalled.
func (c *clock) waited() {
	for _, x := range c.tickers {
		if !x.patient {
			drive.Wake(lang.Cell(x.c))
		}
	}
}

// A ticker ticks, and a thread sleeps or starts a timer in the same place, at any moment only so many
// times as there are rounds. After that they are patient. So they are when timers have called many
// times as many functions in all.
const many = 4

// often reports whether the thread has been here so often that it has to be patient.
func often() bool {
	times, _ := drive.Again(0)
	return virtual.still || times >= drive.Rounds()
}

// tired reports whether timers have called so many functions that the next ones are patient.
func (c *clock) tired() bool { return c.called >= many*drive.Rounds() }

// await returns when it is time.
func await(op drive.Op, patient bool, ready func() bool) {
	if patient {
		drive.AwaitLast(op, unsafe.Pointer(&cell), ready)
	} else {
		drive.Await(op, unsafe.Pointer(&cell), ready)
	}
}

// fire is the thread that fires timers, those that are patient or the others.
func (c *clock) fire(patient bool) {
	for {
		await(drive.OpTimerDue, patient, func() bool { return c.ripe(patient) != nil })
		ripe := c.ripe(patient)
		if patient && drive.Rounds() > 0 { // they go on forever, perhaps: not in every order
			n := 1
			for n < len(ripe) && ripe[n].at == ripe[0].at {
				n++
			}
			ripe = ripe[:n]
		}
		e := ripe[drive.Choose(len(ripe))]
		c.waited()
		c.pass(e)
		due, now := c.now, c.time()
		e.due = &due
		if e.c != nil && e.period == 0 {
			drive.Step(drive.OpTimerFire, lang.Cell(e.c)) // it neither reads nor changes the clock
		} else {
			step(drive.OpTimerFire, e)
		}
		if e.due != &due { // stopped
			continue
		}
		e.due = nil
		e.fires++
		if drive.Tracing() {
			drive.Note(drive.Text("at " + due.String()))
		}
		drive.Acquire(unsafe.Pointer(e))
		if e.f != nil && !e.void {
			c.called++
			if e.brief && patient {
				e.f()
			} else {
				drive.Go(e.f)
			}
		} else if e.f == nil {
			lang.SendNow(e.c, now)
		}
		if e.period > 0 {
			e.at += (c.now-e.at)/e.period*e.period + e.period
			e.patient = e.patient || e.fires >= drive.Rounds()
			c.put(e)
		}
	}
}

// stop takes e out, and what it has sent, and reports whether it would still have been seen.
func (c *clock) stop(e *entry) (active bool) {
	drive.Wake(e.own())
	active = c.remove(e) || e.due != nil
	e.due = nil
	if len(e.c) > 0 {
		lang.Drain(e.c)
		active = true
	}
	return active
}

// Sleep is that of package time, like all functions here.
func Sleep(d Duration) {
	if !drive.Driven() {
		drive.Wait(func() { rt.Sleep(d) })
		return
	}
	if d <= 0 {
		lang.Gosched()
		return
	}
	e := &entry{sleeps: true}
	c := step(drive.OpTimerStart, nil)
	e.patient = often()
	c.add(e, d)
	await(drive.OpSleep, e.patient, func() bool { return c.first(e) })
	c.waited()
	c.pass(e)
}

func Now() Time {
	if !drive.Driven() {
		return rt.Now()
	}
	c := step(drive.OpNow, nil)
	if c.waits() {
		c.leap()
	}
	c.looks++
	t := c.time()
	if drive.Tracing() {
		drive.Note(t)
	}
	return t
}

var _ = lang.SetClock(
	func() int64 { return Now().UnixNano() },
	func() int64 { return clockNow().time().UnixNano() },
)

// waits reports whether the thread waits for another time than c.now: it reads the same time in the
// same place once more, and has done nothing in between, or has come back there many times as often.
func (c *clock) waits() bool {
	times, idle := drive.Again(int64(c.now))
	n := max(drive.Rounds(), 1)
	return times > many*n || idle >= n
}

// leap has time go on when other threads cannot. Nobody knows how long: each time it is a thousand
// times as long.
func (c *clock) leap() {
	before := c.now
	drive.AwaitLast(drive.OpNow, unsafe.Pointer(&cell), func() bool { return true })
	if c.now == before && !(c.still && len(c.pending) > 0) { // or they come first
		c.further = min(max(1000*c.further, Millisecond), 1000*Hour)
		c.now += c.further
	}
}

func Since(t Time) Duration {
	if !drive.Driven() {
		return rt.Since(t)
	}
	return Now().Sub(t)
}

func Until(t Time) Duration {
	if !drive.Driven() {
		return rt.Until(t)
	}
	return t.Sub(Now())
}

func start(e *entry, d Duration) {
	drive.Release(unsafe.Pointer(e))
	c := step(drive.OpTimerStart, e)
	e.patient = often() || e.f != nil && c.tired()
	c.add(e, d)
}

// A Timer has the field and the methods of [time.Timer].
type Timer struct {
	C    <-chan Time
	real *rt.Timer
	e    *entry
}

func NewTimer(d Duration) *Timer {
	if !drive.Driven() {
		t := rt.NewTimer(d)
		return &Timer{C: t.C, real: t}
	}
	e := &entry{c: lang.OfTimer(make(chan Time, 1))}
	start(e, d)
	return &Timer{C: e.c, e: e}
}

func AfterFunc(d Duration, f func()) *Timer {
	if !drive.Driven() {
		return &Timer{real: rt.AfterFunc(d, drive.Outside(f))}
	}
	e := &entry{f: f}
	start(e, d)
	return &Timer{e: e}
}

// Deadline is AfterFunc for a function that does not wait. It returns when that is called, too.
func Deadline(d Duration, f func()) (*Timer, Time) {
	if !drive.Driven() {
		return AfterFunc(d, f), rt.Now().Add(d)
	}
	e := &entry{f: f, brief: true}
	start(e, d)
	return &Timer{e: e}, virtual.time().Add(d)
}

func After(d Duration) <-chan Time { return NewTimer(d).C }

func (t *Timer) Stop() bool {
	switch {
	case t.real != nil:
		return t.real.Stop()
	case t.e == nil:
		panic("time: Stop called on uninitialized Timer")
	}
	return step(drive.OpTimerStop, t.e).stop(t.e)
}

func (t *Timer) Reset(d Duration) bool {
	switch {
	case t.real != nil:
		return t.real.Reset(d)
	case t.e == nil:
		panic("time: Reset called on uninitialized Timer")
	}
	drive.Release(unsafe.Pointer(t.e))
	c := step(drive.OpTimerStart, t.e)
	active := c.stop(t.e)
	t.e.patient = often() || t.e.f != nil && c.tired()
	c.add(t.e, d)
	return active
}

// A Ticker has the field and the methods of [time.Ticker].
type Ticker struct {
	C    <-chan Time
	real *rt.Ticker
	e    *entry
}

func NewTicker(d Duration) *Ticker {
	if !drive.Driven() || d <= 0 { // which panics
		t := rt.NewTicker(d)
		return &Ticker{C: t.C, real: t}
	}
	e := &entry{c: lang.OfTimer(make(chan Time, 1)), period: d}
	start(e, d)
	virtual.tickers = append(virtual.tickers, e)
	return &Ticker{C: e.c, e: e}
}

func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

func (t *Ticker) Stop() {
	switch {
	case t.real != nil:
		t.real.Stop()
	case t.e != nil:
		step(drive.OpTimerStop, t.e).stop(t.e)
	}
}

func (t *Ticker) Reset(d Duration) {
	switch {
	case d <= 0:
		panic("non-positive interval for Ticker.Reset")
	case t.real != nil:
		t.real.Reset(d)
		return
	case t.e == nil:
		panic("time: Reset called on uninitialized Ticker")
	}
	c := step(drive.OpTimerStart, t.e)
	c.stop(t.e)
	t.e.period = d
	t.e.patient = often() || t.e.fires >= drive.Rounds()
	c.add(t.e, d)
}
