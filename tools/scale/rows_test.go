package scale_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/scale"
)

// What a pool computes is what the plain program does, or a speed-up would
// compare different things.
func TestAnswers(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, r := range append(scale.Rows(scale.Quick), scale.Sleeping(3)...) {
		if r.Plain != nil {
			if got := r.Plain(); got != r.Answer {
				t.Errorf("%s: the plain program says %d, must be %d", r.Name, got, r.Answer)
			}
		}
		if got, err := r.Pool(p); err != nil || got != r.Answer {
			t.Errorf("%s: on a pool: %d, error %v, must be %d", r.Name, got, err, r.Answer)
		}
	}
}

// Each row is named once, has leaves or calls to count, and its span is part of
// its work. Without that, Graham's bound beside it means nothing.
func TestRows(t *testing.T) {
	for _, size := range []scale.Size{scale.Full, scale.Quick} {
		seen := map[string]bool{}
		for _, r := range scale.Rows(size) {
			if seen[r.Name] || r.Name == "" || r.About == "" || r.Unit == "" || r.Units < 1 || r.Callers < 1 {
				t.Errorf("a row is not described, or twice: %+v", r)
			}
			seen[r.Name] = true
			if c := r.Cost; c.Span < 1 || c.Work < c.Span {
				t.Errorf("%s: work %v, span %v", r.Name, c.Work, c.Span)
			}
			if size == scale.Full && r.Name != "runs" && r.Cost.Parallelism() < 300 {
				t.Errorf("%s: the parallelism is %.0f, too little to tell 256 workers from 64", r.Name, r.Cost.Parallelism())
			}
		}
	}
}

// The leaves that sleep are two for each worker, so that two leaf times are
// perfect.
func TestSleeping(t *testing.T) {
	for _, r := range scale.Sleeping(7) {
		if r.Units != 14 || r.Answer != 14 || r.Plain != nil {
			t.Errorf("%s: %d leaves, want 14; a plain program: %t", r.Name, r.Units, r.Plain != nil)
		}
	}
}
