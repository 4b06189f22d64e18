//go:build explore

package simulate

import (
	"cmp"
	"slices"
)

// A kind says what a processor does.
type kind uint8

const (
	working kind = iota
	local
	missing
	pausing
	waking
	idling
	kinds
)

// A segment is a stretch of a thread's time.
type segment struct {
	kind kind
	time Time
}

// A book is the account of a section.
type book struct {
	Section
	times [kinds]Time
	// lines has the misses by the name of the cell.
	lines []Line
}

// accounts are all books, and the one that is open. A part of a run is what lies
// between two marks.
type accounts struct {
	*book
	books []*book
	part  int
	began Time
	first []Time
}

func (a *accounts) init(processors int) {
	a.part = 1
	a.book = &book{Section: Section{Processors: processors}}
	a.books = []*book{a.book}
}

// open returns the book of the given name.
func (a *accounts) open(name string) *book {
	for _, b := range a.books {
		if b.Name == name {
			return b
		}
	}
	b := &book{Section: Section{Name: name, Processors: a.Processors}}
	a.books = append(a.books, b)
	return b
}

// charge lets the thread, and its processor, spend time on something.
func (e *engine) charge(t *thread, k kind, d Time) {
	if d <= 0 {
		return
	}
	t.clock += d
	e.times[k] += d
	if n := len(t.log); n > 0 && t.log[n-1].kind == k {
		t.log[n-1].time += d
	} else {
		t.log = append(t.log, segment{k, d})
	}
}

// work is [Work].
func (e *engine) work(d Time) {
	t := e.current
	e.begins(t)
	e.charge(t, working, d)
}

// begins notes when a thread works, or sleeps, for the first time in a part.
func (e *engine) begins(t *thread) {
	if t.worked != e.part {
		t.worked = e.part
		e.first = append(e.first, t.clock-e.began)
	}
}

// mark is [Mark].
func (e *engine) mark(name string) {
	t := e.sync()
	e.turn(t.clock, e.open(name))
}

// conclude closes the last book at the end of the run.
func (e *engine) conclude(at Time) {
	e.turn(at, &book{Section: Section{Processors: e.machine.Processors}})
}

// turn closes the open book at a time that all threads have reached, and opens
// another one. What has been charged to threads beyond that time goes there.
func (e *engine) turn(at Time, to *book) {
	from := e.book
	for i := range e.processors {
		if p := &e.processors[i]; e.idle.has(i) {
			from.times[idling] += at - p.free
			p.free = at
		}
	}
	for _, t := range e.threads {
		if t.state == running {
			t.carry(t.clock-at, from, to)
		}
	}
	from.Elapsed += at - e.began
	slices.Sort(e.first)
	from.FirstWork = e.first
	e.book, e.began, e.first = to, at, nil
	e.part++
}

// carry moves the last stretch of the thread's time, of the given length, to
// another book.
func (t *thread) carry(length Time, from, to *book) {
	for i := len(t.log) - 1; i >= 0 && length > 0; i-- {
		s := t.log[i]
		d := min(length, s.time)
		from.times[s.kind] -= d
		to.times[s.kind] += d
		length -= d
	}
}

// missed accounts for an access that had to get a line.
func (e *engine) missed(c *cell, took Time) {
	if c.name == 0 {
		e.name(c)
	}
	for c.name >= len(e.lines) {
		e.lines = append(e.lines, Line{})
	}
	e.lines[c.name].Waited += took
}

func (e *engine) report() *Report {
	r := &Report{Digest: e.digest}
	for _, b := range e.books {
		r.Elapsed += b.Elapsed
		if b.Elapsed == 0 && b.Name == "" {
			continue // the program began with a mark
		}
		r.Sections = append(r.Sections, b.section(&e.names))
	}
	return r
}

func (b *book) section(n *names) Section {
	s := b.Section
	s.Work, s.Local, s.Miss = b.times[working], b.times[local], b.times[missing]
	s.Pause, s.Wake, s.Idle = b.times[pausing], b.times[waking], b.times[idling]
	for name, l := range b.lines {
		if l.Waited > 0 {
			l.Name = n.of(name)
			s.Lines = append(s.Lines, l)
		}
	}
	slices.SortFunc(s.Lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.Name, b.Name))
	})
	return s
}
