package pool_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/testrule"
	"github.com/rouse-go/rouse/pool"
)

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
			hold := func(*pool.Worker) int { begun <- true; <-release; return 0 }
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
			all = append(all, submitted(t, p, hold), submitted(t, p, nothing), submitted(t, p, nothing))
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

// If this fails, a dashboard does not show that a full queue turns jobs away.
func TestStatsOfFullQueue(t *testing.T) {
	p, free := limited(t, 1, 2)
	during(t, "P26", "jobs end that a full queue has let in", func() {
		all := fill(t, p, 2)
		equal(t, pool.Go(p, func(*pool.Worker) {}), pool.ErrFull, "P23: Go of a job that there is no room for returned")
		ctx, cancel := context.WithCancel(background)
		gone, comes := comes(p, ctx, func() {}), comes(p, background, func() {})
		cancel()
		equal(t, <-gone, context.Canceled, "P23: a SubmitErr that waited for room returned")
		s := p.Stats()
		expect(t, s.Queued == 2 && s.Submitted-s.Ended == 4,
			"P26: one job runs, two are queued, and one waits for room, and Stats says %+v", s)
		free()
		noError(t, <-comes, "P23: a RunErr that has got room returned")
		for i, h := range all {
			equal(t, result(t, h), i, "P23: a job that there was room for returned")
		}
	})
	noError(t, p.Close(), "P6: Close returned")
	s := p.Stats()
	equal(t, jobCounts{s.Submitted, s.Refused, s.Canceled}, jobCounts{7, 3, 0},
		"P26: of 7 jobs 2 found the queue full, and one gave up its wait for room, and Stats counts as submitted, refused and canceled")
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
		pool.BlockHere(func() { is("outside of jobs", 0, 0, 0, 0, 2) })
		do(t, p, func(w *pool.Worker) {
			is("in a job", 1, 0, 0, 0, 1)
			inBlock := func() {
				is("in Block", 0, 0, 0, 1, 2)
				runInJob(w, func(*pool.Worker) int { is("in a Run in Block", 1, 0, 0, 0, 1); return 0 })
				is("after a Run in Block", 0, 0, 0, 1, 2)
			}
			for _, block := range []func(fn func()){w.Block, pool.BlockHere} {
				block(func() {
					inBlock()
					w.Block(inBlock)
					pool.BlockHere(inBlock)
					do(t, p, func(*pool.Worker) {})
					wantPanic(t, "P31", "boom", func() { pool.BlockHere(func() { raiser(w) }) })
					inBlock()
				})
				is("after Block", 1, 0, 0, 0, 1)
			}
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
			release, before := make(chan bool), p.Stats().SetAside
			f := stolen(t, w, func(*pool.Worker) int { <-release; return 1 })
			is("while a fork is stolen", 2, 0, 0, 0, 0)
			seen := going(func() error { is("while a job joins", 1, 0, 1, 0, 1); close(release); return nil })
			f.Join(w)
			<-seen
			is("after the join", 1, 0, 0, 0, 1)
			equal(t, p.Stats().SetAside-before, 1, "P26: Stats.SetAside: a job has waited, and the count is")
		})
		first, endFirst := held(t, p)
		second, endSecond := held(t, p)
		before := p.Stats().Seatless
		runHere(p, func(w *pool.Worker, _ int) int {
			is("as a guest", 2, 1, 0, 0, 0)
			w.Block(func() { is("in Block, after a guest", 2, 0, 0, 1, 0) })
			is("as a guest, after Block", 2, 1, 0, 0, 0)
			pool.BlockHere(func() { is("in BlockHere, after a guest", 2, 0, 0, 1, 0) })
			is("as a guest, after BlockHere", 2, 1, 0, 0, 0)
			equal(t, p.Stats().Seatless-before, 3, "P26: Stats.Seatless: a job was a guest three times, and the count is")
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
			equal(t, p.Stats().QueueTime.Mean(), time.Duration(min(count, 1))*each, "P26: its mean is")
		})
	}
	many := func(n int) func(p *pool.Pool) {
		return func(p *pool.Pool) { submittedTimes(t, p, n, nothing) }
	}
	during(t, "P26", "queued jobs begin", func() {
		took(t, 0, time.Second, 0, func(p *pool.Pool) { submitted(t, p, nothing).Cancel() })
		took(t, 256, time.Microsecond, 0, many(256))
		took(t, 514, time.Microsecond+1, 1, many(514))
		took(t, 514, 5*time.Millisecond, 7, many(514), pool.WithQueueLimit(600))
		took(t, 1024, time.Second, 10, many(3000)) // if more come at once
		took(t, 700, time.Hour, 12, many(700), pool.WithQueueLimit(700))
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
