package census

import (
	"fmt"
	"strings"
)

// Summary says in some lines what was found: the totals, the digest, and the first of what could
// not be read or parsed.
func (c *Census) Summary() string {
	var b strings.Builder
	t := c.Total()
	fmt.Fprintf(&b, "%d files in %d directories: %d bytes, %d lines, %d words\n", t.Files, t.Directories, t.Bytes, t.Lines, t.Words)
	fmt.Fprintf(&b, "%d Go files: %d declarations, %d identifiers\n", t.GoFiles, t.Decls, t.Idents)
	if t.Skipped > 0 {
		fmt.Fprintf(&b, "%d links and special files, not read\n", t.Skipped)
	}
	fmt.Fprintf(&b, "digest %s\n", t.Digest)
	listProblems(&b, "unreadable", c.Unreadable)
	listProblems(&b, "unparsable", c.Unparsable)
	return b.String()
}

func listProblems(b *strings.Builder, what string, problems []Problem) {
	if len(problems) == 0 {
		return
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Path+": "+p.Error)
	}
	fmt.Fprintf(b, "\n%d %s:\n%s", len(problems), what, List(lines))
}

// maxListed is how many lines List shows.
const maxListed = 3

// List returns the lines, or the first of them and how many more there are.
func List(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i == maxListed {
			fmt.Fprintf(&b, "  and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", line)
	}
	return b.String()
}
