package explore

import (
	"fmt"
	"html/template"
	"io"
)

// WriteHTML writes the failure as a page: what was wrong, and a table of the operations with a
// column for each thread.
func (f *Failure) WriteHTML(w io.Writer) error {
	type row struct {
		Cells []string
		Place string
	}
	var rows []row
	for _, s := range f.Steps {
		r := row{Cells: make([]string, len(f.Threads)), Place: s.Place}
		r.Cells[max(s.Thread, 0)] = s.What
		rows = append(rows, r)
	}
	if err := page.Execute(w, map[string]any{"F": f, "Rows": rows}); err != nil {
		return fmt.Errorf("explore: %w", err)
	}
	return nil
}

var page = template.Must(template.New("failure").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{{.F.Kind}}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { margin: 1.5em; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; font: 13px/1.5 ui-monospace, monospace; }
th { position: sticky; top: 0; background: Canvas; text-align: left; }
th, td { padding: .1em .8em; border-left: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
tbody tr:hover { background: color-mix(in srgb, currentColor 10%, transparent); }
td.place { opacity: .7; }
</style>
<h1>{{.F.Kind}}</h1>
<pre>{{.F.Message}}</pre>
{{with .F.Log}}<h2>Its log</h2><pre>{{.}}</pre>{{end}}
{{with .F.Schedule}}<p>Schedule, of {{$.F.Preemptions}} preemptions: <code>{{.}}</code></p>{{end}}
<table>
<thead><tr><th>#</th>{{range .F.Threads}}<th>{{.}}</th>{{end}}<th>at</th></tr></thead>
<tbody>
{{range $i, $r := .Rows}}<tr><td>{{$i}}</td>{{range $r.Cells}}<td>{{.}}</td>{{end}}<td class="place">{{$r.Place}}</td></tr>
{{end}}</tbody>
</table>
</html>
`))
