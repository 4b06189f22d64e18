package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An error has one line, and a status for scripts. An interrupt is not a failure.
func TestStatus(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		prints string
	}{
		{nil, 0, ""},
		{fmt.Errorf("run: %w", context.Canceled), 130, "rouse: interrupted\n"},
		{errors.Join(errors.New("open \x1b[31mred"), errors.New("no space")), 1, `rouse: open \x1b[31mred\nno space` + "\n"},
	} {
		var stderr bytes.Buffer
		if status := Status("rouse", test.err, &stderr); status != test.status || stderr.String() != test.prints {
			t.Errorf("%v: status %d, %q; want %d, %q", test.err, status, &stderr, test.status, test.prints)
		}
	}
}

// A failure means that the name of a file can change what a terminal shows.
func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"a b": "a b", `C:\"x"`: `C:\"x"`, "µ/中": "µ/中", "\x1b]0;title\a": `\x1b]0;title\a`, "one\ntwo\r": `one\ntwo\r`,
		"\x9b31m\xff": `\x9b31m\xff`, "\u009b31m": `\u009b31m`, "gnp.\u202eexe": `gnp.\u202eexe`,
	} {
		if got := Printable(s); got != want {
			t.Errorf("%q is shown as %q, want %q", s, got, want)
		}
	}
}

// The line is drawn over the one before, makes room for text, and fits. A failure means that a
// terminal shows pieces of two lines in one, or a new line each time.
func TestProgress(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &Progress{terminal: f, stopped: make(chan struct{})}
	p.Begin("reading", 0)
	p.redraw()
	p.Done.Add(5)
	p.redraw()
	p.Begin("go", 8)
	p.redraw()
	p.Done.Add(7)
	p.Say("on")
	p.redraw()
	if err := p.Print(f, "text\n"); err != nil {
		t.Fatal(err)
	}
	p.Say(strings.Repeat("µ", 100))
	p.redraw()
	close(p.stopped)
	p.draw()
	got, err := os.ReadFile(f.Name())
	want := "\rreading\rreading: 5\rgo: 0 of 8\ron: 7 of 8\r" + strings.Repeat(" ", 10) + "\rtext\n\r" +
		strings.Repeat("µ", 78) + "…\r" + strings.Repeat(" ", 79) + "\r"
	if err != nil || string(got) != want {
		t.Errorf("error %v; got\n%q\nwant\n%q", err, got, want)
	}
}

// What is not a terminal gets text alone.
func TestNoTerminal(t *testing.T) {
	var b strings.Builder
	p := Show(&b)
	p.Begin("counting", 7)
	if err := p.Print(&b, "text\n"); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	if b.String() != "text\n" {
		t.Errorf("got %q", &b)
	}
}
