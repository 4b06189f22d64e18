package main

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/rouse-go/rouse/tools/columns"
)

// A progress shows on a terminal how far a command is. Those that work only count; a
// goroutine beside them draws, so that the display costs them next to nothing.
type progress struct {
	done    atomic.Int64
	doing   atomic.Value // a string
	stopped chan struct{}
	drawing sync.WaitGroup
}

// showProgress shows the progress towards so many steps on w, until stop is called; -1 if
// their number is not known. If w is no terminal it shows nothing.
func showProgress(w io.Writer, doing string, steps int) *progress {
	p := &progress{stopped: make(chan struct{})}
	p.doing.Store(doing)
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.drawing.Go(func() { p.draw(f, steps) })
	}
	return p
}

// watch says what is done next, and how many steps there were before.
func (p *progress) watch(doing string, done int) {
	p.doing.Store(doing)
	p.done.Store(int64(done))
}

func (p *progress) stop() {
	close(p.stopped)
	p.drawing.Wait()
}

func (p *progress) draw(w *os.File, steps int) {
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowCount(),
		progressbar.OptionFullWidth(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetSpinnerChangeInterval(0), // Else it goes on drawing for ever.
	)
	defer func() { _ = bar.Clear() }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stopped:
			return
		case <-tick.C:
			// A line that is longer than the terminal is wide cannot be drawn over.
			bar.Describe(shorten(p.doing.Load().(string), max(10, columns.Width(w)-barWidth)))
			_ = bar.Set64(p.done.Load()) // A terminal that is gone is no reason to stop.
		}
	}
}

// barWidth is room for a bar and its numbers.
const barWidth = 50

// shorten cuts a text to n characters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
