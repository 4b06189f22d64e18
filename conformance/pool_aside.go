package conformance

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Small programs that hold a lock across a wait, each aimed at one mistake in
// what a waiting job may run. They all end with a goroutine for each job. So they
// must end on one worker, two and three. As many jobs want the lock as there are
// workers, so that they can keep all of them.
var poolAside = []poolCase{
	{name: "Aside/own_other_fork", rule: "P14", run: aside(ownOtherFork)},
	{name: "Aside/beneath_a_stranger", rule: "P14", run: aside(beneathStranger)},
	{name: "Aside/spawned_after_the_wait_began", rule: "P14", run: aside(spawnedLate(true))},
	{name: "Aside/spawned_before_the_stranger", rule: "P14", run: aside(spawnedLate(false))},
	{name: "Aside/outer_scope", rule: "P14", run: aside(outerScope)},
	{name: "Aside/deadline", rule: "P14", run: aside(deadline)},
	{name: "Aside/handle_in_block", rule: "P14", run: aside(handleInBlock)},
}

// asideWorkers are the numbers of workers that the programs run on.
var asideWorkers = []int{1, 2, 3}

// An asideProgram runs as a job of w.
type asideProgram func(r *run, w *pool.Worker)

// aside runs a program some hundred times, as a job of the pool.
func aside(program asideProgram) func(*run, *pool.Pool) {
	return func(r *run, p *pool.Pool) {
		r.During("P14", "a job that holds a lock while it waits goes on, on %d workers", p.Workers())
		r.Rounds(200, func(int) {
			r.Together(func() { runOn(r, background, p, func(w *pool.Worker) { program(r, w) }) })
		})
	}
}

// A meeting makes it likely, never sure, that a job waits for another one that
// runs elsewhere: the other one begins first, and ends after the wait has begun.
// Each side gives up after a while, because the other need not come.
type meeting struct{ begun, waiting atomic.Bool }

// other is the awaited job. It calls last before it ends.
func (m *meeting) other(last func()) {
	m.begun.Store(true)
	for i := 0; i < 200 && !m.waiting.Load(); i++ {
		runtime.Gosched()
	}
	m.linger()
	last()
	m.linger()
}

// linger gives the waiting job time to begin its wait.
func (m *meeting) linger() {
	for range rand.IntN(50) {
		runtime.Gosched()
	}
}

// The waiting job calls wait before it takes its lock.
func (m *meeting) wait(w *pool.Worker) {
	for i := 0; w.Pool().Workers() > 1 && i < 200 && !m.begun.Load(); i++ {
		runtime.Gosched()
	}
	m.waiting.Store(true)
}

// takes takes the lock and lets it go.
func takes(l *sync.Mutex) {
	l.Lock()
	runtime.Gosched()
	l.Unlock()
}

// spawnStrangers spawns jobs that want the lock, one for each worker.
func spawnStrangers(w *pool.Worker, s *pool.Scope, l *sync.Mutex) {
	for range w.Pool().Workers() {
		s.Spawn(w, func(*pool.Worker) { takes(l) })
	}
}

// ownOtherFork waits for a fork that another worker runs, when it has forked jobs
// that want its lock.
func ownOtherFork(_ *run, w *pool.Worker) {
	var l sync.Mutex
	var m meeting
	f := pool.Fork(w, func(*pool.Worker, int) int { m.other(func() {}); return 0 }, 0)
	var others []pool.Forked[int, int]
	for range w.Pool().Workers() {
		others = append(others, pool.Fork(w, func(*pool.Worker, int) int { takes(&l); return 0 }, 0))
	}
	m.wait(w)
	l.Lock()
	f.Join(w)
	l.Unlock()
	for _, g := range slices.Backward(others) {
		g.Join(w)
	}
}

// beneathStranger waits for a scope when the newest jobs that its worker has are
// those of an outer scope, which want its lock.
func beneathStranger(_ *run, w *pool.Worker) {
	var l sync.Mutex
	w.Scope(func(w *pool.Worker, outer *pool.Scope) {
		l.Lock()
		w.Scope(func(w *pool.Worker, inner *pool.Scope) {
			inner.Spawn(w, func(*pool.Worker) { runtime.Gosched() })
			spawnStrangers(w, outer, &l)
		})
		l.Unlock()
	})
}

// spawnedLate waits for a scope whose only job runs elsewhere. That one spawns
// another job of the scope, and jobs of an outer scope, which want the lock.
func spawnedLate(strangerLast bool) asideProgram {
	return func(_ *run, w *pool.Worker) {
		var l sync.Mutex
		var m meeting
		w.Scope(func(w *pool.Worker, outer *pool.Scope) {
			w.Scope(func(w *pool.Worker, inner *pool.Scope) {
				inner.Spawn(w, func(w *pool.Worker) {
					m.other(func() {
						if !strangerLast {
							spawnStrangers(w, outer, &l)
						}
						inner.Spawn(w, func(*pool.Worker) { runtime.Gosched() })
						if strangerLast {
							spawnStrangers(w, outer, &l)
						}
					})
				})
				m.wait(w)
				l.Lock()
			})
			l.Unlock()
		})
	}
}

// outerScope waits for a fork that runs elsewhere and spawns jobs into an outer
// scope, which want the lock.
func outerScope(_ *run, w *pool.Worker) {
	var l sync.Mutex
	var m meeting
	w.Scope(func(w *pool.Worker, outer *pool.Scope) {
		f := pool.Fork(w, func(w *pool.Worker, _ int) int {
			m.other(func() { spawnStrangers(w, outer, &l) })
			return 0
		}, 0)
		m.wait(w)
		l.Lock()
		f.Join(w)
		l.Unlock()
	})
}

// deadline waits, for a limited time, for one of the submitted jobs that want its
// lock.
func deadline(r *run, w *pool.Worker) {
	var l sync.Mutex
	wants := func(*pool.Worker, int) int { takes(&l); return 7 }
	wanting := submitLeaves(r, w.Pool(), wants, make([]int, w.Pool().Workers()+1))
	ctx, cancel := context.WithTimeout(background, time.Duration(rand.IntN(200))*time.Microsecond)
	defer cancel()
	l.Lock()
	n, err := wanting[0].Wait(ctx)
	l.Unlock()
	if err == nil && n != 7 || err != nil && err != context.DeadlineExceeded {
		r.Report("P1", "Wait with a deadline returned %d, %v, want 7 or the context's error", n, err)
	}
	for _, h := range wanting {
		if n, err := h.Join(w); n != 7 || err != nil {
			r.Report("P1", "Join, after a Wait with a deadline, returned %d, %v, want 7", n, err)
		}
	}
}

// handleInBlock waits in Block for the last of its submitted jobs. As many as there
// are workers come before that one, and want its lock.
func handleInBlock(r *run, w *pool.Worker) {
	var l sync.Mutex
	l.Lock()
	n := w.Pool().Workers()
	handles := submitLeaves(r, w.Pool(), func(_ *pool.Worker, i int) int {
		if i < n {
			takes(&l)
		}
		return 7
	}, numbers(n+1))
	w.Block(func() {
		for _, h := range handles[min(n, len(handles)):] {
			if n, err := h.Wait(background); n != 7 || err != nil {
				r.Report("P1", "Wait in Block returned %d, %v, want 7", n, err)
			}
		}
	})
	l.Unlock()
	for _, h := range handles {
		h.Join(w)
	}
}
