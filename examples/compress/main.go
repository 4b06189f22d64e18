// Compress reads its input and writes it compressed, as gzip does, on all processors:
//
//	compress <file >file.gz
//	gunzip <file.gz | cmp - file
//
// It cuts the input into blocks, each of which is a member of its own in the output. So a
// little less is saved than gzip saves.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "compress: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "compress:", err)
		os.Exit(1)
	}
}

// run is main with its arguments, for tests.
func run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	flags := flag.NewFlagSet("compress", flag.ContinueOnError)
	flags.SetOutput(log)
	size := flags.Int("block", 256, "the size of a block, in KB")
	plain := flags.Bool("plain", false, "use goroutines and channels in place of par")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if *size < 1 || flags.NArg() > 0 {
		return errors.New("usage: compress [-block KB] [-plain] <in >out")
	}
	buffered := bufio.NewWriter(out)
	to := piped
	if *plain {
		to = pipedPlain
	}
	w := &writer{to: to(ctx, buffered), size: *size << 10}
	_, err := io.Copy(w, in)
	return errors.Join(err, w.Close(), buffered.Flush())
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
