package pool

import (
	"context"
	"strings"
	"testing"
	"time"
)

// thick has the forks of a measured job come so thick that a strand takes several in.
func thick(w *Worker) *probe {
	q := w.probe
	q.stop()
	q.pace.length = 64
	q.start()
	return q
}

func one(_ *Worker, n int) int { return n }

// If this fails, others run forks that no probe knows of, or the probe writes to a fork that another
// worker has.
func TestMeasureNotesBeforeOthers(t *testing.T) {
	for name, publish := range map[string]func(w *Worker){
		"Publish": func(w *Worker) { LoopsOf(w).Publish() },
		"Block":   func(w *Worker) { w.Block(func() {}) },
		"Scope":   func(w *Worker) { w.Scope(func(*Worker, *Scope) {}) },
	} {
		p := open(t, WithWorkers(2))
		_, m, err := Measure(context.Background(), p, func(w *Worker, _ int) int {
			for range 4 {
				Invoke(w, one, 0, one, 0) // makes frames
			}
			f := [3]Forked[int, int]{Fork(w, one, 1), Fork(w, one, 2), Fork(w, one, 3)}
			for i := range f {
				f[2-i].Join(w)
			}
			q := thick(w)
			f = [3]Forked[int, int]{Fork(w, one, 1), Fork(w, one, 2), Fork(w, one, 3)}
			expect(t, len(q.forked) == 0, "Measure: %s: %d forks have probes before the strand has ended", name, len(q.forked))
			publish(w)
			expect(t, len(q.forked) == 3, "P34: %s: %d forks of 3 have probes when others may take them", name, len(q.forked))
			sum := 0
			for i := range f { // out of their order
				sum += f[i].Join(w)
			}
			expect(t, len(q.forked) == 0, "P34: %s: %d forks still have probes when all are joined", name, len(q.forked))
			return sum
		}, 0)
		expect(t, err == nil && m.Forks == 10, "P34: %s: Measure has counted %d forks, want 10, and returned the error %v", name, m.Forks, err)
	}
}

// Forks of a strand that takes several in begin where they were to be expected, and no later than
// their share of it. If this fails, the span of a recursion that forks at each call is wrong.
func TestMeasureThickForks(t *testing.T) {
	w := &Worker{state: running}
	w.stack.init(0)
	for range 4 {
		Fork(w, one, 0)
	}
	w.settle(w.bottom())
	q := &probe{m: &measurement{places: map[uintptr]int{}, sites: []Site{{}}}, pace: newPace()}
	w.setProbe(q)
	q.pace.length = 64
	q.start()
	var ran *probe
	first := Fork(w, func(w *Worker, n int) int { ran = w.probe; return n }, 0)
	second := Fork(w, one, 0)
	expect(t, len(q.forked) == 0, "Measure: forks have probes before the strand has ended")
	q.pace.each = 10 * time.Microsecond
	q.since -= 100 * time.Microsecond
	q.stop()
	a, b := q.forked[first.seq], q.forked[second.seq]
	if a == nil || b == nil {
		t.Fatal("P34: forks of a strand have no probes at its end")
	}
	expect(t, a.at.span == 10*time.Microsecond && b.at.span == 20*time.Microsecond,
		"P34: forks that were expected after 10 and 20 µs begin after %v and %v", a.at.span, b.at.span)
	expect(t, q.pace.length == 1, "Measure: a strand of 100 µs is followed by one of %d forks", q.pace.length)
	q.start()
	expect(t, w.wanted.Load()&wantProbe != 0, "P34: the next fork does not come to the probe")
	w.settle(w.bottom())
	q.stop()
	expect(t, ran == a, "P34: a fork of a strand that takes several in runs with another probe than its own")
	expect(t, q.forks == 2 && q.at.span >= 100*time.Microsecond, "P34: of two forks and 100 µs the probe has counted %d and %v", q.forks, q.at.span)
	w.setProbe(nil)
	expect(t, w.wanted.Load() == wantForks|wantLook, "P34: the flag of a worker is %b after a measurement", w.wanted.Load())
}

// If this fails, the jobs of a worker go on the long way after one that was measured.
func TestMeasureLeavesNoFlag(t *testing.T) {
	p := open(t, WithWorkers(1))
	do(t, p, func(w *Worker) {
		for _, f := range []func(){func() {}, func() { panic("P34") }} {
			func() {
				defer func() { _ = recover() }()
				_, _, _ = Measure(context.Background(), p, func(v *Worker, _ int) int {
					expect(t, v == w && v.probe != nil && v.wanted.Load()&wantProbe != 0, "P34: Measure in a job does not measure it")
					f()
					return 0
				}, 0)
			}()
			expect(t, w.probe == nil && w.wanted.Load()&wantProbe == 0 && measuring.Load() == 0, "P34: a worker is measured, and nothing measures")
		}
	})
}

// If this fails, workers that sleep get no forks of a job that goes on after a Measure, or code that
// forks only if somebody wants work has no forks while it is measured.
func TestMeasureAsksAgain(t *testing.T) {
	p := open(t, WithWorkers(2))
	do(t, p, func(w *Worker) {
		_, m, err := Measure(context.Background(), p, func(w *Worker, _ int) int {
			Fork(w, one, 0).Join(w) // makes the frame
			thick(w)
			expect(t, LoopsOf(w).Wanted(), "P34: nobody wants forks of a measured job whose strands take several in")
			return Fork(w, one, 0).Join(w)
		}, 0)
		expect(t, err == nil && m.Forks == 2, "P34: Measure has counted %d forks, want 2, and returned the error %v", m.Forks, err)
		before := p.Stats().Published
		Fork(w, one, 0).Join(w)
		expect(t, p.Stats().Published == before+1, "P34: a fork after a Measure is not published, and another worker sleeps")
	})
}

// If this fails, a user is told that the runtime's panic is in the way.
func TestMeasureSiteOfPanic(t *testing.T) {
	p := open(t, WithWorkers(1))
	_, m, err := Measure(context.Background(), p, func(w *Worker, _ int) int {
		for range 4 {
			Fork(w, one, 0) // makes frames
		}
		w.settle(w.bottom())
		defer func() { _ = recover() }()
		Invoke(w, one, 0, func(w *Worker, _ int) int {
			q := thick(w)
			Fork(w, one, 0)
			Fork(w, one, 0)
			q.since -= time.Second
			panic("P34")
		}, 0)
		return 0
	}, 0)
	expect(t, err == nil && m.Span >= time.Second, "P34: with a panic in a second the span is %v, and the error %v", m.Span, err)
	for _, s := range m.Sites {
		expect(t, !strings.HasPrefix(s.Function, "runtime."), "P34: a share of the span has the site %v", s)
	}
}
