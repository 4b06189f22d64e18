package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

var versions = map[string]func(context.Context, io.Writer) blocks{"par": piped, "plain": pipedPlain}

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
		in, outs := text(n), map[string][]byte{}
		for name, args := range map[string][]string{"par": {"-block", "16"}, "plain": {"-block", "16", "-plain"}} {
			var out bytes.Buffer
			if err := run(t.Context(), args, bytes.NewReader(in), &out, io.Discard); err != nil {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
			outs[name] = bytes.Clone(out.Bytes())
			z, err := gzip.NewReader(&out)
			if err != nil {
				t.Fatalf("%s: %d bytes: %v", name, n, err)
			}
			if back, err := io.ReadAll(z); err != nil || !bytes.Equal(back, in) {
				t.Errorf("%s: of %d bytes, %d come back, %v", name, n, len(back), err)
			}
		}
		if !bytes.Equal(outs["par"], outs["plain"]) {
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
	for name, to := range versions {
		room := full(10_000)
		w := &writer{to: to(t.Context(), &room), size: 1 << 10}
		n, err := io.Copy(w, io.LimitReader(endless{}, 1<<30))
		if closed := w.Close(); !errors.Is(err, errFull) || !errors.Is(closed, errFull) || n == 1<<30 {
			t.Errorf("%s: without room: %v after %d bytes, and Close: %v", name, err, n, closed)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w = &writer{to: to(ctx, io.Discard), size: 1 << 10}
		_, err = io.Copy(w, io.LimitReader(endless{}, 1<<30))
		if closed := w.Close(); !errors.Is(err, context.Canceled) || !errors.Is(closed, context.Canceled) {
			t.Errorf("%s: interrupted: %v, and Close: %v", name, err, closed)
		}
	}
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
	for want, args := range map[string][]string{"usage": {"-block", "0"}, "usage: compress": {"file"}, flag.ErrHelp.Error(): {"-unknown"}} {
		if err := run(t.Context(), args, strings.NewReader(""), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("compress %q: %v, want %q", args, err, want)
		}
	}
}

func BenchmarkCompress(b *testing.B) {
	in := text(8 << 20)
	for name, to := range versions {
		b.Run("impl="+name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				w := &writer{to: to(b.Context(), io.Discard), size: 256 << 10}
				if _, err := w.Write(in); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
