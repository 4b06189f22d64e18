package pool

import (
	"context"
	"testing"
	"time"

	"github.com/rouse-go/rouse/api/prim"
	"github.com/rouse-go/rouse/api/testrule"
)

// inBubble runs a test in a job of a pool with one worker, in a bubble: there the clock stands
// still as long as anything runs.
func inBubble(t *testing.T, name string, body func(t *testing.T, p *Pool, w *Worker)) {
	t.Run(name, func(t *testing.T) {
		testrule.Bubble(t, func(t *testing.T) {
			p := onlyWorker(t, func(p *Pool, w *Worker) { body(t, p, w) })
			expect(t, p.beside.Load() == 0, "P32: all jobs have ended, and %d count as begun beside others", p.beside.Load())
		})
	})
}

// Trees of forks.

func invoked(w *Worker, depth int) int {
	if depth > 0 {
		Invoke(w, invoked, depth-1, invoked, depth-1)
	}
	return 0
}

func joined(w *Worker, depth int) int {
	if depth > 0 {
		f := Fork(w, joined, depth-1)
		joined(w, depth-1)
		f.Join(w)
	}
	return 0
}

// If this fails, what is submitted waits for the end of a job that forks and joins.
func TestQueuedBeginsAfterSomeForks(t *testing.T) {
	for _, c := range []struct {
		name string
		// most is how often the worker may fork before the job begins, piece how often a
		// call of work forks, or how many jobs it spawns.
		most, piece int
		work        func(w *Worker, s *Scope)
	}{
		{"fork and join", unservedForks, 1, func(w *Worker, _ *Scope) { Fork(w, leaf, 0).Join(w) }},
		{"Invoke", unservedForks, 1, func(w *Worker, _ *Scope) { Invoke(w, leaf, 0, leaf, 0) }},
		{"a tree of Invoke", unservedForks, 1 << 12, func(w *Worker, _ *Scope) { invoked(w, 12) }},
		{"a tree of Fork and Join", unservedForks, 1 << 12, func(w *Worker, _ *Scope) { joined(w, 12) }},
		{"spawned jobs", unservedLooks, 1, func(w *Worker, s *Scope) { s.Spawn(w, func(*Worker) {}) }},
		{"ends of jobs", unservedLooks, 0, nil},
	} {
		inBubble(t, c.name, func(t *testing.T, p *Pool, w *Worker) {
			// What has begun takes the only job from the queue; nobody else does.
			var h *Handle[int]
			n := 0
			w.Scope(func(w *Worker, s *Scope) {
				for range c.most + 10 {
					if c.work == nil {
						s.Spawn(w, func(*Worker) {
							if !p.injector.Empty() {
								n++
							}
						})
					}
				}
				h = submit(t, p, func(*Worker) int { return 0 })
				for c.work != nil && n <= 2*c.most && !p.injector.Empty() {
					c.work(w, s)
					n += c.piece
				}
			})
			most := c.most + 2*c.piece + 2
			expect(t, n <= most, "P32: a submitted job has not begun after %d forks, spawns or jobs, must after %d", n, most)
			h.Join(w)
		})
	}
}

// In the middle of a long list of forks, whose frames are there already, none of the short ways
// of Fork and Join meets a number of a fork that was made after the job was queued. If this
// fails, what is submitted waits until such a list has been forked, or joined.
func TestQueuedBeginsWithinAList(t *testing.T) {
	const n = 8 * unservedForks
	newest, oldest := func(i int) int { return n - 1 - i }, func(i int) int { return i }
	for _, c := range []struct {
		name   string
		forked bool // when the job is submitted
		at     func(i int) int
	}{
		{"that is forked", false, newest},
		{"that is joined, the newest first", true, newest},
		{"that is joined, the oldest first", true, oldest},
		{"that is joined, every other one first", true, func(i int) int { return n - 1 - (2*i)%n - 2*i/n }},
		{"that is joined after a panic", true, newest},
		{"that its job has left", true, nil},
	} {
		inBubble(t, c.name, func(t *testing.T, p *Pool, w *Worker) {
			all := make([]Forked[int, int], n)
			steps := 0
			step := func(*Worker, int) int {
				if !p.injector.Empty() {
					steps++
				}
				return 0
			}
			fork := func() {
				for i := range all {
					all[i] = Fork(w, leaf, 0)
					step(w, 0)
				}
			}
			join := func(at func(i int) int) {
				for i := range all {
					all[at(i)].Join(w)
					step(w, 0)
				}
			}
			queue := func() { expect(t, Go(p, func(*Worker) {}) == nil, "P1: Go returned an error") }
			fork() // makes the frames
			join(newest)
			switch {
			case c.at == nil:
				Fork(w, func(w *Worker, _ int) int {
					for range n {
						Fork(w, step, 0)
					}
					queue()
					return 0
				}, 0).Join(w)
			case !c.forked:
				queue()
				fork()
				forked := steps
				join(c.at)
				steps = forked
			default:
				fork()
				queue()
				if c.name == "that is joined after a panic" {
					func() {
						defer func() { recover() }()
						w.Scope(func(w *Worker, _ *Scope) {
							for range 1000 {
								Fork(w, leaf, 0)
							}
							panic("the forks of this body never start")
						})
					}()
				}
				join(c.at)
			}
			most := unservedForks + 2*unservedSteps + 2
			expect(t, steps <= most, "P32: a submitted job has not begun after %d steps, must after %d", steps, most)
			w.answer() // it need not have come to the queue since
			expect(t, len(w.slots) == len(w.frames),
				"Cost: nothing is queued, and from height %d of %d on forks take the long way", len(w.slots), len(w.frames))
		})
	}
}

// Leaves that have been short may be long from now on. If this fails, what is submitted waits for
// as many of them as there were short ones.
func TestQueuedBeginsAmongLongLeaves(t *testing.T) {
	takes := func(_ *Worker, took time.Duration) int { time.Sleep(took); return 0 }
	inBubble(t, "one worker", func(t *testing.T, p *Pool, w *Worker) {
		h := submit(t, p, func(*Worker) int { return 0 })
		for range unservedForks / 2 {
			Fork(w, takes, 0).Join(w)
		}
		n := 0
		for ; !h.isDone() && n < unservedForks; n++ {
			Fork(w, takes, time.Millisecond).Join(w)
		}
		const most = unservedSteps + 2
		expect(t, n <= most,
			"P32: a submitted job has not begun after %d leaves of a millisecond, after shorter ones; must after %d", n, most)
	})
}

// While one worker forks, and the other one does not, more than one job begins beside them, up to
// the bound. If this fails, the worker that has let one begin does not look again.
func TestQueuedBeginBesideOneThatForks(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) {
		p := open(t, WithWorkers(2))
		var begun, end prim.Uint32
		stay := func(*Worker) int {
			for begun.Add(1); end.Load() == 0; {
				prim.Yield()
			}
			return 0
		}
		do(t, p, func(w *Worker) {
			for submit(t, p, stay); begun.Load() < 1; {
				prim.Yield()
			}
			hs := []*Handle[int]{submit(t, p, stay), submit(t, p, stay)}
			// A job has begun once it is claimed: when its goroutine runs, the Go scheduler says.
			left := func() (n int) {
				for _, h := range hs {
					if !h.job.isClaimed() {
						n++
					}
				}
				return n
			}
			n := 0
			for ; left() > 0 && n < 4*unservedForks; n++ {
				Fork(w, leaf, 0).Join(w)
			}
			expect(t, left() == 0,
				"P32: of two submitted jobs %d have not begun beside a worker that has forked %d times, on two workers",
				left(), n)
			end.Store(1)
		})
	})
}

// If this fails, a job whose forks others take and run keeps what is queued from beginning.
func TestJoinsOfTakenForksLook(t *testing.T) {
	testrule.Bubble(t, func(t *testing.T) { // or the second look may come so late that it lets the job begin
		l := newLone(t, 2)
		f, g := l.fork(), l.fork()
		l.publishAll()
		for n := 0; n < 2; {
			n += l.steal()
		}
		l.wanted.Store(0)
		l.pool.called.Store(false)
		l.queue()
		l.join(g)
		l.join(f)
		expect(t, l.seat.watch.looks == 2,
			"P32: a worker has joined two forks that others have run, and has looked at the queue %d times", l.seat.watch.looks)
	})
}

// If this fails, what is submitted when the queue has been emptied waits for as long as where it
// is served, or a queue that is served has jobs begin beside others.
func TestLastOfQueueIsNoBacklog(t *testing.T) {
	for left := range 2 {
		l := newLone(t, 1)
		first := l.queue()
		for range left {
			l.queue()
		}
		check(t, l.find() == first, "P1: the first job of the queue is not begun first")
		equal(t, l.seat.watch.backlog, left > 0,
			"P32: a worker has begun a job of the queue, where %d are left, and whether it leaves those that come for longer is", left)
	}
}

// The seat of a job goes to what that waits for, and comes back, with what its workers know of
// the queue. If this fails, what is submitted waits for the end of a job that submits others, or
// calls Run, without an end.
func TestQueuedBeginsBesideHandles(t *testing.T) {
	nothing := func(*Worker) int { return 0 }
	for name, work := range map[string]func(t *testing.T, p *Pool, w *Worker){
		"Join": func(t *testing.T, p *Pool, w *Worker) { submit(t, p, nothing).Join(w) },
		"Wait": func(t *testing.T, p *Pool, w *Worker) { result(t, submit(t, p, nothing)) },
		"Run": func(t *testing.T, p *Pool, w *Worker) {
			Run(NewContext(context.Background(), w), p, func(*Worker, int) int { return 0 }, 0)
		},
		"a job that forks": func(t *testing.T, p *Pool, w *Worker) {
			submit(t, p, func(w *Worker) int {
				for range unservedSteps {
					Fork(w, leaf, 0).Join(w)
				}
				return 0
			}).Join(w)
		},
		"a group with a limit": func(t *testing.T, p *Pool, w *Worker) {
			w.Group(context.Background(), func(ctx context.Context, w *Worker, g *Group) error {
				g.SetLimit(1)
				g.Spawn(w, func(_ context.Context, w *Worker) error { // which does not wait as it spawns
					for range unservedLooks + 2 {
						g.Spawn(w, func(context.Context, *Worker) error { return nil })
					}
					expect(t, p.injector.Empty(),
						"P32: a submitted job has not begun, and a group with a limit has %d jobs more", unservedLooks+2)
					return nil
				})
				return nil
			})
		},
	} {
		inBubble(t, name, func(t *testing.T, p *Pool, w *Worker) {
			most := unservedLooks + 2
			if name == "a job that forks" {
				most = unservedForks/unservedSteps + 2
			}
			// A job that has ended before the one that waits for it has gone to sleep leaves
			// a goroutine with the seat, which takes what is queued as soon as it runs. That
			// shows nothing.
			for beside := false; !beside && !t.Failed(); {
				for w.seat.isGuest() {
					prim.Yield()
					Fork(w, leaf, 0).Join(w) // takes a seat that sleeps
				}
				first := submit(t, p, func(w *Worker) bool { return w.origin == fromQueue })
				n := 0
				// It has begun once it is claimed: when its goroutine runs, the Go scheduler says.
				for ; !w.seat.isGuest() && !first.job.isClaimed() && n <= 2*unservedLooks; n++ {
					work(t, p, w)
				}
				expect(t, n <= most,
					"P32: a submitted job has not begun after %d others were submitted and joined, must after %d", n, most)
				beside = result(t, first)
			}
		})
	}
}

// While nothing is queued no join takes the long way, but for one in half a million. If
// this fails, a worker that has once seen the queue not empty forks at a higher price.
func TestNothingQueuedNothingDue(t *testing.T) {
	l := newLone(t, 1)
	l.wanted.Store(0)
	const n = 2*due/seqStep + 1000
	for range n {
		f := l.fork()
		l.join(f)
		if f.seq&due != 0 {
			g := l.fork()
			check(t, g.seq&due == 0, "Cost: two forks in a row are joined the long way, and nothing is queued")
			l.join(g)
		}
	}
	equal(t, l.forks(), n+2, "P26: the number of forks is")
}

// The numbers of forks grow whenever the countdown begins, and each is counted.
func TestArm(t *testing.T) {
	l := newLone(t, 1)
	for _, n := range []uint64{1, 2, 3, 100, due / seqStep} {
		before, forks := l.seq, l.forks()
		l.arm(n)
		check(t, l.seq > before && l.forks() == forks,
			"P32: after arm(%d) the last fork has the number %d and is the %d., before %d and %d", n, l.seq, l.forks(), before, forks)
		for i := range min(n, 1000) {
			f := l.fork()
			last := i == n-1
			check(t, (f.seq&due != 0) == last, "P32: after arm(%d), fork %d of them is due: %t", n, i+1, !last)
			l.head-- // it is not joined: that would begin anew
			f.frame.header().seq = 0
			f.frame.drop()
		}
	}
}

// If this fails, a job stays in the queue that has come while as many as the pool has workers
// ran beside others, although one of those waits now.
func TestRoomBesideCalls(t *testing.T) {
	l := newLone(t, 1)
	l.queue()
	l.pool.beside.Store(1)
	check(t, !l.letBegin(), "P32: two jobs run beside others, on one worker")
	l.hear()
	check(t, !l.asked(), "P32: a worker has looked at the queue, and is asked to")
	l.pool.leaveBeside()
	expect(t, l.asked(), "P32: a job that ran beside others does no longer, one is queued, "+
		"and the worker is not asked to look at the queue")
}

// If this fails, more jobs run beside others than there are workers.
func TestBesideIsBoundedAtOnce(t *testing.T) {
	l := newLone(t, 2)
	var let prim.Int32
	come := func() {
		if l.pool.comeBeside() {
			let.Add(1)
		}
	}
	atOnce(t, func() { l.pool.beside.Store(0); let.Store(0) }, func() {
		expect(t, let.Load() == 2, "P32: on two workers, %d jobs are let begin beside others", let.Load())
	}, come, come, come, come)
}
