package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var versions = map[string]func(context.Context, [][]byte) ([]order, error){"par": decoded, "plain": decodedPlain}

func made(t *testing.T, n int) [][]byte {
	var b bytes.Buffer
	if err := makeOrders(&b, n); err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n"))
}

func TestDecoded(t *testing.T) {
	lines := made(t, 3000)
	for name, decodeAll := range versions {
		orders, err := decodeAll(t.Context(), lines)
		if err != nil || len(orders) != len(lines) {
			t.Errorf("%s: %d orders, %v", name, len(orders), err)
		}
		for i, o := range orders {
			if want, _ := decode(lines[i], i); o.ID != i || !slices.Equal(o.Items, want.Items) {
				t.Fatalf("%s: order %d is %v, want %v", name, i, o, want)
			}
		}
	}
	lines[2000] = []byte("{")
	lines[1000] = []byte(`{"id":1000,"items":[{"what":"screw"}]}`)
	for range 20 {
		if _, err := decoded(t.Context(), lines); err == nil || err.Error() != "line 1001: order 1000 has 0 of screw" {
			t.Errorf("lines 1001 and 2001 are not valid, and the error is %v", err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errTime)
	for name, decodeAll := range versions {
		if _, err := decodeAll(ctx, lines[:500]); !errors.Is(err, errTime) {
			t.Errorf("%s: the time is over, and the error is %v", name, err)
		}
	}
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "orders.json")
	var b, out, plain strings.Builder
	if err := run(t.Context(), []string{"-make", "100"}, &b, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(run(t.Context(), []string{file}, &out, io.Discard), run(t.Context(), []string{"-plain", file}, &plain, io.Discard)); err != nil {
		t.Error(err)
	}
	if !strings.HasPrefix(out.String(), "100 orders, worth ") || out.String() != plain.String() {
		t.Errorf("%q, and by goroutines %q", out.String(), plain.String())
	}
	if err := run(t.Context(), []string{"-timeout", "1ns", file}, io.Discard, io.Discard); !errors.Is(err, errTime) {
		t.Errorf("records with no time: %v", err)
	}
	for _, bad := range [][]string{{}, {file, file}, {"-make", "x"}} {
		if err := run(t.Context(), bad, io.Discard, io.Discard); err != flag.ErrHelp {
			t.Errorf("records %q: %v", bad, err)
		}
	}
	if err := run(t.Context(), []string{file + "x"}, io.Discard, io.Discard); err == nil {
		t.Error("records of a file that is not there: no error")
	}
}
