package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rouse-go/rouse/tools/census"
)

// maxListed is how many problems or differences a table names.
const maxListed = 10

// writeTable prints the report for a reader.
func (r *report) writeTable(w io.Writer) error {
	var b strings.Builder
	t := r.Total
	fmt.Fprintf(&b, "%s\n", r.Root)
	fmt.Fprintf(&b, "%d files in %d directories: %d bytes, %d lines, %d words\n", t.Files, t.Directories, t.Bytes, t.Lines, t.Words)
	fmt.Fprintf(&b, "%d Go files: %d declarations, %d identifiers\n", t.GoFiles, t.Decls, t.Idents)
	if t.Skipped > 0 {
		fmt.Fprintf(&b, "%d links and special files, not read\n", t.Skipped)
	}
	fmt.Fprintf(&b, "digest %s\n", t.Digest)
	listProblems(&b, "unreadable", r.Unreadable)
	listProblems(&b, "unparsable", r.Unparsable)
	fmt.Fprintf(&b, "\n%s\n\n", r.table())
	if r.Agree {
		fmt.Fprintf(&b, "All %d ways agree, in every directory.\n", len(r.Results))
	}
	for _, row := range r.Results {
		if len(row.Differs) > 0 {
			fmt.Fprintf(&b, "%s differs from %s:\n", row.Variant, r.Results[0].Variant)
			list(&b, row.Differs)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *report) table() string {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"way", "deque", "sleep", "wall s", "CPU s", "speed-up", "forks", "published", "steals", "wakes", "parks"})
	for _, row := range r.Results {
		cells := table.Row{row.Way, row.Deque, row.Sleep, fmt.Sprintf("%.3f", row.Wall), "-", fmt.Sprintf("%.2f", row.Speedup)}
		if row.CPU != nil {
			cells[4] = fmt.Sprintf("%.3f", *row.CPU)
		}
		if p := row.Pool; p != nil {
			cells = append(cells, p.Forks, p.Published, p.Steals, p.Wakes, p.Parks)
		}
		t.AppendRow(cells)
	}
	plain(t, 3)
	return t.Render()
}

// plain makes the table one of columns and nothing else, the first few of
// which are text.
func plain(t table.Writer, texts int) {
	s := table.StyleDefault
	s.Options = table.OptionsNoBordersAndSeparators
	s.Options.SeparateHeader = true
	s.Box.PaddingLeft = ""
	s.Box.PaddingRight = "  "
	s.Format.Header = text.FormatDefault
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	var columns []table.ColumnConfig
	for n := 1; n <= 20; n++ {
		align := text.AlignRight
		if n <= texts {
			align = text.AlignLeft
		}
		columns = append(columns, table.ColumnConfig{Number: n, Align: align, AlignHeader: align})
	}
	t.SetColumnConfigs(columns)
}

func listProblems(b *strings.Builder, what string, problems []census.Problem) {
	if len(problems) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%d %s:\n", len(problems), what)
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Path+": "+p.Error)
	}
	list(b, lines)
}

// list writes the lines, or the first of them and how many more there are.
func list(b *strings.Builder, lines []string) {
	for i, line := range lines {
		if i == maxListed {
			fmt.Fprintf(b, "  and %d more\n", len(lines)-i)
			return
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
}
