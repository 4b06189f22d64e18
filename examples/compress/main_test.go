package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/examples/internal/program"
	"github.com/rouse-go/rouse/examples/internal/programtest"
)

// text is n bytes that can be compressed.
func text(n int) []byte {
	words := strings.Fields("steal fork park join wake latch frame seat")
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprint(&b, words[rng.IntN(len(words))], " ")
	}
	return b.Bytes()[:n]
}

// Both give what gunzip makes the input of, and the same bytes.
func TestCompress(t *testing.T) {
	for _, n := range []int{0, 1, 1023, 1024, 1025, 100_000, 3_000_000} {
		in, outs := text(n), map[bool][]byte{}
		for _, plain := range []bool{false, true} {
			var out bytes.Buffer
			args := []string{"-block", "16", fmt.Sprint("-plain=", plain)}
			if err := run(t.Context(), program.New("compress", args, bytes.NewReader(in), &out, io.Discard)); err != nil {
				t.Fatalf("plain %t: %d bytes: %v", plain, n, err)
			}
			outs[plain] = bytes.Clone(out.Bytes())
			z, err := gzip.NewReader(&out)
			if err != nil {
				t.Fatalf("plain %t: %d bytes: %v", plain, n, err)
			}
			if back, err := io.ReadAll(z); err != nil || !bytes.Equal(back, in) {
				t.Errorf("plain %t: of %d bytes, %d come back, %v", plain, n, len(back), err)
			}
		}
		if !bytes.Equal(outs[false], outs[true]) {
			t.Errorf("%d bytes: the versions give different bytes", n)
		}
	}
}

// full is a writer that has room for so many bytes.
type full int

var errFull = errors.New("no room")

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// Of a file that cannot be written, all is given up soon; and of a program that is interrupted.
func TestFails(t *testing.T) {
	programtest.Each(t, piped, pipedPlain, func(t *testing.T, to func(context.Context, io.Writer) blocks) {
		room := full(10_000)
		w := &writer{to: to(t.Context(), &room), size: 1 << 10}
		n, err := io.Copy(w, io.LimitReader(endless{}, 1<<30))
		if closed := w.Close(); !errors.Is(err, errFull) || !errors.Is(closed, errFull) || n == 1<<30 {
			t.Errorf("without room: %v after %d bytes, and Close: %v", err, n, closed)
		}
		w = &writer{to: to(programtest.Canceled(nil), io.Discard), size: 1 << 10}
		_, err = io.Copy(w, io.LimitReader(endless{}, 1<<30))
		if closed := w.Close(); !errors.Is(err, context.Canceled) || !errors.Is(closed, context.Canceled) {
			t.Errorf("interrupted: %v, and Close: %v", err, closed)
		}
	})
}

// endless is a reader of bytes that compress badly.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(rand.Uint32())
	}
	return len(p), nil
}

func TestRun(t *testing.T) {
	programtest.Refuses(t, run, map[string]string{"-block 0": "must be positive", "-block 9223372036854775807": "must be at most", "file": "help requested"})
}
