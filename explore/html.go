package explore

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var page = template.Must(template.New("failure").Parse(pageHTML))

// A pageRow is a step, or a remark about others.
type pageRow struct {
	Step
	N      int // its number, from 1
	Label  string
	Colour int
	Source string
	Before string // which of the accesses of a race it comes before
	Key    string // of the variable, the lock or the channel that it is on
	Cells  []bool // the thread's is true
}

// WriteHTML writes the failure as a page for a browser: what went wrong, how to replay it, and a
// table of the operations with a column for each thread. The page is complete in itself. It shows
// the lines of the source code if the files can be read. WriteHTML returns the errors of w.
func (f *Failure) WriteHTML(w io.Writer) error {
	columns := make([]int, len(f.Threads)) // of threads that do something, and -1
	var labels []pageRow
	for i := range columns {
		columns[i] = -1
	}
	for _, s := range f.Steps {
		if s.Thread >= 0 {
			columns[s.Thread] = 0
		}
	}
	for i, c := range columns {
		if c == 0 {
			columns[i] = len(labels)
			labels = append(labels, pageRow{Label: f.Threads[i], Colour: i % 8})
		}
	}
	var rows []pageRow
	n, src, race := 0, sources{}, false
	for _, s := range f.Steps {
		r := pageRow{Step: s}
		if s.Thread >= 0 {
			n++
			r.N, r.Label, r.Colour, r.Source = n, f.Threads[s.Thread], s.Thread%8, src.line(s.file, s.line)
			r.Cells = make([]bool, len(labels))
			r.Cells[columns[s.Thread]] = true
			if s.on > 0 {
				r.Key = fmt.Sprint(s.on)
			}
			r.Before = s.before
			race = race || s.before != ""
		}
		rows = append(rows, r)
	}
	err := page.Execute(w, map[string]any{
		"F": f, "Rows": rows, "Threads": labels, "Race": race, "Span": len(labels) + 2, "Count": n, "Preemptions": plural(f.Preemptions, "preemption"),
		"CSS": template.CSS(pageCSS), "JS": template.JS(pageJS), "Width": max(16, min(34, 120/max(1, len(labels)))),
	})
	if err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	return nil
}

// sources are files, in lines.
type sources map[string][]string

// line returns a line of a file, or "" if there is none.
func (s sources) line(file string, n int) string {
	lines, ok := s[file]
	if !ok && file != "" {
		if text, err := os.ReadFile(file); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		s[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
