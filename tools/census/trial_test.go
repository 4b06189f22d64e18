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

// A recorder is a watcher that remembers.
type recorder struct {
	started, ended []string
	files          atomic.Int64
}

func (r *recorder) Start(v census.Variant) { r.started = append(r.started, v.String()) }
func (r *recorder) File()                  { r.files.Add(1) }

func (r *recorder) End(v census.Variant, run census.Run) {
	if run.Wall > 0 {
		r.ended = append(r.ended, v.String())
	}
}

func TestMeasure(t *testing.T) {
	variants := census.Variants(backends.Deques(), backends.Sleeps(), pool.WithWorkers(3))
	var watch recorder
	c, results, err := census.Measure(t.Context(), tree, variants, 2, &watch)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Total(); got.Files != 3 || got.Bytes != 23 {
		t.Errorf("total %+v", got)
	}
	if want := 2 + len(backends.Deques())*len(backends.Sleeps()); len(results) != want {
		t.Fatalf("%d results, want %d", len(results), want)
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
	changing := openFS(func(name string) (fs.File, error) {
		if name != "a/b/d.txt" {
			return tree.Open(name)
		}
		n++
		return fstest.MapFS{name: {Data: []byte(strings.Repeat("x", n))}}.Open(name)
	})
	variants := census.Variants(nil, nil)
	_, results, err := census.Measure(t.Context(), changing, variants, 1, new(recorder))
	if err != nil {
		t.Fatal(err)
	}
	if len(results[0].Differs) != 0 {
		t.Errorf("the first way differs from itself in %q", results[0].Differs)
	}
	if want := []string{".", "a", "a/b"}; !slices.Equal(results[1].Differs, want) {
		t.Errorf("differs in %q, want %q", results[1].Differs, want)
	}
}

type openFS func(name string) (fs.File, error)

func (f openFS) Open(name string) (fs.File, error) { return f(name) }

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
		watch := &canceller{cancel: cancel, after: int64(cut*files + 1)}
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
		if runs != cut || watch.ended != cut {
			t.Errorf("interrupted in run %d: %d runs in the results, %d reported", cut, runs, watch.ended)
		}
	}
}

// A canceller ends the trial after so many files.
type canceller struct {
	cancel func()
	after  int64
	files  atomic.Int64
	ended  int
}

func (c *canceller) Start(census.Variant)           {}
func (c *canceller) End(census.Variant, census.Run) { c.ended++ }

func (c *canceller) File() {
	if c.files.Add(1) == c.after {
		c.cancel()
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		wall []time.Duration
		want time.Duration
	}{
		{[]time.Duration{7}, 7},
		{[]time.Duration{9, 1}, 1},
		{[]time.Duration{9, 1, 5}, 5},
		{[]time.Duration{4, 3, 2, 1}, 2},
	} {
		var r census.Result
		for _, w := range test.wall {
			r.Runs = append(r.Runs, census.Run{Wall: w})
		}
		if got := r.Median().Wall; got != test.want {
			t.Errorf("median of %v is %v, want %v", test.wall, got, test.want)
		}
	}
}
