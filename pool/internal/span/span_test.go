package span

import (
	"testing"
	"testing/synctest"
	"time"
)

// If this fails, a user is told more work than there is, or a shorter span: that a program could be
// faster than it can.
func TestBounds(t *testing.T) {
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
			m := New(TestBounds)
			m.least, m.most, m.bare = 40, 50, 2
			q := m.Probe()
			longest := time.Duration(0)
			for _, took := range c.strands {
				q.Start()
				q.since -= took
				q.Stop()
				longest += max(took-m.least, 0)
			}
			if q.at.span != longest {
				t.Errorf("P34: the span of strands of %v, of which the probe takes 40 or 50 each, is at most"+" %v, want %v", c.strands, q.at.span, longest)
			}
			p := q.Profile()
			if p.Work != c.work {
				t.Errorf("P34: the work of strands of %v, of which the probe takes 40 or 50 each, is at least"+" %v, want %v", c.strands, p.Work, c.work)
			}
			if p.Span != c.span {
				t.Errorf("P34: the span of strands of %v that follow each other is"+" %v, want %v", c.strands, p.Span, c.span)
			}
		}
	})
}
