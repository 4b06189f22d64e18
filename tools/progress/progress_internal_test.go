package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A line of the display must fit, or each time it is drawn it is a new one.
func TestShorten(t *testing.T) {
	for n, want := range map[int]string{20: "30µs 300µs", 10: "30µs 300µs", 9: "30µs 300…", 5: "30µs…"} {
		if got := shorten("30µs 300µs", n); got != want {
			t.Errorf("shortened to %d it is %q, want %q", n, got, want)
		}
	}
}

func TestStatus(t *testing.T) {
	for at, want := range map[[2]int64]string{
		{7, -1}: "reading: 7", {0, 8}: "reading", {2, 8}: "reading: [#####               ] 25 %, about 12 s to go", {8, 8}: "reading: [####################] 100 %, about 0 s to go",
	} {
		if got := status("reading", at[0], at[1], 4*time.Second); got != want {
			t.Errorf("%d of %d: %q, want %q", at[0], at[1], got, want)
		}
	}
}

// The line is drawn over the one before, and gives way to text. A failure here
// means that a terminal shows pieces of both in one line.
func TestDraw(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &Line{total: -1, terminal: f, doing: "reading", stopped: make(chan struct{})}
	p.redraw() // reading: 0
	p.Done.Store(5)
	p.Say("ten")
	p.redraw()
	if err := p.Print(f, "text\n"); err != nil {
		t.Fatal(err)
	}
	p.Say(strings.Repeat("x", 100))
	p.redraw()
	close(p.stopped)
	p.draw()
	got, err := os.ReadFile(f.Name())
	want := "\rreading: 0\rten: 5    \r" + strings.Repeat(" ", 6) + "\rtext\n\r" +
		strings.Repeat("x", 78) + "…\r" + strings.Repeat(" ", 79) + "\r"
	if err != nil || string(got) != want {
		t.Errorf("error %v; got\n%q\nwant\n%q", err, got, want)
	}
}

// What is no terminal gets text alone.
func TestNoTerminal(t *testing.T) {
	var b strings.Builder
	p := Show(&b, "reading", 7)
	p.Say("counting")
	if err := p.Print(&b, "text\n"); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	if b.String() != "text\n" {
		t.Errorf("got %q", &b)
	}
}
