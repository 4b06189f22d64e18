package columns

import (
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A Table is a header and the rows beneath it.
type Table struct {
	writer  table.Writer
	texts   int
	columns int
}

// New returns a table with this header. The first few of its columns are text,
// aligned at the left, the others are numbers.
func New(texts int, header ...any) *Table {
	s := table.StyleDefault
	s.Options = table.OptionsNoBordersAndSeparators
	s.Options.SeparateHeader, s.Options.SeparateColumns = true, true
	s.Box.PaddingLeft, s.Box.PaddingRight = "", ""
	s.Box.MiddleVertical, s.Box.MiddleSeparator = "  ", "--"
	s.Format.Header = text.FormatDefault
	t := &Table{table.NewWriter(), texts, len(header)}
	t.writer.SetStyle(s)
	t.writer.SuppressTrailingSpaces()
	t.writer.AppendHeader(header)
	return t
}

// Row adds a row. Cells may have several lines.
func (t *Table) Row(cells ...any) { t.writer.AppendRow(cells) }

// Len returns how many rows there are.
func (t *Table) Len() int { return t.writer.Length() }

// String returns the whole table, without a newline at its end.
func (t *Table) String() string { return t.first(t.columns) }

// Fit is as String, but leaves out columns from the right until the lines are
// no longer than width. It keeps the texts and one number, however long. A
// width of 0 is no limit.
func (t *Table) Fit(width int) string {
	n := t.columns
	s := t.first(n)
	for ; width > 0 && n > t.texts+1 && text.LongestLineLen(s) > width; s = t.first(n) {
		n--
	}
	return s
}

// first renders the first n columns.
func (t *Table) first(n int) string {
	var configs []table.ColumnConfig
	for i := 1; i <= t.columns; i++ {
		align := text.AlignRight
		if i <= t.texts {
			align = text.AlignLeft
		}
		configs = append(configs, table.ColumnConfig{Number: i, Align: align, AlignHeader: align, Hidden: i > n})
	}
	t.writer.SetColumnConfigs(configs)
	return t.writer.Render()
}
