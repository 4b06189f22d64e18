package conformance

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/linear"
	"pgregory.net/rapid"
)

// TestInjector checks that the injectors of newInjector keep the rules of
// [api.Injector]. Each subtest uses instances of its own.
func TestInjector(t *testing.T, newInjector func() api.Injector[int], opts ...Option) {
	cfg := newConfig(opts)
	s := injectorSuite{newInjector}
	cfg.Subtest(t, "Model", "I3", s.model)
	for _, n := range []int{1, 2, 100} {
		name := "Retention/" + map[int]string{1: "one", 2: "two", 100: "many"}[n]
		cfg.Subtest(t, name, "I5", func(r *run) { s.retention(r, n) })
	}
	cfg.Subtest(t, "Linearizable", "I3", s.linearizable)
	cfg.Subtest(t, "NeverEmptyWhileFull", "I4", s.neverEmptyWhileFull)
	cfg.Subtest(t, "FirstPush", "I3", s.firstPush)
	cfg.Subtest(t, "Stress/multi_pusher", "I1", func(r *run) { s.stress(r, 3, 1) })
	cfg.Subtest(t, "Stress/multi_taker", "I1", func(r *run) { s.stress(r, 1, 3) })
	cfg.Subtest(t, "Stress/both", "I1", func(r *run) { s.stress(r, 3, 3) })
	cfg.Subtest(t, "Circulate", "I6", s.circulate)
}

type injectorSuite struct{ make func() api.Injector[int] }

// model compares random sequences of operations by one goroutine with a
// slice.
func (s injectorSuite) model(r *run) {
	rapid.Check(r.TB(), func(t *rapid.T) {
		q := s.make()
		var want []int
		next := 0
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				item := next
				next++
				if wasEmpty := q.Push(&item); wasEmpty != (len(want) == 0) {
					t.Fatalf("I3: Push says that the queue was empty: %t, but %d were inside", wasEmpty, len(want))
				}
				want = append(want, item)
			},
			"steal": func(t *rapid.T) {
				item := steal(q, func(f string, a ...any) { t.Fatalf("I3: "+f, a...) })
				want = taken(t, "Steal", item, want, 0, "I1", "I2")
			},
			"": func(t *rapid.T) {
				if e := q.Empty(); e != (len(want) == 0) {
					t.Fatalf("I4: Empty is %t, with %d inside and nobody at work", e, len(want))
				}
			},
		})
	})
}

// linearizable records two pushers and two takers.
func (s injectorSuite) linearizable(r *run) {
	histories(r, "I3", linear.Queue, func() []client {
		q, items := s.make(), numbers(10)
		pusher := func(first int) client {
			return func(do func(any, func() any)) {
				for i := first; i < first+5; i++ {
					do(linear.Push(i), func() any { return q.Push(&items[i]) })
				}
			}
		}
		taker := func(do func(any, func() any)) {
			for i := range 6 {
				do(linear.Steal, func() any { return linear.TakenOf(q.Steal()) })
				if i%2 == 0 {
					do(linear.Empty, func() any { return q.Empty() })
				}
			}
		}
		return []client{taker, taker, pusher(0), pusher(5)}
	})
}

// neverEmptyWhileFull has takers take some of many items, while others push
// and others ask. Items that move from one place to another inside the queue
// must not be out of sight meanwhile.
func (s injectorSuite) neverEmptyWhileFull(r *run) {
	for round := 0; r.More(round, 4); round++ {
		q := s.make()
		const each, spare = 300, 3
		items := numbers(2*each + spare + each)
		for i := range 2*each + spare {
			q.Push(&items[i])
		}
		var takers atomic.Int32
		takers.Store(2)
		taker := func() {
			defer takers.Add(-1)
			for got := 0; got < each && !r.Aborted(); {
				switch _, o := takeOne(q, r.Reporter("I3")); o {
				case api.Stolen:
					got++
				case api.Lost:
					r.Yield()
				case api.Empty:
					r.Report("I3", "a taker met an empty queue while at least %d items were inside", spare)
				}
			}
		}
		r.Together(taker, taker, func() {
			for takers.Load() > 0 {
				if q.Empty() {
					r.Report("I4", "Empty is true while at least %d items are inside", spare)
					return
				}
				r.Yield()
			}
		}, func() {
			for i := range each {
				if q.Push(&items[2*each+spare+i]) {
					r.Report("I3", "Push says that the queue was empty while at least %d items were inside", spare)
					return
				}
			}
		})
	}
}

// firstPush has several push into an empty queue at once: somebody was the
// first, and nobody else, or a post would not wake as it should.
func (s injectorSuite) firstPush(r *run) {
	for round := 0; r.More(round, 50); round++ {
		q := s.make()
		items := numbers(3)
		var first atomic.Int32
		push := func(i int) func() {
			return func() {
				if q.Push(&items[i]) {
					first.Add(1)
				}
			}
		}
		r.Together(push(0), push(1), push(2))
		r.Check(first.Load() == 1, "I3", "of three pushes into an empty queue, %d say that it was empty, want 1", first.Load())
	}
}

// stress lets pushers and takers run free. Of the items of one pusher, each
// taker must see the earlier first.
func (s injectorSuite) stress(r *run, pushers, takers int) {
	const n = 1 << 12
	for round := 0; r.More(round, 2); round++ {
		q := s.make()
		items := numbers(pushers * n)
		got := newLedger(len(items))
		var pushing atomic.Int32
		pushing.Store(int32(pushers))
		var fns []func()
		for p := range pushers {
			fns = append(fns, func() {
				defer pushing.Add(-1)
				for i := range n {
					q.Push(&items[p*n+i])
				}
			})
		}
		for range takers {
			fns = append(fns, func() {
				takeAll(r, "I2", q, r.Reporter("I3"), func() bool { return pushing.Load() == 0 }, got, n)
			})
		}
		r.Together(fns...)
		got.check(r, "I1")
	}
}

// circulate takes a few items and pushes them again, over and over. That can
// mislead a queue that compares pointers (the ABA problem).
func (s injectorSuite) circulate(r *run) {
	defer r.TwoProcs()()
	for round := 0; r.More(round, 2); round++ {
		q := s.make()
		const n = 3
		items := numbers(n)
		var held [n]atomic.Bool
		for i := range items {
			q.Push(&items[i])
		}
		hand := func() {
			for range 2000 {
				item, _ := takeOne(q, r.Reporter("I3"))
				if item == nil {
					r.Yield()
					continue
				}
				if held[*item].Swap(true) {
					r.Report("I6", "item %d was taken by two at once, after it had been pushed again", *item)
					return
				}
				held[*item].Store(false)
				q.Push(item)
			}
		}
		r.Together(hand, hand, hand)
		got := newLedger(n)
		for range n {
			got.take(steal(q, func(f string, a ...any) { r.Fail("I3", f, a...) }))
		}
		got.check(r, "I6")
		r.Check(q.Empty(), "I6", "items that were pushed again and again came out more often than they were pushed")
	}
}

// retention pushes n items and takes them.
func (s injectorSuite) retention(r *run, n int) {
	q := s.make()
	forgotten(r, "I5", "items that were pushed and taken", func(item func() *int) {
		for range n {
			q.Push(item())
		}
		for range n {
			steal(q, func(f string, a ...any) { r.Fail("I3", f, a...) })
		}
	})
	runtime.KeepAlive(q)
}
