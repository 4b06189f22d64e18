package pulse

import (
	"errors"
	"runtime"
	"strings"
	"time"
)

// Goroutines are the numbers of goroutines.
type Goroutines map[string]bool

// GoroutinesNow returns those of all that there are.
func GoroutinesNow() Goroutines {
	now := Goroutines{}
	for _, stack := range Stacks() {
		now[number(stack)] = true
	}
	return now
}

// Left returns an error that shows the goroutines that were started since and do not end, the
// caller's apart.
func (before Goroutines) Left() error {
	nap := time.Microsecond
	for waited := time.Duration(0); ; waited += nap {
		var left []string
		for _, stack := range Stacks()[1:] {
			if !before[number(stack)] {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return nil
		}
		if waited >= StillBeats*Beat {
			return errors.New(strings.Join(left, "\n\n"))
		}
		nap = min(2*nap, Beat)
		time.Sleep(nap)
	}
}

// Stacks returns the stacks of all goroutines, that of the caller first.
func Stacks() []string {
	buf := make([]byte, 1<<20)
	n := runtime.Stack(buf, true)
	for ; n == len(buf); n = runtime.Stack(buf, true) {
		buf = make([]byte, 2*n)
	}
	return strings.Split(string(buf[:n]), "\n\n")
}

// number returns that of the goroutine that has the stack.
func number(stack string) string {
	_, rest, _ := strings.Cut(stack, " ")
	n, _, _ := strings.Cut(rest, " ")
	return n
}
