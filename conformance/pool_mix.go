package conformance

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// TestMix makes several pools do everything that they can, at random and at the same time:
// forks, scopes, handles, nested calls of Run, also to other pools and back, contexts that
// are canceled, panics, Goexit, and pools that are closed early. It checks that all of this
// ends: if a job is lost, another one waits for it forever.
//
// TestMix calls newPool for each pool, and it may return a different kind each time.
// [WithStress] sets how long to continue. [TestPool] includes TestMix.
func TestMix(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	newConfig(opts).Subtest(t, "Mix", "P4", newPoolSuite(t, newPool).mix)
}

func (s poolSuite) mix(r *run) {
	rounds := 0
	for ; rounds == 0 || !r.Spent() && !r.Failed(); rounds++ {
		s.mixOnce(r)
	}
	r.T.Logf("%d rounds", rounds)
}

// A mix is one round, with pools of its own.
type mix struct {
	*run
	pools []*pool.Pool
	exits bool // jobs may call Goexit
	// handled says that the pools have a handler of panics. If not, all handles are
	// waited for: a panic that nobody is told of ends the program.
	handled bool
	// running counts the jobs that have begun and not ended.
	running atomic.Int64
}

const mixDepth = 8

// Jobs panic with a mixPanic.
type mixPanic struct{}

func chance(one int) bool { return rand.IntN(one) == 0 }

func (s poolSuite) mixOnce(r *run) {
	early := chance(2)
	m := &mix{run: r, exits: chance(2), handled: early || chance(2)}
	var opts []pool.Option
	if m.handled {
		opts = append(opts, pool.WithPanicHandler(func(*pool.PanicError) {}))
	}
	for range 1 + rand.IntN(3) {
		m.pools = append(m.pools, s.start(r, 1+rand.IntN(3), opts...))
	}
	r.During("P4", "a mix of all that %d pools can do (Goexit %t, closed early %t)", len(m.pools), m.exits, early)
	var under []<-chan struct{}
	begin := func(fn func()) { under = append(under, r.Go(fn)) }
	for range 1 + rand.IntN(6) {
		begin(func() {
			for range 4 {
				m.recovers(func() { m.visit(background, mixDepth) })
			}
		})
	}
	if early {
		for range rand.IntN(1000) {
			runtime.Gosched()
		}
		for _, p := range m.pools {
			for range 2 {
				begin(func() { m.close(p) })
			}
		}
	}
	for _, ended := range under {
		r.Wait(ended)
	}
	for _, p := range m.pools {
		m.close(p)
	}
	r.Check(m.running.Load() == 0, "P6", "all pools are closed, and %d jobs have not ended", m.running.Load())
}

func (m *mix) close(p *pool.Pool) {
	err := p.Close()
	m.Check(err == nil, "P6", "Close returned %v", err)
	m.UnwatchPool(p)
}

// recovers calls fn and recovers a panic of the mix.
func (m *mix) recovers(fn func()) {
	defer func() {
		v := recover()
		if _, ok := v.(mixPanic); v != nil && !ok {
			m.Report("P2", "panic: %v", v)
		}
	}()
	fn()
}

// visit calls Run on any of the pools, with a context that may end.
func (m *mix) visit(ctx context.Context, depth int) int {
	if chance(4) {
		limited, cancel := context.WithTimeout(ctx, time.Duration(rand.IntN(200))*time.Microsecond)
		defer cancel()
		ctx = limited
	}
	n, err := pool.Run(ctx, m.any(), m.job, depth)
	m.Check(err == nil || errors.Is(err, pool.ErrClosed) || errors.Is(err, context.DeadlineExceeded), "P7", "Run returned %v", err)
	return n
}

func (m *mix) any() *pool.Pool { return m.pools[rand.IntN(len(m.pools))] }

// job is what each job does. It makes a few moves, with jobs of less depth.
func (m *mix) job(w *pool.Worker, depth int) int {
	m.running.Add(1)
	defer m.running.Add(-1)
	if depth <= 0 || m.Failed() {
		return 1
	}
	moves := [...]func(w *pool.Worker, depth int) int{
		m.forks, m.forks, m.invokes, m.scope, m.handle, m.nest, m.nest, m.fails,
	}
	sum := 1
	for range 1 + rand.IntN(3) {
		sum += moves[rand.IntN(len(moves))](w, depth-1-rand.IntN(2))
	}
	return sum
}

// forks forks two jobs and joins them in or out of order, or only one of them.
func (m *mix) forks(w *pool.Worker, depth int) int {
	f, g := pool.Fork(w, m.job, depth), pool.Fork(w, m.job, depth)
	switch rand.IntN(3) {
	case 0:
		return g.Join(w) + f.Join(w)
	case 1:
		return f.Join(w) + g.Join(w)
	}
	return g.Join(w)
}

// invokes also goes on after a panic of one of its jobs, at times.
func (m *mix) invokes(w *pool.Worker, depth int) (n int) {
	invoke := func() {
		x, y := pool.Invoke(w, m.job, depth, m.job, depth)
		n = x + y
	}
	if chance(2) {
		m.recovers(invoke)
	} else {
		invoke()
	}
	return n
}

// scope checks that a scope is not left before its jobs have ended.
func (m *mix) scope(w *pool.Worker, depth int) int {
	var pending atomic.Int32
	defer func() {
		n := pending.Load()
		m.Check(n == 0, "P2", "a scope was left before %d of its jobs have ended", n)
	}()
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range rand.IntN(4) {
			pending.Add(1)
			s.Spawn(w, func(w *pool.Worker) {
				defer pending.Add(-1)
				m.job(w, depth)
			})
		}
	})
	return 1
}

// handle submits a job and joins it, waits for it, waits for a while, or does not.
func (m *mix) handle(w *pool.Worker, depth int) int {
	h, err := pool.Submit(m.any(), func(w *pool.Worker) int { return m.job(w, depth) })
	if err != nil {
		m.Check(errors.Is(err, pool.ErrClosed), "P7", "Submit returned %v", err)
		return 0
	}
	n := 0
	switch rand.IntN(4) {
	case 0:
		n, _ = h.Join(w)
	case 1:
		n, _ = h.Wait(background)
	case 2:
		ctx, cancel := context.WithTimeout(background, time.Duration(rand.IntN(100))*time.Microsecond)
		defer cancel()
		n, _ = h.Wait(ctx)
	}
	if !m.handled {
		n, _ = h.Wait(background)
	}
	return n
}

func (m *mix) nest(w *pool.Worker, depth int) int {
	ctx := background
	if chance(3) {
		ctx = pool.NewContext(background, w)
	}
	return m.visit(ctx, depth)
}

func (m *mix) fails(*pool.Worker, int) int {
	switch {
	case chance(3):
		panic(mixPanic{})
	case m.exits && chance(4):
		runtime.Goexit()
	}
	runtime.Gosched()
	return 0
}
