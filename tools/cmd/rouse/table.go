package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/columns"
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
	t := columns.New(3, "way", "deque", "sleep", "wall s", "CPU s", "speed-up", "forks", "published", "steals", "wakes", "parks")
	for _, row := range r.Results {
		cells := []any{row.Way, row.Deque, row.Sleep, fmt.Sprintf("%.3f", row.Wall), "-", fmt.Sprintf("%.2f", row.Speedup)}
		if row.CPU != nil {
			cells[4] = fmt.Sprintf("%.3f", *row.CPU)
		}
		if p := row.Pool; p != nil {
			cells = append(cells, p.Forks, p.Published, p.Steals, p.Wakes, p.Parks)
		}
		t.Row(cells...)
	}
	return t.String()
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
