package main

import (
	"flag"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/par"
)

func TestRanks(t *testing.T) {
	w := newWeb(3000, 5, 1)
	ranks := map[string][]float64{}
	for name, step := range map[string]func(*web, []float64, []float64, []float64) float64{"par": step, "plain": stepPlain} {
		rank, steps := w.rank(step)
		if sum := par.Sum(rank); math.Abs(sum-1) > 1e-6 || steps < 5 {
			t.Errorf("%s: after %d steps the ranks have the sum %v, want 1", name, steps, sum)
		}
		ranks[name] = rank
	}
	for p, r := range ranks["par"] {
		if plain := ranks["plain"][p]; math.Abs(r-plain) > 1e-9 {
			t.Fatalf("page %d has the rank %v, and by goroutines %v", p, r, plain)
		}
	}
	if again, _ := w.rank(step); !slices.Equal(again, ranks["par"]) {
		t.Error("the ranks have other bits the second time")
	}
}

// Of three pages two link to the first, and that to the second.
func TestSmallWeb(t *testing.T) {
	w := &web{first: []int{0, 2, 3, 3}, from: []int{1, 2, 0}, out: []int{1, 1, 1}}
	rank, _ := w.rank(step)
	a, b, c := rank[0], rank[1], rank[2]
	rest := (1 - damping) / 3
	for _, d := range []float64{a - rest - damping*(b+c), b - rest - damping*a, c - rest} {
		if math.Abs(d) > 1e-6 {
			t.Errorf("the ranks %v are off by %v", rank, d)
		}
	}
	if top := best(rank, 2); !slices.Equal(top, []int{0, 1}) {
		t.Errorf("the best of the ranks %v are %v", rank, top)
	}
}

func TestRun(t *testing.T) {
	outputs := map[string]bool{}
	for _, args := range [][]string{{"-pages", "2000"}, {"-pages", "2000", "-plain"}} {
		var out strings.Builder
		if err := run(args, &out, io.Discard); err != nil {
			t.Errorf("pagerank %q: %v", args, err)
		}
		outputs[out.String()] = true
	}
	if len(outputs) != 1 {
		t.Errorf("the two versions print different ranks: %v", outputs)
	}
	for _, bad := range [][]string{{"x"}, {"-pages", "many"}} {
		if err := run(bad, io.Discard, io.Discard); err != flag.ErrHelp {
			t.Errorf("pagerank %q: %v", bad, err)
		}
	}
	for _, bad := range [][]string{{"-pages", "1"}, {"-links", "0"}} {
		if err := run(bad, io.Discard, io.Discard); err == nil {
			t.Errorf("pagerank %q: no error", bad)
		}
	}
}
