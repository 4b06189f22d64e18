// Pipeline prints the checksums of all regular files beneath a directory, as sha256sum
// does, in the order of their names:
//
//	pipeline dir >sums.txt
//	(cd dir && sha256sum --check --quiet) <sums.txt
//
// A terminal gets escapes for all that it may take for a command; a file gets what sha256sum writes.
//
// It reads files while it walks the directories. At most -window files are between the walk
// and the output, however large the tree is. The first error in the order of the files ends
// everything, and so does an interrupt.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("pipeline", run) }

func run(ctx context.Context, c *program.Call) error {
	window := c.Flags.Int("window", 64, "at most `n` files are read and not yet written")
	if err := c.Parse(1, "dir", "window"); err != nil {
		return err
	}
	if err := c.AtMost(1<<20, "window"); err != nil {
		return err
	}
	files, err := c.Dir()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.Out)
	j := &job{files: files, out: out, window: *window, quote: isTerminal(c.Out)}
	err = program.Either(c, sumAll, sumPlain)(ctx, j)
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
	}
	c.Done("%d files, %d bytes", j.sums, j.bytes)
	return nil
}

// A job is one run of the pipeline.
type job struct {
	files  fs.FS
	out    io.Writer
	window int
	quote  bool // names, for a terminal

	sums  int // written so far
	bytes int64
}

// A sum is what the pipeline finds out of a file.
type sum struct {
	path string
	hash [sha256.Size]byte
	size int64
}

// sum reads a file. It gives up between two pieces when ctx ends.
func (j *job) sum(ctx context.Context, path string) (s sum, err error) {
	f, err := j.files.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, program.Reader(ctx, f))
	return sum{path, [sha256.Size]byte(h.Sum(nil)), n}, err
}

// write adds a line to the output. It is called by one goroutine at a time.
func (j *job) write(s sum) error {
	j.sums++
	j.bytes += s.size
	_, err := io.WriteString(j.out, s.line(j.quote))
	return err
}

// escapes are those that sha256sum has in a line that begins with a backslash.
var escapes = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`)

// line returns the line of a file.
func (s sum) line(quote bool) string {
	name, mark := escapes.Replace(s.path), ""
	if name != s.path {
		mark = `\`
	}
	if quote {
		name = program.Printable(name)
	}
	return fmt.Sprintf("%s%x  %s\n", mark, s.hash, name)
}

// isTerminal reports whether somebody may look at what is written: no file, and no pipe.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
