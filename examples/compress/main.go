// Compress compresses its input in the format of gzip, on all processors:
//
//	compress <file >file.gz
//	gunzip <file.gz | cmp - file
//
// It cuts the input into blocks, and each becomes a separate member of the output. So the
// output is slightly larger than gzip's.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/rouse-go/rouse/examples/internal/program"
)

func main() { program.Main("compress", run) }

func run(ctx context.Context, c *program.Call) error {
	size := c.Flags.Int("block", 256, "the size of a block, in KB")
	if err := c.Parse(0, "<in >out", "block"); err != nil {
		return err
	}
	if err := c.AtMost(1<<20, "block"); err != nil {
		return err
	}
	out := bufio.NewWriter(c.Out)
	w := &writer{to: program.Either(c, piped, pipedPlain)(ctx, out), size: *size << 10}
	var n int64
	// A terminal or a pipe may have nothing to read for a long time.
	failed, err := program.Within(ctx, func() (err error) {
		n, err = io.Copy(w, c.In)
		return errors.Join(err, w.Close(), out.Flush())
	})
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	c.Done("%d bytes", n)
	return nil
}

// blocks is where blocks go, in their order.
type blocks interface {
	Push(block []byte) error
	Close() error
}

// A writer cuts what is written into blocks. It is an [io.WriteCloser] that anybody can use.
type writer struct {
	to     blocks
	size   int
	block  []byte
	pushed bool
}

func (w *writer) Write(p []byte) (n int, err error) {
	for n = len(p); len(p) > 0 && err == nil; {
		if w.block == nil {
			w.block = make([]byte, 0, w.size)
		}
		room := min(w.size-len(w.block), len(p))
		w.block, p = append(w.block, p[:room]...), p[room:]
		if len(w.block) == w.size {
			err = w.push()
		}
	}
	return n - len(p), err
}

func (w *writer) push() error {
	block := w.block
	w.block, w.pushed = nil, true
	return w.to.Push(block)
}

// Close writes what is left. Nothing at all is one empty block.
func (w *writer) Close() error {
	var err error
	if len(w.block) > 0 || !w.pushed {
		err = w.push()
	}
	if closed := w.to.Close(); err == nil {
		err = closed
	}
	return err
}

// compressed returns a block as a member of a gzip file.
func compressed(_ context.Context, block []byte) ([]byte, error) {
	var to bytes.Buffer
	z := gzip.NewWriter(&to)
	if _, err := z.Write(block); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return to.Bytes(), nil
}
