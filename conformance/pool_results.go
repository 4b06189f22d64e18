package conformance

import (
	"cmp"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// poolResults are run with one, two and four workers, and on one processor.
var poolResults = []poolCase{
	{name: "Fib", rule: "P1", run: runFib},
	{name: "Invoke", rule: "P1", run: runInvoke},
	{name: "BothTwoTypes", rule: "P1", run: runBothTwoTypes},
	{name: "Sort", rule: "P1", run: runSort},
	{name: "AnyShape", rule: "P1", run: runAnyShape},
	{name: "Scope", rule: "P1", run: runScope},
	{name: "Submit", rule: "P1", run: runSubmit},
	{name: "NeverJoined", rule: "P1", run: runNeverJoined},
	{name: "OutOfOrder", rule: "P1", run: runOutOfOrder},
	{name: "ManyForks", rule: "P9", run: runManyForks},
	{name: "DeepForks", rule: "P9", run: runDeepForks},
	{name: "CollectWhileAsleep", rule: "P10", run: runCollect},
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	f := pool.Fork(w, fib, n-2)
	x := fib(w, n-1)
	return x + f.Join(w)
}

func plainFib(n int) int {
	if n < 2 {
		return n
	}
	return plainFib(n-1) + plainFib(n-2)
}

func runFib(r *run, p *pool.Pool) {
	for n := range 20 {
		got, err := pool.Run(background, p, fib, n)
		r.Check(err == nil && got == plainFib(n), "P1", "fib(%d) is %d, %v, want %d", n, got, err, plainFib(n))
	}
}

// invokeFib forks itself with a number, or with one in a string, so that the
// slots of the stack alternate between types.
func invokeFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	if n%2 == 0 {
		x, y := pool.Invoke(w, invokeFib, n-1, invokeFib, n-2)
		return x + y
	}
	x, y := pool.Invoke(w, invokeFib, n-1, func(w *pool.Worker, s string) string {
		n, _ := strconv.Atoi(s)
		return strconv.Itoa(invokeFib(w, n))
	}, strconv.Itoa(n-2))
	m, _ := strconv.Atoi(y)
	return x + m
}

func runInvoke(r *run, p *pool.Pool) {
	for n := range 20 {
		got, err := pool.Run(background, p, invokeFib, n)
		r.Check(err == nil && got == plainFib(n), "P1", "fib(%d) by Invoke is %d, %v, want %d", n, got, err, plainFib(n))
	}
}

func runBothTwoTypes(r *run, p *pool.Pool) {
	for i := range 50 {
		type both struct {
			n int
			s string
		}
		got := enter(r, p, func(w *pool.Worker) both {
			n, s := pool.Both(w, func(*pool.Worker) int { return i }, func(*pool.Worker) string { return strconv.Itoa(i) })
			return both{n, s}
		})
		r.Check(got == both{i, strconv.Itoa(i)}, "P1", "Both returned %v, want %d twice", got, i)
	}
}

// mergeSort sorts by halves.
func mergeSort(w *pool.Worker, s []int) []int {
	if len(s) <= 16 {
		slices.Sort(s)
		return s
	}
	right := pool.Fork(w, mergeSort, slices.Clone(s[len(s)/2:]))
	a := mergeSort(w, slices.Clone(s[:len(s)/2]))
	b := right.Join(w)
	for i := range s {
		if len(b) == 0 || len(a) > 0 && cmp.Less(a[0], b[0]) {
			s[i], a = a[0], a[1:]
		} else {
			s[i], b = b[0], b[1:]
		}
	}
	return s
}

func runSort(r *run, p *pool.Pool) {
	s := make([]int, 1<<13)
	for i := range s {
		s[i] = r.RNG.IntN(len(s))
	}
	want := slices.Sorted(slices.Values(s))
	got, err := pool.Run(background, p, mergeSort, s)
	r.Check(err == nil && slices.Equal(got, want), "P1", "the sorted slice is not the one that slices.Sort makes (%v)", err)
}

// A shape is a node of a random tree of forks. The same seed gives the same
// tree, so that it can be computed twice.
type shape struct {
	seed  uint64
	depth int
}

// children draws the number of children and an order in which to join them.
func (s shape) children() (kids []shape, order []int) {
	if s.depth == 0 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(s.seed, uint64(s.depth)))
	for range rng.IntN(5) {
		kids = append(kids, shape{rng.Uint64(), s.depth - 1})
	}
	return kids, rng.Perm(len(kids))
}

func (s shape) value(results []string) string {
	v := s.seed % 1000
	for _, x := range results {
		n, _ := strconv.ParseUint(x, 10, 64)
		v = (v*31 + n) % 1_000_003
	}
	return strconv.FormatUint(v, 10)
}

func (s shape) plain() string {
	kids, order := s.children()
	results := make([]string, len(kids))
	for _, i := range order {
		results[i] = kids[i].plain()
	}
	return s.value(results)
}

// computeShape forks all children, of types that alternate, and joins them in
// an order that is seldom the reverse of forking.
func computeShape(w *pool.Worker, s shape) string {
	kids, order := s.children()
	results := make([]string, len(kids))
	joins := make([]func(), len(kids))
	for i, kid := range kids {
		if i%2 == 0 {
			f := pool.Fork(w, computeShape, kid)
			joins[i] = func() { results[i] = f.Join(w) }
		} else {
			f := pool.Fork(w, func(w *pool.Worker, s *shape) []string { return []string{computeShape(w, *s)} }, &kid)
			joins[i] = func() { results[i] = f.Join(w)[0] }
		}
	}
	for _, i := range order {
		joins[i]()
	}
	return s.value(results)
}

func runAnyShape(r *run, p *pool.Pool) {
	for range 20 {
		s := shape{r.RNG.Uint64(), 6}
		got, err := pool.Run(background, p, computeShape, s)
		r.Check(err == nil && got == s.plain(), "P1", "a tree of forks joined in any order (%+v) gives %q, %v, want %q", s, got, err, s.plain())
	}
}

func runScope(r *run, p *pool.Pool) {
	const width, depth = 5, 4
	var ran atomic.Int64
	var spawn func(s *pool.Scope, w *pool.Worker, depth int)
	spawn = func(s *pool.Scope, w *pool.Worker, depth int) {
		if depth == 0 {
			return
		}
		for i := range width {
			s.Spawn(w, func(w *pool.Worker) {
				ran.Add(1)
				if i == 0 {
					// A scope of its own, done before this job is.
					var before atomic.Int32
					w.Scope(func(w *pool.Worker, s *pool.Scope) {
						for range width {
							s.Spawn(w, func(*pool.Worker) { before.Add(1) })
						}
					})
					if n := before.Load(); n != width {
						r.Report("P1", "Scope returned after %d of %d spawned jobs", n, width)
					}
				}
				spawn(s, w, depth-1)
			})
		}
	}
	got := enter(r, p, func(w *pool.Worker) int64 {
		w.Scope(func(w *pool.Worker, s *pool.Scope) { spawn(s, w, depth) })
		return ran.Load()
	})
	want := int64(0)
	for d, n := 0, int64(1); d < depth; d++ {
		n *= width
		want += n
	}
	r.Check(got == want, "P1", "Scope returned when %d of %d jobs had run", got, want)
}

func runSubmit(r *run, p *pool.Pool) {
	var handles []*pool.Handle[int]
	for i := range 200 {
		handles = append(handles, submit(r, p, func(w *pool.Worker) int { return fib(w, i%10) }))
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	for i, h := range handles {
		if _, err := h.Wait(ended); err != nil && err != context.Canceled {
			r.Fail("P1", "Wait with an ended context returned the error %v", err)
		}
		for range 2 {
			got := await(r, h)
			r.Check(got == plainFib(i%10), "P1", "job %d returned %d, want %d", i, got, plainFib(i%10))
		}
	}
	// From inside: a job that submits others and joins them.
	sum := enter(r, p, func(w *pool.Worker) int {
		var inner []*pool.Handle[int]
		for i := range 20 {
			h, err := pool.Submit(p, func(*pool.Worker) int { return i })
			if err != nil {
				r.Report("P1", "Submit in a job returned the error %v", err)
				return 0
			}
			inner = append(inner, h)
		}
		sum := 0
		for i, h := range inner {
			var n int
			var err error
			if i%2 == 0 {
				n, err = h.Join(w)
			} else {
				n, err = h.Wait(background)
			}
			if err != nil {
				r.Report("P1", "a job joined by a job returned the error %v", err)
			}
			sum += n
		}
		return sum
	})
	r.Check(sum == 190, "P1", "jobs submitted by a job returned %d in all, want 190", sum)
}

// runNeverJoined forks and forgets: the forks run before the job returns.
func runNeverJoined(r *run, p *pool.Pool) {
	var ran atomic.Int32
	for range 20 {
		ran.Store(0)
		enter(r, p, func(w *pool.Worker) bool {
			f := pool.Fork(w, func(w *pool.Worker, _ int) int {
				for range 3 {
					pool.Fork(w, func(*pool.Worker, int) int { return int(ran.Add(1)) }, 0)
				}
				return 0
			}, 0)
			f.Join(w)
			if n := ran.Load(); n != 3 {
				r.Report("P1", "a job returned when %d of the 3 forks that it never joined had run", n)
			}
			pool.Fork(w, func(*pool.Worker, int) int { return int(ran.Add(1)) }, 0)
			return true
		})
		r.Check(ran.Load() == 4, "P1", "Run returned when %d of 4 forks that were never joined had run", ran.Load())
	}
	for round := range 20 {
		neverJoinedIn(r, p, 1+round%3)
	}
}

// neverJoinedIn has each side of an Invoke and of a Both, and a fork, leave n forks.
func neverJoinedIn(r *run, p *pool.Pool, n int) {
	var ran atomic.Int32
	leaves := func(w *pool.Worker, n int) int {
		for range n {
			pool.Fork(w, func(*pool.Worker, int) int { return int(ran.Add(1)) }, 0)
		}
		return 0
	}
	leave := func(w *pool.Worker) int { return leaves(w, n) }
	nothing := func(*pool.Worker) int { return 0 }
	enter(r, p, func(w *pool.Worker) int {
		for name, call := range map[string]func(){
			"Invoke, by its first function,":  func() { pool.Invoke(w, leaves, n, leaves, 0) },
			"Invoke, by its second function,": func() { pool.Invoke(w, leaves, 0, leaves, n) },
			"Both, by its first function,":    func() { pool.Both(w, leave, nothing) },
			"Both, by its second function,":   func() { pool.Both(w, nothing, leave) },
			"the Join of a fork":              func() { pool.Fork(w, leaves, n).Join(w) },
		} {
			ran.Store(0)
			call()
			if got := int(ran.Load()); got != n {
				r.Report("P1", "%s left %d forks, of which %d had run when it returned", name, n, got)
			}
		}
		return 0
	})
}

// scaled returns n, or less where that would take long.
func scaled(r *run, n int) int {
	if testing.Short() || r.Brief() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	return n
}

// runMillionForks has a million forks pending at once, once: it takes long, and the stack
// of forks is the same with other backends.
func runMillionForks(r *run, p *pool.Pool) { manyForks(r, p, scaled(r, 1_000_000)) }

// runManyForks has as many forks pending as make stacks and deques grow many times.
func runManyForks(r *run, p *pool.Pool) {
	n := 1 << 17
	if r.Brief() {
		n /= 8
	}
	if raceEnabled {
		n /= 16
	}
	manyForks(r, p, n)
}

func manyForks(r *run, p *pool.Pool, n int) {
	sum := enter(r, p, func(w *pool.Worker) int {
		forks := make([]pool.Forked[int, int], n)
		for i := range forks {
			forks[i] = pool.Fork(w, func(_ *pool.Worker, i int) int { return i }, i)
		}
		sum := 0
		for i := len(forks) - 1; i >= 0; i-- {
			sum += forks[i].Join(w)
		}
		return sum
	})
	want := int(int64(n) * int64(n-1) / 2) // wraps like the sum where an int has 32 bits
	r.Check(sum == want, "P9", "the sum of %d forks is %d, want %d", n, sum, want)
}

func deep(w *pool.Worker, n int) int {
	if n == 0 {
		return 0
	}
	f := pool.Fork(w, func(*pool.Worker, int) int { return 1 }, 0)
	return deep(w, n-1) + f.Join(w)
}

// runDeepForks has each fork pending below the next call.
func runDeepForks(r *run, p *pool.Pool) {
	n := scaled(r, 1<<17)
	if p.Workers() > 1 {
		n /= 4 // others take the oldest fork, so a deeper stack shows nothing more
	}
	got, err := pool.Run(background, p, deep, n)
	r.Check(err == nil && got == n, "P9", "%d nested forks give %d, %v", n, got, err)
}

// runCollect collects garbage while the workers have nothing to do.
func runCollect(r *run, p *pool.Pool) {
	for range 5 {
		runtime.GC()
		got, err := pool.Run(background, p, fib, 10)
		r.Check(err == nil && got == 55, "P10", "fib(10) after a garbage collection is %d, %v", got, err)
	}
}
