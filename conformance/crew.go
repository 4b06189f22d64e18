package conformance

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/api"
)

// A crew is the least that can use an [api.Sleep]: workers with a locked queue
// each, a queue for jobs from outside, and loops as the comment on api.Sleep
// has them. It knows the backend by the interface only.
type crew struct {
	r      *run
	s      api.Sleep
	lender api.Lender // nil if the backend lends nothing
	meter  api.Meter  // nil if the backend counts nothing

	hands    []*hand
	injected queue
	running  sync.WaitGroup // counts workers that have not ended
	ended    chan struct{}  // closed when all workers have ended
	hook     atomic.Pointer[func(point, *hand)]
	leaves   bool // workers may sleep without a goroutine
	// starts counts the workers that the backend has started.
	starts atomic.Int64
}

// A hand is one worker of a crew.
type hand struct {
	*crew
	id    int
	queue queue
	root  flag          // set to end the worker
	ended chan struct{} // closed when it has ended
	// lent is set while a borrower is the worker.
	lent atomic.Bool
	// looked is set from the worker's last look before it sleeps, if that was
	// in vain, until it is back.
	looked atomic.Bool
	// parked is set from the call of Park until one goes on: the caller or, if the
	// backend is a Starter, a goroutine that it starts.
	parked atomic.Bool
	// state passes from goroutine to goroutine, and so the race detector sees
	// whether one goes on too early.
	state api.Idle
	// searches counts how often the worker's own goroutine has looked for work.
	searches atomic.Int64
}

// A task is a job of a crew, run by, or on the seat of, the given hand.
type task func(h *hand)

// A point is a moment in a worker's way to sleep at which a test can step in.
type point string

const (
	atSearch     point = "search"      // about to search
	atSearched   point = "searched"    // the search was in vain
	atGetSleepy  point = "get-sleepy"  // about to move its latch to sleepy
	atFallAsleep point = "fall-asleep" // about to move its latch to sleeping
	atFellAsleep point = "fell-asleep" // its latch is sleeping
	atLook       point = "look"        // about to look for the last time
	atLooked     point = "looked"      // that look was in vain
	atReturn     point = "return"      // about to look while giving a seat back
	atReturned   point = "returned"    // that look was in vain
)

// onTheWay are the points that every worker passes on its way to sleep.
var onTheWay = []point{atSearch, atSearched, atGetSleepy, atFallAsleep, atFellAsleep, atLook, atLooked}

type newSleep = func(workers int) (api.Sleep, error)

// startCrew starts n workers on a backend of their own.
func startCrew(r *run, newSleep newSleep, n int) *crew {
	r.T.Helper()
	s, err := newSleep(n)
	r.Check(err == nil, "C6", "a backend for %d workers is refused: %v", n, err)
	c := &crew{r: r, s: s, ended: make(chan struct{})}
	c.lender, _ = s.(api.Lender)
	c.meter, _ = s.(api.Meter)
	for i := range n {
		h := &hand{crew: c, id: i, ended: make(chan struct{})}
		h.root.hand = h
		c.hands = append(c.hands, h)
		c.running.Add(1)
	}
	if starter, ok := s.(api.Starter); ok {
		c.leaves = starter.StartBy(c.goOn)
	}
	for _, h := range c.hands {
		go h.live(false)
	}
	go func() { c.running.Wait(); close(c.ended) }()
	return c
}

// A backend that is a Starter calls goOn for a worker that sleeps without a
// goroutine.
func (c *crew) goOn(id int) {
	if id < 0 || id >= len(c.hands) {
		c.r.Report("S11", "worker %d of %d is started", id, len(c.hands))
		return
	}
	c.starts.Add(1)
	if !c.leaves {
		c.r.Report("S11", "worker %d is started, and StartBy returned false", id)
	}
	h := c.hands[id]
	if h.comes("is started") {
		go h.live(true)
	}
}

// comes is called when the worker goes on after a sleep. It reports whether it may.
func (h *hand) comes(how string) bool {
	if !h.parked.Swap(false) {
		h.r.Report("S11", "worker %d %s, and did not sleep, or had gone on already", h.id, how)
		return false
	}
	h.looked.Store(false)
	if h.lent.Load() {
		h.r.Report("S9", "worker %d %s while its seat was lent", h.id, how)
	}
	return true
}

// live has a goroutine be the worker, until that has ended or sleeps without a
// goroutine. slept says that it goes on with one that did.
func (h *hand) live(slept bool) {
	ended := true
	defer func() {
		if ended {
			close(h.ended)
			h.running.Done()
		}
	}()
	defer h.r.Recovered()
	ended = h.work(slept)
}

// work is the life of a worker. It ends when its root latch is set and no work
// is left. If the worker sleeps without a goroutine, work returns false.
func (h *hand) work(slept bool) (ended bool) {
	for {
		var job task
		if !slept {
			job = h.search()
		}
		if job == nil {
			awake := true
			if job, awake = h.idle(slept); !awake {
				return false
			}
			slept = false
		}
		if job == nil {
			job = h.search()
		}
		if job == nil {
			return true
		}
		job(h)
	}
}

// idle looks for work until there is some or the root latch is set. awake is false if
// the worker sleeps without a goroutine.
func (h *hand) idle(slept bool) (job task, awake bool) {
	idle := &h.state
	if slept {
		h.root.WakeUp()
	} else {
		*idle = h.s.StartLooking(h.id)
	}
	for !h.root.Probe() {
		if job = h.search(); job != nil {
			break
		}
		h.at(atSearched)
		if !h.s.NoWork(idle) {
			continue
		}
		h.parked.Store(true)
		if !h.s.Park(idle, &h.root, h.look) {
			if !h.leaves {
				h.r.Report("S11", "Park returned false to worker %d, and no worker sleeps without a goroutine", h.id)
			}
			return nil, false
		}
		if !h.comes("has returned from Park") {
			return nil, false
		}
	}
	h.s.Found(idle)
	return job, true
}

// lookOut looks for work for as long as a worker does before it parks. A borrower
// does so, and never parks.
func (h *hand) lookOut() (job task) {
	idle := h.s.StartLooking(h.id)
	for tired := false; job == nil && !tired; {
		if job = h.search(); job == nil {
			h.at(atSearched)
			tired = h.s.NoWork(&idle)
		}
	}
	h.s.Found(&idle)
	return job
}

// search takes a job: the newest of its own, the oldest injected one, or the
// oldest of another worker's.
func (h *hand) search() task {
	h.searches.Add(1)
	h.at(atSearch)
	if job := h.queue.newest(); job != nil {
		return job
	}
	if job := h.injected.oldest(); job != nil {
		return job
	}
	for i := range h.hands {
		if job := h.hands[(h.id+i)%len(h.hands)].queue.oldest(); job != nil {
			return job
		}
	}
	return nil
}

// hasWork reports whether search would find something.
func (c *crew) hasWork() bool {
	if c.injected.len() > 0 {
		return true
	}
	for _, h := range c.hands {
		if h.queue.len() > 0 {
			return true
		}
	}
	return false
}

// look is the last look of a worker that falls asleep.
func (h *hand) look() bool {
	h.at(atLook)
	if h.hasWork() {
		return true
	}
	h.at(atLooked)
	h.looked.Store(true)
	return false
}

// at runs the hook.
func (h *hand) at(p point) {
	if hook := h.hook.Load(); hook != nil {
		(*hook)(p, h)
	}
}

// inject posts a job from outside.
func (c *crew) inject(job task) { c.s.Post(1, c.injected.push(job)) }

// spawn posts a job from the worker that calls.
func (h *hand) spawn(job task) { h.s.Post(1, h.queue.push(job)) }

// set sets a latch and wakes its waiter if need be.
func (c *crew) set(l *flag) {
	h := l.hand // not after Set: the latch may be gone then
	if l.Set() {
		c.s.Wake(h.id)
	}
}

// borrow runs fn on a borrowed seat. It returns false if there was none.
func (c *crew) borrow(fn task) bool {
	id, ok := c.lender.Borrow()
	if !ok {
		return false
	}
	if id < 0 || id >= len(c.hands) {
		c.r.Report("S9", "Borrow lent seat %d of %d", id, len(c.hands))
		return true
	}
	h := c.hands[id]
	if h.lent.Swap(true) {
		c.r.Report("S9", "seat %d was lent while it was lent", id)
	}
	// It can be claimed, so it sleeps, even if its last look finds a job just now:
	// that job is another worker's.
	h.looked.Store(true)
	fn(h)
	h.lent.Store(false)
	c.lender.Return(id, func() bool {
		h.at(atReturn)
		if h.hasWork() {
			return true
		}
		h.at(atReturned)
		h.looked.Store(true)
		return false
	})
	if h.root.Probe() {
		c.s.Wake(id)
	}
	return true
}

// rest waits until all workers sleep. One that is counted as sleeping may still
// be short of it, and then nobody can wake it or borrow its seat; but past its
// last look they must be able to.
func (c *crew) rest() {
	c.r.T.Helper()
	c.r.During("S7", "all of %d workers come to sleep when there is no work", len(c.hands))
	c.r.Until(func() bool {
		inactive, sleeping := c.s.Counts()
		for _, h := range c.hands {
			if !h.looked.Load() {
				return false
			}
		}
		return inactive == len(c.hands) && sleeping == len(c.hands)
	})
}

// stop ends all workers and checks that none is counted any more. After a
// failure it does its best, since workers may be beyond reach.
func (c *crew) stop() {
	c.r.T.Helper()
	c.hook.Store(nil)
	for _, h := range c.hands {
		c.set(&h.root)
	}
	if c.r.Failed() {
		for _, h := range c.hands {
			c.s.Wake(h.id)
		}
		return
	}
	c.r.During("S3", "all workers end after their root latches were set")
	c.r.Wait(c.ended)
	inactive, sleeping := c.s.Counts()
	c.r.Check(inactive == 0 && sleeping == 0, "C4", "after all workers have ended, %d are counted as inactive and %d as sleeping", inactive, sleeping)
}

// once arranges that fn runs, on a goroutine of its own, when the worker
// passes the point, and that the worker goes on after fn has ended, or after
// fn seems to wait for the worker.
func (c *crew) once(p point, id int, fn func()) {
	c.hookOnce(p, id, func() { nudge(c.r.Go(fn)) })
}

// hookOnce has the worker call fn when it first passes the point.
func (c *crew) hookOnce(p point, id int, fn func()) {
	var fired atomic.Bool
	hook := func(at point, h *hand) {
		if at == p && h.id == id && !fired.Swap(true) {
			fn()
		}
	}
	c.hook.Store(&hook)
}

// nudge gives another goroutine the time to get done, or to the point where it
// must wait for this one. Nothing depends on which of the two it was.
func nudge(done <-chan struct{}) {
	for range 1000 {
		select {
		case <-done:
			return
		default:
			runtime.Gosched()
		}
	}
}

// hold makes the workers for which held is true wait before they search,
// awake and idle, until release is called.
func (c *crew) hold(held func(h *hand) bool) (release func()) {
	gate := make(chan struct{})
	hook := func(at point, h *hand) {
		if at == atSearch && held(h) {
			select {
			case <-gate:
			case <-c.r.Failure():
			}
		}
	}
	c.hook.Store(&hook)
	return func() { c.hook.Store(nil); close(gate) }
}

// signal is a job that closes a channel.
func signal() (job task, done chan struct{}) {
	done = make(chan struct{})
	return func(*hand) { close(done) }, done
}

// tree is a job that spawns two more, down to the given depth. Each leaf calls leaf.
func tree(depth int, leaf func()) task {
	return func(h *hand) {
		if depth == 0 {
			if rand.IntN(16) == 0 {
				runtime.Gosched()
			}
			leaf()
			return
		}
		h.spawn(tree(depth-1, leaf))
		h.spawn(tree(depth-1, leaf))
	}
}
