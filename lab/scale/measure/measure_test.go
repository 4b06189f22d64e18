//go:build !explore

package measure_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/lab/internal/machine"
	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/scale/measure"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
)

// plan measures two small rows, and one shape whose leaves sleep.
func plan() *measure.Plan {
	var rows []*scale.Row
	for _, r := range scale.Rows(scale.Quick) {
		if r.Name == "fib" || r.Name == "submit" {
			rows = append(rows, r)
		}
	}
	return &measure.Plan{
		Rows: rows, Workers: []int{1, 2}, Sleeping: []int{4}, Shapes: []string{"scope"},
		Sleep: backends.Sleeps()[0], Repeat: 2,
	}
}

func measured(t *testing.T) *measure.File {
	t.Helper()
	f, err := plan().Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.Machine = measure.Machine{Machine: machine.Machine{CPU: "Abacus", Go: "go1.99", Processors: 2}, Cores: 2}
	return f
}

// Every row has all its times, and each counts the runs that it was asked for:
// the first one, which is unlike others, is not among them.
func TestPlan(t *testing.T) {
	f := measured(t)
	if len(f.Rows) != 2 || f.Rows[0].Name != "fib" || f.Rows[1].Name != "submit" {
		t.Fatalf("rows %+v", f.Rows)
	}
	for _, r := range f.Rows {
		if len(r.Plain) != 2 || len(r.Pools) != 2 || !(r.Work > r.Span) {
			t.Errorf("%s: %+v", r.Name, r)
		}
		for i, workers := range []int{1, 2} {
			p := r.With(workers)
			if p == nil || p != &r.Pools[i] || len(p.Times) != 2 || len(p.Copies) != 2 {
				t.Errorf("%s, %d workers: %+v", r.Name, workers, p)
			}
		}
		if r.With(3) != nil || f.Row(r.Name) == nil {
			t.Errorf("%s is not found, or with 3 workers, which were not measured", r.Name)
		}
	}
	if len(f.Sleeping) != 1 || f.Sleeping[0].Workers != 4 || f.Sleeping[0].Times.Fastest() < 2*float64(scale.SleepingLeaf) {
		t.Errorf("two leaves for each worker take two leaf times or more, and the file says %+v, one leaf %+v", f.Sleeping, f.Leaf)
	}
	if f.Row("coffee") != nil {
		t.Error("a row that was not measured is found")
	}
}

// The progress counts to the number that was said beforehand.
func TestProgress(t *testing.T) {
	p := plan()
	last := -1
	p.Watch = func(doing string, done int) {
		if done != last+1 || doing == "" {
			t.Errorf("%q is run %d, after %d", doing, done, last)
		}
		last = done
	}
	if _, err := p.Run(t.Context()); err != nil || last != p.Runs()-1 {
		t.Errorf("%d runs, error %v, want %d", last+1, err, p.Runs())
	}
}

// A wrong answer is no measurement.
func TestWrongAnswer(t *testing.T) {
	p := plan()
	p.Rows[0].Pool = func(*pool.Pool) (uint64, error) { return 7, nil }
	if _, err := p.Run(t.Context()); !errors.Is(err, measure.ErrWrong) || !strings.Contains(err.Error(), "fib") {
		t.Errorf("error %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := plan().Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A file that was printed and read again says the same.
func TestFile(t *testing.T) {
	f := measured(t)
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := measure.Read(&b)
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("error %v, got %+v, want %+v", err, got, f)
	}
}

// The fastest runs count, and what the machine itself slows down is taken out.
func TestGain(t *testing.T) {
	all := func(ns ...float64) measure.Times { return ns }
	r := measure.Row{
		Plain: all(100, 200, 100),
		Pools: []measure.Pool{
			{Workers: 1, Times: all(125, 250, 125)},
			{Workers: 2, Times: all(100, 200, 200), Copies: all(150, 300, 150)},
		},
	}
	if got := r.Gain(2); got != 1.875 {
		t.Errorf("two workers are %v times as fast as one, want 125/100 times 150/100", got)
	}
	if got := r.Alone(); got != 0.8 {
		t.Errorf("one worker is %v times as fast as the plain program, want 0.8", got)
	}
	if got := r.Gain(3); got != 0 {
		t.Errorf("three workers, which were not measured, are %v times as fast", got)
	}
}

// What was measured of a row is found if it is the same row today. A row of another
// size is another program.
func TestOf(t *testing.T) {
	r := scale.Rows(scale.Quick, "fib")[0]
	f := &measure.File{Rows: []measure.Row{{Name: "fib", About: r.About, Units: r.Units}}}
	if got, err := f.Of(r); err != nil || got != &f.Rows[0] {
		t.Errorf("error %v, row %p, want %p", err, got, &f.Rows[0])
	}
	f.Rows[0].Units++
	if _, err := f.Of(r); err == nil || !strings.Contains(err.Error(), "measured with 21892 times a call, and has 21891 now") {
		t.Errorf("another number of calls: error %v", err)
	}
	f.Rows[0].Units, f.Rows[0].About = r.Units, "fib(7)"
	if _, err := f.Of(r); err == nil || !strings.Contains(err.Error(), `measured as "fib(7)"`) {
		t.Errorf("another size: error %v", err)
	}
	if _, err := new(measure.File).Of(r); err == nil || err.Error() != "not measured" {
		t.Errorf("a row that was not measured: error %v", err)
	}
}

// A file that was sent in may be anything. The error says what is wrong with it.
func TestReadMistakes(t *testing.T) {
	const machine = `"machine": {"go": "go1.99", "processors": 2}`
	for _, test := range []struct{ json, says string }{
		{"", "no measurements in JSON: EOF"},
		{"fib 1.00×", "no measurements in JSON: invalid character"},
		{`{"workloads": []}`, `unknown field "workloads"`},
		{`{"rows": [{"name": "fib"}]}`, "they do not say on what machine"},
		{"{" + machine + "}", "there are no rows"},
		{"{" + machine + `, "rows": [{"name": "fib", "units": 1, "plain": [1, 0]}]}`, "fib lacks some of its times"},
		{"{" + machine + `, "rows": [{"name": "fib", "units": 1, "plain": [1]}], "sleeping": [{"name": "flat"}]}`, "flat of leaves that sleep lacks some of its times"},
		{"{" + machine + `, "rows": [{"name": "fib", "units": 1, "plain": [1], "pools": [{"workers": 1, "times": [1]}]}]}`, "fib lacks some of its times"},
	} {
		if _, err := measure.Read(strings.NewReader(test.json)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %q", test.json, err, test.says)
		}
	}
}

func TestTable(t *testing.T) {
	times := func(ns ...float64) measure.Times { return ns }
	f := &measure.File{
		Rows: []measure.Row{{
			Name: "fib", About: "many calls", Unit: "call", Units: 10, Work: 100, Span: 10, Plain: times(100, 100, 110),
			Pools: []measure.Pool{{Workers: 1, Times: times(125), Copies: times(100)}, {Workers: 9, Times: times(8), Copies: times(90, 100, 120)}},
		}},
		Leaf:     times(2e6),
		Sleeping: []measure.Sleeper{{Name: "flat", Workers: 64, Times: times(128e6)}},
	}
	got := f.Table(0)
	for _, want := range []string{
		"fib         plain   100 ns  0%",
		"1   125 ns  0%     0.80×    1.00×   1.00×\n",
		"9  8.00 ns  0%     12.5×    9.00×   5.00×\n",
		"flat        64  128 ms  0%        64.0",
		"fib: many calls (10.0 ns for each call)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
