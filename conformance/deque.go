package conformance

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/conformance/internal/harness"
	"github.com/rouse-go/rouse/conformance/internal/linear"
	"pgregory.net/rapid"
)

// TestDeque checks that the deques of newDeque keep the rules of [api.Deque].
// Each subtest uses instances of its own. A small initial capacity is a good
// choice: it makes growth happen all the time.
func TestDeque(t *testing.T, newDeque func() api.Deque[int], opts ...Option) {
	cfg := newConfig(opts)
	s := dequeSuite{newDeque}
	cfg.Subtest(t, "Model", "D3", s.model)
	cfg.Subtest(t, "OwnerLIFO", "D2", func(r *run) {
		s.inOrder(r, "Pop", api.Deque[int].Pop, func(taken, n int) int { return n - 1 - taken })
	})
	cfg.Subtest(t, "ThiefFIFO", "D2", func(r *run) {
		s.inOrder(r, "Steal", func(d api.Deque[int]) *int { return mustSteal(d, r) }, func(taken, _ int) int { return taken })
	})
	cfg.Subtest(t, "PopEmpty", "D3", s.popEmpty)
	cfg.Subtest(t, "Window", "D6", s.window)
	cfg.Subtest(t, "Len", "D7", s.length)
	cfg.Subtest(t, "Linearizable", "D3", s.linearizable)
	cfg.Subtest(t, "NoSpuriousEmpty", "D3", s.noSpuriousEmpty)
	for _, c := range dequeRetention {
		cfg.Subtest(t, "Retention/"+c.name, "D8", func(r *run) { s.retention(r, c.steps) })
	}
	for _, m := range dequeMixes {
		cfg.Subtest(t, "Stress/mix="+m.name, m.rule, func(r *run) { s.stress(r, m) })
	}
}

type dequeSuite struct{ make func() api.Deque[int] }

// numbers returns n items with the values 0 to n-1.
func numbers(n int) []int {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	return items
}

// model compares random sequences of operations by one goroutine with a
// slice.
func (s dequeSuite) model(r *run) {
	rapid.Check(r.TB(), func(t *rapid.T) {
		d := s.make()
		var want []int
		next := 0
		push := func(t *rapid.T) {
			item := next
			next++
			d.Push(&item)
			want = append(want, item)
		}
		t.Repeat(map[string]func(*rapid.T){
			"push":  push,
			"push2": func(t *rapid.T) { push(t); push(t) },
			"pop": func(t *rapid.T) {
				want = taken(t, "Pop", d.Pop(), want, len(want)-1, "D3", "D2")
			},
			"steal": func(t *rapid.T) {
				item := steal(d, func(f string, a ...any) { t.Fatalf("D3: "+f, a...) })
				want = taken(t, "Steal", item, want, 0, "D3", "D2")
			},
			"": func(t *rapid.T) {
				if n := d.Len(); n != len(want) {
					t.Fatalf("D7: Len is %d, with %d inside and nobody at work", n, len(want))
				}
			},
		})
	})
}

// inOrder takes many items while nobody else is at work. at is the place, of how many, of the
// item that is to come out next.
func (s dequeSuite) inOrder(r *run, how string, take func(d api.Deque[int]) *int, at func(taken, n int) int) {
	d := s.make()
	items := numbers(1000)
	for i := range items {
		d.Push(&items[i])
	}
	for i := range items {
		item, next := take(d), at(i, len(items))
		r.Check(item == &items[next], "D2", "%s returned %s, want %d", how, show(item), next)
	}
	r.Check(take(d) == nil, "D1", "%s returned an item more than were pushed", how)
}

// taken checks an item that was taken, which should be that at a place of want, and returns the
// others. none is the rule if there should be no item, order the one if it should be another.
func taken(t *rapid.T, how string, item *int, want []int, at int, none, order string) (left []int) {
	switch {
	case len(want) == 0 && item != nil:
		t.Fatalf("%s: %s returned %d, and nothing is inside", none, how, *item)
	case len(want) > 0 && (item == nil || *item != want[at]):
		t.Fatalf("%s: %s returned %v, want %d", order, how, show(item), want[at])
	case len(want) > 0:
		return slices.Delete(want, at, at+1)
	}
	return nil
}

// popEmpty pops from an empty deque, which has moved the bottom below the top
// in more than one implementation.
func (s dequeSuite) popEmpty(r *run) {
	d := s.make()
	items := numbers(64)
	for i := range items {
		for range i % 4 {
			item := d.Pop()
			r.Check(item == nil, "D3", "Pop returned %s from an empty deque", show(item))
			r.Check(d.Len() == 0, "D7", "Len is %d after Pop from an empty deque", d.Len())
			item = mustSteal(d, r)
			r.Check(item == nil, "D3", "Steal returned %s from a deque that was popped when empty", show(item))
		}
		d.Push(&items[i])
		r.Check(d.Len() == 1, "D7", "Len is %d, with one item inside", d.Len())
		var item *int
		if i%2 == 0 {
			item = mustSteal(d, r)
		} else {
			item = d.Pop()
		}
		r.Check(item == &items[i], "D1", "after some Pops from the empty deque, the item pushed was %d and the one taken %s", i, show(item))
	}
}

// window pushes and takes far more items than were ever inside at a time, so
// that every index goes round the ring many times.
func (s dequeSuite) window(r *run) {
	d := s.make()
	const n = 1 << 16
	items := numbers(n)
	width := 0
	for i, oldest := 0, 0; i < n; i++ {
		d.Push(&items[i])
		if width++; width > 1+i%7 {
			for ; width > 1; width-- {
				item := mustSteal(d, r)
				r.Check(item == &items[oldest], "D6", "after %d pushes, Steal returned %s, want %d", i+1, show(item), oldest)
				oldest++
			}
		}
	}
}

// linearizable records an owner and two thieves.
func (s dequeSuite) linearizable(r *run) {
	histories(r, "D3", linear.Queue, func() []client {
		d, items := s.make(), numbers(14)
		thief := func(do func(any, func() any)) {
			for range 7 {
				do(linear.Steal, func() any { return linear.TakenOf(d.Steal()) })
			}
		}
		return []client{thief, thief, func(do func(any, func() any)) {
			rng, next := harness.NewRNG(), 0
			for range items {
				if rng.IntN(5) < 3 {
					do(linear.Push(next), func() any { d.Push(&items[next]); return nil })
					next++
				} else {
					do(linear.Pop, func() any { return linear.TakenOf(d.Pop(), api.Empty) })
				}
			}
		}}
	})
}

// noSpuriousEmpty has thieves take some of many items: none may find the deque
// empty, nor may Len, nor may the owner pop nil.
func (s dequeSuite) noSpuriousEmpty(r *run) {
	for round := 0; r.More(round, 4); round++ {
		d := s.make()
		const thieves, each, spare = 3, 300, 8
		items := numbers(thieves*each + each + spare)
		first := thieves*each + spare
		for i := range first {
			d.Push(&items[i])
		}
		thief := func() {
			for got := 0; got < each; {
				switch _, o := d.Steal(); o {
				case api.Stolen:
					got++
				case api.Lost:
					r.Yield()
				case api.Empty:
					r.Report("D3", "Steal returned Empty while at least %d items were inside", spare)
					return
				}
				if n := d.Len(); n < spare {
					r.Report("D7", "Len is %d while at least %d items are inside", n, spare)
					return
				}
			}
		}
		r.Together(thief, thief, thief, func() {
			for i := range each {
				d.Push(&items[first+i])
				if i%3 == 0 && d.Pop() == nil {
					r.Report("D3", "Pop returned nil right after Push, with at least %d older items inside", spare)
				} else if i%3 == 0 {
					d.Push(&items[first+i])
				}
			}
		})
	}
}

// length asks for the length all the time. Never may it be negative or more
// than was pushed.
func (s dequeSuite) length(r *run) {
	for round := 0; r.More(round, 4); round++ {
		d := s.make()
		const n = 2000
		items := numbers(n)
		done := make(chan struct{})
		ask := func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if l := d.Len(); l < 0 || l > n {
					r.Report("D7", "Len is %d, with at most %d pushed", l, n)
					return
				}
				d.Steal()
				r.Yield()
			}
		}
		r.Together(ask, ask, func() {
			defer close(done)
			for i := range items {
				if i%16 == 0 {
					r.Yield() // or a single processor runs this through at once
				}
				d.Push(&items[i])
				d.Pop()
				d.Pop()
			}
		})
	}
}

func show(item *int) any {
	if item == nil {
		return "nil"
	}
	return *item
}
