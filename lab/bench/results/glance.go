package results

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/figure"
	"github.com/rouse-go/rouse/tools/columns"
)

// ours is the implementation that stands for this repository where there are
// forks: the pool on its defaults.
const ours = "rouse"

// ours returns the implementation that stands for this repository in the workload.
func (w *Workload) ours() string {
	if strings.HasPrefix(w.Name, bench.ParPrefix) || w.isSweep() {
		return bench.ParName
	}
	return ours
}

// A glance is where the pool stands, workload by workload, with the greatest
// number of workers.
type glance struct {
	Workers   int // but for the workload that has its own number
	Rivals    []score
	Standings []standing
}

// A score counts the workloads in which the pool is ahead of a rival, level
// with it, or behind.
type score struct {
	Rival                string
	Ahead, Level, Behind int

	look family
}

// A standing is one workload. Versus has a comparison for each rival.
type standing struct {
	Workload, Unit string
	Nanos          float64
	Versus         []versus
}

// A versus is how many times as long a rival takes, 0 if that is not known.
type versus struct {
	Name  string // if it is not always the same one
	Times float64
}

// rivals are those that a reader knows, and the fastest there is.
var rivals = []struct {
	title string
	find  func(w *Workload, workers int) *Row
	look  family
}{
	{bench.SequentialName, func(w *Workload, _ int) *Row { return w.row(bench.SequentialName, 1) }, plain},
	{"goroutine", func(w *Workload, workers int) *Row { return w.row("goroutine", workers) }, inGo},
	{"rayon", func(w *Workload, workers int) *Row { return w.row("rayon", workers) }, abroad},
	{"fastest peer", (*Workload).bestPeer, family{figure.Key{Hue: "ink", Mark: "○", Name: ""}, figure.Hollow{Sides: 0, Larger: 1.6}}},
}

// glance returns nil if the pool was not measured beside any rival. At rest
// there is nothing to be fast at, and what has a table of its own would be many
// rows that say the same.
func (r *Report) glance() *glance {
	g := &glance{Workers: r.most()}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		row := w.row(w.ours(), w.most(w.ours()))
		if row == nil || *row.Judged <= 0 || w.Name == "rest" || w.ownTable() {
			continue
		}
		s := standing{Workload: w.Name, Unit: w.Unit, Nanos: *row.Judged}
		for _, rival := range rivals {
			var v versus
			if other := rival.find(w, row.Workers); other != nil && *other.Judged > 0 {
				v.Times = *other.Judged / *row.Judged
				if other.Implementation != rival.title {
					v.Name = other.Implementation
				}
			}
			s.Versus = append(s.Versus, v)
		}
		if slices.ContainsFunc(s.Versus, func(v versus) bool { return v.Times > 0 }) {
			g.Standings = append(g.Standings, s)
		}
	}
	// Who is in none of them is no rival.
	for i := len(rivals) - 1; i >= 0; i-- {
		score := score{Rival: rivals[i].title, look: rivals[i].look}
		for _, s := range g.Standings {
			score.count(s.Versus[i])
		}
		if score.Of() > 0 {
			g.Rivals = append(g.Rivals, score)
			continue
		}
		for j := range g.Standings {
			s := &g.Standings[j]
			s.Versus = slices.Delete(s.Versus, i, i+1)
		}
	}
	slices.Reverse(g.Rivals)
	if len(g.Rivals) == 0 {
		return nil
	}
	return g
}

// Time is what the pool takes.
func (s standing) Time() string { return nanos(&s.Nanos) + " / " + s.Unit }

// level is how far from the same time still counts as the same.
const level = 1.05

func (s *score) count(v versus) {
	switch {
	case v.Times == 0:
	case v.Times > level:
		s.Ahead++
	case v.Times < 1/level:
		s.Behind++
	default:
		s.Level++
	}
}

// Of is in how many workloads the two were compared.
func (s score) Of() int { return s.Ahead + s.Level + s.Behind }

// String says it in words.
func (v versus) String() string {
	var s string
	if v.Name != "" {
		s = v.Name + ", "
	}
	switch {
	case v.Times == 0:
		return ""
	case v.Times > level:
		return s + digits(v.Times) + "× faster"
	case v.Times < 1/level:
		return s + digits(1/v.Times) + "× slower"
	}
	return s + "level"
}

// write appends the glance to a report of lines of this width.
func (g *glance) write(b *strings.Builder, width int) {
	fmt.Fprintf(b, "\nat a glance: the pool and par on their defaults with %s, against others with as many\n", plural(g.Workers, "worker"))
	header := []any{"", "time"}
	for _, s := range g.Rivals {
		fmt.Fprintf(b, "  %-13s ahead in %d of %s, level (within 5 %%) in %d, behind in %d\n", s.Rival+":", s.Ahead, plural(s.Of(), "workload"), s.Level, s.Behind)
		header = append(header, "vs "+s.Rival)
	}
	t := columns.New(1, header...)
	for _, s := range g.Standings {
		cells := []any{s.Workload, s.Time()}
		for _, v := range s.Versus {
			cells = append(cells, v)
		}
		t.Row(cells...)
	}
	fmt.Fprintf(b, "\n%s\n", t.Fit(width))
}

// row returns the row of an implementation, if it has times and a right answer.
func (w *Workload) row(implementation string, workers int) *Row {
	i := slices.IndexFunc(w.Rows, func(r Row) bool {
		return r.Implementation == implementation && r.Workers == workers && r.Judged != nil && r.Error == ""
	})
	if i < 0 {
		return nil
	}
	return &w.Rows[i]
}

// most returns the greatest number of workers with which an implementation has
// times, 0 if it has none.
func (w *Workload) most(implementation string) (workers int) {
	for _, r := range w.Rows {
		if r.Implementation == implementation && r.Judged != nil && r.Error == "" {
			workers = max(workers, r.Workers)
		}
	}
	return workers
}

// most returns the greatest number of workers that was asked for.
func (r *Report) most() (workers int) {
	for i := range r.Workloads {
		if w := &r.Workloads[i]; w.Name != crowd && !w.ownTable() {
			workers = max(workers, w.most(w.ours()))
		}
	}
	return workers
}

// crowd is the workload that has more workers than any other.
const crowd = "fib-64"

// bestPeer returns the fastest peer with so many workers, or nil.
func (w *Workload) bestPeer(workers int) *Row {
	return w.best(func(r *Row) bool { return r.Workers == workers && r.Kind == bench.Peer.String() })
}
