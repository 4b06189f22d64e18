package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// If this fails, one that looks for the cost of steals counts what was taken along with
// others, which costs next to nothing, or misses a steal.
func TestStatsOfStealsOfSeveral(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithEagerPublish()))
	during(t, "P5", "forks run on another worker", func() {
		do(t, p, func(w *pool.Worker) {
			_, release := held(t, p) // there is no thief yet
			var ran atomic.Int32
			var forks [8]pool.Forked[int, int]
			for i := range forks {
				forks[i] = fork(w, func(*pool.Worker) int { ran.Add(1); return 1 })
			}
			release()
			until(t, "the other worker has done all forks", func() bool { return ran.Load() == 8 })
			// It finds 8 and takes half of the 7 that are left along; then it finds 4, and
			// takes one along, then 2, then 1.
			n := p.Stats().Steals
			expect(t, n == 4, "P26: a worker has taken 8 jobs from another one, in 4 steals, and the count is %d", n)
			joinAll(w, forks[:])
		})
	})
}

// A tally is what a program has done that Stats counts.
type tally struct{ forks, spawned, outside, blocks atomic.Uint64 }

// tree forks in each way that there is, and spawns.
func (c *tally) tree(w *pool.Worker, depth int) int {
	if depth == 0 {
		return 1
	}
	var a, b int
	below := func(w *pool.Worker) int { return c.tree(w, depth-1) }
	if depth%4 == 3 {
		c.blocks.Add(1)
		w.Block(func() {}) // another worker has the seat then
		w.Scope(func(w *pool.Worker, s *pool.Scope) {
			c.spawned.Add(2)
			s.Spawn(w, func(w *pool.Worker) { a = below(w) })
			s.Spawn(w, func(w *pool.Worker) { b = below(w) })
		})
		return a + b
	}
	c.forks.Add(1)
	switch depth % 4 {
	case 0:
		f := fork(w, below)
		b = below(w)
		a = f.Join(w)
	case 1:
		a, b = pool.Invoke(w, c.tree, depth-1, c.tree, depth-1)
	default:
		a, b = pool.Both(w, below, below)
	}
	return a + b
}

// Programs count what they do, from several goroutines at once, and so does the pool.
func TestStatsCountOnce(t *testing.T) {
	for _, depth := range []int{0, 6} {
		eachMode(t, "P26", "jobs end whose forks are counted", func(t *testing.T, p *pool.Pool) {
			countedAs(t, p, strings.Contains(t.Name(), "eager"), depth)
		})
	}
}

// countedAs runs trees of so many levels on the pool, and closes it. Without a level a
// job neither forks nor waits.
func countedAs(t *testing.T, p *pool.Pool, eager bool, depth int) {
	const rounds, callers = 10, 2
	var c tally
	stop, watched := make(chan bool), make(chan bool)
	go func() {
		defer close(watched)
		for last := p.Stats(); ; {
			now := p.Stats()
			notLess(t, last, now)
			last = now
			select {
			case <-stop:
				return
			default:
				runtime.Gosched() // on js/wasm nothing else runs meanwhile
			}
		}
	}()
	job := func(w *pool.Worker) int { return c.tree(w, depth) }
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range rounds {
				got, err := pool.Run(background, p, c.tree, depth)
				if err != nil {
					t.Errorf("P1: Run returned the error %v", err)
					return
				}
				for _, h := range submittedAll(t, p, job, job, job) {
					n, _ := h.Wait(background)
					got += n
				}
				c.outside.Add(4)
				equal(t, got, 4<<depth, "P1: the number of leaves of four trees is")
			}
		})
	}
	all.Wait()
	until(t, "all forks are counted of a pool at rest", func() bool { return p.Stats().Forks >= c.forks.Load() })
	close(stop)
	<-watched
	p.Close()
	got := p.Stats()
	check(t, got.Workers == p.Workers(), "P26: Stats of a pool of %d workers says %d", p.Workers(), got.Workers)
	check(t, got.Forks == c.forks.Load(), "P26: %d forks are counted, want %d: %+v", got.Forks, c.forks.Load(), got)
	check(t, got.Spawned == c.spawned.Load(), "P26: %d spawned jobs are counted, want %d: %+v", got.Spawned, c.spawned.Load(), got)
	check(t, got.Published <= got.Forks, "P26: more forks are counted as published than there were: %+v", got)
	check(t, !eager || got.Published == got.Forks, "P26: with WithEagerPublish not all forks are counted as published: %+v", got)
	// A job that goes on after a wait may borrow a seat, too, or be a guest.
	began, outside, waits := got.Injected+got.Borrowed+got.Seatless, c.outside.Load(), depth > 0
	check(t, began == outside || waits && began > outside,
		"P26: jobs are counted as queued, seats as borrowed and guests, for %d jobs from outside; jobs wait: %t; %+v", outside, waits, got)
	check(t, got.Injected <= outside, "P26: more jobs from outside are counted as queued than the %d that there were: %+v", outside, got)
	// Queued jobs are taken several at a time, and lie in a deque then.
	check(t, got.Steals <= got.Published+got.Spawned+got.Injected, "P26: more steals are counted than jobs that could be stolen: %+v", got)
	// A job may give up its seat for a join or a scope whose latch is set by then: that
	// one is not set aside. Each Block is followed by a scope.
	left := c.forks.Load() + 2*c.blocks.Load()
	check(t, got.Seatless <= left+outside,
		"P26: more guests are counted than have come from outside, joined, left a scope or been in Block, %d times: %+v", left+outside, got)
	check(t, got.SetAside <= left-c.blocks.Load(),
		"P26: more jobs are counted as set aside than have joined or left a scope, of %d and Blocks: %+v", left, got)
}

// notLess checks that no count has gone down.
func notLess(t *testing.T, last, now pool.Stats) {
	was, is := reflect.ValueOf(last), reflect.ValueOf(now)
	for i := range was.NumField() {
		if f := was.Field(i); f.CanUint() {
			expect(t, is.Field(i).Uint() >= f.Uint(), "P26: a count of %+v went down since %+v", now, last)
		}
	}
}

// jobCounts are what Stats counts of jobs from outside, and of calls of Run inside.
type jobCounts struct{ submitted, refused, canceled uint64 }

// beginEach has fn begin in each way that there is, 10 times in all.
func beginEach(t *testing.T, p *pool.Pool, fn func(w *pool.Worker) int) {
	withContext := func(_ context.Context, w *pool.Worker) (int, error) { return fn(w), nil }
	for _, call := range []func(){
		func() { enter(t, p, fn) },
		func() { byRunErr(background, p, withContext) },
		func() { runHere(p, func(w *pool.Worker, _ int) int { return fn(w) }, 0) },
		func() {
			pool.RunGroup(background, p, func(_ context.Context, w *pool.Worker, _ *pool.Group) error { fn(w); return nil })
		},
	} {
		endOf(call) // it may panic, or exit
	}
	bySubmitErr(background, p, withContext)
	for _, h := range append(submittedAll(t, p, fn, fn, fn), submitted(t, p, fn)) {
		h.Wait(background)
	}
	ended := make(chan bool)
	noError(t, pool.Go(p, func(w *pool.Worker) { defer close(ended); fn(w) }), "P1: Go returned")
	<-ended
}

// A silent context has an end that nobody is told of.
type silent struct {
	context.Context
	over atomic.Bool
}

func (c *silent) Err() error {
	if c.over.Load() {
		return context.Canceled
	}
	return nil
}

// If this fails, a dashboard shows jobs that have ended as if they were in the pool, or misses jobs.
func TestStatsOfJobs(t *testing.T) {
	eachWay := func(times uint64, fn func(t *testing.T, w *pool.Worker, other *pool.Pool) int) func(t *testing.T, p, other *pool.Pool) jobCounts {
		return func(t *testing.T, p, other *pool.Pool) jobCounts {
			beginEach(t, p, func(w *pool.Worker) int { return fn(t, w, other) })
			return jobCounts{submitted: 10 * times}
		}
	}
	for name, run := range map[string]func(t *testing.T, p, other *pool.Pool) jobCounts{
		"returns": eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return 0 }),
		"panics":  eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return raiser(w) }),
		"exits":   eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return exiter(w) }),
		"forks":   eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return fib(w, 8) }),
		"spawns": eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int {
			scopeOfMany(w, 9, func(*pool.Worker) {})
			return 0
		}),
		"blocks": eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { w.Block(func() {}); return 0 }),
		"panics in Block": eachWay(1, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int {
			w.Block(func() { raiser(w) })
			return 0
		}),
		"runs inside": eachWay(2, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return runInJob(w, nothing) }),
		"runs inside Block": eachWay(2, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int {
			w.Block(func() { runInJob(w, nothing) })
			return 0
		}),
		"panics inside": eachWay(2, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return runInJob(w, raiser) }),
		"exits inside":  eachWay(2, func(_ *testing.T, w *pool.Worker, _ *pool.Pool) int { return runInJob(w, exiter) }),
		"has another pool on top": eachWay(1, func(t *testing.T, _ *pool.Worker, other *pool.Pool) int {
			return enter(t, other, nothing)
		}),
		"runs inside, on another pool": eachWay(2, func(t *testing.T, w *pool.Worker, other *pool.Pool) int {
			return enter(t, other, func(*pool.Worker) int { return enter(t, w.Pool(), nothing) })
		}),
		"joins": eachWay(2, func(t *testing.T, w *pool.Worker, _ *pool.Pool) int {
			n, _ := submitted(t, w.Pool(), nothing).Join(w)
			return n
		}),
		"canceled": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			free := hold(t, p, p.Workers())
			submitted(t, p, never(t)).Cancel()
			runs := submitted(t, p, nothing)
			free()
			result(t, runs)
			expect(t, !runs.Cancel(), "P20: a job was taken back that had ended")
			return jobCounts{submitted: uint64(p.Workers()) + 2, canceled: 1}
		},
		"context ends": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			free := hold(t, p, p.Workers())
			ctx, cancel := context.WithCancel(background)
			fn := func(_ context.Context, w *pool.Worker) (int, error) { return never(t)(w), nil }
			submittedErr(t, p, ctx, fn)
			done := queued(t, p, func() { bySubmitErr(ctx, p, fn) })
			cancel()
			<-done
			byRun(ctx, p, fn) // which is not asked of the pool
			free()
			return jobCounts{submitted: uint64(p.Workers()) + 2, canceled: 2}
		},
		"context has ended, and does not say so": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			ctx := &silent{Context: background}
			free := hold(t, p, p.Workers())
			h := submittedErr(t, p, ctx, func(_ context.Context, w *pool.Worker) (int, error) { return never(t)(w), nil })
			ctx.over.Store(true)
			free()
			fails(t, context.Canceled, "P20: a job whose context has ended returned")(h.Wait(background))
			return jobCounts{submitted: uint64(p.Workers()) + 1, canceled: 1}
		},
		"closed": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			noError(t, p.Close(), "P6: Close returned")
			refuses(t, p)
			fails(t, pool.ErrClosed, "P6: Run of a closed pool returned")(byRun(background, p, nil))
			fails(t, pool.ErrClosed, "P6: loops.Run of a closed pool returned")(runHere(p, fib, 1))
			return jobCounts{submitted: 5, refused: 5}
		},
		"closing": func(t *testing.T, p, _ *pool.Pool) (want jobCounts) {
			var closing chan error
			do(t, p, func(w *pool.Worker) {
				closing = going(p.Close)
				until(t, "the pool is closing", func() bool {
					want.submitted++
					_, err := pool.Submit(p, nothing)
					if err != nil { // ErrFull, or ErrClosed
						want.refused++
					}
					return err == pool.ErrClosed
				})
				runInJob(w, nothing)
				runHere(p, fib, 5)
			})
			noError(t, <-closing, "P6: Close returned")
			want.submitted += 3
			return want
		},
		"shut down": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			free := hold(t, p, p.Workers())
			submittedAll(t, p, never(t), never(t))
			submitted(t, p, never(t))
			noError(t, pool.Go(p, func(w *pool.Worker) { never(t)(w) }), "P7: Go returned")
			equal(t, p.Shutdown(ended), ended.Err(), "P25: Shutdown returned")
			free()
			return jobCounts{submitted: uint64(p.Workers()) + 4, canceled: 4}
		},
		"shut down when a worker has taken it": func(t *testing.T, p, _ *pool.Pool) jobCounts {
			p.Abandon()
			untilSleeping(t, p) // so a seat begins the job at once
			fails(t, pool.ErrCanceled, "P25: a job of a pool that was shut down returned")(submitted(t, p, never(t)).Wait(background))
			untilSleeping(t, p)
			noError(t, pool.Go(p, func(w *pool.Worker) { never(t)(w) }), "P7: Go returned")
			return jobCounts{submitted: 2, canceled: 2}
		},
	} {
		for _, limit := range []int{0, 40} {
			for _, workers := range []int{1, 3} {
				subtest(t, fmt.Sprintf("%s/limit=%d/workers=%d", name, limit, workers), "P26", "jobs end that Stats counts", func(t *testing.T) {
					opts := []pool.Option{pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) {})}
					if limit > 0 {
						opts = append(opts, pool.WithQueueLimit(limit))
					}
					p := newPool(t, opts...)
					want := run(t, p, newPool(t, opts...))
					noError(t, p.Close(), "P6: Close returned")
					nobodyIn(t, p)
					s := p.Stats()
					equal(t, jobCounts{s.Submitted, s.Refused, s.Canceled}, want, "P26: Stats counts as submitted, refused and canceled")
				})
			}
		}
	}
}

// A muddle does what there is to do in a pool, at random, and in a second one beneath.
type muddle struct {
	p, other *pool.Pool
	// calls are those of p, but for those whose context may have ended before.
	calls atomic.Uint64
}

// job calls others, up to so many levels deep, and returns, panics or exits.
func (m *muddle) job(w *pool.Worker, dice *rand.Rand, depth int) int {
	if depth == 0 {
		switch dice.IntN(8) {
		case 0:
			return raiser(w)
		case 1:
			return exiter(w)
		}
		return fib(w, 3)
	}
	mine := rand.New(rand.NewPCG(dice.Uint64(), 0)) // another job has it
	below := func(w *pool.Worker) int { return m.job(w, mine, depth-1) }
	withContext := func(_ context.Context, w *pool.Worker) (int, error) { return below(w), nil }
	calls := uint64(1)
	what := dice.IntN(13)
	switch what {
	case 4:
		calls = 3
	case 5, 8, 9, 10, 11, 12:
		calls = 0
	}
	m.calls.Add(calls)
	switch what {
	case 0:
		pool.Run(background, m.p, func(w *pool.Worker, _ int) int { return below(w) }, 0)
	case 1:
		runHere(m.p, func(w *pool.Worker, _ int) int { return below(w) }, 0)
	case 2:
		pool.RunGroup(background, m.p, func(_ context.Context, w *pool.Worker, g *pool.Group) error {
			g.Spawn(w, func(_ context.Context, w *pool.Worker) error { below(w); return nil })
			return nil
		})
	case 3:
		if h, err := pool.Submit(m.p, below); err == nil {
			if dice.IntN(2) == 0 {
				h.Cancel()
			}
			h.Wait(background)
		}
	case 4:
		for range 3 {
			if h, err := pool.Submit(m.p, nothing); err == nil {
				h.Cancel()
			}
		}
	case 5:
		ctx, cancel := context.WithCancel(background)
		go cancel()
		bySubmitErr(ctx, m.p, withContext)
	case 6:
		m.p.Stats()
		pool.Go(m.p, func(w *pool.Worker) { below(w) })
	case 7:
		pool.Run(background, m.p, func(w *pool.Worker, _ int) int { w.Block(func() { w.Block(func() { below(w) }) }); return 0 }, 0)
	case 8:
		pool.BlockHere(func() { pool.BlockHere(func() { m.job(w, dice, depth-1) }) })
	case 9:
		if w != nil && w.Pool() == m.p {
			fork(w, below).Join(w)
		}
	case 10:
		if w != nil && w.Pool() == m.p {
			w.Block(func() { m.job(nil, dice, depth-1) })
		}
	default:
		pool.Run(background, m.other, func(*pool.Worker, int) int { return m.job(nil, mine, depth-1) }, 0)
	}
	return 0
}

// If this fails, a dashboard shows jobs, or calls that wait, of a pool that has none.
func TestStatsAtRest(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	for _, limit := range []int{0, 3} {
		for _, workers := range []int{1, 4, 64} {
			for _, early := range []bool{false, true} {
				subtest(t, fmt.Sprintf("limit=%d/workers=%d/shutdown=%t", limit, workers, early), "P26", "jobs of all kinds end", func(t *testing.T) {
					opts := []pool.Option{pool.WithWorkers(workers), pool.WithPanicHandler(func(*pool.PanicError) {})}
					if limit > 0 {
						opts = append(opts, pool.WithQueueLimit(limit))
					}
					m := &muddle{p: newPool(t, opts...), other: newPool(t, opts...)}
					var callers sync.WaitGroup
					for i := range 6 {
						dice := rand.New(rand.NewPCG(uint64(i), uint64(workers)))
						callers.Go(func() {
							for range rounds {
								endOf(func() { m.job(nil, dice, 4) })
							}
						})
					}
					if early {
						until(t, "some jobs have come", func() bool { return m.p.Stats().Submitted > 5 })
						m.p.Shutdown(ended)
					}
					callers.Wait()
					if early {
						noError(t, m.p.Close(), "P6: Close returned")
						nobodyIn(t, m.p)
						return
					}
					for _, p := range []*pool.Pool{m.p, m.other} {
						until(t, "Stats says of a pool at rest that it has no jobs", func() bool {
							s := p.Stats()
							return s.Queued|s.Running|s.RunningSeatless|s.Waiting|s.Blocked == 0 && s.Sleeping == workers && s.Submitted == s.Ended
						})
					}
					s := m.p.Stats()
					expect(t, s.Submitted >= m.calls.Load() && s.Refused+s.Canceled <= s.Ended,
						"P26: the pool was asked at least %d times, and Stats says %+v", m.calls.Load(), s)
				})
			}
		}
	}
}
