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

// TestMix has pools do, at random, all that they can, at the same time: forks,
// scopes, Runs in jobs, also of other pools and back, handles, contexts that
// end, panics, Goexit, and pools that are closed early. Whatever comes of it, it
// must come to an end: a job that is lost somewhere is awaited elsewhere.
//
// newPool is called for each pool, and may return another kind each time.
// [WithStress] says for how long to go on. [TestPool] includes it.
func TestMix(t *testing.T, newPool func(opts ...pool.Option) (*pool.Pool, error), opts ...Option) {
	newConfig(opts).Subtest(t, "Mix", "P4", newPoolSuite(t, newPool).mix)
}

func (s poolSuite) mix(r *run) {
	rounds := 0
	for ; rounds == 0 || !r.Spent() && !r.Failed(); rounds++ {
		s.mixOnce(r, r.RNG.Uint64())
	}
	r.T.Logf("%d rounds", rounds)
}

// mixOnce is a round, with pools of its own. Its seed decides which steps are
// done, but not in which order.
func (s poolSuite) mixOnce(r *run, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	early := rng.IntN(2) == 0
	m := &mix{run: r, exits: rng.IntN(2) == 0, handled: early || rng.IntN(2) == 0}
	var opts []pool.Option
	if m.handled {
		opts = append(opts, pool.WithPanicHandler(func(*pool.PanicError) {}))
	}
	for range 1 + rng.IntN(3) {
		m.pools = append(m.pools, s.start(r, 1+rng.IntN(3), opts...))
	}
	r.During("P4", "a mix of all that %d pools can do (seed %#x, Goexit %t, closed early %t)", len(m.pools), seed, m.exits, early)
	var under []<-chan struct{}
	begin := func(fn func()) { under = append(under, r.Go(fn)) }
	for range 1 + rng.IntN(6) {
		its := rand.New(rand.NewPCG(rng.Uint64(), 0))
		begin(func() { m.caller(its) })
	}
	if early {
		for range rng.IntN(1000) {
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

// A mix is one round.
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

// Jobs panic with a mixPanic.
type mixPanic uint64

func (m *mix) close(p *pool.Pool) {
	err := p.Close()
	m.Check(err == nil, "P6", "Close returned %v", err)
}

// caller calls Run a few times from outside.
func (m *mix) caller(rng *rand.Rand) {
	for range 4 {
		func() {
			defer m.sober()
			m.visit(rng, background, mixDepth)
		}()
	}
}

const mixDepth = 8

// sober recovers a panic of the mix, and reports any other.
func (m *mix) sober() {
	v := recover()
	if _, ok := v.(mixPanic); v != nil && !ok {
		m.Report("P2", "panic: %v", v)
	}
}

// visit calls Run on any of the pools, with a context that may end.
func (m *mix) visit(rng *rand.Rand, ctx context.Context, depth int) int {
	i, job := m.job(rng, depth)
	if rng.IntN(4) == 0 {
		limited, cancel := context.WithTimeout(ctx, time.Duration(rng.IntN(200))*time.Microsecond)
		defer cancel()
		ctx = limited
	}
	n, err := pool.Run(ctx, m.pools[i], func(w *pool.Worker, _ int) int { return job(w) }, 0)
	m.Check(err == nil || errors.Is(err, pool.ErrClosed) || errors.Is(err, context.DeadlineExceeded), "P7", "Run returned %v", err)
	return n
}

// job makes a job for one of the pools.
func (m *mix) job(rng *rand.Rand, depth int) (i int, job func(w *pool.Worker) int) {
	seed := rng.Uint64()
	less := depth - 1 - rng.IntN(2)
	return rng.IntN(len(m.pools)), func(w *pool.Worker) int { return m.play(w, rand.New(rand.NewPCG(seed, 0)), less) }
}

// Each job calls play.
func (m *mix) play(w *pool.Worker, rng *rand.Rand, depth int) int {
	m.running.Add(1)
	defer m.running.Add(-1)
	if depth <= 0 || m.Failed() {
		return 1
	}
	moves := [...]func(w *pool.Worker, rng *rand.Rand, depth int) int{
		m.forks, m.forks, m.join, m.scope, m.handle,
		m.nest, m.nest, m.recovers, m.fails,
	}
	sum := 1
	for range 1 + rng.IntN(3) {
		sum += moves[rng.IntN(len(moves))](w, rng, depth)
	}
	return sum
}

// forks forks two jobs and joins them in or out of order, or only one of them.
func (m *mix) forks(w *pool.Worker, rng *rand.Rand, depth int) int {
	_, a := m.job(rng, depth)
	_, b := m.job(rng, depth)
	f := pool.Fork(w, func(w *pool.Worker, _ int) int { return a(w) }, 0)
	g := pool.Fork(w, func(w *pool.Worker, _ int) int { return b(w) }, 0)
	switch rng.IntN(3) {
	case 0:
		return g.Join(w) + f.Join(w)
	case 1:
		return f.Join(w) + g.Join(w)
	}
	return g.Join(w)
}

func (m *mix) join(w *pool.Worker, rng *rand.Rand, depth int) int {
	_, a := m.job(rng, depth)
	_, b := m.job(rng, depth)
	x, y := pool.Both(w, a, b)
	return x + y
}

// scope checks that a scope is not left before its jobs have ended.
func (m *mix) scope(w *pool.Worker, rng *rand.Rand, depth int) int {
	var pending atomic.Int32
	defer func() {
		n := pending.Load()
		m.Check(n == 0, "P2", "a scope was left before %d of its jobs have ended", n)
	}()
	w.Scope(func(w *pool.Worker, s *pool.Scope) {
		for range rng.IntN(4) {
			_, job := m.job(rng, depth)
			pending.Add(1)
			s.Spawn(w, func(w *pool.Worker) {
				defer pending.Add(-1)
				job(w)
			})
		}
	})
	return 1
}

// handle submits a job and joins it, waits for it, waits for a while, or does
// not.
func (m *mix) handle(w *pool.Worker, rng *rand.Rand, depth int) int {
	i, job := m.job(rng, depth)
	h, err := pool.Submit(m.pools[i], job)
	if err != nil {
		m.Check(errors.Is(err, pool.ErrClosed), "P7", "Submit returned %v", err)
		return 0
	}
	n := 0
	switch rng.IntN(4) {
	case 0:
		n, _ = h.Join(w)
	case 1:
		n, _ = h.Wait(background)
	case 2:
		ctx, cancel := context.WithTimeout(background, time.Duration(rng.IntN(100))*time.Microsecond)
		defer cancel()
		n, _ = h.Wait(ctx)
	}
	if !m.handled {
		n, _ = h.Wait(background)
	}
	return n
}

func (m *mix) nest(w *pool.Worker, rng *rand.Rand, depth int) int {
	ctx := background
	if rng.IntN(3) == 0 {
		ctx = pool.NewContext(background, w)
	}
	return m.visit(rng, ctx, depth-1)
}

func (m *mix) recovers(w *pool.Worker, rng *rand.Rand, depth int) (n int) {
	defer m.sober()
	_, job := m.job(rng, depth)
	return job(w)
}

func (m *mix) fails(_ *pool.Worker, rng *rand.Rand, _ int) int {
	switch {
	case rng.IntN(3) == 0:
		panic(mixPanic(rng.Uint64()))
	case m.exits && rng.IntN(4) == 0:
		runtime.Goexit()
	}
	runtime.Gosched()
	return 0
}
