package census_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
	"github.com/rouse-go/rouse/tools/census"
)

var tree = fstest.MapFS{
	"a/b/c.go":  {Data: []byte("package c\n")},
	"a/b/d.txt": {Data: []byte("one two\n")},
	"e":         {Data: []byte("three")},
}

// A recorder is a watcher that remembers, and interrupts the trial at one of the files.
type recorder struct {
	started, ended []string
	files          atomic.Int64
	last           int64
	interrupt      func()
}

func (r *recorder) Start(v census.Variant)             { r.started = append(r.started, v.String()) }
func (r *recorder) End(v census.Variant, _ census.Run) { r.ended = append(r.ended, v.String()) }
func (r *recorder) File() {
	if r.files.Add(1) == r.last {
		r.interrupt()
	}
}

func TestMeasure(t *testing.T) {
	variants := census.Variants(backends.Deques(), backends.Sleeps(), pool.WithWorkers(3))
	var watch recorder
	c, results, err := census.Measure(t.Context(), tree, variants, 2, &watch)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Total(), 2+len(backends.Deques())*len(backends.Sleeps()); got.Files != 3 || got.Bytes != 23 || len(results) != want {
		t.Fatalf("total %+v, %d results, want %d", got, len(results), want)
	}
	var names []string
	for i, r := range results {
		names = append(names, r.String())
		if len(r.Runs) != 2 || len(r.Differs) != 0 || r.String() != variants[i].String() {
			t.Errorf("%v: %+v", r.Variant, r)
		}
		for _, run := range r.Runs {
			if run.Wall <= 0 || run.CPU < 0 {
				t.Errorf("%v: %+v", r.Variant, run)
			}
			// One fork for each of the five entries, the root excepted.
			switch s := run.Stats; {
			case (r.Way == "pool") != (s != nil):
				t.Errorf("%v: stats %v", r.Variant, s)
			case s != nil && (s.Workers != 3 || s.Forks != 5 || s.Published != 5):
				t.Errorf("%v: stats %+v, want 3 workers, 5 forks, all published", r.Variant, *s)
			}
		}
	}
	// A slow moment of the machine must not fall on one variant alone.
	if want := slices.Concat(names, names); !slices.Equal(watch.started, want) || !slices.Equal(watch.ended, want) {
		t.Errorf("the runs that began were %q, those that ended %q; want %q", watch.started, watch.ended, want)
	}
	if want := int64(3 * 2 * len(variants)); watch.files.Load() != want {
		t.Errorf("%d files reported, want %d", watch.files.Load(), want)
	}
}

// A tree that changes while it is measured makes the ways differ, and the
// result says where.
func TestDiffers(t *testing.T) {
	n := 0
	changing := hookedFS{tree, func(name string, f fs.File) (fs.File, error) {
		if name != "a/b/d.txt" {
			return f, nil
		}
		n++
		return fstest.MapFS{name: {Data: []byte(strings.Repeat("x", n))}}.Open(name)
	}}
	variants := census.Variants(nil, nil)
	_, results, err := census.Measure(t.Context(), changing, variants, 1, new(recorder))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{".", "a", "a/b"}; len(results[0].Differs) != 0 || !slices.Equal(results[1].Differs, want) {
		t.Errorf("the ways differ from the first in %q and %q, want nothing and %q", results[0].Differs, results[1].Differs, want)
	}
}

func TestCheck(t *testing.T) {
	for _, n := range []int{0, -1, pool.MaxWorkers + 1} {
		for _, v := range census.Variants(backends.Deques(), backends.Sleeps(), pool.WithWorkers(n)) {
			if err := v.Check(); (err != nil) != (v.Way == "pool") {
				t.Errorf("%v with %d workers: error %v", v, n, err)
			}
		}
	}
}

// What was measured before an interrupt is not lost, and what the interrupt
// cut short is not shown.
func TestInterrupted(t *testing.T) {
	variants := census.Variants(backends.Deques(), backends.Sleeps())
	const files = 3 // of the tree, in each run
	for cut := range 2 * len(variants) {
		ctx, cancel := context.WithCancel(t.Context())
		watch := &recorder{interrupt: cancel, last: int64(cut*files + 1)}
		c, results, err := census.Measure(ctx, tree, variants, 2, watch)
		cancel()
		if !errors.Is(err, context.Canceled) || (c != nil) != (cut > 0) || len(results) != min(cut, len(variants)) {
			t.Fatalf("interrupted in run %d: census %v, %d results, error %v", cut, c != nil, len(results), err)
		}
		runs := 0
		for i, r := range results {
			runs += len(r.Runs)
			if r.String() != variants[i].String() || len(r.Differs) != 0 {
				t.Errorf("interrupted in run %d: result %d is %+v", cut, i, r)
			}
		}
		if runs != cut || len(watch.ended) != cut {
			t.Errorf("interrupted in run %d: %d runs in the results, %d reported", cut, runs, len(watch.ended))
		}
	}
}

func TestMedian(t *testing.T) {
	for want, wall := range map[time.Duration][]time.Duration{7: {7}, 1: {9, 1}, 5: {9, 1, 5}, 2: {4, 3, 2, 1}} {
		var r census.Result
		for _, w := range wall {
			r.Runs = append(r.Runs, census.Run{Wall: w})
		}
		if got := r.Median().Wall; got != want {
			t.Errorf("median of %v is %v, want %v", wall, got, want)
		}
	}
}
