// Package progress shows on a terminal how far a command is.
package progress

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

	"github.com/rouse-go/rouse/tools/columns"
)

// A Line shows on a terminal, in one line that it draws over, how far the
// work is. Workers only count; a goroutine beside them draws, so that the display
// costs them next to nothing.
type Line struct {
	Done  atomic.Int64
	total int64 // -1 if it is not known
	begun time.Time

	mu       sync.Mutex // of what follows, and of the line
	terminal *os.File   // nil: there is none, and nothing is shown
	doing    string
	drawn    int // how many characters the line has

	stopped chan struct{}
	drawing sync.WaitGroup
}

// Show shows the progress towards the given total on w, until Stop is
// called; -1 if it is not known. If w is no terminal it shows nothing.
func Show(w io.Writer, doing string, total int) *Line {
	p := &Line{total: int64(total), begun: time.Now(), doing: doing, stopped: make(chan struct{})}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.terminal = f
		p.drawing.Go(p.draw)
	}
	return p
}

// Say changes what is said to be done now.
func (p *Line) Say(doing string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = doing
}

// Watch says what is done next, and how much there was before.
func (p *Line) Watch(doing string, done int) {
	p.Say(doing)
	p.Done.Store(int64(done))
}

// Print writes text, which ends with a newline, to w. The line of progress gives
// way to it, for both may be on one terminal.
func (p *Line) Print(w io.Writer, text string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	_, err := io.WriteString(w, text)
	return err
}

// Stop takes the line away. After that, nothing is drawn.
func (p *Line) Stop() {
	close(p.stopped)
	p.drawing.Wait()
}

func (p *Line) draw() {
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

func (p *Line) redraw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	width := columns.Width(p.terminal)
	if width == 0 {
		width = 80 // There are terminals that do not know.
	}
	// A line that is as long as the terminal is wide cannot be drawn over.
	line := shorten(status(p.doing, p.Done.Load(), p.total, time.Since(p.begun)), max(10, width-1))
	n := utf8.RuneCountInString(line)
	// A terminal that is gone is no reason to stop.
	fmt.Fprintf(p.terminal, "\r%s%s", line, strings.Repeat(" ", max(0, p.drawn-n)))
	p.drawn = n
}

// erase takes the line away, with what every terminal understands.
func (p *Line) erase() {
	if p.drawn > 0 {
		fmt.Fprintf(p.terminal, "\r%s\r", strings.Repeat(" ", p.drawn))
		p.drawn = 0
	}
}

// status says how far it is.
func status(doing string, done, total int64, since time.Duration) string {
	switch {
	case total < 0:
		return fmt.Sprintf("%s: %d", doing, done)
	case done == 0:
		return doing
	}
	left := time.Duration(float64(since) / float64(done) * float64(total-done))
	bar := strings.Repeat("#", int(barWidth*done/max(total, 1)))
	return fmt.Sprintf("%s: [%-*s] %d %%, about %.0f s to go", doing, barWidth, bar, 100*done/max(total, 1), left.Seconds())
}

// barWidth is how many characters the bar has. The line is then shorter than most terminals.
const barWidth = 20

// shorten cuts a text to n characters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
