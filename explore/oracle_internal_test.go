//go:build explore

package explore

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/explore/drive"
)

// ordersOf explores a program, and returns what the oracle was told, the results, and the report.
func ordersOf(t *testing.T, p program, opts ...Option) (oracle, []string, Report) {
	t.Helper()
	c, err := newConfig(append(append(slices.Clone(p.opts), Unbounded(), MaxThreads(16)), opts...))
	if err != nil {
		t.Fatal(err)
	}
	o, results := newOracle(), make(map[string]bool)
	r := explored(c, &o, func(x *Exec) {
		if p.end != nil {
			drive.OnEnd(func() { results[p.end()] = true })
			p.body(x)
			return
		}
		results[p.body(x)] = true
	})
	r.elsewhere(t)
	if r.Failure != nil {
		t.Fatal(p.name, r)
	}
	return o, slices.Sorted(maps.Keys(results)), r
}

// differs says in what two searches differ.
func differs(o oracle, results []string, all oracle, every []string) string {
	if len(o.orders) == len(all.orders) && slices.Equal(results, every) && maps.Equal(o.faults, all.faults) {
		return ""
	}
	return fmt.Sprintf("%d orders, %d results, %d deadlocks and races with the reduction, %d, %d and %d without",
		len(o.orders), len(results), len(o.faults), len(all.orders), len(every), len(all.faults))
}

// A program is small, and returns what its threads have seen.
type program struct {
	name   string
	orders int // that there are
	vain   int // executions of twins that turn out to be redundant
	opts   []Option
	body   func(x *Exec) string
	end    func() string // what the threads have seen, when all have ended or are blocked
}

// TestOracle compares the reduction with the search of every schedule: each order must be run
// exactly once, and what comes out must be the same: the results, which threads are blocked for
// good, and which accesses race. If an order is missing, the reduction takes two steps for
// independent that are not, or does not see a race; if the program has fewer orders than it should,
// so does the oracle, and the results tell.
func TestOracle(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) { p.compare(t) })
	}
}

func (p program) compare(t *testing.T) (redundant int) {
	t.Helper()
	reduced, some, r := ordersOf(t, p)
	all, every, whole := ordersOf(t, p, NoReduction())
	t.Logf("%d orders, %d redundant, %d without the reduction", len(reduced.orders), r.Redundant, whole.Schedules)
	for order, n := range reduced.orders {
		if n != 1 {
			t.Errorf("an order was run %d times", n)
		}
		if all.orders[order] == 0 {
			t.Errorf("order %x was not met without the reduction", order)
		}
	}
	if s := differs(reduced, some, all, every); s != "" {
		t.Error(s)
	}
	if p.orders != 0 && len(reduced.orders) != p.orders {
		t.Errorf("%d orders, want %d", len(reduced.orders), p.orders)
	}
	return r.Redundant
}

// TestOracleAtRandom does so with programs made at random.
func TestOracleAtRandom(t *testing.T) {
	compareAtRandom(t, 300, randomProgram)
}

var (
	oracleFirst = flag.Uint64("oracle.first", 0, "seed of the first program that is made at random")
	oracleCount = flag.Uint64("oracle.count", 0, "how many programs are made at random, if not as many as usual")
)

// agrees compares what comes out, and reports whether it did: some programs take long. An order
// may be run more than once, if a step has more than one outcome and but one of them depends on
// what comes next.
func (p program) agrees(t *testing.T, most int) bool {
	t.Helper()
	all, every, r := ordersOf(t, p, NoReduction(), MaxSchedules(most))
	if r.Cut != "" {
		return false
	}
	reduced, some, _ := ordersOf(t, p)
	if s := differs(reduced, some, all, every); s != "" {
		t.Errorf("program %s: %s", p.name, s)
	}
	return true
}

// compareAtRandom compares programs that a number each makes.
func compareAtRandom(t *testing.T, count uint64, made func(seed uint64) program) {
	if *oracleCount > 0 {
		count = *oracleCount
	}
	var compared uint64
	for seed := *oracleFirst; seed < *oracleFirst+count; seed++ {
		if made(seed).agrees(t, 2000) {
			compared++
		}
	}
	if t.Logf("%d programs of %d were compared", compared, count); compared < count/4 {
		t.Errorf("only %d programs of %d were compared", compared, count)
	}
}

// randomProgram has three threads of two or three operations each. Some wait forever.
func randomProgram(seed uint64) program {
	rng := rand.New(rand.NewPCG(seed, 1))
	type operation struct{ kind, variable int }
	var threads [3][]operation
	kinds := rng.Perm(15)[:5]
	for i := range threads {
		for range 2 + rng.IntN(2)*rng.IntN(2) {
			threads[i] = append(threads[i], operation{kinds[rng.IntN(len(kinds))], rng.IntN(2)})
		}
	}
	var saw [3][]int32
	return program{name: fmt.Sprint(threads), body: func(x *Exec) string {
		v, words := vars(2), make([]prim.Uint32, 2)
		saw = [3][]int32{}
		var mu prim.Mutex
		var group prim.WaitGroup
		cond, parker := prim.NewCond(&mu), prim.NewParker()
		signals := int32(0) // under mu
		for i, operations := range threads {
			x.Go("thread", func() {
				see := func(n int32) { saw[i] = append(saw[i], n) }
				for j, op := range operations {
					switch v, word, n := &v[op.variable], &words[op.variable], int32(10*i+j+1); op.kind {
					case 0:
						see(v.Load())
					case 1:
						v.Store(n)
					case 2:
						see(v.Add(n))
					case 3:
						if v.CompareAndSwap(0, n) {
							see(1)
						}
					case 4:
						mu.Lock()
						see(v.Load())
						mu.Unlock()
					case 5:
						if mu.TryLock() {
							see(signals)
							mu.Unlock()
						}
					case 6:
						mu.Lock()
						signals++
						mu.Unlock()
						cond.Signal()
					case 7:
						prim.Yield()
					case 8:
						mu.Lock()
						for signals == 0 {
							cond.Wait()
						}
						see(signals)
						mu.Unlock()
					case 9:
						mu.Lock()
						cond.Wait()
						see(v.Load())
						mu.Unlock()
					case 10:
						mu.Lock()
						signals++
						cond.Broadcast()
						mu.Unlock()
					case 11:
						parker.Unpark()
					case 12:
						if i == 0 {
							parker.Park()
							see(v.Load())
						}
						prim.FutexWake(word)
					case 13:
						see(int32(word.Load()))
						prim.FutexWait(word, 0)
						word.Store(1)
					case 14:
						if i == 2 {
							group.Wait()
							see(v.Load())
							break
						}
						group.Add(1)
						v.Store(n)
						group.Done()
					}
				}
			})
		}
		x.Wait()
		return ""
	}, end: func() string { return fmt.Sprint(saw) }}
}

// TestMemoryIsFlat: what is kept must not grow with the number of executions.
func TestMemoryIsFlat(t *testing.T) {
	few, many := 1000, 20_000
	if !testing.Short() {
		few, many = 10_000, 1_000_000
	}
	var at []uint64
	runs := 0
	r := run(configOf(t, Unbounded(), MaxSchedules(many)), func(x *Exec) {
		if runs++; runs == few || runs == many {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			at = append(at, m.HeapAlloc)
		}
		adders(12)(x)
	})
	t.Log(r, at)
	if len(at) != 2 || at[1] > at[0]+(64<<10) {
		t.Errorf("bytes in use after %d and %d executions: %d; %v", few, many, at, r)
	}
}

// adders: two threads each add n times to one variable, in any of 2n over n orders.
func adders(n int) func(x *Exec) string {
	return func(x *Exec) string {
		var v prim.Int32
		for range 2 {
			x.Go("adder", func() {
				for range n {
					v.Add(1)
				}
			})
		}
		x.Wait()
		return ""
	}
}

func vars(n int) []prim.Int32 { return make([]prim.Int32, n) }

// storeBuffer: each of n threads stores to a variable and loads the next one.
func storeBuffer(n int) func(x *Exec) string {
	return func(x *Exec) string {
		v, saw := vars(n), make([]int32, n)
		for i := range n {
			x.Go("thread", func() {
				v[i].Store(1)
				saw[i] = v[(i+1)%n].Load()
			})
		}
		x.Wait()
		return fmt.Sprint(saw)
	}
}

// readers: one stores, n others load.
func readers(n int) func(x *Exec) string {
	return func(x *Exec) string {
		var v prim.Int32
		saw := make([]int32, n)
		x.Go("writer", func() { v.Store(1) })
		for i := range n {
			x.Go("reader", func() { saw[i] = v.Load() })
		}
		x.Wait()
		return fmt.Sprint(saw)
	}
}

// lastzero: n threads each set a cell to one more than the one before it, another looks for the
// last cell that is zero (Abdulla et al.).
func lastzero(n int) func(x *Exec) string {
	return func(x *Exec) string {
		a := vars(n + 1)
		var found int
		x.Go("looker", func() {
			i := n
			for a[i].Load() != 0 {
				i--
			}
			found = i
		})
		for j := 1; j <= n; j++ {
			x.Go("setter", func() { a[j].Store(a[j-1].Load() + 1) })
		}
		x.Wait()
		return fmt.Sprint(found)
	}
}

// indexer: n threads each put 4 messages into a table of 128, by CompareAndSwap (Flanagan and
// Godefroid, POPL 2005).
func indexer(n int) func(x *Exec) string {
	return func(x *Exec) string {
		const size, most = 128, 4
		table := vars(size)
		for id := range n {
			x.Go("thread", func() {
				for m := 1; m <= most; m++ {
					w := int32(m*11 + id)
					h := int(w*7) % size
					for !table[h].CompareAndSwap(0, w) {
						h = (h + 1) % size
					}
				}
			})
		}
		x.Wait()
		return ""
	}
}

var programs = []program{
	{name: "store_buffer_4", orders: 15, body: storeBuffer(4)},
	{name: "readers_4", orders: 16, body: readers(4)},
	{name: "lastzero_3", body: lastzero(3)},
	{name: "mutex", orders: 6, body: func(x *Exec) string {
		var mu prim.Mutex
		var order []int
		for i := range 3 {
			x.Go("locker", func() { mu.Lock(); order = append(order, i); mu.Unlock() })
		}
		x.Wait()
		return fmt.Sprint(order)
	}},
	{name: "two_mutexes", body: func(x *Exec) string {
		var a, b prim.Mutex
		for range 2 {
			x.Go("locker", func() {
				a.Lock()
				b.Lock()
				a.Unlock()
				b.Unlock()
				a.Lock()
				//lint:ignore SA2001 to have locked it is all that is asked for
				a.Unlock()
			})
		}
		x.Wait()
		return ""
	}},
	{name: "buffer_2_2_1", body: buffer(2, 2, 1)},
	{name: "buffer_1_2_1", body: buffer(1, 2, 1)},
	{name: "buffer_spurious", opts: []Option{Spurious(1)}, body: buffer(1, 1, 1)},
	{name: "signal", body: waiters(2, (*prim.Cond).Signal, 2)},
	{name: "broadcast", body: waiters(2, (*prim.Cond).Broadcast, 2)},
	{name: "signal_spurious", opts: []Option{Spurious(1)}, body: waiters(2, (*prim.Cond).Signal, 2)},
	{name: "signal_spurious_2", opts: []Option{Spurious(2)}, body: waiters(2, (*prim.Cond).Broadcast, 1)},
	{name: "futex", body: futexes(1)},
	{name: "futex_2", body: wakeTwo},
	{name: "futex_too_late", orders: 15, body: func(x *Exec) string {
		var word prim.Uint32
		wait := func() { prim.FutexWait(&word, 0); word.Store(1) }
		x.Go("waits", wait)
		x.Go("wakes", func() { prim.FutexWake(&word) })
		x.Go("wakes and waits", func() { prim.FutexWake(&word); wait() })
		x.Wait()
		return ""
	}},
	{name: "futex_spurious", opts: []Option{Spurious(1)}, body: futexes(1)},
	{name: "futex_2_spurious", opts: []Option{Spurious(1)}, body: wakeTwo},
	{name: "group", orders: 1, body: func(x *Exec) string {
		var g prim.WaitGroup
		var a [3]int
		g.Add(3)
		for i := range 3 {
			prim.Go(func() { a[i] = i; g.Done() })
		}
		g.Wait()
		return fmt.Sprint(a)
	}},
	{name: "group_go", body: func(x *Exec) string {
		var g prim.WaitGroup
		var n prim.Int32
		for range 2 {
			g.Go(func() { n.Add(1) })
		}
		g.Wait()
		return fmt.Sprint(n.Load())
	}},
	{name: "group_late", body: func(x *Exec) string {
		var g prim.WaitGroup
		var n prim.Int32
		for range 2 {
			x.Go("late", func() { g.Add(1); n.Add(1); g.Done() })
		}
		g.Wait()
		saw := n.Load()
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "group_other_done", body: func(x *Exec) string {
		var g prim.WaitGroup
		var n, m prim.Int32
		for range 2 {
			x.Go("adds", func() { g.Add(1); n.Add(1) })
		}
		x.Go("done", func() {
			for range 2 {
				if n.Add(-1) >= 0 {
					g.Done()
				} else {
					n.Add(1)
				}
			}
		})
		var saw int32
		x.Go("waits", func() {
			if m.Load() == 0 {
				saw = 1 + n.Load()
			}
		})
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "park_twice", body: func(x *Exec) string {
		p, q := prim.NewParker(), prim.NewParker()
		var n prim.Int32
		x.Go("unparks", func() { n.Add(1); p.Unpark(); q.Park(); p.Unpark(); p.Unpark() })
		p.Park()
		saw := n.Load()
		q.Unpark()
		p.Park()
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "context", body: func(x *Exec) string {
		ctx, cancel := context.WithCancel(context.Background())
		p := prim.NewParker()
		var n prim.Int32
		var err error
		var saw int32
		x.Go("waiter", func() { err = p.ParkContext(ctx); saw = n.Load() })
		x.Go("unparks", func() { n.Add(1); p.Unpark() })
		n.Add(1)
		cancel()
		x.Wait()
		return fmt.Sprint(err, saw)
	}},
	{name: "after_func", body: func(x *Exec) string {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var n, ran prim.Int32
		stop := prim.AfterFunc(ctx, func() { ran.Store(1 + n.Load()) })
		x.Go("canceler", func() { n.Add(1); cancel() })
		stopped := stop()
		x.Wait()
		return fmt.Sprint(stopped, ran.Load())
	}},
	{name: "choose", body: func(x *Exec) string {
		var v prim.Int32
		var saw [2]int32
		for i := range 2 {
			x.Go("chooser", func() {
				if x.Choose(2) == 0 {
					v.Add(int32(1 + x.Choose(2)))
				}
				saw[i] = v.Load()
			})
		}
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "choose_between", body: func(x *Exec) string {
		v := vars(2)
		var saw [2]int32
		for i := range 2 {
			x.Go("chooser", func() {
				v[i].Store(1)
				saw[i] = v[x.Choose(2)].Load()
			})
		}
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "yield", body: func(x *Exec) string {
		var v, w prim.Int32
		polls := 0
		x.Go("poller", func() {
			for v.Load() == 0 {
				polls++
				prim.Yield()
			}
		})
		x.Go("setter", func() { w.Add(1); v.Store(1) })
		x.Go("adder", func() { w.Add(1) })
		x.Wait()
		return fmt.Sprint(polls)
	}},
	{name: "two_yield", body: func(x *Exec) string {
		var v prim.Int32
		var saw [2]int32
		for i := range 2 {
			x.Go("yields", func() {
				v.Add(1)
				prim.Yield()
				saw[i] = v.Add(1)
			})
		}
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "yield_and_block", body: func(x *Exec) string {
		var v prim.Int32
		p := prim.NewParker()
		var saw [3]int32
		x.Go("yields", func() {
			prim.Yield()
			saw[0] = v.Add(1)
			p.Unpark()
		})
		x.Go("parks", func() {
			saw[1] = v.Add(1)
			p.Park()
			saw[2] = v.Add(1)
		})
		x.Go("yields", func() { prim.Yield(); v.Add(1) })
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "not_joined", body: func(x *Exec) string {
		var v, w prim.Int32
		prim.Go(func() { v.Store(1); w.Store(1) })
		x.Go("joined", func() { w.Store(2) })
		x.Wait()
		return fmt.Sprint(v.Load(), w.Load())
	}},
	{name: "joined_late", body: func(x *Exec) string {
		var v, w prim.Int32
		prim.Go(func() {
			v.Store(1)
			x.Go("late", func() { w.Store(1); v.Store(2) })
			w.Load()
		})
		x.Wait()
		return fmt.Sprint(v.Load(), w.Load())
	}},
	{name: "spawns", body: func(x *Exec) string {
		var v prim.Int32
		var saw [2]int32
		for i := range 2 {
			x.Go("parent", func() {
				v.Load()
				x.Go("child", func() { saw[i] = v.Add(1) })
				v.Add(10)
			})
		}
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "goexit", body: func(x *Exec) string {
		var v prim.Int32
		for range 2 {
			x.Go("exits", func() {
				defer v.Add(1)
				v.Load()
				runtime.Goexit()
			})
		}
		x.Wait()
		return fmt.Sprint(v.Load())
	}},
	{name: "settle_between", body: func(x *Exec) string {
		var v, w prim.Int32
		var saw [4]int32
		for i := range 2 {
			x.Go("thread", func() { saw[i] = v.Add(1); saw[2+i] = w.Add(1) })
		}
		w.Load()
		x.Settle(func() { v.Add(10) })
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "settle_after_go", body: func(x *Exec) string {
		var v prim.Int32
		var saw [3]int32
		for i := range 2 {
			x.Go("thread", func() { saw[i] = v.Add(1) })
		}
		v.Load()
		x.Go("thread", func() { saw[2] = v.Add(1) })
		x.Settle(func() {})
		x.Wait()
		return fmt.Sprint(saw)
	}},
	{name: "chase_lev", body: chaseLev(2, 2, 1)},
}

// buffer is one of a number of places, under a mutex and a condition: every producer puts one, and
// every consumer takes one.
func buffer(producers, consumers, places int) func(x *Exec) string {
	return func(x *Exec) string {
		var mu prim.Mutex
		cond := prim.NewCond(&mu)
		var full, put int
		var got []string
		for i := range producers {
			x.Go("producer", func() {
				for range max(1, consumers/producers) {
					mu.Lock()
					for full == places {
						cond.Wait()
					}
					full++
					put++
					got = append(got, fmt.Sprint("p", i))
					cond.Broadcast()
					mu.Unlock()
				}
			})
		}
		for i := range consumers {
			x.Go("consumer", func() {
				mu.Lock()
				for full == 0 {
					cond.Wait()
				}
				full--
				got = append(got, fmt.Sprint("c", i))
				cond.Broadcast()
				mu.Unlock()
			})
		}
		x.Wait()
		return strings.Join(got, "")
	}
}

func waiters(n int, wake func(*prim.Cond), wakes int) func(x *Exec) string {
	return func(x *Exec) string {
		var mu prim.Mutex
		cond := prim.NewCond(&mu)
		ready := false
		var order []int
		for i := range n {
			x.Go("waiter", func() {
				mu.Lock()
				for !ready {
					cond.Wait()
				}
				order = append(order, i)
				mu.Unlock()
			})
		}
		x.Go("waker", func() {
			mu.Lock()
			ready = true
			mu.Unlock()
			for range wakes {
				wake(cond)
			}
		})
		x.Wait()
		return fmt.Sprint(order)
	}
}

func futexes(n int) func(x *Exec) string {
	return func(x *Exec) string {
		var word, work prim.Uint32
		var order []int
		var mu prim.Mutex
		for i := range n {
			x.Go("sleeper", func() {
				for {
					v := word.Load()
					if work.Load() != 0 {
						break
					}
					prim.FutexWait(&word, v)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
			})
		}
		x.Go("waker", func() {
			work.Store(1)
			word.Add(1)
			for range n {
				prim.FutexWake(&word)
			}
		})
		x.Wait()
		return fmt.Sprint(order)
	}
}

// wakeTwo: two wait for a word to be set, and one is woken late.
func wakeTwo(x *Exec) string {
	var word prim.Uint32
	var saw [2]uint32
	for i := range 2 {
		x.Go("sleeper", func() {
			prim.FutexWait(&word, 0)
			saw[i] = word.Load()
		})
	}
	word.Store(1)
	prim.FutexWake(&word)
	word.Store(2)
	prim.FutexWake(&word)
	x.Wait()
	return fmt.Sprint(saw)
}

// chaseLev is a deque without growth: an owner pushes and pops, thieves steal.
func chaseLev(pushes, pops, thieves int) func(x *Exec) string {
	return func(x *Exec) string {
		var top, bottom prim.Int64
		slots := vars(pushes)
		var got []int32
		took := make([]int32, pops+thieves)
		x.Go("owner", func() {
			for i := range pushes {
				b := bottom.Load()
				slots[b].Store(int32(i + 1))
				bottom.Store(b + 1)
			}
			for i := range pops {
				b := bottom.Load() - 1
				bottom.Store(b)
				t := top.Load()
				if t > b {
					bottom.Store(t)
					continue
				}
				took[i] = slots[b].Load()
				if t == b {
					if !top.CompareAndSwap(t, t+1) {
						took[i] = 0
					}
					bottom.Store(t + 1)
				}
			}
		})
		for i := range thieves {
			x.Go("thief", func() {
				t := top.Load()
				if t >= bottom.Load() {
					return
				}
				v := slots[t].Load()
				if top.CompareAndSwap(t, t+1) {
					took[pops+i] = v
				}
			})
		}
		x.Wait()
		got = append(got, took...)
		return fmt.Sprint(got)
	}
}

// TestCounts has the counts of the literature, exactly.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name      string
		orders    int
		redundant int // or negative, if it is not known
		body      func(x *Exec) string
	}{
		{"store_buffer_7", 127, 0, storeBuffer(7)},
		{"readers_8", 256, 0, readers(8)},
		{"lastzero_5", 64, 15, lastzero(5)},
		{"indexer_12", 8, 0, indexer(12)},
		{"buffer_2_2_1", 80, 0, buffer(2, 2, 1)},
		{"lastzero_10", 3328, 15279 - 3328, lastzero(10)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, r := ordersOf(t, program{name: c.name, body: c.body})
			t.Log(r)
			if r.Orders != c.orders || c.redundant >= 0 && r.Redundant != c.redundant {
				t.Errorf("%d orders and %d redundant, want %d and %d", r.Orders, r.Redundant, c.orders, c.redundant)
			}
		})
	}
}

// BenchmarkPrograms explores the programs of the literature completely: what comes before the
// reduction, with few preemptions, is in the time and in the schedules.
func BenchmarkPrograms(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
		body func(n int) func(x *Exec) string
	}{
		{"store_buffer", 3, storeBuffer}, {"store_buffer", 4, storeBuffer}, {"store_buffer", 12, storeBuffer},
		{"readers", 3, readers}, {"readers", 12, readers},
		{"lastzero", 2, lastzero}, {"lastzero", 3, lastzero}, {"lastzero", 10, lastzero},
		{"indexer", 4, indexer}, {"indexer", 12, indexer},
		{"buffer", 1, func(n int) func(x *Exec) string { return buffer(n, n, 1) }},
		{"buffer", 2, func(n int) func(x *Exec) string { return buffer(n, n, 1) }},
		{"chase_lev", 1, func(n int) func(x *Exec) string { return chaseLev(2, 2, n) }},
		{"chase_lev", 2, func(n int) func(x *Exec) string { return chaseLev(2, 2, n) }},
		{"adders", 5, adders}, {"adders", 10, adders},
	} {
		b.Run(fmt.Sprintf("program=%s/size=%d", c.name, c.size), func(b *testing.B) {
			config, err := newConfig([]Option{Unbounded(), MaxTime(time.Minute)})
			if err != nil {
				b.Fatal(err)
			}
			body := c.body(c.size)
			var r Report
			for b.Loop() {
				r = run(config, func(x *Exec) { body(x) })
			}
			if r.Failure != nil {
				b.Fatal(r)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(r.Schedules), "schedules")
			b.ReportMetric(float64(r.Orders), "orders")
			b.ReportMetric(float64(r.Schedules)/r.Elapsed.Seconds(), "schedules/s")
			b.ReportMetric(float64(r.Steps)/r.Elapsed.Seconds(), "steps/s")
			b.ReportMetric(float64(m.Sys)/1e6, "MB")
		})
	}
}
