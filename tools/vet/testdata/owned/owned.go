// Package owned has streams of elements that nobody else writes to.
package owned

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"iter"

	"github.com/rouse-go/rouse/par"
)

func parse(_ context.Context, line []byte) (int, error) { return len(line), nil }

func length(_ context.Context, line string) (int, error) { return len(line), nil }

type writer struct {
	pipe  *par.Pipe[[]byte, int]
	texts *par.Pipe[string, int]
	block []byte
}

// Copies, and what is no part of the parameter.
func (w *writer) Write(b []byte) (int, error) {
	w.pipe.Push(bytes.Clone(b))
	w.pipe.Push(append([]byte(nil), b...))
	w.texts.Push(string(b))
	w.block = append(w.block, b...)
	w.pipe.Push(w.block)
	block := b
	block = bytes.ToUpper(block)
	w.pipe.Push(block)
	if part, ok := bytes.CutPrefix(bytes.Clone(b), nil); ok {
		w.pipe.Push(part)
	}
	w.block = nil
	return len(b), nil
}

type cloning struct{ writer }

func (w *cloning) Write(b []byte) (int, error) {
	b = bytes.Clone(b)
	return len(b), w.pipe.Push(b)
}

// A caller that says that it hands the memory over.
func (w *writer) Give(b []byte) error { return w.pipe.Push(b) }

type stack struct{ lines [][]byte }

func (s *stack) Push(line []byte) { s.lines = append(s.lines, line) }

type kept struct{ stack }

// Another Push.
func (k *kept) Write(b []byte) (int, error) {
	k.Push(b)
	return len(b), nil
}

func scanned(ctx context.Context, r io.Reader, all [][]byte) {
	s := bufio.NewScanner(r)
	for range par.MapSeq(ctx, func(yield func([]byte) bool) {
		for s.Scan() && yield(bytes.Clone(s.Bytes())) {
		}
	}, parse) {
	}
	for range par.MapSeq(ctx, func(yield func(string) bool) {
		for s.Scan() && yield(s.Text()) && yield(string(s.Bytes())) {
		}
	}, length) {
	}
	for range par.MapSeq(ctx, blocks(all), parse) {
	}
	for line := range lines(s) { // each is read before the next one
		parse(ctx, line)
	}
	var at iter.Seq[[]byte]
	at = func(yield func([]byte) bool) { at(yield) }
	for range par.MapSeq(ctx, at, parse) {
	}
}

func blocks(all [][]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, block := range all {
			if !yield(block) {
				return
			}
		}
	}
}

func lines(s *bufio.Scanner) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for s.Scan() && yield(s.Bytes()) {
		}
	}
}
