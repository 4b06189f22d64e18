//go:build explore

package explore

//lint:file-ignore SA2001 The lock is all that is looked at.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/explore/twin/atomic"
	"github.com/rouse-go/rouse/explore/twin/context"
	"github.com/rouse-go/rouse/explore/twin/lang"
	"github.com/rouse-go/rouse/explore/twin/sync"
	"github.com/rouse-go/rouse/explore/twin/time"
)

// The twins of the standard library tell the engine which cells their steps touch: the oracle
// finds what they forget.
func TestOracleOfTwins(t *testing.T) {
	for _, p := range twinPrograms {
		t.Run(p.name, func(t *testing.T) { p.compare(t) })
	}
}

func send(ch chan int, v int)         { lang.Send(ch, "")(v) }
func recv(ch chan int) int            { return lang.Recv(ch, "") }
func on(ch chan int) lang.Case        { return lang.OnRecv(ch, "") }
func to(ch chan int, v int) lang.Case { return lang.OnSend(ch, "")(v) }

// all runs the functions in threads, and waits for them without a twin of another kind.
func all(fs ...func()) {
	done := make(chan int, len(fs))
	for _, f := range fs {
		lang.Go(func() { f(); send(done, 1) })
	}
	for range fs {
		recv(done)
	}
}

var twinPrograms = []program{
	{name: "hand-over", body: func(*Exec) string {
		ch := make(chan int)
		lang.Go(func() { send(ch, 1) })
		lang.Go(func() { send(ch, 2) })
		return fmt.Sprint(recv(ch), recv(ch))
	}},
	{name: "two receivers", body: func(*Exec) string {
		ch := make(chan int)
		var a, b int
		lang.Go(func() { send(ch, 1); send(ch, 2) })
		all(func() { a = recv(ch) }, func() { b = recv(ch) })
		return fmt.Sprint(a, b)
	}},
	{name: "buffer of 1", body: func(*Exec) string {
		ch := make(chan int, 1)
		lang.Go(func() { send(ch, 1); send(ch, 2); lang.Close(ch, "") })
		s := ""
		for r := lang.Range(ch, ""); r.More(); {
			s += fmt.Sprint(r.V)
		}
		return s
	}},
	{name: "buffer of 2, length", body: func(*Exec) string {
		ch := make(chan int, 2)
		lang.Go(func() { send(ch, 1); send(ch, 2) })
		lang.Go(func() { send(ch, 3) })
		return fmt.Sprint(lang.Len(ch, ""), recv(ch), lang.Len(ch, ""))
	}},
	{name: "select of two", body: func(*Exec) string {
		a, b := make(chan int), make(chan int)
		lang.Go(func() { send(a, 1) })
		lang.Go(func() { send(b, 2) })
		if lang.Select(false, on(a), on(b)) == 0 {
			return fmt.Sprint("a", recv(b))
		}
		return fmt.Sprint("b", recv(a))
	}},
	{name: "select with a default", body: func(*Exec) string {
		a, b := make(chan int), make(chan int, 1)
		lang.Go(func() { lang.Select(false, to(a, 1), on(b)) })
		i := lang.Select(true, on(a))
		if i != 0 {
			send(b, 1)
		}
		return fmt.Sprint(i)
	}},
	{name: "selects meet", body: func(*Exec) string {
		a, b := make(chan int), make(chan int)
		i, j := 0, 0
		all(
			func() { i = lang.Select(false, to(a, 1), on(b)) },
			func() { j = lang.Select(false, on(a), to(b, 1)) },
		)
		return fmt.Sprint(i, j)
	}},
	{name: "select and close", body: func(*Exec) string {
		a, stop := make(chan int, 1), make(chan int)
		lang.Go(func() { lang.Close(stop, "") })
		lang.Go(func() { send(a, 1) })
		s := ""
		for range 2 {
			k := lang.OnRecv(a, "")
			if lang.Select(false, k, on(stop)) == 0 {
				s += "a"
			} else {
				s += "s"
			}
		}
		if lang.Select(true, on(a)) == 0 {
			s += "!"
		}
		return s
	}},
	{name: "three selects", opts: []Option{MaxThreads(8)}, body: func(*Exec) string {
		a, b := make(chan int), make(chan int)
		lang.Go(func() { lang.Select(true, to(a, 1), to(b, 1)) })
		lang.Go(func() { lang.Select(true, to(b, 2)) })
		ka, kb := lang.OnRecv(a, ""), lang.OnRecv(b, "")
		return fmt.Sprint(lang.Select(true, ka, kb), ka.Value(), kb.Value())
	}},
	{name: "mutex", body: func(*Exec) string {
		var m sync.Mutex
		s := ""
		all(
			func() { m.Lock(); s += "a"; m.Unlock() },
			func() {
				if m.TryLock() {
					s += "b"
					m.Unlock()
				}
			},
		)
		return s
	}},
	{name: "an attempt", body: func(*Exec) string {
		var m sync.Mutex
		lang.Go(func() { m.Lock(); m.Unlock() })
		ok := m.TryLock()
		if ok {
			m.Unlock()
		}
		return fmt.Sprint(ok)
	}},
	{name: "an attempt, and a group", body: func(*Exec) string {
		var m sync.Mutex
		var g sync.WaitGroup
		g.Go(func() { m.Lock(); m.Unlock() })
		ok := m.TryLock()
		if ok {
			m.Unlock()
		}
		g.Wait()
		return fmt.Sprint(ok)
	}},
	{name: "readers and a writer", body: func(*Exec) string {
		var m sync.RWMutex
		n := 0
		lang.Go(func() { m.RLock(); m.RUnlock() })
		lang.Go(func() { m.Lock(); n++; m.Unlock() })
		m.RLock()
		defer m.RUnlock()
		return fmt.Sprint(n)
	}},
	{name: "two writers and a reader", body: func(*Exec) string {
		var m sync.RWMutex
		n := 0
		lang.Go(func() { m.Lock(); n++; m.Unlock() })
		lang.Go(func() { m.Lock(); n++; m.Unlock() })
		m.RLock()
		defer m.RUnlock()
		return fmt.Sprint(n)
	}},
	{name: "attempts at a lock of readers", body: func(*Exec) string {
		var m sync.RWMutex
		lang.Go(func() { m.RLock(); m.RUnlock() })
		lang.Go(func() {
			if m.TryLock() {
				m.Unlock()
			}
		})
		ok := m.TryRLock()
		if ok {
			m.RUnlock()
		}
		return fmt.Sprint(ok)
	}},
	{name: "condition", body: func(*Exec) string {
		var m sync.Mutex
		c := sync.NewCond(&m)
		n := 0
		for range 2 {
			lang.Go(func() {
				m.Lock()
				for n == 0 {
					c.Wait()
				}
				m.Unlock()
			})
		}
		m.Lock()
		n = 1
		c.Broadcast()
		m.Unlock()
		return ""
	}},
	{name: "signal", body: func(*Exec) string {
		var m sync.Mutex
		c := sync.NewCond(&m)
		n := 0
		all(func() {
			m.Lock()
			for n == 0 {
				c.Wait()
			}
			m.Unlock()
		}, func() { m.Lock(); n = 1; m.Unlock(); c.Signal() })
		return ""
	}},
	{name: "wait group", body: func(*Exec) string {
		var g sync.WaitGroup
		var n atomic.Int32
		g.Go(func() { n.Add(1) })
		g.Go(func() { n.Add(1) })
		g.Wait()
		return fmt.Sprint(n.Load())
	}},
	{name: "once", body: func(*Exec) string {
		var o sync.Once
		s := ""
		all(func() { o.Do(func() { s += "a" }) }, func() { o.Do(func() { s += "b" }) })
		return s
	}},
	{name: "map", body: func(*Exec) string {
		var m sync.Map
		s := ""
		all(
			func() { m.Store("a", 1); m.Delete("a") },
			func() { m.Store("b", 1) },
			func() { m.Range(func(k, _ any) bool { s += k.(string); return true }) },
		)
		return s
	}},
	{name: "pool", body: func(*Exec) string {
		var n atomic.Int32
		p := sync.Pool{New: func() any { return n.Add(1) }}
		all(func() { p.Put(p.Get()) }, func() { p.Put(p.Get()) })
		return fmt.Sprint(n.Load())
	}},
	{name: "words", body: func(*Exec) string {
		var x, y uint32
		var a, b uint32
		var v atomic.Value
		all(
			func() { atomic.StoreUint32(&x, 1); a = atomic.LoadUint32(&y); v.Store(a) },
			func() { atomic.StoreUint32(&y, 1); b = atomic.LoadUint32(&x); v.CompareAndSwap(uint32(0), b) },
		)
		return fmt.Sprint(a, b, v.Load())
	}},
	{name: "timeout", body: func(*Exec) string {
		ch := make(chan int, 1)
		lang.Go(func() { send(ch, 1) })
		return fmt.Sprint(lang.Select(false, on(ch), lang.OnRecv(time.After(time.Second), "")))
	}},
	{name: "two sleeps", body: func(*Exec) string {
		s := ""
		var m sync.Mutex
		say := func(name string, d time.Duration) func() {
			return func() { time.Sleep(d); m.Lock(); s += name; m.Unlock() }
		}
		all(say("a", 1), say("b", 2))
		return s
	}},
	{name: "timers", body: func(*Exec) string {
		a, b := time.NewTimer(2), time.NewTimer(1)
		s := fmt.Sprint(lang.Select(false, lang.OnRecv(a.C, ""), lang.OnRecv(b.C, "")))
		return s + fmt.Sprint(a.Stop(), b.Stop())
	}},
	{name: "stop and reset", body: func(*Exec) string {
		var n atomic.Int32
		timer := time.AfterFunc(1, func() { n.Add(1) })
		stopped := timer.Stop()
		before := n.Load()
		timer.Reset(1)
		return fmt.Sprint(stopped, before, n.Load())
	}},
	{name: "a timer is stopped beside threads that end", orders: 26, body: func(*Exec) string {
		ch, timer := make(chan int), time.NewTimer(1)
		lang.Go(func() { lang.Len(ch, "") })
		lang.Go(func() { lang.Select(true, lang.OnRecv(timer.C, "")) })
		return fmt.Sprint(timer.Stop())
	}},
	{name: "ticker", body: func(*Exec) string {
		ticker, stop := time.NewTicker(1), make(chan int, 1)
		lang.Go(func() { send(stop, 1) })
		n := 0
		for lang.Select(false, lang.OnRecv(ticker.C, ""), on(stop)) == 0 {
			if n++; n == 2 {
				break
			}
		}
		return fmt.Sprint(n)
	}},
	{name: "the time", body: func(*Exec) string {
		begun := time.Now()
		lang.Go(func() { time.Sleep(1) })
		return fmt.Sprint(time.Since(begun), time.Since(begun))
	}},
	{name: "cancel", body: func(*Exec) string {
		ctx, cancel := context.WithCancelCause(context.Background())
		child, stop := context.WithCancel(ctx)
		lang.Go(func() { cancel(errors.New("bad")) })
		lang.Go(stop)
		lang.Recv(child.Done(), "")
		return fmt.Sprint(ctx.Err(), context.Cause(child))
	}},
	{name: "deadline", body: func(*Exec) string {
		ctx, cancel := context.WithTimeout(context.Background(), 1)
		lang.Go(cancel)
		lang.Recv(ctx.Done(), "")
		return fmt.Sprint(ctx.Err())
	}},
	{name: "after a context", body: func(*Exec) string {
		ctx, cancel := context.WithCancel(context.Background())
		var n atomic.Int32
		stop := context.AfterFunc(ctx, func() { n.Add(1) })
		lang.Go(cancel)
		return fmt.Sprint(stop(), n.Load())
	}},
	{name: "a child is late", body: func(*Exec) string {
		ctx, cancel := context.WithCancel(context.Background())
		lang.Go(cancel)
		child, stop := context.WithCancel(ctx)
		s := fmt.Sprint(child.Err())
		stop()
		return s
	}},
}

// TestOracleOfTwinsAtRandom compares programs made at random: three threads with one or two
// operations each, none of which waits for ever.
func TestOracleOfTwinsAtRandom(t *testing.T) {
	compared := 0
	for seed := range uint64(250) {
		p := randomTwins(rand.New(rand.NewPCG(seed, 2)))
		all, every, r := ordersOf(t, p, NoReduction(), MaxSchedules(2000))
		if r.Cut != "" {
			continue // it takes long
		}
		compared++
		reduced, some, _ := ordersOf(t, p)
		if len(reduced) != len(all) || !slices.Equal(some, every) {
			t.Errorf("program %d, %s: %d orders and %d results with the reduction, %d and %d without",
				seed, p.name, len(reduced), len(some), len(all), len(every))
		}
	}
	if compared < 100 {
		t.Errorf("only %d programs were compared", compared)
	}
}

// A world is what the threads of a random program use.
type world struct {
	ch     [2]chan int
	mu     sync.RWMutex
	ctx    context.Context
	cancel context.CancelFunc
	m      sync.Map
	once   sync.Once
	timer  *time.Timer
}

var worldly = []struct {
	name string
	f    func(w *world, k int) any
}{
	{"send or not", func(w *world, k int) any { return lang.Select(true, to(w.ch[k], 1)) }},
	{"receive or not", func(w *world, k int) any { return lang.Select(true, on(w.ch[k])) }},
	{"either or not", func(w *world, k int) any { return lang.Select(true, on(w.ch[k]), to(w.ch[1-k], 2)) }},
	{"either or done", func(w *world, k int) any {
		return lang.Select(false, on(w.ch[k]), to(w.ch[1-k], 3), lang.OnRecv(w.ctx.Done(), ""))
	}},
	{"receive or done", func(w *world, k int) any {
		return lang.Select(false, on(w.ch[0]), on(w.ch[1]), lang.OnRecv(w.ctx.Done(), ""))
	}},
	{"len", func(w *world, k int) any { return lang.Len(w.ch[k], "") }},
	{"Lock", func(w *world, k int) any { w.mu.Lock(); w.mu.Unlock(); return nil }},
	{"RLock", func(w *world, k int) any { w.mu.RLock(); w.mu.RUnlock(); return nil }},
	{"TryLock", func(w *world, k int) any {
		ok := w.mu.TryLock()
		if ok {
			w.mu.Unlock()
		}
		return ok
	}},
	{"cancel", func(w *world, k int) any { w.cancel(); return nil }},
	{"Err", func(w *world, k int) any { return w.ctx.Err() }},
	{"child", func(w *world, k int) any {
		_, stop := context.WithCancel(w.ctx)
		stop()
		return nil
	}},
	{"map", func(w *world, k int) any { _, ok := w.m.LoadOrStore(k, k); return ok }},
	{"timer or not", func(w *world, k int) any { return lang.Select(true, lang.OnRecv(w.timer.C, "")) }},
	{"either or timer", func(w *world, k int) any {
		return lang.Select(true, on(w.ch[k]), lang.OnRecv(w.timer.C, ""))
	}},
	{"stop timer", func(w *world, k int) any { return w.timer.Stop() }},
	{"reset timer", func(w *world, k int) any { return w.timer.Reset(1) }},
	{"timer calls", func(w *world, k int) any {
		return time.AfterFunc(time.Duration(1+k), func() { lang.Select(true, to(w.ch[k], 1)) }).Stop()
	}},
	{"sleep", func(w *world, k int) any { time.Sleep(time.Duration(1 + k)); return nil }},
	{"Now", func(w *world, k int) any { return time.Now().UnixNano() }},
	{"once", func(w *world, k int) any { w.once.Do(func() { w.m.Store(0, 0) }); return nil }},
}

func randomTwins(rng *rand.Rand) program {
	type operation struct{ op, k int }
	var threads [3][]operation
	name, size := "", rng.IntN(2)
	for i := range threads {
		for range 1 + rng.IntN(2) {
			o := operation{rng.IntN(len(worldly)), rng.IntN(2)}
			threads[i] = append(threads[i], o)
			name += fmt.Sprintf("%s %d; ", worldly[o.op].name, o.k)
		}
		name += "| "
	}
	return program{name: fmt.Sprint(name, size), opts: []Option{MaxThreads(16)}, body: func(*Exec) string {
		w := &world{ch: [2]chan int{make(chan int, size), make(chan int, size)}}
		w.ctx, w.cancel = context.WithCancel(context.Background())
		if strings.Contains(name, "timer") {
			w.timer = time.NewTimer(1)
		}
		run := func(thread []operation) (saw []any) {
			for _, o := range thread {
				saw = append(saw, worldly[o.op].f(w, o.k))
			}
			return saw
		}
		lang.Go(func() { run(threads[0]) })
		lang.Go(func() { run(threads[1]) })
		if strings.Contains(name, "done") { // it is waited for
			lang.Go(w.cancel)
		}
		saw := run(threads[2])
		return fmt.Sprint(saw)
	}}
}
