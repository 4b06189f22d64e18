package pool

import (
	"math"
	"time"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// Stats tells what a pool does now, in the fields of type int, and what it has done since it was
// made, in the others. The counts are kept where that costs nothing, so they lag while jobs run: a
// worker hands over its counts when it publishes a fork, leaves its seat, or finds nothing to do, and
// for each call of Stats once, when its job ends. The fields are not read at one moment. Once the pool
// is at rest all are exact (rule P26).
type Stats struct {
	// Workers is how many workers the pool has.
	Workers int
	// Queued is how many jobs of [Submit], [SubmitErr] and [Go] have been accepted, were
	// queued, and have not begun. A job that was taken back is not queued any more; one that waits for room is not yet. With
	// [WithQueueLimit] it is what the limit bounds. While jobs come and begin it may be off by
	// those that do so just now. Forks, spawned jobs and calls of [Run] do not count.
	Queued int
	// Oldest is how long the oldest of them has been queued at most, or 0 if there is none. It is the time since
	// the Submit of the job that a worker has taken last, or since the queue was empty, if that is shorter: so jobs
	// that were taken back before a worker came to them count, too. If Oldest grows, the pool does not keep up. In
	// a bubble of testing/synctest it is 0.
	Oldest time.Duration
	// Running is how many workers have a job. Jobs in [Worker.Block] and guests do not
	// count, and a worker that looks for work has none.
	Running int
	// RunningSeatless is how many jobs run as guests, without the seat of a worker, beside
	// those of Running: "No guarantees" in RULES.md says when.
	RunningSeatless int
	// Waiting is how many jobs are set aside: blocked until other jobs have ended.
	Waiting int
	// Blocked is how many jobs are in [Worker.Block] or [BlockHere], while no [Run] inside goes
	// on as the job, or wait for room that [WithQueueLimit] does not leave. If a job calls Run,
	// and that takes a seat of its own, the outer job is blocked, too, in its own pool: from when
	// the inner one waits or blocks until the Run returns.
	Blocked int
	// Sleeping is how many workers sleep. Those that neither have a job nor sleep look for work.
	Sleeping int
	// Submitted is the number of jobs that the pool was asked to run, so far: by [Submit],
	// [SubmitErr] and [Go], and by calls of [Run], [RunErr] and
	// [RunGroup], and of loops.Run, also inside of jobs. Those that it has refused count, too. A call that panics
	// or returns an error because of its arguments does not, nor one whose context had ended.
	Submitted uint64
	// Ended is how many of those have ended: they have returned, panicked or called Goexit, or
	// never began. The difference is how many there are in the pool, or wait for room.
	Ended uint64
	// Refused is how many of those never were accepted: the pool was closed ([ErrClosed]), the
	// queue was full ([ErrFull]), or the context ended while they waited for room.
	Refused uint64
	// Canceled is how many of those were queued and never began: they were taken back by
	// [Handle.Cancel], by the end of their context, or by [Pool.Shutdown].
	Canceled uint64
	// QueueTime tells how long jobs were queued before a worker took them to begin: all of them, unless
	// more than a thousand come within a twentieth of a second, of which it measures the first thousand.
	// Jobs that begin at once are not queued. With [WithQueueLimit] the time counts from where there was room.
	QueueTime Times
	// Forks is the number of forks, those of [Invoke] and [Both] included.
	Forks uint64
	// Published is how many of the forks were made visible to other workers.
	Published uint64
	// Spawned is the number of jobs spawned in scopes.
	Spawned uint64
	// Injected is the number of jobs that came from outside and were queued.
	Injected uint64
	// Borrowed is how often the seat of a sleeping worker was taken: by a
	// Run, on the caller's own goroutine, for a submitted job, on a new one, by
	// a job that had given up its seat and goes on, or by a guest.
	Borrowed uint64
	// Steals is how often a worker took a job from another one and began it. When it takes
	// one of several, it also takes along some of the others, for later: these are not
	// counted.
	Steals uint64
	// SetAside is how often a job gave up its seat and was blocked, because it
	// waited for other jobs.
	SetAside uint64
	// Seatless is how often a job ran as a guest, or went on as one, because no worker slept.
	Seatless uint64
	// Parks is how often a worker blocked for want of work, Wakes how often
	// one was woken. Both are zero if the sleep backend does not count.
	Parks, Wakes uint64
}

// Times tells how long things took.
type Times struct {
	// Count is how many were measured, Sum how long all of these took, and Max the longest.
	Count    uint64
	Sum, Max time.Duration
	// Buckets says how many took at most [Times.Bound] of the index, and longer than that of the
	// index before.
	Buckets [13]uint64
}

// Bound returns the upper bound of a bucket: 1 µs, 4 µs, 16 µs and so on, to 4 s, and no bound
// ([math.MaxInt64]) for the last one.
func (t Times) Bound(bucket int) time.Duration {
	if bucket >= len(t.Buckets)-1 {
		return math.MaxInt64
	}
	return time.Microsecond << (2 * bucket)
}

// Mean returns the mean of what was measured, or 0 if nothing was.
func (t Times) Mean() time.Duration { return t.Sum / time.Duration(max(t.Count, 1)) }

// times are [Times] that are still counted.
//
// Writers: all workers, seldom.
type times struct {
	buckets  [len(Times{}.Buckets)]prim.ReportCount
	sum, max prim.ReportCount
}

func (t *times) add(took time.Duration) {
	var bounds Times
	bucket := 0
	for took > bounds.Bound(bucket) {
		bucket++
	}
	t.buckets[bucket].Add(1)
	t.sum.Add(uint64(took))
	for was := t.max.Load(); was < uint64(took) && !t.max.CompareAndSwap(was, uint64(took)); {
		was = t.max.Load()
	}
}

func (t *times) load() (got Times) {
	got.Sum, got.Max = time.Duration(t.sum.Load()), time.Duration(t.max.Load())
	for i := range t.buckets {
		got.Buckets[i] = t.buckets[i].Load()
		got.Count += got.Buckets[i]
	}
	return got
}

// Stats returns the counts so far. It may be called by any goroutine at any time, also after
// Close. It costs some loads for each worker, and with [WithQueueLimit] a lock that is never held
// for long.
func (p *Pool) Stats() Stats {
	p.asked.Add(1)
	inactive, sleeping := p.sleep.Counts()
	s := Stats{
		Workers: len(p.seats), Running: max(0, len(p.seats)-inactive), Sleeping: sleeping, Queued: p.inbox.queue.waits(p),
		// The counts only grow. What has happened later is read last: so Ended is never the larger.
		Ended: uint64(p.shutdown.left.Load()), Refused: p.inbox.refused.Load(),
		Canceled: p.inbox.withdrawn.Load() + p.inbox.unbegun.Load(),
		Injected: p.inbox.injected.Load(), QueueTime: p.inbox.times.load(),
	}
	if front := time.Duration(p.inbox.front.Load()); s.Queued > 0 && front != 0 && p.inbox.attended.Load() {
		s.Oldest = prim.ReportNow() - front
	}
	var doing [states]uint32
	for seat := range p.eachSeat {
		c := &seat.stats
		s.Forks += c.forks.Load()
		s.Published += c.published.Load()
		s.Spawned += c.spawned.Load()
		s.Steals += c.steals.Load()
		s.Borrowed += c.borrowed.Load()
		s.SetAside += c.aside.Load()
		s.Seatless += c.seatless.Load()
		for i := range doing {
			doing[i] += c.doing[i].Load()
		}
	}
	s.Waiting, s.Blocked = notBelow0(doing[aside]), notBelow0(doing[blocked]+doing[covered])
	s.RunningSeatless = notBelow0(doing[guest] + doing[beside])
	s.Submitted = uint64(p.shutdown.entered.Load() &^ closing)
	if p.shutdown.closing.Load() && p.allLeft() {
		s.Running = 0 // seats end as if they had work
	}
	if m, ok := p.sleep.Sleep.(api.Meter); ok {
		metered := m.Meter()
		s.Parks, s.Wakes = metered.Parks, metered.Wakes
	}
	return s
}

// notBelow0 returns a sum of counts that wrap. While jobs come and go some may have been counted as
// gone and not as come.
func notBelow0(sum uint32) int { return max(0, int(int32(sum))) }

// reportCounts hands over what the worker has counted plainly.
func (w *Worker) reportCounts() {
	if forks := w.stack.forks(); forks != w.tally.forks {
		w.counts().forks.Add(forks - w.tally.forks)
		w.tally.forks = forks
	}
	if n := w.tally.ended; n != 0 {
		w.tally.ended = 0
		w.pool.leave(n)
	}
}
