package pool

import (
	"context"
	"strings"
	"testing"
	"time"
)

// thick has a lump begin, and not end by itself.
func thick(w *Worker) *probe {
	Thick(w)
	w.probe.pace.fine = 0
	w.probe.pace.beginWindow()
	return w.probe
}

// blind has one begin in which forks and joins go the short way.
func blind(w *Worker) *probe {
	q := thick(w)
	q.goBlind()
	return q
}

func one(_ *Worker, n int) int { return n }

// If this fails, others run forks that no probe knows of, or the probe writes to a fork that another
// worker has.
func TestMeasureNotesBeforeOthers(t *testing.T) {
	for i, publish := range []func(w *Worker){
		func(w *Worker) { LoopsOf(w).Publish() },
		func(w *Worker) { w.Block(func() {}) },
		func(w *Worker) { w.Scope(func(*Worker, *Scope) {}) },
		func(w *Worker) { LoopsOf(w).Publish() },
	} {
		name, begin := []string{"Publish", "Block", "Scope", "Publish, blind"}[i], thick
		if i == 3 {
			begin = blind
		}
		p := open(t, WithWorkers(2))
		_, m, err := Measure(context.Background(), p, func(w *Worker, _ int) int {
			for range 4 {
				Invoke(w, one, 0, one, 0) // makes frames
			}
			f := [3]Forked[int, int]{Fork(w, one, 1), Fork(w, one, 2), Fork(w, one, 3)}
			for i := range f {
				f[2-i].Join(w)
			}
			q := begin(w)
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

// If this fails, forks of a lump that are not joined when it ends begin at another point than they
// did, or are not measured; or the flag of the worker is up where nobody looks at it, or down where
// the probe must come.
func TestMeasureLump(t *testing.T) {
	for _, begin := range []func(*Worker) *probe{thick, blind} {
		w := &Worker{state: running}
		w.stack.init(0)
		for range 4 {
			Fork(w, one, 0)
		}
		w.settle(w.bottom())
		m := &measurement{places: map[uintptr]int{}, sites: []Site{{}}}
		q := &probe{m: m, pace: newPace(m)}
		w.setProbe(q)
		q.start()
		begin(w)
		expect(t, q.pace.blind == (w.wanted.Load()&wantProbe == 0), "P34: in a lump the flag is %b", w.wanted.Load())
		q.pace.each = mean{float64(10 * time.Microsecond), 1}
		begun := q.at.span
		var ran *probe
		first := Fork(w, func(w *Worker, n int) int { ran = w.probe; return n }, 0)
		second := Fork(w, one, 0)
		expect(t, len(q.forked) == 0, "Measure: forks have probes before the lump has ended")
		q.stop()
		a, b := q.forked[first.seq], q.forked[second.seq]
		if a == nil || b == nil {
			t.Fatal("P34: forks of a lump have no probes at its end")
		}
		expect(t, a.at.span-begun == 10*time.Microsecond && b.at.span-begun == 20*time.Microsecond,
			"P34: forks after one and two strands of 10 µs begin after %v and %v", a.at.span-begun, b.at.span-begun)
		q.start()
		expect(t, w.wanted.Load()&wantProbe != 0, "P34: the next fork does not come to the probe")
		w.settle(w.bottom())
		q.stop()
		expect(t, ran == a, "P34: a fork of a lump runs with another probe than its own")
		expect(t, q.forks == 2, "P34: of two forks the probe has counted %d", q.forks)
		w.setProbe(nil)
		expect(t, w.wanted.Load() == wantForks|wantLook, "P34: the flag of a worker is %b after a measurement", w.wanted.Load())
	}
}

// If this fails, an interrupt in short strands is the span, or long strands are taken for one; or
// strands of code whose forks do not come thick are in lumps.
func TestMeasureLumpBears(t *testing.T) {
	const long = 10 * time.Microsecond
	p := newPace(&measurement{cost: 1})
	expect(t, p.bears(0, leastSpare) && p.thick && !p.believed, "P34: the first long strand ends a lump")
	expect(t, !p.bears(0, 1) && p.believed && !p.thick, "P34: at first two strands of %v together are taken for interrupts", leastSpare+1)
	p = newPace(&measurement{cost: 1})
	for i := range mostOdd {
		equal(t, p.bears(0, long/10), i < mostOdd-1, "P34: after %d long strands among %d the lump goes on: it", i+1, fewStrands)
	}
	expect(t, p.believed && !p.thick, "P34: after %d long strands the others are still in lumps", mostOdd)
	for range 2*fewStrands - 1 {
		p.note(shortStrand)
	}
	expect(t, !p.thick, "P34: strands are in lumps sooner than before, after they should not have been")
	p.note(shortStrand)
	expect(t, p.thick, "P34: after %d short strands the next ones are not in lumps", 2*fewStrands)
	p.lump, p.fine = lump{}, 0
	for range 100 {
		expect(t, p.bears(4*long, long) && !p.believed, "P34: an interrupt after short strands ends the lump")
	}
	equal(t, [2]time.Duration{p.depth.extra, p.excess}, [2]time.Duration{100 * long, 100 * long}, "P34: a hundred interrupts take")
	p.bears(time.Second, 0)
	for p.spare >= long*3/4 {
		expect(t, p.bears(long, long), "P34: several interrupts after short strands end the lump, although %v are to spare", p.spare)
	}
	expect(t, !p.bears(long, long) && p.believed && p.thick, "P34: strands that take half of the time are taken for interrupts")
}

// If this fails, what the probe does is taken for work of the job, or work for the probe's.
func TestMeasureLumpCost(t *testing.T) {
	m := &measurement{}
	m.costs.counted = 8
	p := newPace(m)
	equal(t, p.cost(m), 8, "P34: the cost of a strand that nobody has seen without the probe is")
	p.counted.learn(640, 64)
	p.plain.learn(256, 64)
	equal(t, p.cost(m), 6, "P34: the cost of a strand that takes 10 ns, and 4 without the probe, is")
	p.counted.learn(18*64, 64)
	equal(t, p.counted, 11, "P34: after an interrupt a strand of 10 ns takes")
	equal(t, p.counted.excess(11*64+2*352, 64), 704, "P34: the excess of a window that takes twice as long as expected is")
	p.counted.learn(5*64, 64)
	equal(t, p.counted, 8, "P34: after a shorter one a strand of 11 ns takes")
	equal(t, p.counted.excess(8*64+250, 64), 0, "P34: the excess of a window that takes 250 ns longer than expected is")
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
			blind(w)
			expect(t, LoopsOf(w).Wanted(), "P34: nobody wants forks of a measured job in a lump")
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
		q := w.probe
		q.stop()
		q.pace.thick = false // the fork has a probe
		q.start()
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
