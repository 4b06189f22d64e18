//go:build explore

package explore

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A failure would mean that what many threads do is wider than a terminal, or in another one's
// column.
func TestTableIsNarrow(t *testing.T) {
	for threads := 1; threads <= 10; threads++ {
		var names []string
		var steps []Step
		for i := range threads {
			names = append(names, fmt.Sprintf("%d a_file_of_mine_test.go:%d", i, 100+i))
			steps = append(steps, Step{Thread: i, What: "CompareAndSwap Counter.max 0 → 1", Place: "counter.go:12"})
		}
		steps = append(steps, remark("(a remark)"), Step{Thread: 0, What: "blocked", Place: "counter.go:120", Marked: true})
		text := table(names, steps)
		last := 0
		for _, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > widest {
				t.Errorf("%d threads: %d wide:\n%s", threads, n, text)
			}
			if before, _, ok := strings.Cut(line, "Compare"); ok {
				if n := utf8.RuneCountInString(before); n <= last {
					t.Errorf("%d threads: the columns are not beside each other:\n%s", threads, text)
				} else {
					last = n
				}
			}
		}
		for _, name := range names {
			if !strings.Contains(text, name) {
				t.Errorf("%d threads: nothing says that one is %s:\n%s", threads, name, text)
			}
		}
		if strings.Count(text, "✗") != 1 {
			t.Errorf("%d threads: one line is marked:\n%s", threads, text)
		}
	}
}

// access is one to a variable that has a name. Its type is one that the race detector, which knows
// nothing of the order here, does not look at.
func (n *named) access(write bool) {
	p := unsafe.Pointer(n)
	drive.Name(p, n.name)
	drive.Access(p, unsafe.Sizeof(n.Int64), write)
	if write {
		drive.Note(func() any { return n.Load() })
	} else {
		drive.Note(n.Load())
	}
}

type named struct {
	atomic.Int64
	name string
}

func (n *named) lock() {
	p := unsafe.Pointer(n)
	drive.Name(p, n.name)
	drive.Await(drive.OpLock, p, func() bool { return n.Load() == 0 })
	drive.Acquire(p)
	n.Store(1)
}

// A failure would mean that a trace does not say which of two variables of one name it is, what
// was read and written, or where a test failed.
func TestTraceSays(t *testing.T) {
	r, text := tested(func(in *testing.T) {
		one, two := &named{name: "account.mu"}, &named{name: "account.mu"}
		total, alone := &named{name: "total"}, &named{name: "alone"}
		x, y := &named{name: "x"}, &named{name: "y"}
		drive.Go(func() {
			one.lock()
			alone.access(true)
			alone.Store(3)
			x.access(true)
			y.access(true)
			x.Store(3)
			y.Store(4)         // x, y = 3, 4
			total.access(true) // total += 7
			total.access(false)
			total.Add(7)
			total.access(false) // in the same line, as far as that can be seen
			drive.Release(unsafe.Pointer(one))
			two.lock()
		})
		drive.Go(func() {
			drive.Await(drive.OpYield, unsafe.Pointer(one), func() bool { return total.Load() != 0 })
			drive.Acquire(unsafe.Pointer(one))
			total.access(false)
			x.access(false)
			y.access(false)
			inOf(in).Errorf("it is %d", total.Load())
		})
	})
	if r.Failure == nil || r.Failure.Kind != Asserted {
		t.Fatalf("want an assertion: %v", r)
	}
	for _, want := range []string{
		"go 1", "go 2", "Lock account.mu#1", "Lock account.mu#2", "read total = 7", "write x ← 3", "write y ← 4",
		"fails: it is 7", "trace_internal_test.go:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "alone") {
		t.Errorf("it tells of what a thread has for itself:\n%s", text)
	}
	_, after, _ := strings.Cut(text, "read total = 0")
	if _, after, ok := strings.Cut(after, "write total ← 7"); !ok || strings.Count(after, "read total = 7") != 2 {
		t.Errorf("what is read for a write comes before it, and what is read after it behind it:\n%s", text)
	}
}

// A failure would mean that a value is not shown as a reader would write it, that its methods are
// called after the execution, or that a long one is not cut short.
func TestValues(t *testing.T) {
	n := &namer{pointers: make(map[uintptr]int)}
	var none *int
	x, y := new(int), new(int)
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "nil"}, {none, "nil"}, {x, "p1"}, {y, "p2"}, {x, "p1"}, {7, "7"}, {-7, "-7"}, {uint64(1) << 16, "0x10000"},
		{"a\nb", `"a\nb"`}, {true, "true"}, {1.5, "1.5"}, {[]int{1, 2}, "[]int of 2"}, {[2]bool{true}, "[true false]"},
		{struct{ a, b int }{1, 2}, "{1 2}"}, {stubborn(3), "3"}, {errors.New("none"), `"none"`}, {time.Second, "1s"},
		{time.Unix(946684801, 0), "00:00:01"}, {drive.Text("closed"), "closed"}, {map[int]int(nil), "nil"},
		{strings.Repeat("x", 100), `"` + strings.Repeat("x", longest-2) + "…"},
	} {
		if got := n.show(c.value); got != c.want {
			t.Errorf("%T: %s, want %s", c.value, got, c.want)
		}
	}
}

// A failure would mean that what a map has for a key is not said.
func TestEntries(t *testing.T) {
	n := &namer{}
	for _, c := range []struct {
		entry drive.Entry
		write bool
		want  string
	}{
		{drive.Entry{Key: "a", Value: 1, There: true}, false, `m["a"] (s.m[]) = 1`},
		{drive.Entry{Key: "a", Value: 1, There: true}, true, `m["a"] (s.m[]) ← 1`},
		{drive.Entry{Key: 2, Value: 0}, false, "m[2] (s.m[]): none"},
		{drive.Entry{Key: 2, Value: 0}, true, "m[2] (s.m[]): deleted"},
	} {
		if got := n.entry("m[] (s.m[])", c.entry, c.write); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A failure would mean that a thread that a library has started is not named by the line of the
// module under test that led there, if there is one.
func TestOrigin(t *testing.T) {
	here := callersOf()
	library := []uintptr{reflect.ValueOf(strings.Cut).Pointer() + 1}
	if p := origin(append(library, here...)); filepath.Base(p.file) != "trace_internal_test.go" {
		t.Errorf("a thread of this test is named %v", p)
	}
	if p := origin(library); filepath.Base(p.file) != "strings.go" {
		t.Errorf("a thread of a library is named %v", p)
	}
}

func callersOf() []uintptr {
	pcs := make([]uintptr, 1)
	return pcs[:runtime.Callers(2, pcs)]
}

type stubborn int

func (stubborn) String() string { panic("is called") }
