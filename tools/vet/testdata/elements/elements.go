// Package elements has streams of elements whose memory is reused, and of others. The comments that begin with
// "want" say what is reported; nothing else is.
package elements

import (
	"bufio"
	"bytes"
	"context"
	"iter"

	"github.com/rouse-go/rouse/par"
)

type text []byte

type job struct {
	line []byte
	at   int
}

type writer struct {
	pipe  *par.Pipe[[]byte, int]
	texts *par.Pipe[text, int]
	names *par.Pipe[string, int]
	jobs  *par.Pipe[*job, int]
	block []byte
}

func (w *writer) Write(b []byte) (int, error) {
	return len(b), w.pipe.Push(b) // want `the caller of Write may overwrite b as soon as Write returns, and this element may be read after that: push a copy, by bytes.Clone`
}

type lines struct{ writer }

// By way of variables, parts and other types.
func (w *lines) Write(b []byte) (int, error) {
	for len(b) > 0 {
		line := b[:1]
		b = b[1:]
		w.pipe.Push((bytes.TrimSpace(line))) // want `may overwrite b`
		w.texts.Push(text(line[1:]))         // want `may overwrite b`
		w.jobs.Push(&job{at: 1, line: line}) // want `may overwrite b`
		func() { w.pipe.Push(b) }()          // want `may overwrite b`
	}
	return 0, nil
}

type copies struct{ writer }

// Copies, and what is no part of the parameter.
func (w *copies) Write(b []byte) (int, error) {
	w.pipe.Push(bytes.Clone(b))
	w.pipe.Push(append([]byte(nil), b...))
	w.names.Push(string(b))
	w.block = append(w.block, b...)
	w.pipe.Push(w.block)
	block := b
	block = bytes.ToUpper(block)
	w.pipe.Push(block)
	if part, ok := bytes.CutPrefix(bytes.Clone(b), nil); ok {
		w.pipe.Push(part)
	}
	new(stack).Push(b)
	b = bytes.Clone(b)
	return len(b), w.pipe.Push(b)
}

type stack struct{ lines [][]byte }

func (s *stack) Push(line []byte) { s.lines = append(s.lines, line) }

// A caller that says that it hands the memory over.
func (w *writer) Give(b []byte) error { return w.pipe.Push(b) }

func parse(_ context.Context, line []byte) (int, error) { return len(line), nil }

func scanned(ctx context.Context, s *bufio.Scanner, pipe *par.Pipe[[]byte, int]) {
	pipe.Push(s.Bytes()) // want `the next Scan overwrites s.Bytes\(\), and this element may be read after that: hand over a copy, by bytes.Clone`
	pipe.Push([]byte(s.Text()))
	par.MapSeq(ctx, func(yield func([]byte) bool) {
		line := bytes.TrimRight(s.Bytes(), "\r")
		yield(line) // want `the next Scan overwrites s.Bytes`
		yield(bytes.Clone(line))
	}, parse)
	par.MapSeq(ctx, linesOf(s), parse)
	par.MapSeq(ctx, iter.Seq[[]byte](source{s}.all), parse, par.WithLiveSource())
	for line := range ranged(s) { // each is read before the next one
		parse(ctx, line)
	}
	var at iter.Seq[[]byte]
	at = func(yield func([]byte) bool) { at(yield) }
	par.MapSeq(ctx, at, parse)
}

func linesOf(s *bufio.Scanner) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for s.Scan() && yield(s.Bytes()) { // want `the next Scan overwrites s.Bytes`
		}
	}
}

type source struct{ *bufio.Scanner }

func (s source) all(yield func([]byte) bool) {
	for s.Scan() && yield(s.Bytes()) { // want `the next Scan overwrites s.Bytes`
	}
}

func ranged(s *bufio.Scanner) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { yield(s.Bytes()) }
}
