// Package columns writes tables for a terminal: columns and nothing else, no
// colours, no spaces at the end of a line.
package columns

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// between stands between two columns, and how far a table is ruled there.
const between = "  "

// A Table is a header and the rows beneath it.
type Table struct {
	texts int
	rows  [][]string // the header is the first
}

// New returns a table with this header. The first few of its columns are text,
// aligned at the left, the others are numbers.
func New(texts int, header ...any) *Table {
	t := &Table{texts: texts}
	t.Row(header...)
	return t
}

// Row adds a row. Cells may have several lines. A row may have fewer cells than
// the header, but no more: those are not shown.
func (t *Table) Row(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row)
}

// Len returns how many rows there are.
func (t *Table) Len() int { return len(t.rows) - 1 }

// String returns the whole table, without a newline at its end.
func (t *Table) String() string { return t.first(t.widths()) }

// Fit is as String, but leaves out columns from the right until the lines are
// no longer than width. It keeps the texts and one number, however long. A
// width of 0 is no limit.
func (t *Table) Fit(width int) string {
	widths := t.widths()
	for width > 0 && len(widths) > t.texts+1 && ruled(widths) > width {
		widths = widths[:len(widths)-1]
	}
	return t.first(widths)
}

// widths returns how wide each column is: as its longest line.
func (t *Table) widths() []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row[:min(len(row), len(widths))] {
			for line := range strings.SplitSeq(cell, "\n") {
				widths[i] = max(widths[i], utf8.RuneCountInString(line))
			}
		}
	}
	return widths
}

// ruled returns how wide a table with columns of these widths is.
func ruled(widths []int) int {
	n := len(between) * max(len(widths)-1, 0)
	for _, w := range widths {
		n += w
	}
	return n
}

// first renders as many columns as there are widths.
func (t *Table) first(widths []int) string {
	var b strings.Builder
	for i, row := range t.rows {
		t.write(&b, row[:min(len(row), len(widths))], widths)
		if i == 0 {
			b.WriteString("\n" + strings.Repeat("-", ruled(widths)))
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// write writes the lines of a row, with a newline before each.
func (t *Table) write(b *strings.Builder, row []string, widths []int) {
	cells := make([][]string, len(row))
	lines := 1
	for i, cell := range row {
		cells[i] = strings.Split(cell, "\n")
		lines = max(lines, len(cells[i]))
	}
	for n := range lines {
		line := ""
		for i, cell := range cells {
			text := ""
			if n < len(cell) {
				text = cell[n]
			}
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i < t.texts {
				line += text + space + between
			} else {
				line += space + text + between
			}
		}
		b.WriteString("\n" + strings.TrimRight(line, " "))
	}
}
