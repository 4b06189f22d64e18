//go:build explore

package sync_test

//lint:file-ignore SA2001 The lock is all that is looked at.

import (
	"fmt"
	"math"
	"reflect"
	rs "sync"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/explore/internal/planted"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/lang"
	. "github.com/rouse-go/rouse/explore/twin/sync"
)

// A field of 64 bits behind a twin is aligned if it is so behind the real one, and only then.
func TestAlignment(t *testing.T) {
	for _, c := range []struct {
		name       string
		real, twin uintptr
	}{
		{"Mutex", unsafe.Sizeof(rs.Mutex{}), unsafe.Sizeof(Mutex{})},
		{"RWMutex", unsafe.Sizeof(rs.RWMutex{}), unsafe.Sizeof(RWMutex{})},
		{"WaitGroup", unsafe.Sizeof(rs.WaitGroup{}), unsafe.Sizeof(WaitGroup{})},
		{"Once", unsafe.Sizeof(rs.Once{}), unsafe.Sizeof(Once{})},
		{"Cond", unsafe.Sizeof(rs.Cond{}), unsafe.Sizeof(Cond{})},
		{"Pool", unsafe.Sizeof(rs.Pool{}), unsafe.Sizeof(Pool{})},
		{"Map", unsafe.Sizeof(rs.Map{}), unsafe.Sizeof(Map{})},
	} {
		if c.real%8 != c.twin%8 {
			t.Errorf("the twin of %s has %d bytes, and that has %d", c.name, c.twin, c.real)
		}
	}
}

// counts has two threads add to a plain variable, and fails if one is lost.
func counts(lock, unlock func()) func() {
	return func() {
		n := 0
		var g WaitGroup
		for range 2 {
			g.Go(func() {
				lock()
				*lang.Write(&n, "n")++
				unlock()
			})
		}
		g.Wait()
		if *lang.Read(&n, "n") != 2 {
			panic(n)
		}
	}
}

func TestMutex(t *testing.T) {
	var m Mutex
	planted.Passes(t, counts(m.Lock, m.Unlock))
	planted.Fails(t, "data race", counts(func() {}, func() {}))
	planted.Fails(t, "unlock of unlocked mutex", func() { m.Unlock() })
	planted.Fails(t, "deadlock", func() { m.Lock(); m.Lock() })
	planted.Outcomes(t, func() string {
		var m Mutex
		var g WaitGroup
		got := false
		g.Go(func() { m.Lock(); m.Unlock() })
		if got = m.TryLock(); got {
			m.Unlock()
		}
		g.Wait()
		return fmt.Sprint(got)
	}, "true", "false")
}

// What an execution leaves locked is not locked in the next.
func TestLeftLocked(t *testing.T) {
	var m Mutex
	planted.Passes(t, func() {
		go1 := make(chan bool, 1)
		lang.Go(func() { lang.Send(go1, "")(true) })
		lang.Recv(go1, "")
		m.Lock()
	})
	if !m.TryLock() {
		t.Error("the mutex is locked outside")
	}
}

// What is in use before an execution cannot be used in it, and stays as it is.
func TestUsedBefore(t *testing.T) {
	var m Mutex
	var r, w RWMutex
	var g, waited WaitGroup
	m.Lock()
	r.RLock()
	w.Lock()
	g.Add(1)
	waited.Go(func() {})
	waited.Wait()
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"Mutex", m.Lock}, {"Mutex", m.Unlock}, {"Mutex", func() { m.TryLock() }},
		{"RWMutex", r.Lock}, {"RWMutex", r.RLock}, {"RWMutex", r.RUnlock}, {"RWMutex", func() { r.TryLock() }}, {"RWMutex", func() { r.TryRLock() }},
		{"RWMutex", w.Lock}, {"RWMutex", w.Unlock}, {"RWMutex", w.RLock},
		{"WaitGroup", g.Wait}, {"WaitGroup", g.Done},
	} {
		planted.Fails(t, "this sync."+c.name+" was locked, or counted, before the execution", c.f)
	}
	planted.Passes(t, func() {
		var m Mutex
		waited.Go(func() { m.TryLock() })
		m.TryLock()
		waited.Wait()
	})
	m.Unlock()
	r.RUnlock()
	w.Unlock()
	g.Done()
	g.Wait()
	planted.Passes(t, func() {
		g.Go(func() {
			defer m.Unlock()
			m.Lock()
			r.RLock()
			w.Lock()
		})
		g.Wait()
	})
}

// What pads a primitive is no state of it: a struct that a function returns has there what the stack
// had.
func TestPadding(t *testing.T) {
	planted.Passes(t, func() {
		var g WaitGroup
		for i := uintptr(12); i < unsafe.Sizeof(g); i++ {
			*(*byte)(unsafe.Add(unsafe.Pointer(&g), i)) = 1
		}
		var m Mutex
		g.Go(func() { m.TryLock() })
		m.TryLock()
		g.Wait()
	})
}

// A primitive that is nil is a panic of the thread that uses it.
func TestNil(t *testing.T) {
	var m *Mutex
	var r *RWMutex
	var g *WaitGroup
	for _, f := range []func(){m.Lock, m.Unlock, r.Lock, r.RLock, r.RUnlock, g.Wait, g.Done} {
		planted.Fails(t, "nil pointer", func() {
			var other Mutex
			lang.Go(f)
			other.Lock()
			other.Unlock()
		})
	}
}

func copyOf[T any](p *T) T { return *p }

// What is overwritten begins anew, and a copy is what the original was.
func TestValues(t *testing.T) {
	type all struct {
		m Mutex
		r RWMutex
		o Once
		g WaitGroup
		p Pool
	}
	use := func(a *all) (n int) {
		a.m.Lock()
		a.r.RLock()
		a.o.Do(func() { n++ })
		a.g.Add(1)
		a.p.Put(1)
		return n
	}
	var global all
	planted.Passes(t, func() {
		a := &global
		for range 3 {
			if n := use(a); n != 1 || a.p.Get() != 1 || a.p.Get() != nil {
				panic(n)
			}
			*a = all{}
		}
		use(a)
		b := copyOf(a)
		a.m.Unlock()
		a.r.RUnlock()
		a.g.Done()
		if b.m.TryLock() || b.r.TryLock() || !b.r.TryRLock() || !a.m.TryLock() || !a.r.TryLock() {
			panic("a lock")
		}
		b.o.Do(func() { panic("again") })
		a.g.Wait()
		b.g.Done()
		b.g.Wait()
		b.m.Unlock()
	})
	if !global.m.TryLock() || !global.r.TryLock() {
		t.Error("a lock is not as it was")
	}
	global.g.Wait()
	var m Mutex
	planted.Fails(t, "deadlock", func() {
		var m Mutex
		m.Lock()
		n := copyOf(&m)
		m.Unlock()
		n.Lock()
	})
	planted.Fails(t, "sync.Cond is copied", func() {
		c := NewCond(&m)
		c.Signal()
		d := copyOf(c)
		d.Signal()
	})
}

func TestRWMutex(t *testing.T) {
	var m RWMutex
	planted.Passes(t, counts(m.Lock, m.Unlock))
	planted.Fails(t, "data race", counts(m.RLock, m.RUnlock))
	planted.Fails(t, "Unlock of unlocked RWMutex", func() { m.Unlock() })
	planted.Fails(t, "RUnlock of unlocked RWMutex", func() { m.RUnlock() })
	planted.Fails(t, "deadlock", func() { m.Lock(); m.RLock() })
	// What one thread has locked for reading another one unlocks, and may come first.
	// This takes more preemptions than the bounds have that come before the reduction.
	planted.Fails(t, "RUnlock of unlocked RWMutex", func() {
		var a, b atomic.Int32
		lang.Go(func() {
			for i := range int32(3) {
				if b.Store(i); a.Load() != i+1 {
					return
				}
			}
			m.RUnlock()
		})
		for i := range int32(3) {
			if a.Store(i + 1); i < 2 && b.Load() != i+1 {
				return
			}
		}
		m.RLock()
		m.RLock()
	})
	// A reader that comes again, behind a writer.
	planted.Fails(t, "deadlock", func() {
		lang.Go(func() { m.Lock(); m.Unlock() })
		m.RLock()
		m.RLock()
		m.RUnlock()
		m.RUnlock()
	})
	// Readers share it, a writer does not.
	planted.Outcomes(t, func() string {
		var inside atomic.Int32
		var most atomic.Int32
		var g WaitGroup
		for range 2 {
			g.Go(func() {
				m.RLocker().Lock()
				if n := inside.Add(1); n > most.Load() {
					most.Store(n)
				}
				inside.Add(-1)
				m.RLocker().Unlock()
			})
		}
		g.Wait()
		return fmt.Sprint(most.Load())
	}, "1", "2")
	// Those that wait as a writer leaves come before the next writer.
	planted.Outcomes(t, func() string {
		s := ""
		var g WaitGroup
		m.Lock()
		g.Go(func() { m.RLock(); s += "r"; m.RUnlock() })
		for !ReaderWaits(&m) {
			lang.Gosched()
		}
		m.Unlock()
		m.Lock()
		s += "w"
		m.Unlock()
		g.Wait()
		return s
	}, "rw")
	planted.Outcomes(t, func() string {
		var g WaitGroup
		g.Go(func() { m.RLock(); m.RUnlock() })
		w := m.TryLock()
		if w {
			m.Unlock()
		}
		r := m.TryRLock()
		if r {
			m.RUnlock()
		}
		g.Wait()
		return fmt.Sprint(w, r)
	}, "true true", "false true")
}

// What a reader has done is before the next writer, and what that has done before the next reader.
func TestRWMutexOrders(t *testing.T) {
	for _, last := range []bool{false, true} {
		planted.Passes(t, func() {
			var m RWMutex
			n := 0
			var g WaitGroup
			for range 2 {
				g.Go(func() {
					m.RLock()
					lang.Read(&n, "n")
					m.RUnlock()
				})
			}
			m.Lock()
			*lang.Write(&n, "n") = 1
			m.Unlock()
			if last {
				g.Wait()
			}
		})
	}
	planted.Fails(t, "data race", func() {
		var m RWMutex
		n := 0
		var g WaitGroup
		for range 2 {
			g.Go(func() {
				m.RLock()
				*lang.Write(&n, "n") = 1
				m.RUnlock()
			})
		}
		g.Wait()
	})
}

func TestCond(t *testing.T) {
	buffer := func(wake func(*Cond)) func() {
		return func() {
			var m Mutex
			c := NewCond(&m)
			n := 0
			var g WaitGroup
			for range 2 {
				g.Go(func() {
					m.Lock()
					for n == 0 {
						c.Wait()
					}
					n--
					m.Unlock()
				})
			}
			m.Lock()
			n = 2
			wake(c)
			m.Unlock()
			g.Wait()
		}
	}
	planted.Passes(t, buffer((*Cond).Broadcast))
	planted.Fails(t, "deadlock", buffer((*Cond).Signal))
}

func TestWaitGroup(t *testing.T) {
	planted.Fails(t, "negative WaitGroup counter", func() { new(WaitGroup).Done() })
	planted.Fails(t, "data race", func() {
		var g WaitGroup
		n := 0
		lang.Go(func() { g.Add(1); *lang.Write(&n, "n")++; g.Done() }) // too late
		g.Wait()
		*lang.Write(&n, "n")++
	})
	// A group may be used again when each Wait has returned: others panic, in some executions.
	again := func(last func(returned chan int)) func() {
		return func() {
			var g WaitGroup
			returned := make(chan int, 1)
			g.Add(2)
			lang.Go(g.Done)
			lang.Go(g.Done)
			lang.Go(func() { g.Wait(); lang.Send(returned, "")(1) })
			g.Wait()
			last(returned)
			lang.Go(func() { g.Add(1); g.Done() })
		}
	}
	planted.Passes(t, again(func(returned chan int) { lang.Recv(returned, "") }))
	planted.Fails(t, "data race", again(func(chan int) {}))
	// Of several that begin beside each other, and several that wait, the former come first.
	planted.Passes(t, func() {
		var g WaitGroup
		begun := make(chan int, 2)
		for range 2 {
			lang.Go(func() { g.Add(1); lang.Send(begun, "")(1); g.Done() })
		}
		lang.Recv(begun, "")
		lang.Recv(begun, "")
		lang.Go(g.Wait)
		g.Wait()
	})
}

func TestOnce(t *testing.T) {
	var o Once
	planted.Passes(t, func() {
		n := 0
		var g WaitGroup
		for range 2 {
			g.Go(func() {
				o.Do(func() { *lang.Write(&n, "n")++ })
				if *lang.Read(&n, "n") != 1 {
					panic(n)
				}
			})
		}
		g.Wait()
	})
	var calls int
	f := OnceValues(func() (int, string) { calls++; return calls, "x" })
	n, s := f()
	planted.Passes(t, func() {
		lang.Go(func() { m := Mutex{}; m.Lock() })
		if m, u := f(); m != n || u != s {
			panic(m)
		}
		m := Mutex{}
		m.Lock()
	})
	planted.Fails(t, "deadlock", func() { o.Do(func() { o.Do(func() {}) }) })
	bad := OnceFunc(func() { panic("bad") })
	for range 2 {
		func() {
			defer func() {
				if r := recover(); r != "bad" {
					t.Error(r)
				}
			}()
			bad()
		}()
	}
	planted.Fails(t, "bad", bad)
}

func TestPool(t *testing.T) {
	p := Pool{New: func() any { return new(int) }}
	planted.Outcomes(t, func() string {
		var g WaitGroup
		x := p.Get()
		p.Put(x)
		same := false
		g.Go(func() { y := p.Get(); same = x == y; p.Put(y) })
		z := p.Get()
		p.Put(z)
		g.Wait()
		return fmt.Sprint(same, x == z)
	}, "true true", "true false", "false true")
}

// What a goroutine has done to what it puts into a pool is before what the next one does to it.
func TestPoolOrders(t *testing.T) {
	planted.Passes(t, func() {
		p := Pool{New: func() any { return new(int) }}
		var g WaitGroup
		for range 2 {
			g.Go(func() {
				x := p.Get().(*int)
				*lang.Write(x, "x") = 1
				p.Put(x)
			})
		}
		g.Wait()
	})
}

func TestMap(t *testing.T) {
	planted.Outcomes(t, func() string {
		var m Map
		var g WaitGroup
		g.Go(func() { m.Store("a", 1); m.Delete("a") })
		g.Go(func() { m.Store("b", 2) })
		s := ""
		m.Range(func(k, v any) bool { s += fmt.Sprint(k); return true })
		g.Wait()
		return s
	}, "", "a", "b", "ab", "ba")
	var m Map
	for i := range 10 {
		m.Store(i, i)
	}
	if v, ok := m.LoadOrStore(3, 0); v != 3 || !ok {
		t.Error(v, ok)
	}
	if v, ok := m.LoadAndDelete(3); v != 3 || !ok {
		t.Error(v, ok)
	}
	if _, ok := m.LoadAndDelete(3); ok {
		t.Error("deleted twice")
	}
	if v, ok := m.Swap(4, 40); v != 4 || !ok {
		t.Error(v, ok)
	}
	if m.CompareAndSwap(4, 4, 5) || !m.CompareAndSwap(4, 40, 41) {
		t.Error("CompareAndSwap")
	}
	if m.CompareAndDelete(5, 6) || !m.CompareAndDelete(5, 5) {
		t.Error("CompareAndDelete")
	}
	var keys []any
	m.Range(func(k, v any) bool {
		keys = append(keys, k)
		for i := range 8 {
			m.Delete(i)
		}
		return true
	})
	if fmt.Sprint(keys) != "[0 8 9]" {
		t.Error(keys)
	}
	m.Clear()
	if _, ok := m.Load(9); ok {
		t.Error("Clear leaves a key")
	}
}

// A Range shows what its documentation allows: each key once, old ones with a value of their visit,
// and those that come meanwhile or not.
func TestMapRange(t *testing.T) {
	type pair struct {
		key   string
		value int
	}
	nan := math.NaN()
	for _, test := range []struct {
		name   string
		stored []pair
		beside func(m *Map)
		visit  func(m *Map, key any) // nil: nothing
		want   []string
	}{
		{name: "nothing beside", stored: []pair{{"a", 1}, {"b", 2}}, want: []string{"a1b2"}},
		{name: "two come", beside: func(m *Map) { m.Store("a", 1); m.Store("b", 2) },
			want: []string{"", "a1", "b2", "a1b2"}},
		{name: "two come after one", stored: []pair{{"c", 3}},
			beside: func(m *Map) { m.Store("a", 1); m.Store("b", 2) },
			want:   []string{"c3", "c3a1", "c3b2", "c3a1b2"}},
		{name: "one comes again", stored: []pair{{"a", 1}, {"b", 2}},
			beside: func(m *Map) { m.Delete("a"); m.Store("a", 3) },
			want:   []string{"a1b2", "b2", "b2a3"}},
		{name: "another value", stored: []pair{{"a", 1}, {"b", 2}},
			beside: func(m *Map) { m.Store("b", 3) },
			want:   []string{"a1b2", "a1b3"}},
		{name: "cleared beside", stored: []pair{{"a", 1}, {"b", 2}},
			beside: func(m *Map) { m.Store("a", 3); m.Clear(); m.Store("c", 4) },
			want:   []string{"", "c4", "a1b2", "a3b2"}},
		{name: "each comes again", stored: []pair{{"a", 1}, {"b", 2}},
			visit: func(m *Map, key any) { m.Delete(key); m.Store(key, 3) },
			want:  []string{"a1b2"}},
		{name: "each stores another", stored: []pair{{"a", 1}},
			visit: func(m *Map, key any) { m.Store(key.(string)+"+", 2) },
			want:  []string{"a1", "a1a+2"}},
		{name: "a key that differs from itself", stored: []pair{{"a", 1}},
			visit: func(m *Map, key any) { m.Store(nan, 2) },
			want:  []string{"a1", "a1NaN2"}},
		{name: "cleared by the first", stored: []pair{{"a", 1}, {"b", 2}},
			visit: func(m *Map, key any) { m.Clear(); m.Store("b", 3); m.Store("c", 4) },
			want:  []string{"a1b2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			planted.Outcomes(t, func() string {
				var m Map
				for _, p := range test.stored {
					m.Store(p.key, p.value)
				}
				var g WaitGroup
				if test.beside != nil {
					g.Go(func() { test.beside(&m) })
				}
				s := ""
				m.Range(func(key, value any) bool {
					s += fmt.Sprint(key) + fmt.Sprint(value)
					if test.visit != nil {
						test.visit(&m, key)
					}
					return true
				})
				g.Wait()
				return s
			}, test.want...)
		})
	}
}

// A failure would mean that a test which compares structs fails in an execution and passes outside:
// a primitive that was used, and is at rest, equals a new one, and any other does not.
func TestEqual(t *testing.T) {
	type all struct {
		m Mutex
		r RWMutex
		o Once
		g WaitGroup
	}
	var global all
	same := func(a *all) bool { return *a == all{} && reflect.DeepEqual(a, new(all)) && map[all]bool{{}: true}[*a] }
	run := func() {
		a, b := &global, new(all)
		for _, use := range []func(){
			func() { a.m.Lock(); b.m.Lock(); b.m.Unlock(); a.m.Unlock() },
			func() { a.m.TryLock(); a.m.TryLock(); a.m.Unlock() },
			func() { a.r.RLock(); a.r.RLock(); a.r.TryLock(); a.r.RUnlock(); a.r.RUnlock() },
			func() { a.r.TryRLock(); a.r.RUnlock() },
			func() { a.r.Lock(); a.r.TryRLock(); a.r.Unlock() },
			func() { a.r.TryLock(); a.r.Unlock() },
			func() {
				a.g.Add(0)
				a.g.Wait()
				a.g.Add(2)
				a.g.Add(-1)
				a.g.Done()
				a.g.Wait()
			},
		} {
			done := make(chan struct{})
			lang.Go(func() { use(); lang.Close(done, "") })
			lang.Recv(done, "")
			if !same(a) || !same(b) {
				panic("not as new")
			}
		}
		for _, use := range []func(b *all){
			func(b *all) { b.m.Lock() },
			func(b *all) { b.r.RLock() },
			func(b *all) { b.r.Lock() },
			func(b *all) { b.o.Do(func() {}) },
			func(b *all) { b.g.Add(1) },
		} {
			b, c := new(all), new(all)
			if use(b); same(b) {
				panic("as new")
			}
			if use(c); *b != *c {
				panic("not as another one")
			}
		}
		lang.Go(global.m.Lock) // and is left so
		global.r.RLock()
	}
	planted.Passes(t, run)
	if !same(&global) {
		t.Error("what an execution has used is not as it was")
	}
	run()
}
