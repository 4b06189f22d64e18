package elsewhere

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed twice.txt
var twiceText string

// twice returns patterns of tests that show nothing on a machine that others do not
// show: those of twice.txt, where the reasons are.
func twice() (patterns []string) {
	for line := range strings.Lines(twiceText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		where, pattern, _ := strings.Cut(line, " ")
		if !slices.Contains([]string{"again", "machine", "race", "narrow"}, where) || pattern == "" {
			panic(fmt.Sprintf("elsewhere: a line of twice.txt is neither a comment nor a place and a pattern: %s", line))
		}
		if where == "again" || where == "machine" {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}
