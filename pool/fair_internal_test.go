package pool

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/api/prim"
)

// In a bubble the clock stands still as long as anything runs. If this fails, what is
// submitted waits there for the end of a job that forks and joins.
func TestQueuedBeginsAfterSomeForks(t *testing.T) {
	nothing := func(*Worker, int) int { return 0 }
	var tree func(w *Worker, depth int) int
	tree = func(w *Worker, depth int) int {
		if depth > 0 {
			Invoke(w, tree, depth-1, tree, depth-1)
		}
		return 0
	}
	var joined func(w *Worker, depth int) int
	joined = func(w *Worker, depth int) int {
		if depth > 0 {
			f := Fork(w, joined, depth-1)
			joined(w, depth-1)
			f.Join(w)
		}
		return 0
	}
	list := func(w *Worker, oldestFirst bool) {
		var all [100]Forked[int, int]
		for i := range all {
			all[i] = Fork(w, nothing, 0)
		}
		for i := range all {
			if !oldestFirst {
				i = len(all) - 1 - i
			}
			all[i].Join(w)
		}
	}
	for _, c := range []struct {
		name string
		// most is how often the worker may fork before the job begins, piece how often a
		// call of work forks, or how many jobs it spawns.
		most, piece int
		work        func(w *Worker, s *Scope)
	}{
		{"fork and join", unservedForks, 1, func(w *Worker, _ *Scope) { Fork(w, nothing, 0).Join(w) }},
		{"Invoke", unservedForks, 1, func(w *Worker, _ *Scope) { Invoke(w, nothing, 0, nothing, 0) }},
		{"a tree of Invoke", unservedForks, 1 << 12, func(w *Worker, _ *Scope) { tree(w, 12) }},
		{"a tree of Fork and Join", unservedForks, 1 << 12, func(w *Worker, _ *Scope) { joined(w, 12) }},
		{"a list", unservedForks, 100, func(w *Worker, _ *Scope) { list(w, false) }},
		{"a list, the oldest first", unservedForks, 100, func(w *Worker, _ *Scope) { list(w, true) }},
		{"spawned jobs", unservedLooks, 1, func(w *Worker, s *Scope) { s.Spawn(w, func(*Worker) {}) }},
		{"ends of jobs", unservedLooks, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				// What has begun takes the only job from the queue; nobody else does.
				p := onlyWorker(t, func(p *Pool, w *Worker) {
					var h *Handle[int]
					submit := func() {
						var err error
						if h, err = Submit(p, func(*Worker) int { return 0 }); err != nil {
							t.Errorf("P1: Submit returned the error %v", err)
						}
					}
					n := 0
					w.Scope(func(w *Worker, s *Scope) {
						if c.work == nil {
							for range c.most + 10 {
								s.Spawn(w, func(*Worker) {
									if !p.injector.Empty() {
										n++
									}
								})
							}
							submit()
							return
						}
						submit()
						for n <= 2*c.most && !p.injector.Empty() {
							c.work(w, s)
							n += c.piece
						}
					})
					if limit := c.most + 2*c.piece + 2; n > limit {
						t.Errorf("P32: a submitted job has not begun after %d forks, spawns or jobs, must after %d", n, limit)
					}
					h.Join(w)
				})
				if n := p.beside.Load(); n != 0 {
					t.Errorf("P32: all jobs have ended, and %d count as begun beside others", n)
				}
			})
		})
	}
}

// In the middle of a long list of forks, whose frames are there already, none of the short ways
// of Fork and Join meets a number of a fork that was made after the job was queued. If this
// fails, what is submitted waits until such a list has been forked, or joined.
func TestQueuedBeginsWithinAList(t *testing.T) {
	const n = 8 * unservedForks
	type forks = []Forked[int, int]
	nothing := func(*Worker, int) int { return 0 }
	fork := func(w *Worker, all forks, queued func() bool) (steps int) {
		for i := range all {
			if all[i] = Fork(w, nothing, 0); queued() {
				steps++
			}
		}
		return steps
	}
	join := func(w *Worker, all forks, queued func() bool, at func(i int) int) (steps int) {
		for i := range all {
			if all[at(i)].Join(w); queued() {
				steps++
			}
		}
		return steps
	}
	newest, oldest := func(i int) int { return n - 1 - i }, func(i int) int { return i }
	for _, c := range []struct {
		name string
		work func(w *Worker, all forks, submit func(), queued func() bool) (steps int)
	}{
		{"that is forked", func(w *Worker, all forks, submit func(), queued func() bool) (steps int) {
			submit()
			steps = fork(w, all, queued)
			join(w, all, queued, newest)
			return steps
		}},
		{"that is joined, the newest first", func(w *Worker, all forks, submit func(), queued func() bool) int {
			fork(w, all, queued)
			submit()
			return join(w, all, queued, newest)
		}},
		{"that is joined, the oldest first", func(w *Worker, all forks, submit func(), queued func() bool) int {
			fork(w, all, queued)
			submit()
			return join(w, all, queued, oldest)
		}},
		{"that is joined, every other one first", func(w *Worker, all forks, submit func(), queued func() bool) int {
			fork(w, all, queued)
			submit()
			return join(w, all, queued, func(i int) int { return n - 1 - (2*i)%n - 2*i/n })
		}},
		{"that is joined after a panic", func(w *Worker, all forks, submit func(), queued func() bool) int {
			fork(w, all, queued)
			submit()
			func() {
				defer func() { recover() }()
				w.Scope(func(w *Worker, _ *Scope) {
					for range 1000 {
						Fork(w, nothing, 0)
					}
					panic("the forks of this body never start")
				})
			}()
			return join(w, all, queued, newest)
		}},
		{"that its job has left", func(w *Worker, all forks, submit func(), queued func() bool) (steps int) {
			Fork(w, func(w *Worker, _ int) int {
				for range n {
					Fork(w, func(*Worker, int) int {
						if queued() {
							steps++
						}
						return 0
					}, 0)
				}
				submit()
				return 0
			}, 0).Join(w)
			return steps
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				onlyWorker(t, func(p *Pool, w *Worker) {
					all := make(forks, n)
					never := func() bool { return false }
					fork(w, all, never) // makes the frames
					join(w, all, never, newest)
					submit := func() {
						if err := Go(p, func(*Worker) {}); err != nil {
							t.Errorf("P1: Go returned the error %v", err)
						}
					}
					steps := c.work(w, all, submit, func() bool { return !p.injector.Empty() })
					if most := unservedForks + 2*unservedSteps + 2; steps > most {
						t.Errorf("P32: a submitted job has not begun after %d steps, must after %d", steps, most)
					}
					w.answer() // it need not have come to the queue since
					if len(w.slots) != len(w.frames) {
						t.Errorf("Cost: nothing is queued, and from height %d of %d on forks take the long way", len(w.slots), len(w.frames))
					}
				})
			})
		})
	}
}

// Leaves that have been short may be long from now on. If this fails, what is submitted waits for
// as many of them as there were short ones.
func TestQueuedBeginsAmongLongLeaves(t *testing.T) {
	leaf := func(_ *Worker, took time.Duration) int { time.Sleep(took); return 0 }
	synctest.Test(t, func(t *testing.T) {
		onlyWorker(t, func(p *Pool, w *Worker) {
			h, err := Submit(p, func(*Worker) int { return 0 })
			if err != nil {
				t.Errorf("P1: Submit returned the error %v", err)
			}
			for range unservedForks / 2 {
				Fork(w, leaf, 0).Join(w)
			}
			n := 0
			for ; !h.isDone() && n < unservedForks; n++ {
				Fork(w, leaf, time.Millisecond).Join(w)
			}
			if most := unservedSteps + 2; n > most {
				t.Errorf("P32: a submitted job has not begun after %d leaves of a millisecond, after shorter ones; must after %d", n, most)
			}
		})
	})
}

// While one worker forks, and the other one does not, more than one job begins beside them, up to
// the bound. If this fails, the worker that has let one begin does not look again.
func TestQueuedBeginBesideOneThatForks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := New(WithWorkers(2))
		if err != nil {
			t.Fatalf("P29: New returned the error %v", err)
		}
		var begun, end prim.Uint32
		stay := func(*Worker) int {
			for begun.Add(1); end.Load() == 0; {
				prim.Yield()
			}
			return 0
		}
		_, err = Run(context.Background(), p, func(w *Worker, _ int) int {
			submit := func(n uint32) {
				if _, err := SubmitAll(p, []func(*Worker) int{stay, stay}[:n]); err != nil {
					t.Errorf("P1: SubmitAll returned the error %v", err)
				}
			}
			for submit(1); begun.Load() < 1; {
				prim.Yield()
			}
			n := 0
			for submit(2); begun.Load() < 3 && n < 4*unservedForks; n++ {
				Fork(w, func(*Worker, int) int { return 0 }, 0).Join(w)
			}
			if begun.Load() < 3 {
				t.Errorf("P32: of two submitted jobs %d have begun beside a worker that has forked %d times, on two workers", begun.Load()-1, n)
			}
			end.Store(1)
			return 0
		}, 0)
		if err != nil {
			t.Errorf("P1: Run returned the error %v", err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("P6: Close returned the error %v", err)
		}
	})
}

// If this fails, a job whose forks others take and run keeps what is queued from beginning.
func TestJoinsOfTakenForksLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // or the second look may come so late that it lets the job begin
		l := newLone(t, 2)
		f, g := l.fork(), l.fork()
		l.publishAll()
		for n := 0; n < 2; {
			n += l.steal()
		}
		l.wanted.Store(0)
		l.pool.called.Store(false)
		j := &unheld{fn: func(*Worker) {}}
		j.task, j.from = j, &l.pool.direct
		l.pool.injector.Push(&j.Job)
		l.pool.post(1)
		l.join(g)
		l.join(f)
		if n := l.seat.watch.looks; n != 2 {
			t.Errorf("P32: a worker has joined two forks that others have run, and has looked at the queue %d times", n)
		}
	})
}

// The seat of a job goes to what that waits for, and comes back, with what its workers know of
// the queue. If this fails, what is submitted waits for the end of a job that submits others, or
// calls Run, without an end.
func TestQueuedBeginsBesideHandles(t *testing.T) {
	nothing := func(*Worker, int) int { return 0 }
	submit := func(t *testing.T, p *Pool) *Handle[int] {
		h, err := Submit(p, func(*Worker) int { return 0 })
		if err != nil {
			t.Errorf("P1: Submit returned the error %v", err)
		}
		return h
	}
	for name, work := range map[string]func(t *testing.T, p *Pool, w *Worker){
		"Join": func(t *testing.T, p *Pool, w *Worker) { submit(t, p).Join(w) },
		"Wait": func(t *testing.T, p *Pool, w *Worker) { submit(t, p).Wait(context.Background()) },
		"Run":  func(t *testing.T, p *Pool, w *Worker) { Run(context.Background(), p, nothing, 0) },
		"a job that forks": func(t *testing.T, p *Pool, w *Worker) {
			h, err := Submit(p, func(w *Worker) int {
				for range unservedSteps {
					Fork(w, nothing, 0).Join(w)
				}
				return 0
			})
			if err != nil {
				t.Errorf("P1: Submit returned the error %v", err)
			}
			h.Join(w)
		},
		"a group with a limit": func(t *testing.T, p *Pool, w *Worker) {
			w.Group(context.Background(), func(ctx context.Context, w *Worker, g *Group) error {
				g.SetLimit(1)
				for range unservedLooks + 2 {
					g.Spawn(w, func(ctx context.Context, w *Worker) error { return nil })
				}
				if !p.injector.Empty() {
					t.Errorf("P32: a submitted job has not begun, and a group with a limit has %d jobs more", unservedLooks+2)
				}
				return nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				onlyWorker(t, func(p *Pool, w *Worker) {
					most := unservedLooks + 2
					if name == "a job that forks" {
						most = unservedForks/unservedSteps + 2
					}
					// A job that has ended before the one that waits for it has gone to sleep leaves
					// a goroutine with the seat, which takes what is queued. That shows nothing.
					for beside := false; !beside; {
						first, err := Submit(p, func(w *Worker) bool { return w.origin == fromQueue })
						if err != nil {
							t.Errorf("P1: Submit returned the error %v", err)
							return
						}
						n := 0
						for ; !first.isDone() && n <= 2*unservedLooks; n++ {
							work(t, p, w)
						}
						if n > most {
							t.Errorf("P32: a submitted job has not ended after %d others were submitted and joined, must after %d", n, most)
							return
						}
						beside, _ = first.Wait(context.Background())
					}
				})
			})
		})
	}
}

// While nothing is queued no join takes the long way, but for one in half a million. If
// this fails, a worker that has once seen the queue not empty forks at a higher price.
func TestNothingQueuedNothingDue(t *testing.T) {
	l := newLone(t, 1)
	l.wanted.Store(0)
	for range 2*due/seqStep + 1000 {
		f := l.fork()
		if f.seq&due != 0 {
			l.join(f)
			if g := l.fork(); g.seq&due != 0 {
				t.Fatal("Cost: two forks in a row are joined the long way, and nothing is queued")
			} else {
				l.join(g)
			}
			continue
		}
		l.join(f)
	}
	if forks := l.forks(); forks != 2*due/seqStep+1000+uint64(2) {
		t.Errorf("P26: %d forks are counted, want %d", forks, 2*due/seqStep+1002)
	}
}

// The numbers of forks grow whenever the countdown begins, and each is counted.
func TestArm(t *testing.T) {
	l := newLone(t, 1)
	for _, n := range []uint64{1, 2, 3, 100, due / seqStep} {
		before, forks := l.seq, l.forks()
		l.arm(n)
		if l.seq <= before || l.forks() != forks {
			t.Fatalf("P32: after arm(%d) the last fork has the number %d and is the %d., before %d and %d", n, l.seq, l.forks(), before, forks)
		}
		for i := range min(n, 1000) {
			f := l.fork()
			if last := i == n-1; (f.seq&due != 0) != last {
				t.Fatalf("P32: after arm(%d), fork %d of them is due: %t", n, i+1, !last)
			}
			l.head-- // it is not joined: that would begin anew
			f.frame.header().seq = 0
			f.frame.drop()
		}
	}
}

// Jobs that a worker has taken along from the queue count as queued, wherever they lie: its
// own job may be long. If this fails, they wait for the end of that.
func TestTakenAlongIsQueued(t *testing.T) {
	l := newLone(t, 2)
	other := l.pool.seats[1].worker()
	const n = 8
	var all []*unheld
	for range n {
		j := &unheld{fn: func(*Worker) {}}
		j.task, j.from = j, &l.pool.direct
		all = append(all, j)
		l.pool.injector.Push(&j.Job)
		l.pool.post(1)
	}
	if j := other.find(); j != &all[0].Job {
		t.Fatal("P1: the first job of the queue is not begun first")
	}
	along := other.seat.deque.Len()
	if along == 0 {
		t.Fatal("P32: a seat has taken nothing along, so this test says nothing")
	}
	f := Fork(other, func(*Worker, int) int { return 7 }, 0)
	other.publishAll()
	l.steals((along+1)/2, other)
	for i := range n - 1 {
		if !l.pool.hasQueued() {
			t.Fatalf("P32: %d of %d jobs have not begun, and nothing is said to be queued", n-1-i, n)
		}
		j := l.takeQueued()
		if j == nil || !j.isSubmitted() {
			t.Fatalf("P32: %d of %d jobs have not begun, and none is found", n-1-i, n)
		}
	}
	if j := l.takeQueued(); j != nil {
		t.Fatalf("P32: all jobs of the queue have begun, and another one is: submitted: %t", j.isSubmitted())
	}
	if l.pool.hasQueued() {
		t.Error("P32: all jobs of the queue have begun, and something is said to be queued")
	}
	if got := f.Join(other); got != 7 {
		t.Errorf("P1: a fork above jobs that were taken along gave %d, want 7", got)
	}
	if n := l.pool.carriers.Load(); n != 0 {
		t.Errorf("P32: nothing has been taken along, and %d seats are said to have something", n)
	}
}

// steals has worker 0 take up to n jobs along from another one.
func (l lone) steals(n int, other *Worker) {
	l.seat.takeAlong(&l.pool.victims[other.seat.index])
	if got := l.seat.deque.Len(); got != n {
		l.t.Fatalf("P32: a thief has taken %d jobs along, want %d", got, n)
	}
}

// If this fails, what SubmitAll has queued begins only when a worker looks at the queue for
// another reason.
func TestSubmitAllCalls(t *testing.T) {
	onlyWorker(t, func(p *Pool, w *Worker) {
		Fork(w, func(*Worker, int) int { return 0 }, 0).Join(w)
		if w.asked() {
			t.Error("P32: a worker has looked at its flag, nothing is queued, and it is asked to look at the queue")
		}
		hs, err := SubmitAll(p, []func(*Worker) int{func(*Worker) int { return 1 }})
		if err != nil {
			t.Errorf("P1: SubmitAll returned the error %v", err)
		}
		if !w.asked() {
			t.Error("P32: SubmitAll has queued a job, and a worker is not asked to look at the queue")
		}
		for _, h := range hs {
			h.Join(w)
		}
	})
}

// If this fails, a job stays in the queue that has come while as many as the pool has workers
// ran beside others, although one of those waits now.
func TestRoomBesideCalls(t *testing.T) {
	l := newLone(t, 1)
	j := &unheld{fn: func(*Worker) {}}
	j.task, j.from = j, &l.pool.direct
	l.pool.injector.Push(&j.Job)
	l.pool.post(1)
	l.pool.beside.Store(1)
	if l.letBegin() {
		t.Fatal("P32: two jobs run beside others, on one worker")
	}
	l.hear()
	if l.asked() {
		t.Fatal("P32: a worker has looked at the queue, and is asked to")
	}
	if l.pool.leaveBeside(); !l.asked() {
		t.Error("P32: a job that ran beside others does no longer, one is queued, and the worker is not asked to look at the queue")
	}
}

// Who has found nothing left of what a seat took along says so of that load, and not of the next
// one. If this fails, that waits for the end of a job that forks for long.
func TestUnloadOfAnotherLoad(t *testing.T) {
	l := newLone(t, 1)
	p, v := l.pool, &l.pool.victims[0]
	v.carries.Store(2)
	p.carriers.Store(1)
	if p.unload(0, 1); v.carries.Load() != 2 || p.carriers.Load() != 1 {
		t.Error("P32: of the first load nothing is left, and nobody looks for the second one")
	}
	p.unload(0, 2)
	if p.unload(0, 2); v.carries.Load() != 0 || p.carriers.Load() != 0 {
		t.Errorf("P32: of no load anything is left, and %d seats count as carrying some", p.carriers.Load())
	}
}
