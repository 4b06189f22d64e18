package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A problem is why rows of one implementation have no times.
type problem struct {
	Implementation string
	Text           string
	Bad            bool // an error, not in the nature of things

	workers   []int
	workloads []string
}

// problems returns those of a workload.
func (w *Workload) problems() []problem {
	return problems(slices.Values([]Workload{*w}))
}

// problems returns what went wrong in the whole report.
func (r *Report) problems() []problem {
	all := problems(slices.Values(r.Workloads))
	return slices.DeleteFunc(all, func(p problem) bool { return !p.Bad })
}

// problems lists the same one of the same implementation once.
func problems(workloads func(yield func(Workload) bool)) (all []problem) {
	for w := range workloads {
		for _, r := range w.Rows {
			text := r.Note + r.Error
			if text == "" {
				continue
			}
			i := slices.IndexFunc(all, func(p problem) bool { return p.Implementation == r.Implementation && p.Text == text })
			if i < 0 {
				i = len(all)
				all = append(all, problem{Implementation: r.Implementation, Text: text, Bad: r.Error != ""})
			}
			p := &all[i]
			if !slices.Contains(p.workers, r.Workers) {
				p.workers = append(p.workers, r.Workers)
			}
			if !slices.Contains(p.workloads, w.Name) {
				p.workloads = append(p.workloads, w.Name)
			}
		}
	}
	return all
}

// Here says what it is, for who knows the workload.
func (p problem) Here() string {
	var counts []string
	for _, n := range p.workers {
		counts = append(counts, strconv.Itoa(n))
	}
	workers := plural(p.workers[0], "worker")
	if len(counts) > 1 {
		workers = strings.Join(counts, " and ") + " workers"
	}
	return fmt.Sprintf("%s, %s: %s", p.Implementation, workers, p.Text)
}

// Anywhere says what it is, for who does not.
func (p problem) Anywhere() string {
	where := p.workloads[0]
	if n := len(p.workloads); n > 1 {
		where = plural(n, "workload")
	}
	return fmt.Sprintf("%s in %s: %s", p.Implementation, where, p.Text)
}
