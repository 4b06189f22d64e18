package predict

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/simulate"
	"github.com/rouse-go/rouse/pool"
)

func made(t *testing.T, names ...string) []*Row {
	t.Helper()
	rows, err := Rows(true, names...)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Work adds up, and the span is the longest way. The numbers are worked out by hand; other
// numbers would be a wrong bound beside every row.
func TestCost(t *testing.T) {
	for name, test := range map[string]struct{ got, want cost }{
		// fib(3) calls fib(2) and fib(1); fib(2) calls two leaves.
		"fib":  {fibRow(3).cost, cost{5 * fibCall, 3 * fibCall}},
		"flat": {flatRow(5, µs).cost, cost{5*µs + 5*forking, µs + 5*forking}},
		// Three jobs: the root works, and spawns one after the other.
		"spawns": {spawnsRow(2, µs).cost, cost{3*µs + 2*forking, 2*µs + 2*forking}},
		"loop":   {loopRow(5, µs).cost, cost{5 * µs, µs}},
		"submit": {submitRow(2, 3, µs).cost, cost{6 * µs, µs}},
	} {
		if test.got != test.want {
			t.Errorf("%s: work and span are %d, want %d", name, test.got, test.want)
		}
	}
	for workers, want := range map[int]simulate.Time{1: 100, 2: 55, 9: 20, 90: 11} {
		if got := (cost{100, 10}).bound(workers); got != want {
			t.Errorf("%d workers: the bound is %d, want %d", workers, got, want)
		}
	}
}

// What a pool computes is what the plain program does: otherwise a speed-up would compare
// different things.
func TestAnswers(t *testing.T) {
	p, err := pool.New(pool.WithWorkers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, r := range made(t, "fib", "flat", "scope", "spawns", "loop", "submit") {
		if got := r.plain(); got != r.answer {
			t.Errorf("%s: the plain program says %d, must be %d", r.Name, got, r.answer)
		}
		if got, err := r.pool(p); err != nil || got != r.answer {
			t.Errorf("%s: on a pool: %d, error %v, must be %d", r.Name, got, err, r.answer)
		}
	}
}

// The ramp ends when the last useful worker works, and of bound compares with one worker
// of the same pool. The numbers are worked out by hand.
func TestOfBound(t *testing.T) {
	row := &Row{cost: cost{800 * µs, 100 * µs}} // parallelism 8
	for workers, want := range map[int]struct {
		part float64
		ramp simulate.Time
	}{
		// T∞ is 200 µs, twice that of the row, as T₁ is twice the work.
		2:  {(800. + 200) / 1000, 2 * µs},
		4:  {(400. + 200) / 1000, 400 * µs},
		8:  {(200. + 200) / 1000, 1000 * µs}, // four of eight never work
		64: {(25. + 200) / 1000, 1000 * µs},
	} {
		first := []simulate.Time{µs, 2 * µs, 30 * µs, 400 * µs}
		c := cell{row: row, workers: workers, one: 1600 * µs, Report: &simulate.Report{Elapsed: 1000 * µs, FirstWork: first}}
		if got := c.ofBound(); math.Abs(got-want.part) > 1e-9 {
			t.Errorf("%d workers: %v of the bound, want %v", workers, got, want.part)
		}
		if got := c.ramp(); got != want.ramp {
			t.Errorf("%d workers: the ramp takes %d, want %d", workers, got, want.ramp)
		}
	}
}

// The first words say whether a table is measured or predicted. A second prediction is the
// first one again.
func TestWrite(t *testing.T) {
	var texts [2]strings.Builder
	for i := range texts {
		p := Plan{Rows: made(t, "submit"), Workers: []int{1, 2}, Sleep: "jec"}
		if err := p.Write(t.Context(), &texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	says, got := "measured: ", texts[0].String()
	if simulate.Predicts {
		says = "predicted by simulation, not measured: "
		if second := texts[1].String(); second != got {
			t.Errorf("a second table\n%s\nthe first\n%s", second, got)
		}
	}
	if !strings.HasPrefix(got, says) || strings.Count(got, "\n    submit ") != 2 || !strings.Contains(got, "submit: 400 jobs") {
		t.Errorf("%q is no table of two lines", got)
	}
}

// A wrong answer is no result, and neither is what was interrupted.
func TestErrors(t *testing.T) {
	p := Plan{Rows: made(t, "submit"), Workers: []int{1}}
	p.Rows[0].answer++
	if err := p.Write(t.Context(), new(strings.Builder)); err == nil || !strings.Contains(err.Error(), "submit: the answer is 400, must be 401") {
		t.Errorf("a wrong answer: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Write(ctx, new(strings.Builder)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
}
