package faults

//lint:file-ignore SA2001 The lock is all that is looked at.

import (
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

// both has n goroutines call f, and waits for them.
func both(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(f)
	wg.Wait()
}

// A value is read under one lock and written under another.
func TestMutex(t *testing.T) {
	type counter struct {
		mu sync.Mutex
		n  int
	}
	planted.Fault(t, func(t *testing.T) {
		var c counter
		both(func() {
			c.mu.Lock()
			n := c.n
			c.mu.Unlock()
			c.mu.Lock()
			c.n = n + 1
			c.mu.Unlock()
		})
		if c.n != 2 {
			t.Errorf("%d, want 2", c.n)
		}
	})
	explore.Test(t, func(t *testing.T) {
		var c counter
		both(func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.n++
		})
		if c.n != 2 {
			t.Errorf("%d, want 2", c.n)
		}
	})
}

// Two locks are taken in two orders.
func TestLockOrder(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, swapped bool) {
		var a, b sync.Mutex
		var wg sync.WaitGroup
		wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		first, second := &a, &b
		if swapped {
			first, second = &b, &a
		}
		first.Lock()
		second.Lock()
		second.Unlock()
		first.Unlock()
		wg.Wait()
	})
}

// A reader that reads again waits behind a writer that waits for it.
func TestRWMutex(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, again bool) {
		var mu sync.RWMutex
		var wg sync.WaitGroup
		wg.Go(func() { mu.Lock(); mu.Unlock() })
		mu.RLock()
		if again {
			mu.RLock()
			mu.RUnlock()
		}
		mu.RUnlock()
		wg.Wait()
	})
}

// Signal wakes one of two.
func TestCond(t *testing.T) {
	planted.Pair(t, (*sync.Cond).Signal, (*sync.Cond).Broadcast, func(t *testing.T, wake func(*sync.Cond)) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		open := false
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				mu.Lock()
				defer mu.Unlock()
				for !open {
					cond.Wait()
				}
			})
		}
		mu.Lock()
		open = true
		mu.Unlock()
		wake(cond)
		wg.Wait()
	})
}

// Add is called by the goroutine that is waited for.
func TestWaitGroup(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, late bool) {
		var wg sync.WaitGroup
		n := 0
		if !late {
			wg.Add(1)
		}
		go func() {
			if late {
				wg.Add(1)
			}
			n++
			wg.Done()
		}()
		wg.Wait()
		if n != 1 {
			t.Errorf("%d, want 1", n)
		}
	})
}

// A group is used again when one Wait has returned, and another one perhaps not.
func TestWaitGroupAgain(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, early bool) {
		var wg sync.WaitGroup
		returned := make(chan bool, 1)
		wg.Go(func() {})
		go func() {
			wg.Wait()
			returned <- true
		}()
		wg.Wait()
		if !early {
			<-returned
		}
		wg.Go(func() {})
		wg.Wait()
	})
}

// What is made once is looked at without Once.
func TestOnce(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		var config map[string]int
		both(func() {
			if config == nil {
				config = map[string]int{"a": 1}
			}
		})
	})
	explore.Test(t, func(t *testing.T) {
		config := sync.OnceValue(func() map[string]int { return map[string]int{"a": 1} })
		both(func() {
			if config()["a"] != 1 {
				t.Error("half a map")
			}
		})
	})
}

// What was put back is used still.
func TestPool(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, early bool) {
		pool := sync.Pool{New: func() any { return new([1]int) }}
		both(func() {
			b := pool.Get().(*[1]int)
			if early {
				pool.Put(b)
			}
			b[0]++
			if !early {
				pool.Put(b)
			}
		})
	})
}

// A key is looked up, and then stored.
func TestMap(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		var m sync.Map
		var stores atomic.Int32
		both(func() {
			if _, ok := m.Load("key"); !ok {
				m.Store("key", stores.Add(1))
			}
		})
		if n := stores.Load(); n != 1 {
			t.Errorf("%d stores", n)
		}
	})
	explore.Test(t, func(t *testing.T) {
		var m sync.Map
		var stores atomic.Int32
		both(func() {
			if _, loaded := m.LoadOrStore("key", 1); !loaded {
				stores.Add(1)
			}
		})
		if n := stores.Load(); n != 1 {
			t.Errorf("%d stores", n)
		}
	})
}

// A Range is no snapshot: it may show what was stored last, and not what was stored before.
func TestMapRange(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, snapshot bool) {
		var m sync.Map
		var wg sync.WaitGroup
		wg.Go(func() {
			m.Store("first", 1)
			m.Store("last", 2)
		})
		seen := map[any]int{}
		m.Range(func(key, _ any) bool { seen[key]++; return true })
		wg.Wait()
		if snapshot && seen["last"] > seen["first"] || max(seen["first"], seen["last"]) > 1 {
			t.Error(seen)
		}
	})
}

// A load and a store are not an addition.
func TestAtomic(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		var n atomic.Int64
		both(func() { n.Store(n.Load() + 1) })
		if n.Load() != 2 {
			t.Error(n.Load())
		}
	})
	explore.Test(t, func(t *testing.T) {
		var n atomic.Int64
		var word uint32
		both(func() {
			for old := n.Load(); !n.CompareAndSwap(old, old+1); old = n.Load() {
			}
			atomic.AddUint32(&word, 1)
		})
		if n.Load() != 2 || atomic.LoadUint32(&word) != 2 {
			t.Error(n.Load(), word)
		}
	})
}

var global int

// Plain variables of each kind are shared without a lock.
func TestRaces(t *testing.T) {
	for _, f := range []func(){
		func() { global++ },
		func() { global = len("x") },
	} {
		planted.Fault(t, func(t *testing.T) { both(f) })
	}
	planted.Fault(t, func(t *testing.T) {
		s := make([]int, 2)
		both(func() { s[1]++ })
	})
	planted.Fault(t, func(t *testing.T) {
		m := map[string]int{}
		var wg sync.WaitGroup
		wg.Go(func() { m["a"] = 1 })
		wg.Go(func() { _ = m["b"] })
		wg.Wait()
	})
	planted.Fault(t, func(t *testing.T) {
		p := new(int)
		both(func() { *p = 1 })
	})
	planted.Fault(t, func(t *testing.T) {
		var err error
		var wg sync.WaitGroup
		wg.Go(func() { err = t.Context().Err() })
		_ = err
		wg.Wait()
	})
	explore.Test(t, func(t *testing.T) { // others' elements are others
		s := make([]int, 2)
		var wg sync.WaitGroup
		for i := range s {
			wg.Go(func() { s[i]++ })
		}
		wg.Wait()
		if s[0]+s[1] != 2 {
			t.Error(s)
		}
	})
}

// The order of a map is the same in each execution, if its keys have an order.
func TestMapOrder(t *testing.T) {
	explore.Test(t, func(t *testing.T) {
		ch := make(chan string, 3)
		for k := range map[string]bool{"a": true, "b": true, "c": true} {
			go func() { ch <- k }()
		}
		for range 3 {
			<-ch
		}
	})
}

// Goroutines that follow each other are as few as there are at one moment.
func TestMany(t *testing.T) {
	run := func(last func(x *int)) func(t *testing.T) {
		return func(t *testing.T) {
			x := 0
			for range 70 {
				done := make(chan struct{})
				go func() {
					x++
					close(done)
					last(&x)
				}()
				<-done
			}
		}
	}
	// What one does after it has told that it is done, the next one does not come after.
	planted.Fault(t, run(func(x *int) { *x++ }), explore.MaxThreads(2))
	planted.Fails(t, "data race", func() { run(func(x *int) { *x++ })(t) })
	explore.Test(t, run(func(x *int) {}), explore.MaxThreads(2))
	// A loop that starts one in each round need not end by itself.
	explore.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		go func() { stop <- struct{}{} }()
		for {
			done := make(chan int, 1)
			go func() { done <- 1 }()
			select {
			case <-stop:
				return
			case <-done:
			}
		}
	})
}

// What waits for something that is not seen fails, and does not hang.
func TestUnseen(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		r, w := io.Pipe()
		go w.Write([]byte("x"))
		r.Read(make([]byte, 1))
	})
	// A goroutine that performs no operation is one whose code is not seen.
	var on []byte
	planted.Fails(t, "nothing seen of a thread", func() {
		go os.Getpid()
	})
	planted.Fails(t, "nothing seen of a thread", func() {
		f := func() {}
		go func() { f() }()
	})
	planted.Fails(t, "nothing seen of a thread", func() {
		go drop(on)
		go hidden(nil)
	})
	// If all that it runs is rewritten, there is nothing to see.
	explore.Test(t, func(t *testing.T) {
		j := &job{"a"}
		go func() { j.use(j.name) }()
		go j.use("b")
		go func(names ...string) error { return nil }()
		go func() {
			_ = strings.ToUpper(j.name) + string(generic([]byte("c")))
		}()
	})
}

type job struct{ name string }

func (j *job) use(string) {}

func generic[T any](x T) T { return x }

func drop([]byte) {}

func hidden(b []byte) { os.Stdout.Write(b) }
