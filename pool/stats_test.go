package pool_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

// If this fails, one who looks for the reason of a delay is told of a wait, or a steal,
// that was none, or is not told of one.
func TestStatsOfAWait(t *testing.T) {
	p := asleep(t, newPool(t, pool.WithWorkers(2), pool.WithEagerPublish()))
	during(t, "P5", "a job waits for a fork that another worker runs", func() {
		do(t, p, func(w *pool.Worker) {
			begun, release := make(chan bool), make(chan bool)
			f := fork(w, func(*pool.Worker) int { close(begun); <-release; return 1 })
			<-begun
			go func() {
				until(t, "the job that joins is counted as set aside", func() bool { return p.Stats().SetAside > 0 })
				close(release)
			}()
			f.Join(w)
		})
	})
	s := p.Stats()
	expect(t, s.Forks == 1 && s.Published == 1 && s.Steals == 1 && s.SetAside == 1,
		"P26: one fork was published, stolen and waited for once: %+v", s)
	expect(t, s.Spawned == 0 && s.Seatless == 0 && s.Injected == 0,
		"P26: a job is counted as spawned, a guest or queued, and none was: %+v", s)
	expect(t, s.Borrowed > 0, "P26: Run took the seat of a worker that slept, which is not counted: %+v", s)
	during(t, "P6", "Close returns", func() { p.Close() })
	after := p.Stats()
	expect(t, after.Forks == s.Forks && after.Steals == s.Steals && after.SetAside == s.SetAside,
		"P26: after Close the counts are %+v, and were %+v", after, s)
}

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

// If this fails, one that asks how full the queue is, or how many workers have jobs, is told
// something else.
func TestStatsOfNow(t *testing.T) {
	for name, opts := range map[string][]pool.Option{"no limit": nil, "limit": {pool.WithQueueLimit(40)}} {
		subtest(t, name, "P26", "queued jobs begin", func(t *testing.T) {
			p := asleep(t, newPool(t, append(opts, pool.WithWorkers(2))...))
			is := func(queued, running int) {
				t.Helper()
				s := p.Stats()
				expect(t, s.Queued == queued && s.Running == running,
					"P26: Stats says that %d jobs are queued and %d workers have one, want %d and %d", s.Queued, s.Running, queued, running)
			}
			is(0, 0)
			begun, release := make(chan bool), make(chan bool)
			hold := func(*pool.Worker) int { begun <- true; <-release; return 1 }
			var all []*pool.Handle[int]
			for range 2 {
				all = append(all, submitted(t, p, hold))
				<-begun
			}
			is(0, 2) // they began at once, or one after the other
			do(t, p, func(w *pool.Worker) { submitted(t, p, nothing).Join(w) })
			is(0, 2) // that one began as a guest
			all = append(all, submittedTimes(t, p, 10, nothing)...)
			// One holds a worker that has taken others along.
			all = append(all, submittedAll(t, p, hold, nothing, nothing)...)
			is(13, 2)
			expect(t, all[5].Cancel() && all[14].Cancel(), "P20: a job that is queued cannot be canceled")
			is(11, 2)
			ctx, cancel := context.WithCancel(background)
			late := submittedErr(t, p, ctx, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
			is(12, 2)
			cancel()
			late.Wait(background)
			is(11, 2)
			release <- true
			<-begun // in the order of coming, so nine have ended
			is(1, 2)
			close(release)
			for _, h := range all {
				h.Wait(background)
			}
			untilSleeping(t, p)
			is(0, 0)
			do(t, p, func(w *pool.Worker) {
				is(0, 1)
				w.Block(func() {
					until(t, "its worker sleeps", func() bool { return p.Sleeping() == 2 })
					is(0, 0)
				})
			})
		})
	}
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

// If this fails, a dashboard does not show that a full queue turns jobs away.
func TestStatsOfFullQueue(t *testing.T) {
	p, free := limited(t, 1, 2)
	during(t, "P26", "jobs end that a full queue has let in", func() {
		all := fill(t, p, 2)
		for range 2 {
			_, err := pool.Submit(p, nothing)
			equal(t, err, pool.ErrFull, "P23: Submit of a job that there is no room for returned")
		}
		ctx, cancel := context.WithCancel(background)
		gone, comes := comes(p, ctx, func() {}), comes(p, background, func() {})
		cancel()
		equal(t, <-gone, context.Canceled, "P23: a SubmitErr that waited for room returned")
		s := p.Stats()
		expect(t, s.Queued == 2 && s.Submitted-s.Ended == 4,
			"P26: one job runs, two are queued, and one waits for room, and Stats says %+v", s)
		free()
		noError(t, <-comes, "P23: a RunErr that has got room returned")
		for _, h := range all {
			h.Wait(background)
		}
	})
	noError(t, p.Close(), "P6: Close returned")
	s := p.Stats()
	equal(t, jobCounts{s.Submitted, s.Refused, s.Canceled}, jobCounts{8, 4, 0},
		"P26: of 8 jobs 3 found the queue full, and one gave up its wait for room, and Stats counts as submitted, refused and canceled")
}

// If this fails, one that asks what the jobs of a pool do is told something else.
func TestStatsOfWhatJobsDo(t *testing.T) {
	p, other := poolOf(t, 2), poolOf(t, 1)
	is := func(when string, running, seatless, waiting, blocked, sleeping int) {
		t.Helper()
		got, want := [5]int{}, [5]int{running, seatless, waiting, blocked, sleeping}
		until(t, "Stats says what jobs do "+when, func() bool {
			s := p.Stats()
			got = [5]int{s.Running, s.RunningSeatless, s.Waiting, s.Blocked, s.Sleeping}
			return got == want
		})
	}
	during(t, "P26", "Stats says what jobs do", func() {
		is("at rest", 0, 0, 0, 0, 2)
		do(t, p, func(w *pool.Worker) {
			is("in a job", 1, 0, 0, 0, 1)
			inBlock := func() {
				is("in Block", 0, 0, 0, 1, 2)
				runInJob(w, func(*pool.Worker) int { is("in a Run in Block", 1, 0, 0, 0, 1); return 0 })
				is("after a Run in Block", 0, 0, 0, 1, 2)
			}
			w.Block(inBlock)
			is("after Block", 1, 0, 0, 0, 1)
			pool.BlockHere(func() { inBlock(); pool.BlockHere(inBlock) })
			do(t, other, func(*pool.Worker) {
				is("beneath a job of another pool", 1, 0, 0, 0, 1)
				pool.BlockHere(func() { is("beneath a job of another pool that blocks", 0, 0, 0, 1, 2) })
				is("beneath a job of another pool that has blocked", 0, 0, 0, 1, 2)
				runHere(p, func(*pool.Worker, int) int { is("in a Run there", 1, 0, 0, 0, 1); return 0 }, 0)
				is("after the Run there", 0, 0, 0, 1, 2)
			})
			is("after the job of another pool", 1, 0, 0, 0, 1)
			w.Block(func() {
				do(t, other, func(*pool.Worker) {
					pool.BlockHere(func() { is("in Block, beneath a job of another pool that blocks", 0, 0, 0, 1, 2) })
				})
			})
			is("after that", 1, 0, 0, 0, 1)
			recovered(func() { w.Block(func() { raiser(w) }) })
			is("after a panic in Block", 1, 0, 0, 0, 1)
			release := make(chan bool)
			f := stolen(t, w, func(*pool.Worker) int { <-release; return 1 })
			is("while a fork is stolen", 2, 0, 0, 0, 0)
			seen := going(func() error { is("while a job joins", 1, 0, 1, 0, 1); close(release); return nil })
			f.Join(w)
			<-seen
			is("after the join", 1, 0, 0, 0, 1)
		})
		first, endFirst := held(t, p)
		second, endSecond := held(t, p)
		runHere(p, func(w *pool.Worker, _ int) int {
			is("as a guest", 2, 1, 0, 0, 0)
			w.Block(func() { is("in Block, after a guest", 2, 0, 0, 1, 0) })
			is("as a guest, after Block", 2, 1, 0, 0, 0)
			pool.BlockHere(func() { is("in BlockHere, after a guest", 2, 0, 0, 1, 0) })
			is("as a guest, after BlockHere", 2, 1, 0, 0, 0)
			endFirst()
			endSecond()
			untilSleeping(t, p)
			fork(w, nothing).Join(w)
			is("with a seat, taken at a fork", 1, 0, 0, 0, 1)
			return 0
		}, 0)
		is("at rest again", 0, 0, 0, 0, 2)
		equal(t, result(t, first)+result(t, second), 14, "P1: two jobs that were held gave")
	})
}

// Of two workers both have jobs that wait for a third one, which sleeps there too. If this fails, a
// pool in which all jobs wait for each other does not look so.
func TestStatsOfManyWaits(t *testing.T) {
	p := poolOf(t, 2)
	during(t, "P26", "jobs wait for one that is in Block", func() {
		release := make(chan bool)
		last := submitted(t, p, func(w *pool.Worker) int { w.Block(func() { <-release }); return 0 })
		all := submittedTimes(t, p, 20, func(w *pool.Worker) int { n, _ := last.Join(w); return n })
		until(t, "20 jobs wait", func() bool {
			s := p.Stats()
			return s.Waiting == 20 && s.Blocked == 1 && s.Running == 0 && s.RunningSeatless == 0 && s.Submitted-s.Ended == 21
		})
		close(release)
		give(t, 0, all, "P1: a job that waited gave")
		untilSleeping(t, p)
		s := p.Stats()
		equal(t, s.SetAside, 20, "P26: the number of waits is")
		expect(t, s.Waiting == 0 && s.Submitted == s.Ended, "P26: a pool at rest has jobs: %+v", s)
	})
}

// If this fails, what Stats says of the queue is not the time that jobs waited there.
func TestStatsOfQueueTime(t *testing.T) {
	took := func(t *testing.T, count uint64, each time.Duration, bucket int, submits func(p *pool.Pool), opts ...pool.Option) {
		testrule.Bubble(t, func(t *testing.T) {
			p := newPool(t, append(opts, pool.WithWorkers(1))...)
			synctest.Wait()
			free := hold(t, p, 1) // it is not queued
			submits(p)
			time.Sleep(each)
			free()
			synctest.Wait()
			want := pool.Times{Count: count, Sum: time.Duration(count) * each}
			if count > 0 {
				want.Max = each
			}
			want.Buckets[bucket] = count
			equal(t, p.Stats().QueueTime, want, "P26: the time in the queue is")
		})
	}
	many := func(n int) func(p *pool.Pool) {
		return func(p *pool.Pool) { submittedTimes(t, p, n, nothing) }
	}
	together := func(n int) func(p *pool.Pool) {
		return func(p *pool.Pool) { submittedAll(t, p, slices.Repeat([]func(*pool.Worker) int{nothing}, n)...) }
	}
	during(t, "P26", "queued jobs begin", func() {
		took(t, 0, time.Second, 0, func(*pool.Pool) {})
		took(t, 256, time.Microsecond, 0, many(256))
		took(t, 514, time.Microsecond+1, 1, many(514))
		took(t, 514, 5*time.Millisecond, 7, many(514), pool.WithQueueLimit(600))
		took(t, 1024, time.Second, 10, many(3000)) // if more come at once
		took(t, 1, 4*time.Second, 11, together(1))
		took(t, 256, 4194304*time.Microsecond+1, 12, together(256))
		took(t, 700, time.Hour, 12, together(700), pool.WithQueueLimit(700))
		took(t, 259, time.Second, 10, func(p *pool.Pool) { together(3)(p); together(253)(p); together(3)(p) })
		took(t, 0, time.Second, 0, func(p *pool.Pool) { submitted(t, p, nothing).Cancel() })
		took(t, 1, time.Second, 10, func(p *pool.Pool) {
			go submittedErr(t, p, background, func(context.Context, *pool.Worker) (int, error) { return 1, nil })
			synctest.Wait()
		})
	})
	var none pool.Times
	for i, want := range map[int]time.Duration{0: time.Microsecond, 1: 4 * time.Microsecond, 11: 4194304 * time.Microsecond, 12: math.MaxInt64, 13: math.MaxInt64} {
		equal(t, none.Bound(i), want, "Times.Bound: the bound of bucket %d is", i)
	}
}

// A worker that finds a job each time has no rest in which to hand over its counts. If this fails, a
// dashboard of a busy pool stands still.
func TestStatsOfBusyPool(t *testing.T) {
	p := poolOf(t, 1)
	during(t, "P26", "queued jobs begin", func() {
		free := hold(t, p, 1)
		var first, last pool.Stats
		var all []*pool.Handle[int]
		for i := range 20 {
			all = append(all, submitted(t, p, func(w *pool.Worker) int {
				fork(w, nothing).Join(w)
				switch i {
				case 10:
					first = p.Stats()
				case 19:
					last = p.Stats()
				}
				return 0
			}))
		}
		free()
		give(t, 0, all, "P1: a job gave")
		expect(t, last.Ended > first.Ended && last.Forks > first.Forks,
			"P26: 9 jobs have ended between two calls of Stats, which say %+v and %+v", first, last)
	})
}

// If this fails, a log does not have a field of Stats, or has it under another name.
func TestStatsInALog(t *testing.T) {
	var s pool.Stats
	all := reflect.ValueOf(&s).Elem()
	want := make([]string, all.NumField())
	for i := range all.NumField() {
		want[i] = fmt.Sprint(i + 1)
		switch f := all.Field(i); {
		case f.CanInt():
			f.SetInt(int64(i + 1))
			if f.Type() == reflect.TypeFor[time.Duration]() {
				want[i] = fmt.Sprint(time.Duration(i + 1))
			}
		case f.CanUint():
			f.SetUint(uint64(i + 1))
		}
	}
	s.QueueTime = pool.Times{Count: 4, Sum: 10 * time.Second, Max: 7 * time.Second}
	said := map[string]string{}
	for _, a := range s.LogValue().Group() {
		said[strings.ReplaceAll(a.Key, "_", "")] = a.Value.Resolve().String()
	}
	equal(t, said["queuetime"], "[count=4 mean=2.5s max=7s]", "Stats.LogValue: the time in the queue is")
	for i := range all.NumField() {
		if name := all.Type().Field(i).Name; name != "QueueTime" {
			equal(t, said[strings.ToLower(name)], want[i], "Stats.LogValue: %s is", name)
		}
	}
	equal(t, len(said), all.NumField(), "Stats.LogValue: the number of fields is")
	equal(t, pool.Times{}.Mean(), 0, "Times.Mean: of nothing it is")
}

// If this fails, nobody learns that a queue stands still, or a queue that moves seems to.
func TestStatsOfOldest(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P26", "jobs without an end run, and one is queued", func() {
		stop := make(chan bool)
		endless := func(*pool.Worker) int { <-stop; return 7 }
		defer func() {
			close(stop)
			untilSleeping(t, p)
			equal(t, p.Stats().Oldest, 0, "P26: no job is queued, and the oldest of them is")
		}()
		for range 2 { // the second one begins beside the first
			submitted(t, p, endless)
		}
		until(t, "two jobs have begun", func() bool { s := p.Stats(); return s.Running+s.RunningSeatless == 2 })
		submitted(t, p, nothing)
		begun := time.Now()
		const after, about = 300 * time.Millisecond, 150 * time.Millisecond
		until(t, "a job has been queued for long", func() bool { return p.Stats().Oldest > after })
		took := time.Since(begun)
		expect(t, took > after-about, "P26: a job has been queued for %v, and Oldest is %v already", took, after)
		submitted(t, p, nothing)
		expect(t, p.Stats().Oldest > after, "P26: another job was queued, and Oldest is %v, was more than %v", p.Stats().Oldest, after)
	})
}

// If this fails, a queue that moves on seems to stand still.
func TestStatsOfOldestOfQueueThatMoves(t *testing.T) {
	p := newPool(t, pool.WithWorkers(1))
	during(t, "P26", "a queue with four jobs moves on for half a second", func() {
		const long = 500 * time.Millisecond
		begun, oldest := time.Now(), make(chan time.Duration, 1)
		var next func(*pool.Worker)
		next = func(*pool.Worker) {
			time.Sleep(5 * time.Millisecond)
			if time.Since(begun) < long {
				noError(t, pool.Go(p, next), "P23: Go returned")
				return
			}
			select {
			case oldest <- p.Stats().Oldest:
			default:
			}
		}
		for range 5 {
			noError(t, pool.Go(p, next), "P23: Go returned")
		}
		got := <-oldest
		expect(t, got < long/2, "P26: jobs are queued for some 20 ms each, and Oldest is %v", got)
	})
}
