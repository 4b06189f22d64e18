package sync_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore/internal/simple"
	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/lang"
	. "github.com/rouse-go/rouse/explore/twin/sync"
)

func outcomes(t *testing.T, f func() string, want ...string) {
	t.Helper()
	seen := map[string]bool{}
	r := simple.Explore(2, func() { seen[f()] = true })
	if r.Failure != "" {
		t.Errorf("failed: %s\n%s", r.Failure, strings.Join(r.Trace, "\n"))
	}
	var all []string
	for s := range seen {
		all = append(all, s)
	}
	slices.Sort(all)
	slices.Sort(want)
	if !slices.Equal(all, want) {
		t.Errorf("outcomes %q in %d executions, want %q", all, r.Executions, want)
	}
}

func fails(t *testing.T, f func(), text string) {
	t.Helper()
	if r := simple.Explore(2, f); !strings.Contains(r.Failure, text) {
		t.Errorf("%d executions end with %q, want %q", r.Executions, r.Failure, text)
	}
}

func passes(t *testing.T, f func()) {
	t.Helper()
	if r := simple.Explore(2, f); r.Failure != "" || r.Executions < 2 {
		t.Errorf("%d executions end with %q\n%s", r.Executions, r.Failure, strings.Join(r.Trace, "\n"))
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
		if n != 2 {
			panic(n)
		}
	}
}

func TestMutex(t *testing.T) {
	var m Mutex
	passes(t, counts(m.Lock, m.Unlock))
	fails(t, counts(func() {}, func() {}), "data race on n")
	fails(t, func() { m.Unlock() }, "unlock of unlocked mutex")
	fails(t, func() { m.Lock(); m.Lock() }, "deadlock: T0 Lock")
	outcomes(t, func() string {
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
	passes(t, func() {
		go1 := make(chan bool, 1)
		lang.Go(func() { lang.Send(go1, "")(true) })
		lang.Recv(go1, "")
		m.Lock()
	})
	if !m.TryLock() {
		t.Error("the mutex is locked outside")
	}
}

func TestRWMutex(t *testing.T) {
	var m RWMutex
	passes(t, counts(m.Lock, m.Unlock))
	fails(t, counts(m.RLock, m.RUnlock), "data race on n")
	fails(t, func() { m.Unlock() }, "Unlock of unlocked RWMutex")
	fails(t, func() { m.RUnlock() }, "RUnlock of unlocked RWMutex")
	fails(t, func() { m.Lock(); m.RLock() }, "deadlock: T0 RLock returns")
	// A reader that comes again, behind a writer.
	fails(t, func() {
		lang.Go(func() { m.Lock(); m.Unlock() })
		m.RLock()
		m.RLock()
		m.RUnlock()
		m.RUnlock()
	}, "deadlock")
	// Readers share it, a writer does not.
	outcomes(t, func() string {
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
	outcomes(t, func() string {
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
	outcomes(t, func() string {
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
	passes(t, buffer((*Cond).Broadcast))
	fails(t, buffer((*Cond).Signal), "deadlock: T0 Wait")
}

func TestWaitGroup(t *testing.T) {
	fails(t, func() { new(WaitGroup).Done() }, "negative WaitGroup counter")
	fails(t, func() {
		var g WaitGroup
		n := 0
		lang.Go(func() { g.Add(1); *lang.Write(&n, "n")++; g.Done() }) // too late
		g.Wait()
		*lang.Write(&n, "n")++
	}, "data race on n")
}

func TestOnce(t *testing.T) {
	var o Once
	passes(t, func() {
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
	passes(t, func() {
		lang.Go(func() { lang.Gosched() })
		if m, u := f(); m != n || u != s {
			panic(m)
		}
	})
	fails(t, func() { o.Do(func() { o.Do(func() {}) }) }, "deadlock: T0 Do")
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
	fails(t, bad, "panic: bad")
}

func TestPool(t *testing.T) {
	p := Pool{New: func() any { return new(int) }}
	outcomes(t, func() string {
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

func TestMap(t *testing.T) {
	outcomes(t, func() string {
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

// The store buffer of two threads: not both may read 0.
func TestAtomics(t *testing.T) {
	outcomes(t, func() string {
		var x, y atomic.Int32
		var a, b int32
		var g WaitGroup
		g.Go(func() { x.Store(1); a = y.Load() })
		g.Go(func() { y.Store(1); b = x.Load() })
		g.Wait()
		return fmt.Sprint(a, b)
	}, "0 1", "1 0", "1 1")
	outcomes(t, func() string {
		var x uint64
		var v atomic.Value
		var g WaitGroup
		g.Go(func() { atomic.AddUint64(&x, 2); v.Store("s") })
		ok := atomic.CompareAndSwapUint64(&x, 0, 1)
		s := v.Load()
		g.Wait()
		return fmt.Sprint(ok, s, x)
	}, "true <nil> 3", "trues3", "false <nil> 2", "falses2")
}
