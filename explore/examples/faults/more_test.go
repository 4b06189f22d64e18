package faults

import (
	"iter"
	orand "math/rand"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/explore"
	"github.com/rouse-go/rouse/explore/internal/planted"
)

// A loop that waits does not let the goroutine come that it waits for.
func TestGosched(t *testing.T) {
	run := func(pause func()) func(t *testing.T) {
		return func(t *testing.T) {
			var mu sync.Mutex
			ready := false
			go func() {
				mu.Lock()
				ready = true
				mu.Unlock()
			}()
			for is := false; !is; pause() {
				mu.Lock()
				is = ready
				mu.Unlock()
			}
		}
	}
	planted.Fault(t, run(func() {}), explore.MaxSteps(200), explore.Rounds(200)) // before that, others come in spite of it
	explore.Test(t, run(runtime.Gosched))
}

// Two goroutines see that a spin lock is free, and both take it.
func TestSpinLock(t *testing.T) {
	run := func(lock func(locked *atomic.Bool)) func(t *testing.T) {
		return func(t *testing.T) {
			var locked atomic.Bool
			n := 0
			both(func() {
				lock(&locked)
				n++
				locked.Store(false)
			})
			if n != 2 {
				t.Errorf("%d, want 2", n)
			}
		}
	}
	planted.Fault(t, run(func(locked *atomic.Bool) {
		for locked.Load() {
		}
		locked.Store(true)
	}))
	explore.Test(t, run(func(locked *atomic.Bool) {
		for !locked.CompareAndSwap(false, true) {
		}
	}))
}

// What was published is changed.
func TestValue(t *testing.T) {
	planted.Pair(t, true, false, func(t *testing.T, late bool) {
		var config atomic.Value
		config.Store(map[string]int{})
		go func() {
			m := map[string]int{}
			if late {
				config.Store(m)
			}
			m["a"] = 1
			if !late {
				config.Store(m)
			}
		}()
		_ = config.Load().(map[string]int)["a"]
	})
}

// A set has one element for two that are added, because none was there when they were looked up.
type set[T comparable] struct {
	mu  sync.Mutex
	all []T
}

func (s *set[T]) has(x T) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, y := range s.all {
		if x == y {
			return true
		}
	}
	return false
}

func (s *set[T]) append(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, x)
}

func (s *set[T]) add(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, y := range s.all {
		if x == y {
			return
		}
	}
	s.all = append(s.all, x)
}

// Two methods with a lock each are not one.
func TestGenerics(t *testing.T) {
	run := func(add func(s *set[string])) func(t *testing.T) {
		return func(t *testing.T) {
			var s set[string]
			both(func() { add(&s) })
			if len(s.all) != 1 {
				t.Error(s.all)
			}
		}
	}
	planted.Fault(t, run(func(s *set[string]) {
		if !s.has("a") {
			s.append("a")
		}
	}))
	explore.Test(t, run(func(s *set[string]) { s.add("a") }))
}

// Nobody closes the channel that workers range over.
func TestRange(t *testing.T) {
	planted.Pair(t, false, true, func(t *testing.T, closes bool) {
		jobs := make(chan int)
		var sum atomic.Int64
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for job := range jobs {
					sum.Add(int64(job))
				}
			})
		}
		jobs <- 1
		jobs <- 2
		if closes {
			close(jobs)
		}
		wg.Wait()
		if sum.Load() != 3 {
			t.Error(sum.Load())
		}
	})
}

// What len has seen may be gone.
func TestLen(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		ch := make(chan int, 1)
		ch <- 1
		both(func() {
			if len(ch) > 0 {
				<-ch
			}
		})
	})
	explore.Test(t, func(t *testing.T) {
		ch := make(chan int, 1)
		ch <- 1
		both(func() {
			select {
			case <-ch:
			default:
			}
		})
	})
}

// What iter.Pull returns is for one goroutine at a time.
func TestPull(t *testing.T) {
	planted.Pair(t, false, true, func(t *testing.T, locks bool) {
		var mu sync.Mutex
		next, stop := iter.Pull(slices.Values([]int{1, 2, 3}))
		defer stop()
		both(func() {
			if locks {
				mu.Lock()
				defer mu.Unlock()
			}
			next()
		})
	})
}

// To stop a ticker does not end a loop over its channel.
func TestTicker(t *testing.T) {
	planted.Pair(t, false, true, func(t *testing.T, ends bool) {
		ticker := time.NewTicker(time.Second)
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-ticker.C:
				case <-done:
					return
				}
			}
		}()
		ticker.Stop()
		if ends {
			close(done)
		}
	})
}

// A failure would mean that a search is called exhausted that has not tried all random numbers, or that
// it is not where numbers have a seed.
func TestDrawn(t *testing.T) {
	planted.Fault(t, func(t *testing.T) {
		if rand.IntN(4) == 2 {
			t.Error("by chance")
		}
	})
	for name, c := range map[string]struct {
		f    func()
		told bool
	}{
		"small":           {func() { rand.IntN(8); orand.Intn(8) }, false},
		"many":            {func() { rand.IntN(8); orand.Intn(8); rand.IntN(8) }, true},
		"large":           {func() { rand.IntN(1000) }, true},
		"a float":         {func() { orand.Float64() }, true},
		"order of five":   {func() { rand.Perm(5) }, true},
		"seed":            {func() { orand.New(orand.NewSource(1)).Intn(4) }, false},
		"seed of a clock": {func() { orand.New(orand.NewSource(time.Now().UnixNano())).Intn(4) }, true},
		"seconds":         {func() { rand.New(rand.NewPCG(1, uint64(time.Now().Unix()))).IntN(4) }, true},
	} {
		r := explore.Explore(func(*explore.Exec) { c.f() })
		told := len(r.Drawn) == 1 && strings.HasPrefix(r.Drawn[0], "more_test.go:")
		if r.Failure != nil || told != c.told || r.Exhausted == c.told || strings.Contains(r.String(), "but for other random numbers at more_test.go:") != c.told {
			t.Errorf("%s: told %q, %v", name, r.Drawn, r)
		}
	}
}
