package conformance

import (
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

var poolGoexits = []poolCase{
	{"Goexit/submitted", "P3", 2, goexitSubmitted},
	{"Goexit/run", "P3", 2, goexitInRun},
	{"Goexit/forked", "P3", 2, goexitForked},
	{"Goexit/stolen", "P3", 2, goexitStolen},
	{"Goexit/spawned", "P3", 2, goexitSpawned},
}

func goexitSubmitted(r *run, p *pool.Pool) {
	for range 10 {
		h := submit(r, p, func(*pool.Worker) int { runtime.Goexit(); return 0 })
		for range 2 {
			_, err := h.Wait(background)
			r.Check(errors.Is(err, pool.ErrGoexit), "P3", "Wait for a job that called Goexit returned %v, want ErrGoexit", err)
		}
	}
	fullWidth(r, p)
}

// exits calls f on a goroutine of its own and checks that it does not come
// back, and does not panic either.
func exits(r *run, f func()) {
	r.T.Helper()
	done := make(chan struct{})
	var returned bool
	var panicked any
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		f()
		returned = true
	}()
	r.Wait(done)
	r.Check(!returned && panicked == nil, "P3", "a call whose job called Goexit returned (%t) or panicked (%v), and should have exited its goroutine", returned, panicked)
}

func goexitInRun(r *run, p *pool.Pool) {
	r.During("P3", "a caller of Run exits whose function called Goexit")
	for range 10 {
		exits(r, func() {
			pool.Run(background, p, func(*pool.Worker, int) int { runtime.Goexit(); return 0 }, 0)
		})
	}
	free := blockWorkers(r, p, p.Workers())
	var wasQueued atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		exits(r, func() {
			wasQueued.Store(true)
			pool.Run(background, p, func(*pool.Worker, int) int { runtime.Goexit(); return 0 }, 0)
		})
	}()
	r.Until(wasQueued.Load)
	free()
	r.Wait(done)
	fullWidth(r, p)
}

func goexitForked(r *run, p *pool.Pool) {
	for range 10 {
		var after atomic.Bool
		h := submit(r, p, func(w *pool.Worker) int {
			f := pool.Fork(w, func(*pool.Worker, int) int { runtime.Goexit(); return 0 }, 0)
			f.Join(w)
			after.Store(true)
			return 0
		})
		_, err := h.Wait(background)
		r.Check(errors.Is(err, pool.ErrGoexit), "P3", "Wait for a job that joined one which called Goexit returned %v, want ErrGoexit", err)
		r.Check(!after.Load(), "P3", "Join of a fork that called Goexit returned")
	}
	fullWidth(r, p)
}

func goexitStolen(r *run, p *pool.Pool) {
	for range 5 {
		var after atomic.Bool
		h := submit(r, p, func(w *pool.Worker) int {
			apart(r, w, func(*pool.Worker) {}, func(*pool.Worker) { runtime.Goexit() })
			after.Store(true)
			return 0
		})
		r.During("P3", "Wait returns for a job that joined a stolen one which called Goexit")
		_, err := h.Wait(background)
		r.Check(errors.Is(err, pool.ErrGoexit), "P3", "Wait for a job that joined a stolen one which called Goexit returned %v, want ErrGoexit", err)
		r.Check(!after.Load(), "P3", "Join of a stolen fork that called Goexit returned")
	}
	fullWidth(r, p)
}

func goexitSpawned(r *run, p *pool.Pool) {
	for range 5 {
		h := submit(r, p, func(w *pool.Worker) int {
			w.Scope(func(w *pool.Worker, s *pool.Scope) {
				for i := range 4 {
					s.Spawn(w, func(*pool.Worker) {
						if i == 2 {
							runtime.Goexit()
						}
					})
				}
			})
			return 0
		})
		r.During("P3", "Wait returns for a job in whose scope a job called Goexit")
		_, err := h.Wait(background)
		r.Check(errors.Is(err, pool.ErrGoexit), "P3", "Wait for a job in whose scope a job called Goexit returned %v, want ErrGoexit", err)
	}
	fullWidth(r, p)
}
