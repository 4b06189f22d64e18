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
type lab struct{ now time.Time }

// A fake takes the same time for each run.
type fake struct {
	bench.Implementation
	takes  time.Duration
	answer string
	fails  error // of each run after the first

	runs, awake, closed int
}

// of returns a fake that gives right answers.
func of(name string, takes time.Duration) *fake {
	return &fake{Implementation: bench.Implementation{Name: name, Kind: bench.Peer}, takes: takes, answer: "right"}
}

func (l *lab) open(f *fake) func(*bench.Workload, *work.Program, int) (*bench.Instance, error) {
	return func(*bench.Workload, *work.Program, int) (*bench.Instance, error) {
		return &bench.Instance{
			Resume: func() error { f.awake++; return nil },
			Pause:  func() error { f.awake--; return nil },
			Close:  func() error { f.closed++; return nil },
			Usage:  func() bench.Usage { return bench.Usage{Allocs: int64(3 * f.runs)} },
			Run: func() (bench.Run, error) {
				if f.awake != 1 {
					return bench.Run{}, fmt.Errorf("run while resumed %d times", f.awake)
				}
				f.runs++
				l.now = l.now.Add(f.takes)
				if f.runs > 1 && f.fails != nil {
					return bench.Run{}, f.fails
				}
				return bench.Run{Elapsed: f.takes, Answer: f.answer}, nil
			},
		}, nil
	}
}

// plan measures the fakes on one workload, with two workers.
func (l *lab) plan(fakes ...*fake) *bench.Plan {
	w := &bench.Workload{
		Name: "w", Ops: 10,
		Program: func() *work.Program { return new(work.Program) },
		Check: func(answer string) error {
			if answer != "right" {
				return errors.New("it is " + answer)
			}
			return nil
		},
	}
	p := &bench.Plan{
		Workloads: []*bench.Workload{w}, Workers: []int{2}, Repeat: 4, Time: 400 * time.Millisecond,
		Now: func() time.Time { return l.now },
	}
	for _, f := range fakes {
		if f.Open == nil {
			f.Open = l.open(f)
		}
		p.Implementations = append(p.Implementations, &f.Implementation)
	}
	return p
}

func run(t *testing.T, p *bench.Plan) []*bench.Cell {
	t.Helper()
	cells, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// What is compared is measured by turns, in as many pieces as were asked for,
// for as long as was asked for. What takes long gets three runs, and its first one counts.
func TestByTurns(t *testing.T) {
	a, b, slow := of("a", 10*time.Millisecond), of("b", 20*time.Millisecond), of("slow", time.Second)
	p := new(lab).plan(a, b, slow)
	var pieces []string
	p.Watch = func(c *bench.Cell, done int) {
		if done != len(pieces) {
			t.Errorf("%d pieces are said to be done, want %d", done, len(pieces))
		}
		pieces = append(pieces, c.Implementation.Name)
	}
	cells := run(t, p)
	if len(cells) != 3 || len(cells[0].Nanos) != 40 || len(cells[1].Nanos) != 20 || len(cells[2].Nanos) != 3 {
		t.Fatalf("got %d cells, %+v", len(cells), cells)
	}
	for _, ns := range cells[0].Nanos {
		if ns != 1e6 { // 10 ms by 10 operations
			t.Fatalf("an operation took %v ns, want 1e6", ns)
		}
	}
	// The first run of what is quick is not counted.
	if a.runs != 41 || b.runs != 21 || slow.runs != 3 || cells[0].Counted != 40 || cells[0].Took <= 0 || cells[0].Usage.Allocs != 120 {
		t.Errorf("%d, %d and %d runs; %d counted, usage %+v", a.runs, b.runs, slow.runs, cells[0].Counted, cells[0].Usage)
	}
	for turn := range slices.Chunk(pieces, 3) {
		if turn[0] == turn[1] || turn[1] == turn[2] || turn[2] == turn[0] {
			t.Errorf("the pieces were %q, want one of each by turns", pieces)
		}
	}
	if len(pieces) != 12 || a.closed != 1 || a.awake != 0 {
		t.Errorf("%d pieces, want 12; closed %d times, still awake %d", len(pieces), a.closed, a.awake)
	}
}

func TestWhatGoesWrong(t *testing.T) {
	died := errors.New("it died")
	wrong, fails, missing, unfit := of("wrong", 1), of("fails", time.Millisecond), of("missing", 1), of("unfit", 1)
	wrong.answer, fails.fails = "left", died
	for f, err := range map[*fake]error{missing: died, unfit: bench.ErrUnfit} {
		f.Open = func(*bench.Workload, *work.Program, int) (*bench.Instance, error) { return nil, err }
	}
	cells := run(t, new(lab).plan(wrong, fails, missing, unfit, of("well", 10*time.Millisecond)))
	got := make(map[string]*bench.Cell)
	for _, c := range cells {
		got[c.Implementation.Name] = c
	}
	if c := got["wrong"]; !errors.Is(c.Err, bench.ErrWrong) || !strings.Contains(c.Err.Error(), "it is left") || len(c.Nanos) != 0 {
		t.Errorf("a wrong answer: %+v", c)
	}
	for _, name := range []string{"fails", "missing"} {
		if c := got[name]; !errors.Is(c.Err, died) {
			t.Errorf("what %s: %+v", name, c)
		}
	}
	if got["unfit"] != nil {
		t.Error("there is a cell for what makes no sense")
	}
	if c := got["well"]; c.Err != nil || len(c.Nanos) != 40 {
		t.Errorf("what others do disturbs: %+v", c)
	}
}

// Which implementations are measured with which numbers of workers. A workload may say what it is
// measured beside, but whoever asks for something by name gets it.
func TestCells(t *testing.T) {
	for _, test := range []struct {
		change func(*bench.Plan)
		want   string
	}{
		{func(p *bench.Plan) { p.Workers = []int{2, 4} }, "fixed1 many2 many4"},
		{func(p *bench.Plan) { p.Asked = true }, "fixed1 many2 rare2"},
		{func(p *bench.Plan) { p.Workloads[0].More, p.Workloads[0].Workers = []string{"rare"}, []int{7} }, "fixed1 many7 rare7"},
		{func(p *bench.Plan) { p.Workloads[0].Beside = []string{"rare", "fixed"} }, "fixed1 rare2"},
		{func(p *bench.Plan) { p.Asked, p.Workloads[0].Beside = true, []string{"rare"} }, "fixed1 many2 rare2"},
	} {
		fixed, many, rare := of("fixed", time.Second), of("many", time.Second), of("rare", time.Second)
		fixed.Fixed, rare.Rare = true, true
		p := new(lab).plan(fixed, many, rare)
		test.change(p)
		var all []string
		for _, c := range run(t, p) {
			all = append(all, fmt.Sprint(c.Implementation.Name, c.Workers))
		}
		if got := strings.Join(all, " "); got != test.want || p.Pieces() != len(all)*p.Repeat {
			t.Errorf("got %s in %d pieces, want %s", got, p.Pieces(), test.want)
		}
	}
}

// A workload gets as many runs as it wants, however long they take, and in
// pieces of about as many. A failure means a median of too few runs.
func TestRuns(t *testing.T) {
	for _, takes := range []time.Duration{30 * time.Millisecond, time.Second} {
		f := of("slow", takes)
		p := new(lab).plan(f)
		p.Workloads[0].Runs = 21
		var after []int
		p.Watch = func(*bench.Cell, int) { after = append(after, f.runs) }
		cells := run(t, p)
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
	cancel()
	f := of("a", time.Millisecond)
	if _, err := new(lab).plan(f).Run(ctx); !errors.Is(err, context.Canceled) || f.closed != 1 {
		t.Errorf("error %v, closed %d times", err, f.closed)
	}
}
