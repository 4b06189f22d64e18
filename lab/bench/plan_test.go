package bench_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// A fake takes the same time for each run, in virtual time.
type fake struct {
	bench.Implementation
	takes  time.Duration
	answer uint64
	fails  error // of each run after the first

	runs, awake, closed int
}

// right is what a fake must say.
const right = 42

// of returns a fake that gives right answers.
func of(name string, takes time.Duration) *fake {
	f := &fake{takes: takes, answer: right}
	f.Implementation = bench.Implementation{Name: name, Kind: bench.Peer, Open: f.open}
	return f
}

func (f *fake) open(*bench.Workload, *work.Program, int) (*bench.Instance, error) {
	return &bench.Instance{
		Resume: func() error { f.awake++; return nil },
		Pause:  func() error { f.awake--; return nil },
		Close:  func() error { f.closed++; return nil },
		Run: func() (bench.Run, error) {
			if f.awake != 1 {
				return bench.Run{}, fmt.Errorf("run while resumed %d times", f.awake)
			}
			f.runs++
			time.Sleep(f.takes)
			if f.runs > 1 && f.fails != nil {
				return bench.Run{}, f.fails
			}
			return bench.Run{Answer: f.answer, Nanos: []float64{float64(f.takes)}}, nil
		},
	}, nil
}

// plan measures the fakes on one workload, with two workers.
func plan(fakes ...*fake) *bench.Plan {
	w := &bench.Workload{Name: "w", Ops: 10, Program: func() *work.Program { return new(work.Program) }, Want: right}
	p := &bench.Plan{Workloads: []*bench.Workload{w}, Workers: []int{2}, Repeat: 4, Time: 400 * time.Millisecond}
	for _, f := range fakes {
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
	synctest.Test(t, func(t *testing.T) {
		a, b, slow := of("a", 10*time.Millisecond), of("b", 20*time.Millisecond), of("slow", time.Second)
		p := plan(a, b, slow)
		var pieces []string
		p.Watch = func(c *bench.Cell, done int) {
			if done != len(pieces) {
				t.Errorf("%d pieces are said to be done, want %d", done, len(pieces))
			}
			pieces = append(pieces, c.Implementation.Name)
		}
		cells := run(t, p)
		if len(cells) != 3 || cells[0].Runs != 40 || cells[1].Runs != 20 || cells[2].Runs != 3 {
			t.Fatalf("got %d cells, %+v", len(cells), cells)
		}
		for _, ns := range cells[0].Nanos {
			if ns != 1e6 { // 10 ms by 10 operations
				t.Fatalf("an operation took %v ns, want 1e6", ns)
			}
		}
		// The first run of what is quick is not counted.
		if a.runs != 41 || b.runs != 21 || slow.runs != 3 {
			t.Errorf("%d, %d and %d runs", a.runs, b.runs, slow.runs)
		}
		for turn := range slices.Chunk(pieces, 3) {
			if turn[0] == turn[1] || turn[1] == turn[2] || turn[2] == turn[0] {
				t.Errorf("the pieces were %q, want one of each by turns", pieces)
			}
		}
		if len(pieces) != 12 || a.closed != 1 || a.awake != 0 {
			t.Errorf("%d pieces, want 12; closed %d times, still awake %d", len(pieces), a.closed, a.awake)
		}
	})
}

// A failure means that a wrong answer is compared, that one cell spoils others, or that a hang is not
// told from a failure.
func TestWhatGoesWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		died := errors.New("it died")
		wrong, fails, missing, unfit, hangs := of("wrong", 10*time.Millisecond), of("fails", time.Millisecond), of("missing", 1), of("unfit", 1), of("hangs", time.Second)
		wrong.answer, fails.fails, hangs.fails = 41, died, bench.Hangs(time.Second)
		for f, err := range map[*fake]error{missing: died, unfit: bench.ErrUnfit} {
			f.Open = func(*bench.Workload, *work.Program, int) (*bench.Instance, error) { return nil, err }
		}
		got := make(map[string]*bench.Cell)
		for _, c := range run(t, plan(wrong, fails, missing, unfit, hangs, of("well", 10*time.Millisecond))) {
			got[c.Implementation.Name] = c
		}
		if c := got["wrong"]; !errors.Is(c.Err, bench.ErrWrong) || !strings.Contains(c.Err.Error(), "it is 41, must be 42") || len(c.Nanos) != 0 {
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
		if c := got["hangs"]; c.Err != nil || c.Hung != 4 || c.Runs != 1 {
			t.Errorf("what hangs once in each piece: %+v", c)
		}
	})
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
		fixed, many, rare := of("fixed", 0), of("many", 0), of("rare", 0)
		fixed.Fixed, rare.Rare = true, true
		p := plan(fixed, many, rare)
		p.Time = 1
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
	synctest.Test(t, func(t *testing.T) {
		for _, takes := range []time.Duration{30 * time.Millisecond, time.Second} {
			f := of("slow", takes)
			p := plan(f)
			p.Workloads[0].Runs = 21
			var after []int
			p.Watch = func(*bench.Cell, int) { after = append(after, f.runs) }
			if n := run(t, p)[0].Runs; n != 21 && n != 22 {
				t.Errorf("runs of %v: %d, want 21", takes, n)
			}
			for piece, runs := range after[1:] {
				if least := 21 * (piece + 1) / 4; runs < least || runs > least+2 {
					t.Errorf("runs of %v: %d after %d of 4 pieces, want about %d", takes, runs, piece+1, least)
				}
			}
		}
	})
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := of("a", time.Millisecond)
	if _, err := plan(f).Run(ctx); !errors.Is(err, context.Canceled) || f.closed != 1 {
		t.Errorf("error %v, closed %d times", err, f.closed)
	}
}
