package predict

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"github.com/rouse-go/rouse/lab/figure"
)

//go:embed page.html
var pageSource string

var page = figure.Page(pageSource, template.FuncMap{"times": times, "part": part, "duration": duration})

// A Labelled is a report with the name that a page calls it.
type Labelled struct {
	Label string
	*Report
}

// A look is how a page shows a report: not everybody sees the colours.
type look struct {
	Hue   figure.Hue
	Mark  string
	shape draw.GlyphDrawer
}

var looks = []look{
	{"ours", "●", draw.CircleGlyph{}},
	{"go", "■", draw.BoxGlyph{}},
	{"abroad", "▲", draw.PyramidGlyph{}},
	{"violet", "◆", figure.Diamond{}},
	{"gold", "○", figure.Hollow{Larger: 1}},
}

// A pageReport is a report on a page.
type pageReport struct {
	Labelled
	look
}

// Key is the report in a legend.
func (s pageReport) Key() figure.Key { return figure.Key{Hue: s.Hue, Mark: s.Mark, Name: s.Label} }

// About is the title after what all titles begin with.
func (s pageReport) About() string {
	_, about, _ := strings.Cut(s.Title, ": ")
	return about
}

// Validation says how many checks held, and Notes has those that did not.
func (s pageReport) Validation() string { sum, _ := s.validation(); return sum }

// Notes are about the validation.
func (s pageReport) Notes() []string { _, notes := s.validation(); return notes }

// Workers are the numbers of workers that there are.
func (s pageReport) Workers() []int { return workerCounts([]pageReport{s}) }

// Workloads are those of the report, in its order.
func (s pageReport) Workloads() []string { return workloads([]pageReport{s}) }

// WritePage writes a page with plots of the reports, which needs nothing from
// elsewhere. It says first of all that nothing on it was measured.
func WritePage(w io.Writer, reports []Labelled) error {
	if len(reports) == 0 {
		return errors.New("no reports to show")
	}
	if len(reports) > len(looks) {
		return fmt.Errorf("%d reports are too many for a page: at most %d", len(reports), len(looks))
	}
	var all []pageReport
	for i, r := range reports {
		all = append(all, pageReport{r, looks[i]})
	}
	var sections []*section
	for _, name := range workloads(all) {
		s, err := newSection(name, all)
		if err != nil {
			return fmt.Errorf("plot of %s: %w", name, err)
		}
		sections = append(sections, s)
	}
	return page.Execute(w, struct {
		Begins   string
		Reports  []pageReport
		Sections []*section
	}{begins, all, sections})
}

// workloads returns the names of those that any of the reports has, in their
// order.
func workloads(all []pageReport) (names []string) {
	for _, s := range all {
		for _, c := range s.Cells {
			if !slices.Contains(names, c.Workload) {
				names = append(names, c.Workload)
			}
		}
	}
	return names
}

// workerCounts returns the numbers of workers that any of the reports has.
func workerCounts(all []pageReport) (counts []int) {
	for _, s := range all {
		for _, c := range s.Cells {
			counts = append(counts, c.Workers)
		}
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// A section is one workload on the page.
type section struct {
	Name    string
	Courses []course
	Figures []*figure.Figure
	// Abouts are what the workload is, one if the reports agree.
	Abouts []string
}

// A course is what one report says of one workload, by the number of workers.
type course struct {
	pageReport
	Cells []Cell
}

// newSection has what all reports say of a workload.
func newSection(name string, all []pageReport) (*section, error) {
	s := &section{Name: name}
	for _, report := range all {
		c := course{pageReport: report}
		for _, cell := range report.Cells {
			if cell.Workload == name {
				c.Cells = append(c.Cells, cell)
				if !slices.Contains(s.Abouts, cell.About) {
					s.Abouts = append(s.Abouts, cell.About)
				}
			}
		}
		if c.Cells != nil {
			slices.SortFunc(c.Cells, func(a, b Cell) int { return a.Workers - b.Workers })
			s.Courses = append(s.Courses, c)
		}
	}
	for _, draw := range []func([]course) (*figure.Figure, error){drawSpeedups, drawParts, drawRamps} {
		f, err := draw(s.Courses)
		if err != nil {
			return nil, err
		}
		if f != nil {
			s.Figures = append(s.Figures, f)
		}
	}
	return s, nil
}
