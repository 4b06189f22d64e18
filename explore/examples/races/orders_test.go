package races_test

//lint:file-ignore SA2001 The order is all that is looked at.

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

// An order is what one goroutine does after it has written a variable, and what another one does
// before it reads that, if the result is true. Nothing else orders the two.
type order func() (release func(), acquire func() bool)

func always(f func()) func() bool { return func() bool { f(); return true } }

var orders = map[string]order{
	"Mutex": func() (func(), func() bool) {
		var mu sync.Mutex
		n := 0
		return func() { mu.Lock(); n = 1; mu.Unlock() }, func() bool { mu.Lock(); defer mu.Unlock(); return n == 1 }
	},
	"Mutex.TryLock": func() (func(), func() bool) {
		var mu sync.Mutex
		mu.Lock()
		return mu.Unlock, mu.TryLock
	},
	"RWMutex.Lock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.Lock()
		return mu.Unlock, always(mu.Lock)
	},
	"RWMutex.RLock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.Lock()
		return mu.Unlock, always(mu.RLock)
	},
	"RWMutex.RLocker": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.Lock()
		return mu.Unlock, always(mu.RLocker().Lock)
	},
	"RWMutex.TryRLock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.Lock()
		return mu.Unlock, mu.TryRLock
	},
	"RWMutex.TryLock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.Lock()
		return mu.Unlock, mu.TryLock
	},
	"RWMutex.RUnlock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.RLock()
		return mu.RUnlock, always(mu.Lock)
	},
	"RWMutex.RUnlock, TryLock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.RLock()
		return mu.RUnlock, mu.TryLock
	},
	"WaitGroup": func() (func(), func() bool) {
		var g sync.WaitGroup
		g.Add(1)
		return g.Done, always(g.Wait)
	},
	"Once": func() (func(), func() bool) {
		var o sync.Once
		first := false
		return func() { o.Do(func() {}) }, func() bool { o.Do(func() { first = true }); return !first }
	},
	"OnceValue": func() (func(), func() bool) {
		var runs atomic.Bool
		f := sync.OnceValue(func() bool { return runs.Load() })
		return func() { f() }, func() bool { runs.Store(true); return !f() }
	},
	"Pool": func() (func(), func() bool) {
		var p sync.Pool
		return func() { p.Put(new(int)) }, func() bool { return p.Get() != nil }
	},
	"Map.Load": func() (func(), func() bool) {
		var m sync.Map
		return func() { m.Store(1, 1) }, func() bool { _, ok := m.Load(1); return ok }
	},
	"Map.LoadOrStore": func() (func(), func() bool) {
		var m sync.Map
		return func() { m.LoadOrStore(1, 1) }, func() bool { _, ok := m.LoadOrStore(1, 2); return ok }
	},
	"Map.LoadAndDelete": func() (func(), func() bool) {
		var m sync.Map
		return func() { m.Swap(1, 1) }, func() bool { _, ok := m.LoadAndDelete(1); return ok }
	},
	"Map.Delete": func() (func(), func() bool) {
		var m sync.Map
		m.Store(1, 1)
		return func() { m.Delete(1) }, func() bool { _, ok := m.Load(1); return !ok }
	},
	"Map.CompareAndSwap": func() (func(), func() bool) {
		var m sync.Map
		m.Store(1, 0)
		return func() { m.CompareAndSwap(1, 0, 1) }, func() bool { return m.CompareAndSwap(1, 1, 2) }
	},
	"Map.Range": func() (func(), func() bool) {
		var m sync.Map
		return func() { m.Store(1, 1) }, func() (is bool) {
			m.Range(func(k, v any) bool { is = true; return true })
			return is
		}
	},
	"Int32": func() (func(), func() bool) {
		var n atomic.Int32
		return func() { n.Add(1) }, func() bool { return n.Load() == 1 }
	},
	"StoreUint64": func() (func(), func() bool) {
		var n uint64
		return func() { atomic.StoreUint64(&n, 1) }, func() bool { return atomic.LoadUint64(&n) == 1 }
	},
	"Swap": func() (func(), func() bool) {
		var n atomic.Int64
		return func() { n.Swap(1) }, func() bool { return n.Swap(2) == 1 }
	},
	"CompareAndSwap": func() (func(), func() bool) {
		var n atomic.Uint32
		return func() { n.CompareAndSwap(0, 1) }, func() bool { return n.CompareAndSwap(1, 2) }
	},
	"CompareAndSwap that fails": func() (func(), func() bool) {
		var n atomic.Uint32
		return func() { n.Store(1) }, func() bool { return !n.CompareAndSwap(0, 2) }
	},
	"And, Or": func() (func(), func() bool) {
		var n atomic.Int32
		return func() { n.Or(6) }, func() bool { return n.And(2) == 6 }
	},
	"Bool": func() (func(), func() bool) {
		var b atomic.Bool
		return func() { b.Store(true) }, b.Load
	},
	"Pointer": func() (func(), func() bool) {
		var p atomic.Pointer[int]
		return func() { p.Store(new(int)) }, func() bool { return p.Load() != nil }
	},
	"Value": func() (func(), func() bool) {
		var v atomic.Value
		return func() { v.Store(1) }, func() bool { return v.Load() != nil }
	},
	"send": func() (func(), func() bool) {
		c := make(chan int)
		return func() { c <- 1 }, always(func() { <-c })
	},
	"send to a buffer": func() (func(), func() bool) {
		c := make(chan int, 1)
		return func() { c <- 1 }, always(func() { <-c })
	},
	"receive": func() (func(), func() bool) {
		c := make(chan int)
		return func() { <-c }, always(func() { c <- 1 })
	},
	"receive from a buffer": func() (func(), func() bool) {
		c := make(chan int, 1)
		c <- 1
		return func() { <-c }, always(func() { c <- 2 })
	},
	"close": func() (func(), func() bool) {
		c := make(chan int)
		return func() { close(c) }, always(func() { <-c })
	},
	"range": func() (func(), func() bool) {
		c := make(chan int)
		return func() { close(c) }, always(func() {
			for range c {
			}
		})
	},
	"select": func() (func(), func() bool) {
		c, d := make(chan int, 1), make(chan int)
		send := func() {
			select {
			case c <- 1:
			case <-d:
			}
		}
		return send, func() bool {
			select {
			case <-c:
				return true
			default:
				return false
			}
		}
	},
	"context.Done": func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		return cancel, always(func() { <-ctx.Done() })
	},
	"context.Err": func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		return cancel, func() bool { return ctx.Err() != nil }
	},
	"context.Cause": func() (func(), func() bool) {
		ctx, cancel := context.WithCancelCause(context.Background())
		return func() { cancel(errors.New("why")) }, func() bool { return context.Cause(ctx) != nil }
	},
	"a child of a context": func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		child := context.WithValue(ctx, counter{}, 1)
		child, stop := context.WithCancel(child)
		_ = stop // the parent's end is its end
		return cancel, always(func() { <-child.Done() })
	},
	"a child of a context that has ended": func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		return cancel, func() bool {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			select {
			case <-child.Done():
				return true
			default:
				return false
			}
		}
	},
	"context.AfterFunc": func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		c := make(chan int)
		context.AfterFunc(ctx, func() { c <- 1 })
		return cancel, always(func() { <-c })
	},
	"context.AfterFunc that has begun": func() (func(), func() bool) {
		ctx, cancel := context.WithCancel(context.Background())
		stop := context.AfterFunc(ctx, func() { new(sync.Mutex).Lock() })
		return cancel, func() bool { return !stop() }
	},
	"time.AfterFunc": func() (func(), func() bool) {
		c := make(chan int)
		return func() { time.AfterFunc(time.Second, func() { c <- 1 }) }, always(func() { <-c })
	},
	"go": func() (func(), func() bool) {
		c := make(chan int)
		return func() { go func() { c <- 1 }() }, always(func() { <-c })
	},
}

// What orders nothing.
var noOrders = map[string]order{
	"TryLock that fails": func() (func(), func() bool) {
		var mu sync.Mutex
		return func() { mu.Lock(); mu.Unlock() }, func() bool {
			got := mu.TryLock()
			if got {
				mu.Unlock()
			}
			return !got
		}
	},
	"TryRLock that fails": func() (func(), func() bool) {
		var mu sync.RWMutex
		return func() { mu.Lock(); mu.Unlock() }, func() bool {
			got := mu.TryRLock()
			if got {
				mu.RUnlock()
			}
			return !got
		}
	},
	"RUnlock, RLock": func() (func(), func() bool) {
		var mu sync.RWMutex
		mu.RLock()
		return mu.RUnlock, always(mu.RLock)
	},
	"len": func() (func(), func() bool) {
		c := make(chan int, 1)
		return func() { c <- 1 }, func() bool { return len(c) == 1 }
	},
	"send to a buffer, and another one": func() (func(), func() bool) {
		c := make(chan int, 2)
		return func() { c <- 1 }, always(func() { c <- 2 })
	},
}

// run reports whether the variable was read.
func (o order) run() bool {
	release, acquire := o()
	x := 0
	go func() {
		x = 1
		release()
	}()
	is := acquire()
	if is {
		take(x)
	}
	return is
}

// A failure would mean that a twin does not make an order, so that a correct program has a data race;
// or that it makes one where there is none, and hides a race.
func TestOrders(t *testing.T) {
	explore.Test(t, func(t *testing.T) { racy["add"].run(new(sync.Mutex)) }) // or skip all of it
	for name, o := range orders {
		t.Run(name, func(t *testing.T) {
			read := false
			r := explore.Explore(func(*explore.Exec) { read = o.run() || read }, explore.Unbounded())
			if r.Failure != nil || !r.Exhausted || !read {
				t.Errorf("it was read: %t; %v", read, r)
			}
		})
	}
	for name, o := range noOrders {
		t.Run("none/"+name, func(t *testing.T) { planted.Race(t, func() { o.run() }) })
	}
}
