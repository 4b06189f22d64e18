package predict

import (
	"context"
	"slices"

	"github.com/rouse-go/rouse/lab/scale"
	"github.com/rouse-go/rouse/lab/simulate"
)

// worth is the part of the workers that a speed-up must reach for them to be
// worth it.
const worth = 0.5

// leavesOfRun and leavesOfLoop are how many leaves for each worker the rules of
// thumb are about: a small Run, and a loop of some length.
const (
	leavesOfRun  = 4
	leavesOfLoop = 32
)

// The leaves that are tried: from the first on, each twice as long.
const (
	firstLeaf = 125 * simulate.Nanosecond
	lastLeaf  = 12 // doublings: half a millisecond
)

// thumbs finds the rules of thumb for each number of workers beyond one.
func (p *Plan) thumbs(ctx context.Context) ([]Thumb, error) {
	all := []Thumb{}
	for _, workers := range p.Workers {
		if workers == 1 {
			continue
		}
		t := Thumb{Workers: workers}
		for _, rule := range []struct {
			result *float64
			leaves int
			row    func(n int, leaf simulate.Time) *scale.Row
		}{
			{&t.Run, leavesOfRun, scale.Tree},
			{&t.Tree, leavesOfLoop, scale.Tree},
			{&t.Flat, leavesOfLoop, scale.Flat},
			{&t.Scope, leavesOfLoop, scale.Scope},
		} {
			leaf, err := p.smallest(ctx, workers, func(leaf simulate.Time) *scale.Row { return rule.row(rule.leaves*workers, leaf) })
			if err != nil {
				return nil, err
			}
			*rule.result = leaf.Seconds() * 1e9
		}
		t.Run *= float64(leavesOfRun * workers)
		empty := scale.Empty()
		done, err := p.perform(ctx, p.Machine, empty, workers)
		if err != nil {
			return nil, err
		}
		t.Jobs = float64(empty.Units) / done.elapsed.Seconds()
		all = append(all, t)
	}
	return all, nil
}

// smallest returns the smallest of the leaves tried that makes the row worth the
// workers, or 0 if none does. It takes for granted that a larger leaf is worth
// more.
func (p *Plan) smallest(ctx context.Context, workers int, row func(leaf simulate.Time) *scale.Row) (simulate.Time, error) {
	var tried []simulate.Time
	for i := range lastLeaf + 1 {
		tried = append(tried, firstLeaf<<i)
	}
	var failed error
	i, _ := slices.BinarySearchFunc(tried, true, func(leaf simulate.Time, _ bool) int {
		if failed != nil {
			return 0
		}
		done, err := p.perform(ctx, p.Machine, row(leaf), workers)
		if err != nil {
			failed = err
			return 0
		}
		if done.speedup() < worth*float64(workers) {
			return -1
		}
		return 1
	})
	if failed != nil || i == len(tried) {
		return 0, failed
	}
	return tried[i], nil
}
