package conformance

import (
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// Jobs that call Goexit, while others wait that have nothing to do with them but
// the pool, or that wait by a handle.
var poolGoexitStrangers = []poolCase{
	{"Goexit/joined_by_handle", "P16", 1, goexitJoined((*pool.Handle[int]).Join)},
	{"Goexit/joined_by_handle_elsewhere", "P16", 2, goexitJoined((*pool.Handle[int]).Join)},
	{"Goexit/waited_for_in_a_job", "P16", 1, goexitJoined(func(h *pool.Handle[int], _ *pool.Worker) (int, error) { return h.Wait(background) })},
	{"Goexit/stranger/run_waits_for_fork", "P16", 2, goexitStranger(waitForFork)},
	{"Goexit/stranger/run_waits_for_scope", "P16", 2, goexitStranger(waitForScope)},
	{"Goexit/stranger/run_waits_for_handle", "P16", 1, goexitStranger(waitForHandle)},
	{"Goexit/stranger/run_waits_for_handle_elsewhere", "P16", 2, goexitStranger(waitForHandle)},
}

// goexitJoined has a job join a submitted one that calls Goexit. It gets an error
// and goes on, and so does what it joins then.
func goexitJoined(join func(*pool.Handle[int], *pool.Worker) (int, error)) func(*run, *pool.Pool) {
	return func(r *run, p *pool.Pool) {
		r.During("P16", "Wait returns for a job that joins a submitted one which calls Goexit")
		r.Rounds(20, func(int) {
			outer := submit(r, p, func(w *pool.Worker) int {
				exits, err := pool.Submit(p, func(*pool.Worker) int { small(); runtime.Goexit(); return 0 })
				if err != nil {
					r.Report("P1", "Submit in a job returned the error %v", err)
					return 0
				}
				for range 2 {
					if _, err := join(exits, w); !errors.Is(err, pool.ErrGoexit) {
						r.Report("P16", "Join of a submitted job that called Goexit returned %v, want ErrGoexit", err)
					}
				}
				return fib(w, 5)
			})
			n, err := outer.Wait(background)
			r.Check(err == nil && n == 5, "P16", "Wait for a job that has joined one which called Goexit returned %d, %v, want 5", n, err)
		})
		fullWidth(r, p)
	}
}

// goexitStranger has callers of Run wait for jobs of their own, while jobs that
// others have submitted call Goexit.
func goexitStranger(waits func(r *run, w *pool.Worker, strangers func())) func(*run, *pool.Pool) {
	return func(r *run, p *pool.Pool) {
		r.During("P16", "Run returns whose job waits while strangers' jobs call Goexit")
		r.Rounds(20, func(int) {
			var returned atomic.Bool
			done := make(chan struct{})
			go func() {
				defer close(done)
				pool.Run(background, p, func(w *pool.Worker, _ int) int {
					waits(r, w, func() { submitExits(r, p) })
					return 0
				}, 0)
				returned.Store(true)
			}()
			r.Wait(done)
			r.Check(returned.Load(), "P16", "Run has exited its caller's goroutine, because a stranger's job called Goexit")
		})
		fullWidth(r, p)
	}
}

// submitExits submits jobs that call Goexit. Nobody waits for them.
func submitExits(r *run, p *pool.Pool) {
	submitInside(r, p, 3, func() int { runtime.Goexit(); return 0 })
}

// waitForFork waits for a fork that runs elsewhere, and that submits the
// strangers when it is waited for.
func waitForFork(_ *run, w *pool.Worker, strangers func()) {
	var m meeting
	f := pool.Fork(w, func(*pool.Worker, int) int { m.other(strangers); return 0 }, 0)
	m.wait(w)
	f.Join(w)
}

// waitForScope waits for a scope likewise.
func waitForScope(_ *run, w *pool.Worker, strangers func()) {
	var m meeting
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		s.Spawn(w, func(*pool.Worker) { m.other(strangers) })
		m.wait(w)
	})
}

// waitForHandle joins a job that is queued behind the strangers.
func waitForHandle(r *run, w *pool.Worker, strangers func()) {
	strangers()
	for _, h := range submitInside(r, w.Pool(), 2, func() int { small(); return 1 }) {
		if n, err := h.Join(w); n != 1 || err != nil {
			r.Report("P16", "Join of a job returned %d, %v while strangers' jobs called Goexit, want 1", n, err)
		}
	}
}
