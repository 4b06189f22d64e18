package races_test

//lint:file-ignore ST1003,S1000,S1011,S1001,SA4006,SA4010,SA4009,SA2001,ST1023,SA9003 Each form must be seen, a strange one, too.

import (
	"bytes"
	"cmp"
	"container/list"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"net/http"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/examples/races"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

type (
	item   = races.Item
	matrix [2]int
	holder struct{ *item }
	number int
)

var (
	global    int
	sink      any
	errFailed = errors.New("failed")
)

func failing() int              { return 0 }
func one() int                  { return 1 }
func two() (int, int)           { return 1, 2 }
func fallible() (int, error)    { return 1, errFailed }
func text() string              { return " " }
func take(...any)               {}
func (n number) value() int     { return int(n) }
func (m *matrix) set(i int)     { m[i] = 1 } // by: method that changes
func pointer(p *item) *item     { return p }
func five() (a, b, c, d, e int) { return }

func setElement[S ~[]E, E any](s S, v E) { s[len(s)-1] = v } // by: generic element

func setKey[M ~map[K]V, K comparable, V any](m M, k K) {
	m[k] = *new(V) // by: generic map
}

// A pair is what two threads do.
type pair func() (a, b func())

// Each pair is a race, of which both places are to be shown. Under a lock it is none.
var racy = map[string]pair{
	"list": func() (a, b func()) {
		l := list.New()
		e := l.PushBack(1)
		return func() { l.MoveToFront(e) },
			func() { l.Len() }
	},
	"buffer": func() (a, b func()) {
		var x struct{ buf bytes.Buffer }
		return func() { x.buf.WriteString(text()) },
			func() { take(x.buf.String()) }
	},
	"embedded buffer": func() (a, b func()) {
		x := &struct {
			n int
			*bytes.Buffer
		}{Buffer: new(bytes.Buffer)}
		return func() { x.WriteByte(' ') },
			func() { take(x.Len()) }
	},
	"a type that has no name here": func() (a, b func()) {
		var x item
		return func() { x.Done = one() == 1 },
			func() { take(x.Done) }
	},
	"print": func() (a, b func()) {
		var x strings.Builder
		return func() { fmt.Fprintf(&x, "%d", one()) },
			func() { x.Len() }
	},
	"print a map": func() (a, b func()) {
		m := map[string]int{"a": 1}
		return func() { m["a"] = 2 },
			func() { take(fmt.Sprintf("%v %d", m, one())) }
	},
	"sort": func() (a, b func()) {
		x := []string{"b", "a"}
		return func() { slices.Sort(x) },
			func() { take(strings.Join(x, text())) }
	},
	"sort by a function": func() (a, b func()) {
		x := []int{2, 1}
		return func() { sort.Slice(x, func(i, j int) bool { return i < j }) },
			func() { take(slices.Contains(x, 1)) }
	},
	"keys": func() (a, b func()) {
		m := map[string]int{"a": 1}
		return func() { delete(m, "a") },
			func() { take(slices.Sorted(maps.Keys(m))) }
	},
	"header": func() (a, b func()) {
		h := http.Header{}
		return func() { h.Set("A", text()) },
			func() { take(h.Get("A")) }
	},
	"body of a range over a function": func() (a, b func()) {
		x := 0
		once := func(yield func() bool) { yield() }
		return func() {
				for range once {
					x++
				}
			},
			func() { x = 0 }
	},
	"assign": func() (a, b func()) {
		x := 0
		_ = x
		return func() { x = 1 },
			func() { x = 2 }
	},
	"read": func() (a, b func()) {
		x := 0
		return func() { x = 1 },
			func() { take(x) }
	},
	"assign a call": func() (a, b func()) {
		x := 0
		return func() { x = one() },
			func() { take(x) }
	},
	"add": func() (a, b func()) {
		x := 0
		return func() { x += 2 },
			func() { take(x) }
	},
	"add a call": func() (a, b func()) {
		x := 0
		return func() { x += one() },
			func() { take(x) }
	},
	"increment": func() (a, b func()) {
		x := 0
		return func() { x++ },
			func() { take(x) }
	},
	"swap": func() (a, b func()) {
		x, y := 1, 2
		return func() { x, y = y, x },
			func() { y = 3 }
	},
	"two values": func() (a, b func()) {
		x, y := 1, 2
		_ = x
		return func() { x, y = two() },
			func() { take(y) }
	},
	"five values": func() (a, b func()) {
		var v, w, x, y, z int
		_, _, _, _ = v, w, x, y
		return func() { v, w, x, y, z = five() },
			func() { take(z); v, w, x, y = 0, 0, 0, 0 }
	},
	"calls": func() (a, b func()) {
		x, y := 1, 2
		return func() { x, y = one(), one() },
			func() { take(x, y) }
	},
	"calls, second": func() (a, b func()) {
		var x, y any
		_ = x
		return func() { x, y = one(), nil },
			func() { take(y); x = 1 }
	},
	"calls and elements": func() (a, b func()) {
		m, i := map[string]int{}, new(item)
		return func() { m["a"], i.A = one(), one() },
			func() { take(i.A) }
	},
	"calls and a map": func() (a, b func()) {
		m, i := map[string]int{}, new(item)
		return func() { m["a"], i.A = one(), one() },
			func() { take(len(m)) }
	},
	"values of a call and a map": func() (a, b func()) {
		m, i := map[string]int{}, new(item)
		return func() { m["a"], i.A = two() },
			func() { take(len(m)) }
	},
	"place of a call": func() (a, b func()) {
		i := new(item)
		return func() { pointer(i).A = one() },
			func() { take(i.A) }
	},
	"element of a call": func() (a, b func()) {
		xs := make([]int, 2)
		return func() { xs[one()] = one() },
			func() { take(xs[1]) }
	},
	"copy to": func() (a, b func()) {
		xs, ys := make([]int, 2), make([]int, 2)
		return func() { copy(xs, ys) },
			func() { take(xs[1]) }
	},
	"copy from": func() (a, b func()) {
		xs, ys := make([]int, 2), make([]int, 2)
		return func() { copy(xs, ys) },
			func() { ys[1] = 1 }
	},
	"copy of a string": func() (a, b func()) {
		xs := make([]byte, 2)
		return func() { copy(xs, "ab") },
			func() { take(xs[1]) }
	},
	"append in place": func() (a, b func()) {
		xs := make([]int, 1, 4)
		return func() { sink = append(xs, 1) },
			func() { ys := xs[:2]; ys[1] = 1 }
	},
	"append to a copy": func() (a, b func()) {
		xs := make([]int, 1)
		return func() { take(append(xs, 1)) },
			func() { xs[0] = 1 }
	},
	"append all": func() (a, b func()) {
		xs := make([]int, 1)
		return func() { take(append([]int(nil), xs...)) },
			func() { xs[0] = 1 }
	},
	"append a string": func() (a, b func()) {
		xs := make([]byte, 1, 4)
		return func() { take(append(xs, "abc"...)) },
			func() { ys := xs[:4]; ys[3] = 1 }
	},
	"header of a slice": func() (a, b func()) {
		var xs []int
		return func() { xs = append(xs, 1) },
			func() { take(len(xs)) }
	},
	"header of a string": func() (a, b func()) {
		s := "a"
		return func() { s += "b" },
			func() { take(len(s)) }
	},
	"range over a slice": func() (a, b func()) {
		xs := make([]int, 2)
		return func() {
				for _, x := range xs {
					take(x)
				}
			},
			func() { xs[1] = 1 }
	},
	"range over the header": func() (a, b func()) {
		xs := make([]int, 2)
		return func() {
				for range xs {
				}
			},
			func() { xs = nil }
	},
	"range over an array": func() (a, b func()) {
		var xs [2]int
		return func() {
				for _, x := range xs {
					take(x)
				}
			},
			func() { xs[1] = 1 }
	},
	"range over an array behind a pointer": func() (a, b func()) {
		xs := new([2]int)
		return func() {
				for _, x := range xs {
					take(x)
				}
			},
			func() { xs[1] = 1 }
	},
	"range over what a pointer has": func() (a, b func()) {
		xs := new([2]int)
		return func() {
				for _, x := range *xs {
					take(x)
				}
			},
			func() { xs[1] = 1 }
	},
	"range over a map": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() {
				for k := range m {
					take(k)
				}
			},
			func() { m[2] = 2 }
	},
	"range over a string": func() (a, b func()) {
		s := "ab"
		return func() {
				for _, c := range s {
					take(c)
				}
			},
			func() { s = "c" }
	},
	"range over a number": func() (a, b func()) {
		n := 2
		return func() {
				for i := range n {
					take(i)
				}
			},
			func() { n = 3 }
	},
	"range to a variable": func() (a, b func()) {
		i := 0
		return func() {
				for i = range 2 {
				}
			},
			func() { take(i) }
	},
	"range of a map to a variable": func() (a, b func()) {
		i := 0
		return func() {
				for _, i = range map[int]int{1: 1} {
				}
			},
			func() { take(i) }
	},
	"range over a function to a variable": func() (a, b func()) {
		i := 0
		return func() {
				for i = range func(yield func(int) bool) { yield(1) } {
				}
			},
			func() { take(i) }
	},
	"received to a variable": func() (a, b func()) {
		ch, x := make(chan int, 1), 0
		ch <- 1
		return func() { x = <-ch },
			func() { take(x) }
	},
	"range of a channel to a variable": func() (a, b func()) {
		ch, x := make(chan int, 1), 0
		ch <- 1
		close(ch)
		return func() {
				for x = range ch {
				}
			},
			func() { take(x) }
	},
	"selected to a variable": func() (a, b func()) {
		ch, x := make(chan int, 1), 0
		ch <- 1
		return func() {
				select {
				case x = <-ch:
				}
			},
			func() { take(x) }
	},
	"sent in a select": func() (a, b func()) {
		ch, x := make(chan int, 1), 0
		return func() {
				select {
				case ch <- x:
				}
			},
			func() { x = 1 }
	},
	"channel itself": func() (a, b func()) {
		ch := make(chan int, 1)
		return func() { ch <- 1 },
			func() { ch = make(chan int, 1) }
	},
	"map read": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { take(m[1]) },
			func() { m[1] = 2 }
	},
	"map read, two values": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { v, ok := m[1]; take(v, ok) },
			func() { m[1] = 2 }
	},
	"map write of a call": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { m[2] = one() },
			func() { take(m[1]) }
	},
	"map add": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { m[2] += 2 },
			func() { take(m[1]) }
	},
	"map add a call": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { m[2] += one() },
			func() { take(m[1]) }
	},
	"map delete": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { delete(m, 1) },
			func() { take(len(m)) }
	},
	"map clear": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { clear(m) },
			func() { take(m[1]) }
	},
	"slice clear": func() (a, b func()) {
		xs := make([]int, 2)
		return func() { clear(xs) },
			func() { take(xs[1]) }
	},
	"map itself": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { m = nil },
			func() { take(m[1]) }
	},
	"struct copied": func() (a, b func()) {
		p := new(item)
		return func() { x := *p; take(x) },
			func() { p.B = 1 }
	},
	"struct overwritten": func() (a, b func()) {
		p := new(item)
		return func() { *p = item{} },
			func() { take(p.B) }
	},
	"struct overwritten by a call": func() (a, b func()) {
		p := new(item)
		return func() { *p = *pointer(new(item)) },
			func() { take(p.B) }
	},
	"struct passed": func() (a, b func()) {
		var x item
		return func() { take(x) },
			func() { x.B = 1 }
	},
	"structs compared": func() (a, b func()) {
		x, y := new(item), new(item)
		return func() { take(*x == *y) },
			func() { y.B = 1 }
	},
	"array copied": func() (a, b func()) {
		var x, y [4]int
		_ = y
		return func() { y = x },
			func() { x[3] = 1 }
	},
	"method that copies": func() (a, b func()) {
		p := new(item)
		return func() { take(p.Sum()) },
			func() { p.B = 1 }
	},
	"method that changes": func() (a, b func()) {
		p := new(matrix)
		return func() { p.set(1) },
			func() { take(p[1]) }
	},
	"method value": func() (a, b func()) {
		n := number(1)
		return func() { f := n.value; take(f) },
			func() { n = 2 }
	},
	"method value of a pointer": func() (a, b func()) {
		p := new(item)
		return func() { f := p.Sum; take(f) },
			func() { p.A = 2 }
	},
	"embedded pointer": func() (a, b func()) {
		h := &holder{new(item)}
		return func() { take(h.A) },
			func() { h.item = &item{} }
	},
	"method of an embedded pointer": func() (a, b func()) {
		h := &holder{new(item)}
		return func() { take(h.Sum()) },
			func() { h.item = &item{} }
	},
	"argument of defer": func() (a, b func()) {
		x := 0
		return func() { defer take(x) },
			func() { x = 1 }
	},
	"deferred delete": func() (a, b func()) {
		m := map[int]int{1: 1}
		return func() { defer delete(m, 1) },
			func() { take(m[1]) }
	},
	"deferred copy": func() (a, b func()) {
		xs := make([]int, 2)
		return func() { defer copy(xs, xs[1:]) },
			func() { take(xs[0]) }
	},
	"deferred function": func() (a, b func()) {
		x := 0
		return func() { defer func() { x = 1 }() },
			func() { take(x) }
	},
	"argument of go": func() (a, b func()) {
		x := int32(0)
		return func() { go atomic.AddInt32(new(int32), x) },
			func() { x = 1 }
	},
	"composite literal": func() (a, b func()) {
		x := 0
		return func() { take(item{A: x}, []int{x}) },
			func() { x = 1 }
	},
	"key of a literal": func() (a, b func()) {
		x := 0
		return func() { take(map[int]int{x: 1}) },
			func() { x = 1 }
	},
	"pointer to a field": func() (a, b func()) {
		var x item
		p := &x.B
		return func() { *p = 1 },
			func() { take(x.B) }
	},
	"pointer to an element": func() (a, b func()) {
		xs := make([]int, 2)
		p := &xs[1]
		return func() { *p++ },
			func() { take(xs[1]) }
	},
	"array and slice": func() (a, b func()) {
		var xs [2]int
		ys := xs[:]
		return func() { xs[1] = 1 },
			func() { take(ys[1]) }
	},
	"string of bytes": func() (a, b func()) {
		xs := []byte("ab")
		return func() { take(string(xs)) },
			func() { xs[1] = 1 }
	},
	"array of a slice": func() (a, b func()) {
		xs := []byte("ab")
		return func() { take([2]byte(xs)) },
			func() { xs[1] = 1 }
	},
	"string as a key": func() (a, b func()) {
		xs := []byte("ab")
		return func() { take(map[string]int{}[string(xs)]) },
			func() { xs[1] = 1 }
	},
	"converted": func() (a, b func()) {
		x := 0
		return func() { take(float64(x)) },
			func() { x = 1 }
	},
	"put into an interface": func() (a, b func()) {
		x := item{}
		return func() { sink = any(x) },
			func() { x.A = 1 }
	},
	"interface": func() (a, b func()) {
		var x any
		return func() { x = 1 },
			func() { v, _ := x.(int); take(v) }
	},
	"behind an interface": func() (a, b func()) {
		p := new(item)
		var x any = p
		return func() { x.(*item).A = 1 },
			func() { take(p.A) }
	},
	"type switch": func() (a, b func()) {
		var x any = 1
		return func() {
				switch v := x.(type) {
				case int:
					take(v)
				}
			},
			func() { x = "a" }
	},
	"switch": func() (a, b func()) {
		x := 1
		return func() {
				switch 1 {
				case x:
				}
			},
			func() { x = 2 }
	},
	"pointer of a channel": func() (a, b func()) {
		p, ch := new(item), make(chan *item, 1)
		ch <- p
		return func() { (<-ch).A = 1 },
			func() { take(p.A) }
	},
	"pointer received": func() (a, b func()) {
		p, ch := new(item), make(chan *item, 1)
		ch <- p
		return func() { q := <-ch; take(q.A) },
			func() { p.A = 1 }
	},
	"function variable": func() (a, b func()) {
		f := one
		return func() { f() },
			func() { f = failing }
	},
	"loop variable": func() (a, b func()) {
		i := 0
		return func() {
				for i = 0; i < 1; i++ {
				}
			},
			func() { take(i) }
	},
	"variable of a package": func() (a, b func()) {
		return func() { global = 1 },
			func() { take(global) }
	},
	"variable of another package": func() (a, b func()) {
		return func() { races.N = 1 },
			func() { take(races.N) }
	},
	"generic element": func() (a, b func()) {
		xs := make([]int, 2)
		return func() { setElement(xs, 1) },
			func() { take(xs[1]) }
	},
	"generic map": func() (a, b func()) {
		m := map[int]int{}
		return func() { setKey(m, 1) },
			func() { take(m[1]) }
	},
	"atomic and plain": func() (a, b func()) {
		n := new(int32)
		return func() { atomic.AddInt32(n, 1) },
			func() { *n = 2 }
	},
	"swapped and plain": func() (a, b func()) {
		n := new(uintptr)
		return func() { atomic.CompareAndSwapUintptr(n, 0, 1) },
			func() { take(*n) }
	},
	"swapped in vain and plain": func() (a, b func()) {
		n := new(uintptr)
		return func() { atomic.CompareAndSwapUintptr(n, 1, 1) },
			func() { *n = 0 }
	},
	"atomic and plain read": func() (a, b func()) {
		n := new(uint64)
		return func() { atomic.StoreUint64(n, 1) },
			func() { take(*n) }
	},
}

// What is no pair of functions. The places have a comment that says so.
var scenes = map[string]scene{
	"defined again": func(start func(others func())) {
		_, err := fallible()
		start(func() { take(err) }) // by: defined again
		x, err := fallible()        // by: defined again
		take(x)
	},
	"defined again by no call": func(start func(others func())) {
		x, m := 0, map[int]int{}
		start(func() { take(x) }) // by: defined again by no call
		y, x := m, 1              // by: defined again by no call
		take(x, y)
	},
	"defined again by several calls": func(start func(others func())) {
		x := 0
		start(func() { take(x) }) // by: defined again by several calls
		y, x := one(), one()      // by: defined again by several calls
		take(x, y)
	},
	"result": func(start func(others func())) {
		take(func() (n int, err error) {
			start(func() { take(n) }) // by: result
			return 1, nil             // by: result
		}())
	},
	"result of a call": func(start func(others func())) {
		take(func() (n int, err error) {
			start(func() { take(err) }) // by: result of a call
			return fallible()           // by: result of a call
		}())
	},
	"result of two calls": func(start func(others func())) {
		take(func() (n, m int) {
			start(func() { take(m) }) // by: result of two calls
			return one(), one()       // by: result of two calls
		}())
	},
	"result that nothing is said of": func(start func(others func())) {
		take(func() (n int) {
			start(func() { n = 1 }) // by: result that nothing is said of
			return                  // by: result that nothing is said of
		}())
	},
}

// Nothing of this is a race.
var quiet = map[string]pair{
	"library reads": func() (a, b func()) {
		x, m := []int{2, 1}, map[string]int{}
		var buf bytes.Buffer
		read := func() { take(slices.Clone(x), maps.Clone(m), buf.Len(), fmt.Sprint(x, m)) }
		return read, read
	},
	"library calls a writer of ours": func() (a, b func()) {
		x, m := writers{io.Discard}, named{"x": io.Discard}
		write := func() { fmt.Fprintln(x, "x"); io.WriteString(m, "x") }
		return write, write
	},
	"library orders one element": func() (a, b func()) {
		x, y := []int{0}, []int{0}
		sorts := func() {
			slices.Sort(x)
			sort.Ints(x[:1])
			sort.Slice(x, func(i, j int) bool { return x[i] < x[j] })
			slices.SortFunc(y, func() func(a, b int) int { return cmp.Compare[int] }())
		}
		return sorts, sorts
	},
	"library looks at no elements": func() (a, b func()) {
		x := []int{0}
		return func() { x[0] = 2 }, func() { take(fmt.Sprintf("%[1]T %#[1]p", x)) }
	},
	"library draws from a source with a lock": func() (a, b func()) {
		r := rand.New(&locked{s: rand.NewSource(1)})
		draw := func() { take(r.Intn(5)) }
		return draw, draw
	},
	"library, when arguments are there": func() (a, b func()) {
		var buf strings.Builder
		ready := make(chan string, 1)
		return func() { buf.WriteString("a"); ready <- "b" },
			func() { buf.WriteString(<-ready) }
	},
	"library, later": func() (a, b func()) {
		var buf bytes.Buffer
		m, ready := map[int]int{}, make(chan bool, 1)
		return func() { buf.WriteByte(' '); m[1] = 1; ready <- true },
			func() {
				keys := maps.Keys(m)
				defer buf.Reset()
				<-ready
				for range keys {
				}
			}
	},
	"address alone": func() (a, b func()) {
		m := map[int]int{}
		return func() { m[1] = 1 },
			func() { take(fmt.Sprintf("%p", m)) }
	},
	"elements": func() (a, b func()) {
		xs := make([]int, 2)
		return func() { xs[0] = 1 },
			func() { xs[1] = 1 }
	},
	"elements of an array": func() (a, b func()) {
		var xs [2]byte
		return func() { xs[0] = 1 },
			func() { xs[1] = 1 }
	},
	"fields": func() (a, b func()) {
		var x item
		return func() { x.A = 1 },
			func() { x.B = 1 }
	},
	"copies of parts": func() (a, b func()) {
		xs := make([]int, 4)
		return func() { copy(xs[:1], xs[1:2]) },
			func() { take(append(xs[:2], 5)); xs[3] = 1 }
	},
	"append after the end": func() (a, b func()) {
		xs := make([]int, 1, 4)
		return func() { take(append(xs, 1)) },
			func() { xs[0] = 1 }
	},
	"append of nothing": func() (a, b func()) {
		xs := make([]int, 1)
		return func() { take(append(xs, xs[:0]...)) },
			func() { xs[0] = 1 }
	},
	"a range that does not get there": func() (a, b func()) {
		xs := make([]int, 2)
		return func() {
				for _, x := range xs {
					take(x)
					break
				}
			},
			func() { xs[1] = 1 }
	},
	"a range over indexes": func() (a, b func()) {
		xs := make([]int, 2)
		return func() {
				for i := range xs {
					take(i)
				}
			},
			func() { xs[1] = 1 }
	},
	"length": func() (a, b func()) {
		xs := make([]int, 2)
		return func() { take(len(xs), cap(xs), xs[:1]) },
			func() { xs[1] = 1 }
	},
	"reads": func() (a, b func()) {
		x, m, p := 1, map[int]int{1: 1}, new(item)
		return func() { take(x, m[1], *p, p.Sum()) },
			func() {
				take(x, len(m), *p, p.A)
				for range m {
				}
			}
	},
	"pointer to a field": func() (a, b func()) {
		p := new(item)
		return func() { take(&p.A) },
			func() { p.A = 1 }
	},
	"a method that takes the address": func() (a, b func()) {
		p := new(item)
		return func() { take(p.Inc) },
			func() { p.A = 1 }
	},
	"atomics": func() (a, b func()) {
		n := new(int32)
		return func() { atomic.AddInt32(n, 1) },
			func() { atomic.StoreInt32(n, 2); take(atomic.LoadInt32(n)) }
	},
	"atomic and plain reads": func() (a, b func()) {
		n := new(int32)
		return func() { take(atomic.LoadInt32(n)) },
			func() { take(*n) }
	},
	"atomic, and plain after it": func() (a, b func()) {
		n := new(int32)
		return func() { atomic.StoreInt32(n, 1) },
			func() {
				if atomic.LoadInt32(n) == 1 {
					*n = 2
				}
			}
	},
	"swapped, and plain after it": func() (a, b func()) {
		n := new(int32)
		return func() { atomic.CompareAndSwapInt32(n, 0, 1) },
			func() {
				if atomic.LoadInt32(n) == 1 {
					*n = 2
				}
			}
	},
	"copies that differ": func() (a, b func()) {
		x := item{}
		y := x
		return func() { x.A = 1 },
			func() { take(y) }
	},
	"a result that is deferred": func() (a, b func()) {
		return func() {
				take(func() (n int) {
					var wg sync.WaitGroup
					defer wg.Wait()
					wg.Go(func() { n = 1 })
					return
				}())
			},
			func() {}
	},
}

type writers []io.Writer

func (w writers) Write(p []byte) (int, error) {
	for _, x := range w {
		x.Write(p)
	}
	return len(p), nil
}

type named map[string]io.Writer

func (w named) Write(p []byte) (int, error) { return w["x"].Write(p) }

type locked struct {
	mu sync.Mutex
	s  rand.Source
}

func (l *locked) Int63() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.s.Int63()
}

func (l *locked) Seed(int64) {}

type none struct{ mu sync.Mutex } // it locks out nobody, but goroutines come to it in several orders

func (n *none) Lock() { n.mu.Lock(); n.mu.Unlock() }
func (*none) Unlock() {}

// run has two goroutines call the functions of the pair.
func (p pair) run(mu sync.Locker) {
	a, b := p()
	scene(func(start func(others func())) { start(a); b() }).run(mu)
}

// A scene has others called by another goroutine, and does the rest itself.
type scene func(start func(others func()))

// run has both of them hold the lock.
func (s scene) run(mu sync.Locker) {
	done := make(chan struct{})
	s(func(others func()) {
		go func() {
			mu.Lock()
			others()
			mu.Unlock()
			close(done)
		}()
		mu.Lock()
	})
	mu.Unlock()
	<-done
}

// A failure would mean that a form of access is not seen, or not where it is.
func TestRaces(t *testing.T) {
	explore.Test(t, func(t *testing.T) { racy["add"].run(new(sync.Mutex)) }) // or skip all of it
	src, err := os.ReadFile("races_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	for name, p := range racy {
		t.Run(name, func(t *testing.T) {
			got := planted.Race(t, func() { p.run(new(none)) })
			first := planted.Line(lines, "\t\""+name+"\": func()")
			second := first + planted.Line(lines[first:], "\t\t\tfunc() {")
			by := planted.Line(lines, "// by: "+name)
			is := func(n int) bool { return n == by || first < n && n < second }
			if !(got[1] == second && is(got[0]) || got[0] == second && is(got[1])) {
				t.Errorf("the race is at lines %d and %d, want %d to %d and %d", got[0], got[1], first+2, second-1, second)
			}
			planted.Passes(t, func() { p.run(new(sync.Mutex)) })
		})
	}
	for name, s := range scenes {
		t.Run(name, func(t *testing.T) {
			got := planted.Race(t, func() { s.run(new(none)) })
			for _, n := range got {
				if !strings.HasSuffix(lines[n-1], "// by: "+name) {
					t.Errorf("the race is at lines %d and %d", got[0], got[1])
				}
			}
			planted.Passes(t, func() { s.run(new(sync.Mutex)) })
		})
	}
	for name, p := range quiet {
		t.Run("no race/"+name, func(t *testing.T) {
			planted.Passes(t, func() { p.run(new(none)) })
		})
	}
}
