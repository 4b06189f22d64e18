// Package lent has streams of elements whose memory is reused.
package lent

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"iter"

	"github.com/rouse-go/rouse/par"
)

func parse(_ context.Context, line []byte) (int, error) { return len(line), nil }

type writer struct {
	pipe  *par.Pipe[[]byte, int]
	texts *par.Pipe[text, int]
	jobs  *par.Pipe[*job, int]
	line  []byte
}

type text []byte

type job struct {
	line []byte
	at   int
}

func (w *writer) Write(b []byte) (int, error) {
	return len(b), w.pipe.Push(b) // want `the caller of Write may overwrite b as soon as Write returns, and this element may be read after that: push a copy, by bytes.Clone`
}

type lines struct{ writer }

// By way of variables, parts and other types.
func (w *lines) Write(b []byte) (int, error) {
	for rest := b; ; {
		at := bytes.IndexByte(b, '\n')
		if at < 0 {
			return len(rest), nil
		}
		line := b[:at]
		b = b[at+1:]
		w.pipe.Push(line)                     // want `the caller of Write may overwrite b`
		w.pipe.Push((bytes.TrimSpace(line)))  // want `may overwrite b`
		w.texts.Push(text(line[1:]))          // want `may overwrite b`
		w.jobs.Push(&job{at: at, line: line}) // want `may overwrite b`
		func() { w.pipe.Push(line) }()        // want `may overwrite b`
	}
}

func scanned(ctx context.Context, r io.Reader, pipe *par.Pipe[[]byte, int]) {
	s := bufio.NewScanner(r)
	from := func(yield func([]byte) bool) {
		for s.Scan() {
			if !yield(s.Bytes()) { // want `the next Scan overwrites s.Bytes\(\), and this element may be read after that: hand over a copy, by bytes.Clone`
				return
			}
		}
	}
	for range par.MapSeq(ctx, from, parse) {
	}
	for range par.MapSeq(ctx, func(yield func([]byte) bool) {
		for s.Scan() {
			line := bytes.TrimRight(s.Bytes(), "\r")
			if len(line) == 0 {
				continue
			}
			if !yield(line) { // want `the next Scan overwrites s.Bytes`
				return
			}
		}
	}, parse) {
	}
	for range par.MapSeq(ctx, linesOf(r), parse) {
	}
	for range par.MapSeq(ctx, iter.Seq[[]byte](source{s}.all), parse, par.WithLiveSource()) {
	}
	for s.Scan() {
		pipe.Push(s.Bytes()) // want `the next Scan overwrites s.Bytes`
	}
}

func linesOf(r io.Reader) iter.Seq[[]byte] {
	s := bufio.NewScanner(r)
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
