package results

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/rouse-go/rouse/tools/bench"
)

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"nanos": nanos, "times": times, "count": count, "plural": plural,
	"spread": func(r Row) string { return r.spread() },
}).Parse(pageSource))

// A section is one workload on the page.
type section struct {
	Workload
	Plots []figure
}

// A figure is a plot, as SVG.
type figure struct {
	Title  string
	SVG    template.HTML
	Legend []entry // nil if the plot says by itself what is what
}

// An entry is a line of a plot.
type entry struct {
	Name  string
	Color template.CSS
}

// WriteHTML writes a page with plots and tables that needs nothing from
// elsewhere.
func (r *Report) WriteHTML(w io.Writer) error {
	var sections []section
	for _, workload := range r.Workloads {
		s := section{Workload: workload}
		for _, draw := range []func(*Workload) (figure, bool, error){drawTimes, drawWorkers, drawDistribution} {
			f, ok, err := draw(&workload)
			if err != nil {
				return fmt.Errorf("plot of %s: %w", workload.Name, err)
			}
			if ok {
				s.Plots = append(s.Plots, f)
			}
		}
		sections = append(sections, s)
	}
	return page.Execute(w, struct {
		*Report
		Sections []section
		Sleeps   *comparison
	}{r, sections, r.sleeps()})
}

// plain is the kind of rows to which the number of workers means nothing.
var plain = bench.Plain.String()

// plotted returns the rows that plots show: those with times, without most of
// the combinations of backends, which are in the table.
func (w *Workload) plotted() (rows []Row) {
	for _, r := range w.Rows {
		if r.Judged != nil && r.Error == "" && *r.Judged > 0 && !r.isCombination() {
			rows = append(rows, r)
		}
	}
	return rows
}

// workerCounts returns the numbers of workers of what scales.
func workerCounts(rows []Row) (counts []int) {
	for _, r := range rows {
		if r.Kind != plain {
			counts = append(counts, r.Workers)
		}
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}
