package results

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/rouse-go/rouse/lab/figure"
)

//go:embed page.html
var pageSource string

var page = figure.Page(pageSource, template.FuncMap{
	"nanos": nanos, "times": times, "count": count, "plural": plural, "kept": kept,
	"spread": func(r Row) string { return r.spread() },
})

// A section is one workload on the page.
type section struct {
	Workload
	Families []family // that have rows
	Figures  []*figure.Figure
	Problems []problem
}

// WriteHTML writes a page with plots and tables that needs nothing from
// elsewhere.
func (r *Report) WriteHTML(w io.Writer) error {
	var sections []section
	for _, workload := range r.Workloads {
		s := section{Workload: workload, Problems: workload.problems()}
		for _, f := range families {
			if slices.ContainsFunc(workload.Rows, func(r Row) bool { return r.family() == f }) {
				s.Families = append(s.Families, f)
			}
		}
		for _, draw := range []func(*Workload) (*figure.Figure, error){drawTimes, drawWorkers, drawCombinations} {
			f, err := draw(&workload)
			if err != nil {
				return fmt.Errorf("plot of %s: %w", workload.Name, err)
			}
			if f != nil {
				s.Figures = append(s.Figures, f)
			}
		}
		sections = append(sections, s)
	}
	g := r.glance()
	var overview *figure.Figure
	if g != nil {
		var err error
		if overview, err = g.draw(); err != nil {
			return fmt.Errorf("plot at a glance: %w", err)
		}
	}
	return page.Execute(w, struct {
		*Report
		Problems    []problem
		Glance      *glance
		Overview    *figure.Figure
		Goals       []outcome
		Comparisons []*comparison
		Sections    []section
	}{r, r.problems(), g, overview, r.goals(), r.comparisons(), sections})
}
