package columns

import (
	"io"
	"os"

	"golang.org/x/term"
)

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
