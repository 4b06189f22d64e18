package bench_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// turns are the fakes that were opened, in this order.
var turns []string

// fake is an implementation that takes the same time for each run, in virtual time. From the second run on it
// fails with the error, if there is one.
func fake(name string, takes time.Duration, answer uint64, fails error) *bench.Implementation {
	runs, open := 0, 0
	run := func() (uint64, []time.Duration, error) {
		if open != 1 {
			panic("a piece left something open")
		}
		time.Sleep(takes)
		if runs++; runs > 1 && fails != nil {
			return 0, nil, fails
		}
		return answer, []time.Duration{takes}, nil
	}
	return &bench.Implementation{Name: name, Open: func(*bench.Workload, *work.Program, int) (work.Way, func() error, error) {
		open++
		turns = append(turns, name)
		return run, func() error { open--; return nil }, nil
	}}
}

// measured is what comes of the fakes on one workload with two workers, by their names.
func measured(t *testing.T, fakes ...*bench.Implementation) map[string]*bench.Cell {
	turns = nil
	w := &bench.Workload{Ops: 10, Program: func() *work.Program { return new(work.Program) }, Want: 42}
	p := &bench.Plan{Implementations: fakes, Workers: []int{2}, Pieces: 4, Time: 400 * time.Millisecond}
	cells, err := p.Measure(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*bench.Cell)
	for _, c := range cells {
		all[c.Implementation.Name] = c
	}
	return all
}

// What is compared is measured by turns, in as many pieces as were asked for,
// for as long as was asked for. What takes long gets three runs, and its first one counts.
func TestByTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := measured(t, fake("a", 10*time.Millisecond, 42, nil), fake("b", 20*time.Millisecond, 42, nil), fake("slow", time.Second, 42, nil))
		// The first run of a piece is not counted.
		if a, b, slow := got["a"].Runs, got["b"].Runs, got["slow"].Runs; a != 4*9 || b != 4*4 || slow != 3 {
			t.Fatalf("%d, %d and %d runs", a, b, slow)
		}
		if ns := got["a"].Nanos; slices.Max(ns) != 1e6 || slices.Min(ns) != 1e6 { // 10 ms by 10 operations
			t.Errorf("an operation took %v ns, want 1e6", ns)
		}
		same := true
		for i := 0; i < 9; i += 3 {
			same = same && turns[i] == turns[0]
			for _, name := range []string{"a", "b", "slow"} {
				if !slices.Contains(turns[i:i+3], name) {
					t.Errorf("the pieces were %q, want one of each by turns", turns)
				}
			}
		}
		if same {
			t.Errorf("the pieces were %q, always in the same order", turns)
		}
	})
}

// A failure means that a wrong answer is not noticed, that one cell spoils others, or that a hang is not
// told from a failure.
func TestWhatGoesWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		died := errors.New("it died")
		unfit := &bench.Implementation{Name: "unfit", Open: func(*bench.Workload, *work.Program, int) (work.Way, func() error, error) {
			return nil, nil, bench.ErrUnfit
		}}
		got := measured(t, unfit, fake("wrong", 10*time.Millisecond, 41, nil), fake("fails", 1, 42, died),
			fake("hangs", time.Second, 42, bench.Hangs(time.Second)), fake("well", 10*time.Millisecond, 42, nil))
		if c := got["wrong"]; !errors.Is(c.Err, bench.ErrWrong) || !strings.Contains(c.Err.Error(), "it is 41, must be 42") || len(c.Nanos) != 0 {
			t.Errorf("a wrong answer: %+v", c)
		}
		if c := got["fails"]; c.Err != died {
			t.Errorf("what fails: %+v", c)
		}
		// It is asked no more often than what is slow.
		if c := got["hangs"]; c.Err != nil || c.Hung != 2 || c.Runs != 1 {
			t.Errorf("what hangs after the first run: %+v", c)
		}
		if c := got["well"]; c.Err != nil || c.Runs != 36 || got["unfit"] != nil {
			t.Errorf("what others do disturbs, or there is a cell for what makes no sense: %+v", got)
		}
	})
}
