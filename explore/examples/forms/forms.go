// Package forms has each form of what is rewritten, in ordinary Go.
package forms

//lint:file-ignore ST1001,S1000,S1005,SA1004,SA2001,SA4006,SA4011 Each form must be rewritten, a strange one, too.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"sync"
	"sync/atomic"
	. "time"
)

// A result has fields of all kinds.
type result struct {
	mu    sync.Mutex
	n     int
	err   error
	names []string
	count map[string]int
	inner struct{ a, b int }
	next  *result
	f     func(int) int
	done  chan struct{}
	array [3]int
}

type key string

type handler func(n int) (int, error)

var global int

var table = map[string]int{"a": 1}

// Goroutines starts some in each way.
func Goroutines() int {
	var wg sync.WaitGroup
	var sum atomic.Int64
	r := &result{f: func(n int) int { sum.Add(int64(n)); wg.Done(); return n }}
	add := func(ns ...int) error {
		for _, n := range ns {
			sum.Add(int64(n))
		}
		wg.Done()
		return nil
	}
	wg.Add(15)
	go func() { sum.Add(1); wg.Done() }()
	go func(a, b int) { sum.Add(int64(a * b)); wg.Done() }(2, 3)
	go func(a int, bs ...int) error {
		sum.Add(int64(a + len(bs)))
		wg.Done()
		return nil
	}(1, []int{1, 2}...)
	go func() error { sum.Add(1); wg.Done(); return nil }()
	go func(int) {}(1)
	go func(ns ...int) { sum.Add(1 + int64(len(ns))); wg.Done() }()
	go func(...int) error { sum.Add(1); wg.Done(); return nil }()
	go r.f(1)
	go add(1, 2,
		// a comment
		3)
	go add([]int{4, 5}...)
	go add(two())
	go generic(&wg, &sum, 7)
	go generic[int8](&wg, &sum, 8)
	go typed(&wg, &sum, 1 < len("ab"), 1<<len("a"), nil, "k")
	// What is called is evaluated at once, however late the call is.
	one, all := addend(1), []*addend{new(addend), new(addend)}
	*all[0], *all[1] = 2, 100
	last := all[0]
	go one.add(&wg, &sum)
	go last.addTo(&wg, &sum)
	one, last = 100, all[1]
	wg.Wait()
	return int(sum.Load())
}

type addend int64

func (n addend) add(wg *sync.WaitGroup, sum *atomic.Int64)    { sum.Add(int64(n)); wg.Done() }
func (n *addend) addTo(wg *sync.WaitGroup, sum *atomic.Int64) { n.add(wg, sum) }

func two() (int, int) { return 1, 1 }

type flag bool

func typed(wg *sync.WaitGroup, sum *atomic.Int64, f flag, n int64, p *int, k key) {
	if f && p == nil && k == "k" {
		sum.Add(n)
	}
	wg.Done()
}

func generic[T ~int | ~int8](wg *sync.WaitGroup, sum *atomic.Int64, n T) {
	sum.Add(int64(n))
	wg.Done()
}

// Channels uses them in each way.
func Channels() string {
	ch := make(chan error, 3)
	ch <- nil
	ch <- errors.New("bad")
	ch <- func() error { return nil }()
	s := fmt.Sprint(len(ch), cap(ch))
	close(ch)
	first := <-ch
	second, ok := <-ch
	var third, open = <-ch
	fourth, still := (<-ch)
	s = fmt.Sprint(s, first, second, ok, third, open, fourth, still)
	ints := make(chan int)
	go func() {
		defer close(ints)
		for i := range 3 {
			ints <- i
		}
	}()
	for i := range ints {
		if i == 1 {
			continue
		}
		s += fmt.Sprint(i)
	}
	more := make(chan int, 2)
	more <- 5
	more <- 6
	close(more)
	var x struct{ v int }
	for x.v = range more {
		s += fmt.Sprint(x.v)
	}
	for range more {
	}
	for _ = range more {
	}
	var only <-chan int = more
	_, ok = <-only
	return fmt.Sprint(s, ok, drain(more))
}

// Typed has flags of a type of its own, a channel that is only sent to, and text of either type.
func Typed() string {
	ch := make(chan flag, 4)
	var send chan<- flag = ch
	send <- true
	send <- false
	n := len(send)*10 + cap(send)
	var v, ok flag
	run := func(f func()) { f() }
	run(func() { v, ok = <-ch })
	close(send)
	select {
	case v, ok = <-ch:
		n += len(send)
	}
	var w, more flag = <-ch
	text := join(join([]byte("a"), "b"), []byte("c"))
	return fmt.Sprint(n, v, ok, w, more, string(text))
}

func join[T ~string | ~[]byte](b []byte, text T) []byte {
	b = append(b, text...)
	return b[:len(b)-len(text)+copy(b[len(b)-len(text):], text)]
}

func drain[C ~chan int](c C) (n int) {
	for v := range c {
		n += v
	}
	return n + <-c
}

// Selects uses it in each way.
func Selects() string {
	a, b, c := make(chan int, 1), make(chan string, 1), make(chan error)
	s := ""
	select {
	case v := <-a:
		s += fmt.Sprint(v)
	default:
		s += "default"
	}
	select {
	case a <- 1:
	}
	var got struct {
		v  int
		ok bool
	}
	select {
	case got.v, got.ok = <-a:
		s += fmt.Sprint(got)
	case c <- nil:
	}
	close(a)
loop:
	for i := 0; ; i++ {
		select {
		case b <- fmt.Sprint("b",
			i):
			if i > 5 {
				break loop
			}
		case v := <-b:
			s += v
			switch {
			case i > 2:
				break loop
			}
		case <-c:
			break
		}
	}
	select {
	case _, ok := <-a:
		s += fmt.Sprint(ok)
	}
	func() int {
		select {
		case v := <-a:
			return v
		case <-c:
			panic("c")
		}
	}()
	return s
}

// Plain reads and writes what is shared, in each way.
func Plain() string {
	r := &result{count: map[string]int{}, done: make(chan struct{})}
	r.next = &result{}
	n, err := 0, error(nil)
	set := func() (int, error) { return 3, errors.New("e") }
	func() {
		defer func() { n++ }()
		r.n = 1
		r.n += 2
		r.n++
		r.inner.a, r.inner.b = 1, 2
		r.next.n, r.err = set()
		r.err = errors.New("f")
		r.names = append(r.names, "x", "y")
		r.names[0] = fmt.Sprint("z", len(r.names))
		r.count["a"]++
		r.count["b"] = r.n
		r.count["c"] = twice(r.n)
		delete(r.count, "b")
		r.array[1] = 7
		r.array[2] += twice(1)
	}()
	run := func(f func()) { f() }
	run(func() { n, err = set(); n *= twice(2); err = nil })
	p := &n
	*p = twice(*p)
	*p |= 1
	for i, name := range r.names {
		global += len(name) + i
	}
	for range r.array {
		global++
	}
	if v, ok := r.count["c"]; ok && v > 0 {
		global += table["a"]
	}
	q := r.array[:2]
	var h handler = func(n int) (int, error) { return n, nil }
	m, _ := h(q[1])
	return fmt.Sprint(r.n, r.inner, r.next.n, r.err, r.names, r.count, r.array, n, err, global, m)
}

func twice(n int) int { return 2 * n }

// Maps ranges over them in each way.
func Maps() string {
	m := map[string]int{"b": 2, "a": 1, "c": 3}
	n, s := 0, 0
	for range m {
		n++
	}
	for k := range m {
		n += len(k)
	}
	for _, v := range m {
		n += v
	}
	for k, v := range m {
		if v == 2 {
			continue
		}
		delete(m, k)
	}
	var x struct {
		k string
		v int
	}
	for x.k, x.v = range m {
		s += x.v
	}
	for x.k = range map[string]bool{"z": true} {
	}
	for _, _ = range m {
		s++
	}
	all := make([]func() string, 0)
	for k := range map[string]int{"q": 1} {
		all = append(all, func() string { return k })
	}
	return fmt.Sprint(n, s, x, len(m), all[0](), generically(m), runtime.NumCPU() > 0)
}

func generically[K comparable, V any, M ~map[K]V](m M) (n int) {
	for range m {
		n++
	}
	return n
}

// Times uses time and contexts.
func Times() string {
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), key("k"), 1), Hour)
	defer cancel()
	timer := NewTimer(Millisecond)
	var at Time
	select {
	case at = <-timer.C:
	case <-ctx.Done():
	}
	cancel()
	<-ctx.Done()
	runtime.Gosched()
	Sleep(1)
	return fmt.Sprint(at.IsZero(), ctx.Err(), ctx.Value(key("k")), Since(at) >= 0, timer.Stop(), cap(timer.C))
}

// Sync uses what is left of it.
func Sync() string {
	var once sync.Once
	n := 0
	once.Do(func() { n++ })
	once.Do(func() { n++ })
	v := sync.OnceValue(func() int { n++; return n })
	pool := sync.Pool{New: func() any { return new(int) }}
	x := pool.Get().(*int)
	*x = 5
	pool.Put(x)
	var m sync.Map
	m.Store("a", 1)
	m.Range(func(k, v any) bool { n += v.(int); return true })
	cond := sync.NewCond(&sync.Mutex{})
	cond.L.Lock()
	cond.Signal()
	cond.L.Unlock()
	var word uint32
	atomic.AddUint32(&word, 2)
	var locker sync.Locker = new(sync.RWMutex).RLocker()
	locker.Lock()
	locker.Unlock()
	var pointer atomic.Pointer[result]
	pointer.Store(&result{n: 4})
	pointer.Load().mu.Lock()
	n1 := n
	return fmt.Sprint(n1, v(), v(), atomic.LoadUint32(&word), pointer.Load().n, Embedded())
}

// A guard has locks that are embedded, by pointers and as an interface.
type guard struct {
	inner
	sync.Locker
}

type inner struct{ *locks }

type locks struct {
	*sync.RWMutex
	*atomic.Int32
	sync.WaitGroup
}

// Embedded calls methods by way of what is embedded.
func Embedded() int32 {
	g := guard{inner{&locks{RWMutex: new(sync.RWMutex), Int32: new(atomic.Int32)}}, new(sync.Mutex)}
	shared := &g
	lock, unlock := shared.RLock, g.RUnlock
	lock()
	unlock()
	g.Lock()
	shared.Unlock()
	g.Go(func() { shared.Int32.Add(1) })
	shared.Wait()
	(*sync.RWMutex).Lock(g.RWMutex)
	return g.Load()
}

// A tree grows while one of its elements is assigned to.
type tree struct {
	nodes []int
	names map[string]int
	*result
	on flag
}

func (t *tree) grow() int {
	t.nodes = append(t.nodes, 0)
	return len(t.nodes)
}

func (t *tree) open() int {
	if t.names == nil {
		t.names = make(map[string]int)
	}
	return 1
}

func (t *tree) both() (int, bool) { return t.grow(), true }

func many() (a, b, c, d, e, f, g int) { return 1, 2, 3, 4, 5, 6, 7 }

func named(fail bool) (n int, err error) {
	run := func(f func()) { f() }
	run(func() { n = 1 })
	if fail {
		return 2, errors.New("named")
	}
	run(func() { err = nil })
	if n > 5 {
		return twice(n), nil
	}
	return
}

type errorOf struct{ text string }

func (e *errorOf) Error() string { return e.text }

// Assignments assigns in each way, also what is computed by calls.
func Assignments() string {
	t := &tree{nodes: make([]int, 1), result: &result{array: [3]int{1, 2, 3}}}
	t.nodes[0] = t.grow() // to the new array
	t.names["a"] = t.open()
	t.nodes[1], t.names["b"] = t.grow(), twice(2)
	t.nodes[0], t.on = t.grow(), twice(1) == 2
	t.n = 1 << twice(1)
	var i64 int64
	run := func(f func()) { f() }
	run(func() { i64 = 1 << twice(2); i64 <<= twice(1) })
	var err error
	ok, zero := false, 0
	run(func() {
		_, err = named(true)
		t.n, ok = t.names[fmt.Sprint(key("b"))]
		t.nodes[2], t.on = map[int]int{twice(2): 5}[4], flag(twice(2) > 4)
		zero, ok = any(twice(3)).(int)
		x, err := t.both()
		y, err := x, twice(1) > x
		_, _ = y, err
		_, zero, _, _, _, _, t.n = many()
	})
	t.names["c"] += t.grow()
	t.names[fmt.Sprint(key("d"))] = t.grow()
	t.nodes[twice(0)] += twice(4)
	t.nodes[twice(0)], t.f = twice(5), twice
	v, w := named(false)
	var errs []error
	errs = append(errs, &errorOf{"x"}, nil /* a, comma */, err)
	errs = append(errs, // one, more
		errs...)
	bytes := append([]byte("ab"), "cd"...)
	bytes = append(bytes, 'e', bytes[0])
	bytes = append(bytes, bytes...)
	n := copy(bytes, "xyz") + copy(bytes[3:], bytes)
	var other handlers
	other = append(other, twice, func(n int) int { return n })
	func() {
		defer copy(bytes[:1], "-")
		defer delete(t.names, "a")
	}()
	all := ""
	for i, b := range bytes {
		if i == 3 {
			continue
		}
		all += string(rune(b))
	}
	for _, x := range &t.array {
		zero += x
	}
	for i, x := range t.array {
		t.array[2] = 0
		zero += i * x
	}
	var fs []func() int
	for _, x := range []int{1, 2} {
		fs = append(fs, func() int { x++; return x })
	}
	for zero = range 3 {
	}
	for zero, t.n = range t.nodes {
	}
	s := fmt.Sprint(t.nodes, t.names, t.array, t.on, t.n, i64, err, ok, zero, v, w, len(errs), n, all, len(other))
	return fmt.Sprint(s, fs[0](), fs[0](), fs[1](), string(bytes[1:3]), [2]byte(bytes), t.sum(), t.next == nil, elements([]string{"a", "b"}))
}

// Pulled has iter.Pull, called and given.
func Pulled() string {
	three := func(yield func(int) bool) { _ = yield(1) && yield(2) && yield(3) }
	next, stop := iter.Pull(three)
	defer stop()
	one, _ := next()
	pull := iter.Pull2[string, int]
	next2, stop2 := pull(maps.All(map[string]int{"a": one}))
	k, v, ok := next2()
	stop2()
	_, _, more := next2()
	two, _ := next()
	return fmt.Sprint(k, v, ok, more, two)
}

type handlers []func(int) int

func (r *result) sum() int { return r.array[0] + r.array[1] }

func elements[S ~[]E, E comparable](s S) (n int) {
	s[0] = s[1]
	s = append(s, s[0])
	for i, x := range s {
		if x == s[0] {
			n += i
		}
	}
	clear(s[1:])
	return n + len(s)
}
