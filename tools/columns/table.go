// Package columns writes tables for a terminal: columns and nothing else, no
// colours, no spaces at the end of a line.
package columns

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// between stands between two columns, and how far a table is ruled there.
const between = "  "

// A Table is a header and the rows beneath it.
type Table struct {
	texts int
	rows  [][]string // of a line each; the header is the first
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
	first := len(t.rows)
	for i, c := range cells {
		for n, line := range strings.Split(fmt.Sprint(c), "\n") {
			if first+n == len(t.rows) {
				t.rows = append(t.rows, make([]string, len(cells)))
			}
			t.rows[first+n][i] = line
		}
	}
}

// Len returns how many lines there are beneath the header.
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

// widths returns how wide each column is.
func (t *Table) widths() []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row[:min(len(row), len(widths))] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
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
	var lines []string
	for _, row := range t.rows {
		line := ""
		for i, cell := range row[:min(len(row), len(widths))] {
			width := widths[i]
			if i < t.texts {
				width = -width // aligned at the left
			}
			line += fmt.Sprintf("%*s", width, cell) + between
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(slices.Insert(lines, 1, strings.Repeat("-", ruled(widths))), "\n")
}

// Digits writes a number with three digits, and all those before the point.
func Digits(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.1:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Times writes how many times as much something is.
func Times(x float64) string { return Digits(x) + "×" }

// Nanos writes a time in the unit in which it is 1 to 1000, if there is one.
func Nanos(ns float64) string {
	unit := "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if ns < 1000 {
			break
		}
		ns, unit = ns/1000, larger
	}
	return Digits(ns) + " " + unit
}

// Width returns how many columns the terminal has that w is, and 0 if it is
// none: what goes to a file or another program is not cut.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
