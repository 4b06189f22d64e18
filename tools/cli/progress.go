package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Progress shows on a terminal, in one line that it draws over, how far the work is. Workers
// only count; a goroutine beside them draws, so that the display costs them next to nothing.
type Progress struct {
	Done atomic.Int64

	mu       sync.Mutex // of what follows, and of the line
	terminal *os.File   // nil: there is none, and nothing is shown
	doing    string
	total    int64
	drawn    int // how many characters the line has

	stopped chan struct{}
	drawing sync.WaitGroup
}

// Show shows progress on w until Stop is called. If w is not a terminal it shows nothing.
func Show(w io.Writer) *Progress {
	p := &Progress{stopped: make(chan struct{})}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.terminal = f
		p.drawing.Go(p.draw)
	}
	return p
}

// Begin says what is done now, of so many pieces, 0 if nobody knows. None of them is done.
func (p *Progress) Begin(doing string, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Done.Store(0)
	p.doing, p.total = doing, int64(total)
}

// Say changes what is done now. It goes on with the same pieces.
func (p *Progress) Say(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = doing
}

// Print writes text, which ends with a newline, to w. The line of progress makes room for it:
// both may be on one terminal.
func (p *Progress) Print(w io.Writer, text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	_, err := io.WriteString(w, text)
	return err
}

// Stop removes the line. After that, nothing is drawn.
func (p *Progress) Stop() {
	close(p.stopped)
	p.drawing.Wait()
}

func (p *Progress) draw() {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stopped:
			p.mu.Lock()
			defer p.mu.Unlock()
			p.erase()
			return
		case <-tick.C:
			p.redraw()
		}
	}
}

func (p *Progress) redraw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	width, _, err := term.GetSize(int(p.terminal.Fd()))
	if err != nil || width == 0 {
		width = 80 // There are terminals that do not know.
	}
	// A line that is as long as the terminal is wide cannot be drawn over.
	line := Shorten(p.status(), max(10, width-1))
	n := utf8.RuneCountInString(line)
	// A terminal that is gone is no reason to stop.
	fmt.Fprintf(p.terminal, "\r%s%s", line, strings.Repeat(" ", max(0, p.drawn-n)))
	p.drawn = n
}

// erase removes the line, with what every terminal understands.
func (p *Progress) erase() {
	if p.drawn > 0 {
		fmt.Fprintf(p.terminal, "\r%s\r", strings.Repeat(" ", p.drawn))
		p.drawn = 0
	}
}

// status says what is done now, and how much of it. It does not guess how long the rest takes.
func (p *Progress) status() string {
	switch done := p.Done.Load(); {
	case p.total > 0:
		return fmt.Sprintf("%s: %d of %d", p.doing, done, p.total)
	case done > 0:
		return fmt.Sprintf("%s: %d", p.doing, done)
	}
	return p.doing
}

// Shorten cuts a text to n characters, the last of which then says so.
func Shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
