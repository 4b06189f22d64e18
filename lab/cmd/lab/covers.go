package main

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/lab/conform"
	"github.com/rouse-go/rouse/tools/columns"
)

// writeCovers writes who covers what others got wrong, or test.
func writeCovers(b *strings.Builder, r *conform.Report) {
	fmt.Fprintf(b, "Regressions and others' scenarios\n\n")
	for _, c := range []struct {
		title string
		rows  []conform.Cover
	}{{"bug", r.Regressions}, {"test", r.Others}} {
		t := columns.New(3, c.title, "about", "covered by")
		for _, row := range c.rows {
			t.Row(row.Source, row.About, coveredBy(row))
		}
		fmt.Fprintf(b, "%s\n\n", t)
	}
}

// coveredBy names the tests, a line each, or gives the reason why there are
// none.
func coveredBy(c conform.Cover) string {
	if c.Reason != "" {
		return "(" + c.Reason + ")"
	}
	var lines []string
	for _, by := range c.By {
		switch by.Result {
		case "pass":
			lines = append(lines, by.Test)
		case "":
			lines = append(lines, by.Test+" DID NOT RUN")
		default:
			lines = append(lines, fmt.Sprintf("%s: %s", by.Test, strings.ToUpper(by.Result)))
		}
	}
	return strings.Join(lines, "\n")
}
