package bench_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// A lab is a machine whose time passes only in runs.
type lab struct {
	now time.Time
}

func (l *lab) workload(name string) *bench.Workload {
	return &bench.Workload{
		Name: name, Ops: 10,
		Program: func() *work.Program { return new(work.Program) },
		Check: func(answer string) error {
			if answer != "right" {
				return errors.New("it is " + answer)
			}
			return nil
		},
	}
}

// A fake takes the same time for each run.
type fake struct {
	lab    *lab
	name   string
	takes  time.Duration
	fixed  bool   // the number of workers means nothing
	matrix bool   // is a combination
	answer string // "" is right
	open   error
	fails  error // of each run after the first

	runs, awake, closed int
}

func (f *fake) Name() string     { return f.name }
func (f *fake) Kind() bench.Kind { return bench.Peer }
func (f *fake) Scales() bool     { return !f.fixed }
func (f *fake) Matrix() bool     { return f.matrix }

func (f *fake) Open(*bench.Workload, bench.Program, int) (bench.Instance, error) {
	if f.open != nil {
		return nil, f.open
	}
	return f, nil
}

func (f *fake) Resume() error { f.awake++; return nil }
func (f *fake) Pause() error  { f.awake--; return nil }
func (f *fake) Close() error  { f.closed++; return nil }

func (f *fake) Usage() bench.Usage {
	u := bench.Unknown()
	u.Allocs = int64(3 * f.runs)
	return u
}

func (f *fake) Run() (bench.Run, error) {
	if f.awake != 1 {
		return bench.Run{}, fmt.Errorf("run while resumed %d times", f.awake)
	}
	f.runs++
	f.lab.now = f.lab.now.Add(f.takes)
	if f.runs > 1 && f.fails != nil {
		return bench.Run{}, f.fails
	}
	if f.answer == "" {
		return bench.Run{Elapsed: f.takes, Answer: "right"}, nil
	}
	return bench.Run{Elapsed: f.takes, Answer: f.answer}, nil
}

func (l *lab) plan(impls ...*fake) *bench.Plan {
	p := &bench.Plan{
		Workloads: []*bench.Workload{l.workload("w")},
		Workers:   []int{2},
		Repeat:    4,
		Time:      400 * time.Millisecond,
		Now:       func() time.Time { return l.now },
	}
	for _, f := range impls {
		f.lab = l
		p.Implementations = append(p.Implementations, f)
	}
	return p
}

func (l *lab) run(t *testing.T, p *bench.Plan) []*bench.Cell {
	t.Helper()
	cells, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// What is compared is measured by turns, in as many pieces as were asked for,
// for as long as was asked for.
func TestByTurns(t *testing.T) {
	l := new(lab)
	a, b := &fake{name: "a", takes: 10 * time.Millisecond}, &fake{name: "b", takes: 20 * time.Millisecond}
	p := l.plan(a, b)
	var pieces []string
	p.Watch = func(c *bench.Cell, done int) {
		if done != len(pieces) {
			t.Errorf("%d pieces are said to be done, want %d", done, len(pieces))
		}
		pieces = append(pieces, c.Implementation)
	}
	cells := l.run(t, p)
	if len(cells) != 2 || len(cells[0].Nanos) != 40 || len(cells[1].Nanos) != 20 {
		t.Fatalf("got %d cells, %+v", len(cells), cells)
	}
	for _, ns := range cells[0].Nanos {
		if ns != 1e6 { // 10 ms by 10 operations
			t.Fatalf("an operation took %v ns, want 1e6", ns)
		}
	}
	// The first run of each is not counted.
	if a.runs != 41 || b.runs != 21 || cells[0].Counted != 40 || cells[0].Took <= 0 || cells[0].Usage.Allocs != 120 || cells[0].Usage.CPU != -1 {
		t.Errorf("%d and %d runs; %d counted, usage %+v", a.runs, b.runs, cells[0].Counted, cells[0].Usage)
	}
	for turn := range slices.Chunk(pieces, 2) {
		if turn[0] == turn[1] {
			t.Errorf("the pieces were %q, want one of each by turns", pieces)
		}
	}
	if len(pieces) != 8 {
		t.Errorf("%d pieces, want 8", len(pieces))
	}
	if a.closed != 1 || a.awake != 0 {
		t.Errorf("closed %d times, still awake %d", a.closed, a.awake)
	}
}

// What takes long gets three runs, and its first one counts.
func TestSlow(t *testing.T) {
	l := new(lab)
	slow, quick := &fake{name: "slow", takes: time.Second}, &fake{name: "quick", takes: 10 * time.Millisecond}
	cells := l.run(t, l.plan(slow, quick))
	if slow.runs != 3 || len(cells[0].Nanos) != 3 || len(cells[1].Nanos) != 40 {
		t.Errorf("%d runs, %d and %d of them counted, want 3, 3, 40", slow.runs, len(cells[0].Nanos), len(cells[1].Nanos))
	}
}

func TestWhatGoesWrong(t *testing.T) {
	l := new(lab)
	died := errors.New("it died")
	cells := l.run(t, l.plan(
		&fake{name: "wrong", takes: 1, answer: "left"},
		&fake{name: "fails", takes: time.Millisecond, fails: died},
		&fake{name: "missing", open: bench.Missing("not here")},
		&fake{name: "unfit", open: bench.Unfit("it cannot nest")},
		&fake{name: "senseless", open: bench.Unfit("")},
		&fake{name: "well", takes: 10 * time.Millisecond},
	))
	got := make(map[string]*bench.Cell)
	for _, c := range cells {
		got[c.Implementation] = c
	}
	if c := got["wrong"]; !errors.Is(c.Err, bench.ErrWrong) || !strings.Contains(c.Err.Error(), "it is left") || len(c.Nanos) != 0 {
		t.Errorf("a wrong answer: %+v", c)
	}
	if c := got["fails"]; !errors.Is(c.Err, died) {
		t.Errorf("a run that failed: %+v", c)
	}
	if c := got["missing"]; c.Err == nil || c.Err.Error() != "not here" {
		t.Errorf("what is missing: %+v", c)
	}
	if c := got["unfit"]; c.Err != nil || c.Unfit != "it cannot nest" {
		t.Errorf("what cannot do it: %+v", c)
	}
	if got["senseless"] != nil {
		t.Error("there is a cell for what makes no sense")
	}
	if c := got["well"]; c.Err != nil || len(c.Nanos) != 40 {
		t.Errorf("what others do disturbs: %+v", c)
	}
}

// Which implementations are measured with which numbers of workers.
func TestCells(t *testing.T) {
	l := new(lab)
	names := func(p *bench.Plan) (all []string) {
		for _, c := range l.run(t, p) {
			all = append(all, fmt.Sprint(c.Implementation, c.Workers))
		}
		if n := len(all) * p.Repeat; p.Pieces() != n {
			t.Errorf("Pieces is %d, want %d", p.Pieces(), n)
		}
		return all
	}
	impls := func() []*fake {
		return []*fake{{name: "fixed", fixed: true, takes: time.Second}, {name: "many", takes: time.Second}, {name: "combo", matrix: true, takes: time.Second}}
	}
	p := l.plan(impls()...)
	p.Workers = []int{2, 4}
	if got, want := names(p), []string{"fixed1", "many2", "many4"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p = l.plan(impls()...)
	p.Asked = true
	if got, want := names(p), []string{"fixed1", "many2", "combo2"}; !slices.Equal(got, want) {
		t.Errorf("asked for all: got %q, want %q", got, want)
	}
	p = l.plan(impls()...)
	p.Workloads[0].Matrix, p.Workloads[0].Workers = true, []int{7}
	if got, want := names(p), []string{"fixed1", "many7", "combo7"}; !slices.Equal(got, want) {
		t.Errorf("with a matrix: got %q, want %q", got, want)
	}
}

// A workload may say what it is measured beside, but whoever asks for something
// by name gets it. A failure means that a bench takes far longer than it should,
// or that what was asked for is missing.
func TestBeside(t *testing.T) {
	l := new(lab)
	for asked, want := range map[bool][]string{false: {"plain", "combo"}, true: {"plain", "many", "combo"}} {
		p := l.plan(&fake{name: "plain", takes: time.Second}, &fake{name: "many", takes: time.Second}, &fake{name: "combo", matrix: true, takes: time.Second})
		p.Workloads[0].Beside = []string{"combo", "plain"}
		p.Asked = asked
		var got []string
		for _, c := range l.run(t, p) {
			got = append(got, c.Implementation)
		}
		if !slices.Equal(got, want) {
			t.Errorf("asked for by name %t: got %q, want %q", asked, got, want)
		}
	}
}

// A workload gets as many runs as it wants, however long they take, and in
// pieces of about as many. A failure means a median of too few runs.
func TestRuns(t *testing.T) {
	for _, takes := range []time.Duration{30 * time.Millisecond, time.Second} {
		l := new(lab)
		f := &fake{name: "slow", takes: takes}
		p := l.plan(f)
		p.Workloads[0].Runs = 21
		var after []int
		p.Watch = func(*bench.Cell, int) { after = append(after, f.runs) }
		cells := l.run(t, p)
		if n := len(cells[0].Nanos); n != 21 && n != 22 {
			t.Errorf("runs of %v: %d, want 21", takes, n)
		}
		for piece, runs := range after[1:] {
			if least := 21 * (piece + 1) / 4; runs < least || runs > least+2 {
				t.Errorf("runs of %v: %d after %d of 4 pieces, want about %d", takes, runs, piece+1, least)
			}
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l := new(lab)
	f := &fake{name: "a", takes: time.Millisecond}
	p := l.plan(f)
	p.Watch = func(_ *bench.Cell, done int) {
		if done == 2 {
			cancel()
		}
	}
	if _, err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if f.closed != 1 {
		t.Errorf("closed %d times", f.closed)
	}
}

func TestSummarize(t *testing.T) {
	var xs []float64
	for i := range 101 {
		xs = append(xs, float64((i*37)%101)) // 0 to 100, in disorder
	}
	s := bench.Summarize(xs)
	if s.Median != 50 || s.P10 < 9 || s.P10 > 11 || s.P99 < 98 || s.P99 > 100 || !(s.Low < 50 && 35 < s.Low && 50 < s.High && s.High < 65) {
		t.Errorf("%+v", s)
	}
	if xs[1] != 37 {
		t.Error("the runs were put in another order")
	}
}
