package bench_test

import (
	"context"
	"errors"
	"fmt"
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

	runs, open int
}

// right is what a fake must say.
const right = 42

// turns are the fakes that were opened, in this order.
var turns []string

// of returns a fake that gives right answers.
func of(name string, takes time.Duration) *fake {
	f := &fake{takes: takes, answer: right}
	f.Implementation = bench.Implementation{Name: name, Open: f.opened}
	return f
}

func (f *fake) opened(*bench.Workload, *work.Program, int) (*bench.Instance, error) {
	f.open++
	turns = append(turns, f.Name)
	return &bench.Instance{
		Close: func() error { f.open--; return nil },
		Run: func() (bench.Run, error) {
			if f.open != 1 {
				return bench.Run{}, fmt.Errorf("%d are open", f.open)
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

// measured is what comes of the fakes on one workload with two workers, after a change of both.
func measured(t *testing.T, change func(*bench.Plan, *bench.Workload), fakes ...*fake) []*bench.Cell {
	t.Helper()
	turns = nil
	w := &bench.Workload{Name: "w", Ops: 10, Program: func() *work.Program { return new(work.Program) }, Want: right}
	p := &bench.Plan{Workers: []int{2}, Pieces: 4, Time: 400 * time.Millisecond}
	for _, f := range fakes {
		p.Implementations = append(p.Implementations, &f.Implementation)
	}
	change(p, w)
	cells, err := p.Measure(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func asItIs(*bench.Plan, *bench.Workload) {}

// What is compared is measured by turns, in as many pieces as were asked for,
// for as long as was asked for. What takes long gets three runs, and its first one counts.
func TestByTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, slow := of("a", 10*time.Millisecond), of("b", 20*time.Millisecond), of("slow", time.Second)
		cells := measured(t, asItIs, a, b, slow)
		// The first run of a piece is not counted.
		if len(cells) != 3 || cells[0].Runs != 36 || cells[1].Runs != 16 || cells[2].Runs != 3 || a.runs != 40 || b.runs != 20 || slow.runs != 3 {
			t.Fatalf("%d, %d and %d runs, of which are counted %+v", a.runs, b.runs, slow.runs, cells)
		}
		for _, ns := range cells[0].Nanos {
			if ns != 1e6 { // 10 ms by 10 operations
				t.Fatalf("an operation took %v ns, want 1e6", ns)
			}
		}
		if a.open != 0 || slow.open != 0 {
			t.Error("a piece left something open")
		}
		for piece, turn := range [][]string{turns[:3], turns[3:6], turns[6:9], turns[9:]} {
			if all := strings.Join(turn, ""); !strings.Contains(all, "a") || !strings.Contains(all, "b") || piece < 3 && len(turn) != 3 {
				t.Errorf("the pieces were %q, want one of each by turns", turns)
			}
		}
		if first := turns[0]; turns[3] == first && turns[6] == first {
			t.Errorf("the pieces were %q, always in the same order", turns)
		}
	})
}

// A failure means that a wrong answer is not noticed, that one cell spoils others, or that a hang is not
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
		for _, c := range measured(t, asItIs, wrong, fails, missing, unfit, hangs, of("well", 10*time.Millisecond)) {
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
		if c := got["well"]; c.Err != nil || len(c.Nanos) != 36 {
			t.Errorf("what others do disturbs: %+v", c)
		}
		// It is asked no more often than what is slow.
		if c := got["hangs"]; c.Err != nil || c.Hung != 2 || c.Runs != 1 {
			t.Errorf("what hangs after the first run: %+v", c)
		}
	})
}

// Which implementations are measured with which numbers of workers. The pool with the other sleep backend is
// left out where it shows nothing, unless it is asked for.
func TestCells(t *testing.T) {
	for _, test := range []struct {
		change func(*bench.Plan, *bench.Workload)
		want   string
	}{
		{func(p *bench.Plan, _ *bench.Workload) { p.Workers = []int{2, 4} }, "fixed1 many2 many4"},
		{func(p *bench.Plan, _ *bench.Workload) { p.Asked = true }, "fixed1 many2 rouse-futex2"},
		{func(_ *bench.Plan, w *bench.Workload) { w.Futex, w.Workers = true, []int{7} }, "fixed1 many7 rouse-futex7"},
	} {
		fixed, many, rare := of("fixed", 0), of("many", 0), of(bench.OursFutex, 0)
		fixed.Fixed = true
		var all []string
		change := func(p *bench.Plan, w *bench.Workload) { p.Time = 1; test.change(p, w) }
		for _, c := range measured(t, change, fixed, many, rare) {
			all = append(all, fmt.Sprint(c.Implementation.Name, c.Workers))
		}
		if got := strings.Join(all, " "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f, w := of("a", time.Millisecond), &bench.Workload{Name: "w", Program: func() *work.Program { return new(work.Program) }, Want: right}
	w.Program = func() *work.Program { cancel(); return new(work.Program) }
	p := &bench.Plan{Implementations: []*bench.Implementation{&f.Implementation}, Workers: []int{1}, Pieces: 1, Time: time.Second}
	if _, err := p.Measure(ctx, w); !errors.Is(err, context.Canceled) || f.runs != 0 {
		t.Errorf("error %v after %d runs", err, f.runs)
	}
}
