package pool

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func one(_ *Worker, n int) int { return n }

// If this fails, a user is told more work than there is, or a shorter span: that a program could be
// faster than it can.
func TestMeasureBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where the clock stands still
		for _, c := range []struct {
			strands    []time.Duration // with the probe's own time
			work, span time.Duration
		}{
			{nil, 0, 0},
			{[]time.Duration{1000}, 950, 950},
			{[]time.Duration{100, 140}, 140, 140},
			{[]time.Duration{45, 45, 52}, 6, 6}, // they take 2 each, and 22 together at most
			{[]time.Duration{30, 30, 300}, 210, 210},
		} {
			m := newMeasurement(Site{})
			m.least, m.most, m.bare = 40, 50, 2
			q := &probe{m: m, worker: new(Worker)}
			longest := time.Duration(0)
			for _, took := range c.strands {
				q.start()
				q.since -= took
				q.stop()
				longest += max(took-m.least, 0)
			}
			equal(t, q.at.span, longest, "P34: the span of strands of %v, of which the probe takes 40 or 50 each, is at most", c.strands)
			m.whole = q
			p := m.profile()
			equal(t, p.Work, c.work, "P34: the work of strands of %v, of which the probe takes 40 or 50 each, is at least", c.strands)
			equal(t, p.Span, c.span, "P34: the span of strands of %v that follow each other is", c.strands)
		}
	})
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
			return Fork(w, one, 0).Join(w)
		}, 0)
		expect(t, err == nil && m.Forks == 1, "P34: Measure has counted %d forks, want 1, and returned the error %v", m.Forks, err)
		before := p.Stats().Published
		Fork(w, one, 0).Join(w)
		expect(t, p.Stats().Published == before+1, "P34: a fork after a Measure is not published, and another worker sleeps")
	})
}

// If this fails, code that forks only if somebody wants work has no forks while it is measured.
func TestMeasureWantsForks(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		Fork(w, one, 0).Join(w)
		expect(t, !LoopsOf(w).Wanted(), "S4: forks of the only worker are wanted")
		_, _, err := Measure(context.Background(), p, func(w *Worker, _ int) int {
			expect(t, LoopsOf(w).Wanted(), "P34: nobody wants forks of a measured job")
			return 0
		}, 0)
		expect(t, err == nil, "P34: Measure returned the error %v", err)
	})
}
