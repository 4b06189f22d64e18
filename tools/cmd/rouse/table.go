package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rouse-go/rouse/tools/cli"
)

// Everything printed fits a terminal of this many columns, except the names of files.
const width = 60

// plan says what the command is about to do.
func plan(ways int) string {
	return wrap(fmt.Sprintf("What forks and loops cost, and where they pay: GOMAXPROCS=%d, %s/%s, %s.", runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version())) +
		wrap(fmt.Sprintf("Four pieces of work, %d ways in all. A row appears as soon as a way is done. Ctrl-C stops the command.", ways)) +
		"\n" + line("", "time", "speed-up")
}

const legend = `time      of one run, or the median of several
speed-up  the time of plain Go divided by this one
rouse     a pool with this deque, which holds forks, and
          this sleep backend, which wakes idle workers
`

func line(name, time, speedup string) string {
	return fmt.Sprintf("%-36s%10s%10s\n", name, time, speedup)
}

// row is the line of one way.
func row(name string, took time.Duration, speedup float64) string {
	return line("  "+name, short(took), digits(speedup))
}

// short writes a time in the unit in which it is 1 to 1000, if there is one.
func short(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.2f µs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// digits writes a ratio so that a small one is not zero.
func digits(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// wrongRow says where a way disagrees with plain Go, in the first few places.
func wrongRow(places []string) string {
	var b strings.Builder
	for i, p := range places {
		if i == 3 {
			fmt.Fprintf(&b, "    and in %d more\n", len(places)-i)
			break
		}
		fmt.Fprintf(&b, "    disagrees with plain Go in %s\n", cli.Printable(p))
	}
	return b.String()
}

// wrap breaks a paragraph between words.
func wrap(text string) (wrapped string) {
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && utf8.RuneCountInString(longer) > width {
			wrapped, longer = wrapped+line+"\n", word
		}
		line = longer
	}
	return wrapped + line + "\n"
}
