package pool_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/pool"
)

// A hoard is a deque that keeps all that was ever pushed. Others keep a job for a
// while, until the slot is used again.
type hoard struct {
	api.Deque[pool.Job]
	kept []*pool.Job // by the owner
}

func (h *hoard) Push(j *pool.Job) {
	h.kept = append(h.kept, j)
	h.Deque.Push(j)
}

// If this fails, what users hand over, or panic with, stays in memory for as long
// as some deque, or the list of some scope, keeps the pointer to a job.
func TestEndedJobsReferToNothing(t *testing.T) {
	type cargo struct{ _ [128]byte }
	var mu sync.Mutex
	loaded := map[string][]weak.Pointer[cargo]{}
	load := func(what string) *cargo {
		mu.Lock()
		defer mu.Unlock()
		c := new(cargo)
		loaded[what] = append(loaded[what], weak.Make(c))
		return c
	}
	var hoards []*hoard
	p := newPool(t, pool.WithWorkers(2), pool.WithEagerPublish(), pool.WithDeque(func() api.Deque[pool.Job] {
		h := &hoard{Deque: pool.DefaultDeque()}
		hoards = append(hoards, h)
		return h
	}))
	spawn := func(w *pool.Worker, fn func()) {
		w.Scope(func(w *pool.Worker, s *pool.Scope) { s.Spawn(w, func(*pool.Worker) { fn() }) })
	}
	during(t, "P1", "jobs return, panic and exit", func() {
		for range 10 {
			mustRun(t, p, func(w *pool.Worker, _ int) int {
				c := load("function of a spawned job")
				spawn(w, func() { runtime.KeepAlive(c) })
				pool.Fork(w, func(_ *pool.Worker, c *cargo) *cargo { return c }, load("argument and result of a fork")).Join(w)
				recovered(func() { spawn(w, func() { panic(load("panic of a spawned job")) }) })
				recovered(func() {
					pool.Fork(w, func(*pool.Worker, int) int { panic(load("panic of a fork")) }, 0).Join(w)
				})
				stolen(t, w, func(*pool.Worker) *cargo { return load("result of a stolen fork") }).Join(w)
				f := stolen(t, w, func(*pool.Worker) int { panic(load("panic of a stolen fork")) })
				recovered(func() { f.Join(w) })
				return 0
			}, 0)
			h, err := pool.Submit(p, func(w *pool.Worker) int {
				c := load("function of a spawned job that exits")
				spawn(w, func() { runtime.KeepAlive(c); runtime.Goexit() })
				return 0
			})
			if err != nil {
				t.Fatalf("P1: Submit returned the error %v", err)
			}
			if _, err := h.Wait(background); !errors.Is(err, pool.ErrGoexit) {
				t.Errorf("P3: Wait returned %v, want ErrGoexit", err)
			}
		}
	})
	during(t, "S7", "the workers sleep after the last job", func() {
		until(t, "all workers sleep", func() bool { return p.Sleeping() == p.Workers() })
	})
	for range 3 {
		runtime.GC()
	}
	for what, all := range loaded {
		left := 0
		for _, c := range all {
			if c.Value() != nil {
				left++
			}
		}
		if left > 0 {
			t.Errorf("P8: %s: %d of %d are reachable by a job that has ended", what, left, len(all))
		}
	}
	for _, h := range hoards {
		runtime.KeepAlive(h.kept)
	}
	runtime.KeepAlive(p)
}
