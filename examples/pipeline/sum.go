package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
)

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
	n, err := io.Copy(h, &reader{ctx, f})
	return sum{path, [sha256.Size]byte(h.Sum(nil)), n}, err
}

// A reader ends with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}

// write adds a line to the output. It is called by one goroutine at a time.
func (j *job) write(s sum) error {
	j.sums++
	j.bytes += s.size
	_, err := fmt.Fprintf(j.out, "%x  %s\n", s.hash, s.path)
	return err
}
