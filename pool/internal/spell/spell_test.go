package spell

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A body is a function.
type body func()

func (f body) Run() { f() }

// If this fails, a job passes for another one, or for none: for its calls, or in what Dump writes.
func TestNumbers(t *testing.T) {
	for _, beneath := range []uint32{1, 0xf, 0x10, 0x1000, 0x76543210} {
		for _, number := range []uint32{1, 0xa0, 0xfedcba98, math.MaxUint32} {
			Call(beneath, body(func() {
				Call(number, body(func() {
					want := []uint32{number, beneath}
					if got := slices.Collect(Numbers); !slices.Equal(got, want) {
						t.Errorf("P4: the stack spells the numbers %x, want %x", got, want)
					}
					if got := written(); !slices.Equal(got, want) {
						t.Errorf("P30: the text of the stack spells the numbers %x, want %x", got, want)
					}
				}))
			}))
		}
	}
	if got := slices.Collect(Numbers); got != nil {
		t.Errorf("P4: a stack without a number spells %x", got)
	}
}

// written returns the numbers in the text of the calling goroutine's stack.
func written() (numbers []uint32) {
	buf := make([]byte, 1<<16)
	lines := strings.Split(string(buf[:runtime.Stack(buf, false)]), "\n")
	for lines = lines[1:]; len(lines) > 1; {
		number, beneath := Cut(lines)
		if number == 0 {
			beneath = lines[2:]
		} else {
			numbers = append(numbers, number)
		}
		lines = beneath
	}
	return numbers
}

// If this fails, a job that calls Run is taken for another one, or for none, if there is a certain
// number of calls between.
func TestNumbersAtAnyDepth(t *testing.T) {
	var deeper func(calls int, then body)
	deeper = func(calls int, then body) {
		if calls > 0 {
			deeper(calls-1, then)
			return
		}
		then()
	}
	// The first look ends at each call of the two that spell a number, and the second one, too.
	want := []uint32{0x123, 0x456}
	for calls := range 10 * nearFrames {
		Call(want[1], body(func() {
			deeper(calls, func() {
				Call(want[0], body(func() {
					if got := slices.Collect(Numbers); !slices.Equal(got, want) {
						t.Errorf("P4: the stack spells the numbers %x, want %x, with %d calls between", got, want, calls)
					}
				}))
				deeper(calls, func() {
					for got := range Numbers {
						if got != want[1] {
							t.Errorf("P4: the stack spells the number %x, want %x, beneath %d calls", got, want[1], 2*calls)
						}
						return
					}
					t.Errorf("P4: the stack spells no number, beneath %d calls", 2*calls)
				})
			})
		}))
	}
}
