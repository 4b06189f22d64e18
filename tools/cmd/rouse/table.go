package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/columns"
)

// legend says what the columns are.
const legend = `wall s     time from start to end; of a pool, with making and closing it
CPU s      processor time of the whole program, garbage collection included
speed-up   wall time of the sequential way divided by this one's
forks      jobs that the pool was given: one for each file and directory
published  forks that other workers could see and take; here each at once
steals     jobs that a worker took from another one
wakes      times that a sleeping worker was woken
parks      times that a worker found nothing to do and went to sleep
`

// maxListed is how many problems or differences a table names.
const maxListed = 3

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
	fmt.Fprintf(&b, "\n%s\n\n%s\n", r.table(), legend)
	if r.Share != nil && *r.Share < quiet {
		fmt.Fprintf(&b, "%s\n", machineIsBusy(*r.Share))
	}
	switch n := len(r.Results); {
	case !r.Agree:
	case n == r.wanted:
		fmt.Fprintf(&b, "All %d ways agree, in every directory.\n", n)
	case n == 1:
		fmt.Fprintf(&b, "Interrupted: only one of %d ways ended.\n", r.wanted)
	default:
		fmt.Fprintf(&b, "Interrupted: %d of %d ways ended. They agree, in every directory.\n", n, r.wanted)
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
