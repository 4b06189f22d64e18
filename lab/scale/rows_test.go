package scale_test

import (
	"testing"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

// What a pool computes is what the plain program does, or a speed-up would
// compare different things.
func TestAnswers(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	// The leaves that sleep are two for each worker, so that two leaf times are perfect.
	for _, r := range append(scale.Rows(scale.Quick), scale.Sleeping(3)...) {
		if r.Plain == nil && (r.Units != 6 || r.Answer != 6) {
			t.Errorf("%s: %d leaves that sleep, want 6", r.Name, r.Units)
		}
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
	for _, size := range []scale.Size{scale.Full, scale.Quick, scale.Large} {
		seen := map[string]bool{}
		for _, r := range scale.Rows(size) {
			if seen[r.Name] || r.Name == "" || r.About == "" || r.Unit == "" || r.Units < 1 || r.Callers < 1 {
				t.Errorf("a row is not described, or twice: %+v", r)
			}
			seen[r.Name] = true
			if c := r.Cost; c.Span < 1 || c.Work < c.Span {
				t.Errorf("%s: work %v, span %v", r.Name, c.Work, c.Span)
			}
			callers := r.Name == "runs" || r.Name == "submit" // many small ones
			if size == scale.Full && !callers && r.Cost.Work < 64*600*simulate.Microsecond {
				t.Errorf("%s: %v of work, less than 0.6 ms for each of 64 workers: it shows how they wake, and little else", r.Name, r.Cost.Work)
			}
			if size == scale.Large && !callers && r.Cost.Work < 256*600*simulate.Microsecond {
				t.Errorf("%s: %v of work, less than 0.6 ms for each of 256 workers: it shows how they wake, and little else", r.Name, r.Cost.Work)
			}
			if size != scale.Quick && r.Name != "runs" && r.Cost.Parallelism() < 300 {
				t.Errorf("%s: the parallelism is %.0f, too little to tell 256 workers from 64", r.Name, r.Cost.Parallelism())
			}
		}
	}
}

// A name gets its row alone, in the order of all, and every row is the one that
// is named: a table would have the numbers of one beside the name of another.
func TestNames(t *testing.T) {
	all := scale.Rows(scale.Quick)
	for i, name := range scale.Names() {
		one := scale.Rows(scale.Quick, name)
		if len(one) != 1 || one[0].Name != name || all[i].Name != name {
			t.Errorf("%s: %d rows of that name, the first of all is %s", name, len(one), all[i].Name)
		}
	}
	if two := scale.Rows(scale.Quick, "submit", "fib"); len(two) != 2 || two[0].Name != "fib" {
		t.Errorf("two names get %d rows, the first %s", len(two), two[0].Name)
	}
}
