package program

import (
	"strconv"
	"strings"
)

// unquoted undoes what is harmless of strconv.Quote.
var unquoted = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// Printable returns s with escapes, as in Go source, in place of all that a terminal may take for
// a command. The name of a file may have it.
func Printable(s string) string {
	q := strconv.Quote(s)
	return unquoted.Replace(q[1 : len(q)-1])
}
