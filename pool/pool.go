package pool

import (
	"fmt"
	"weak"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// MaxWorkers is the largest number of workers that a pool can have.
const MaxWorkers = 1<<16 - 1

// A Pool runs jobs on a fixed number of workers. Make one with [New], and
// [Pool.Close] it when it is no longer needed, or use the one of [Default].
//
// All methods may be called by any goroutine at any time.
type Pool struct {
	// What a job needs to begin in a pool at rest comes first, on two cache lines: they are
	// cold then.

	seats  []*seat
	lender api.Lender // sleep, if it lends seats; else nil
	// direct and queued are where submitted jobs come from, queued those that wait where
	// WithQueueLimit leaves room; it has no room without that.
	direct source
	// abandoned says that what has not begun is not to begin any more.
	//
	// Writers: Shutdown, once.
	// Pairs:   Shutdown sets it, then takes back what it finds; a worker that has begun
	// a submitted job reads it after that. See recall, too.
	abandoned prim.Bool
	leaves    bool // seats sleep without a goroutine
	eager     bool
	// lingers says that a seat which was at work for long looks for longer before it
	// sleeps: there are others, and a processor for each.
	lingers bool
	// single says that a seat takes one job at a time from the injector: there are no
	// thieves for others, or so many seats and so few processors that jobs which are
	// taken along only bring seats into view.
	single   bool
	injector api.Injector[Job] // has the jobs that were submitted
	unseated unseated
	// occupants are the workers that have the seats, or had them last.
	//
	// Writers: a worker that takes a seat.
	// Pairs:   see Worker.sit.
	occupants []prim.Pointer[Worker]
	sleep     api.Sleep

	queued  source
	victims []victim // one for each seat
	view    view
	look    func() bool // hasWork; made once, because a method value allocates
	random  *randomness // nil without WithRandomSchedule
	// builtIn says that the pool is the built-in one, or was.
	builtIn bool
	// panicHandler is nil if there is none.
	panicHandler func(*PanicError)
	// spins is how often a worker looks at what it waits for before it looks for
	// other work. Each look is one of its own line, and most joins end meanwhile.
	spins int
	// crowded says that there are more workers than processors.
	crowded bool
	// watched says that somebody has asked for Stats: see Worker.hasBegun.
	//
	// Writers: Stats, once.
	watched prim.ReportBool
	// notes is nil until a call was short.
	notes prim.Pointer[notes]

	_ [128]byte // everybody reads what is above, and writes what is below
	// starting counts the jobs of Submit whose goroutines have not begun, in a pool of more
	// than maxStarting seats. Every caller writes the line, which has the count of those who
	// entered, too.
	//
	// Writers: Submit, those goroutines.
	starting prim.Uint32
	// beside counts the workers that run beside others, without a seat, with jobs of the
	// queue.
	//
	// Writers: whoever lets a job begin beside; those workers, when they wait, have a
	// seat, go on or end.
	// Pairs:   see leaveBeside.
	beside prim.Uint32
	// carriers counts the seats that have taken jobs of the queue along.
	//
	// Writers: those seats; whoever finds that one has none left.
	carriers prim.Uint32
	// called says that all workers are asked to look at the queue, or are about to be.
	//
	// Writers: call (true), workers that look (false).
	// Pairs:   see call.
	called prim.Bool
	// looked has the seats at which a worker may have lowered its bit since it was last asked.
	// In a pool that is not large it is empty, and all are asked.
	//
	// Writers: workers that look (set); call (clear, before it raises the bit again).
	// Pairs:   see call.
	looked   view
	shutdown shutdown
	roll     roll
	unseen   unseen
	injected prim.Uint64 // counts the jobs that were queued
	// withdrawn counts those of them that were taken back before they began, in a pool without
	// a limit of the queue. It wraps, as counts.begun does.
	withdrawn prim.ReportNumber
}

// New makes a pool and starts its workers. It returns an error that names the
// option if one is out of range or a backend cannot be made; nothing is then
// left behind. It costs about a microsecond for each worker.
//
// A pool has a goroutine for each worker until [Pool.Close] ends it. If you forget to
// close it they stay, and keep it in memory. A search for leaked goroutines then shows
// some in (*seat).await of this package. So does the profile goroutineleak, which Go 1.26
// has with GOEXPERIMENT=goroutineleakprofile, if nothing refers to the pool any more. A
// pool whose workers sleep without a goroutine, as those of [Default] do, is collected
// when it is at rest and nothing refers to it:
//
//	pool.New(pool.WithSleep(func(n int) (api.Sleep, error) {
//		return jec.New(n, jec.WithoutGoroutines())
//	}))
//
// In a bubble of [testing/synctest] make a pool for the bubble, and close it there. The
// goroutines of one that was made outside are not the bubble's. As soon as one of them
// takes a job of the bubble, the bubble finds all its goroutines blocked, or the program
// ends with a fatal error: now and then, for it depends on the schedule.
func New(opts ...Option) (*Pool, error) {
	c := config{workers: prim.Processors(), deque: defaultDeque, sleep: defaultSleep}
	for _, o := range opts {
		o(&c)
	}
	switch {
	case c.workers < 1 || c.workers > MaxWorkers:
		return nil, fmt.Errorf("pool: WithWorkers(%d): must be 1 to %d", c.workers, MaxWorkers)
	case c.deque == nil:
		return nil, fmt.Errorf("pool: WithDeque(nil): must make a deque")
	case c.sleep == nil:
		return nil, fmt.Errorf("pool: WithSleep(nil): must make a sleep backend")
	}
	room, err := c.room()
	if err != nil {
		return nil, err
	}
	s, err := c.sleep(c.workers)
	if err != nil {
		return nil, fmt.Errorf("pool: WithSleep, %d workers: %w", c.workers, err)
	}
	if s == nil {
		return nil, fmt.Errorf("pool: WithSleep: the function returned no backend")
	}
	p := &Pool{sleep: s, eager: c.eager, panicHandler: c.handler}
	prim.Declare(p)
	p.direct, p.queued = source{pool: p}, source{p, room}
	if room == nil {
		p.injector = newInjector()
	} else {
		p.injector = room
		room.idle = func() int { inactive, _ := s.Counts(); return inactive }
	}
	p.roll.self = weak.Make(p)
	if c.random {
		p.eager, p.random = true, &randomness{seed: c.seed}
	}
	p.lender, _ = s.(api.Lender)
	p.look = p.hasWork
	p.called.Store(true) // each worker looks as it begins
	p.crowded = c.workers > prim.Processors()
	switch n := prim.Processors(); {
	case n == 1: // to look would keep those that it waits for from running
	case c.workers <= n:
		p.spins = maxSpins
		p.lingers = c.workers > 1
	default:
		p.spins = api.DefaultRounds(c.workers).Spin / 2
	}
	p.view, p.looked = newView(c.workers), newView(c.workers)
	p.single = c.workers == 1 || c.workers >= manySeats && c.workers > prim.Processors()
	p.victims = make([]victim, c.workers)
	for i := range p.victims {
		d := c.deque()
		if d == nil {
			return nil, fmt.Errorf("pool: WithDeque: the function returned no deque")
		}
		p.victims[i].deque = d
	}
	p.occupants = make([]prim.Pointer[Worker], c.workers)
	prim.DeclareSlice(p.victims)
	prim.DeclareSlice(p.occupants)
	for i := range p.victims {
		p.addSeat(newSeat(p, i, p.victims[i].deque))
	}
	if b, ok := s.(api.Starter); ok {
		p.leaves = b.StartBy(func(seat int) { p.seats[seat].goOn() })
	}
	p.shutdown.lives.Add(len(p.seats))
	p.unseen.reports.Add(1) // for Close
	for _, s := range p.seats {
		// It counts as one that looks for work before its goroutine runs: so what comes
		// at once knows that somebody will have time for it.
		s.idle, s.looking = s.startLooking(), true
	}
	for _, s := range p.seats {
		s.start(nil)
	}
	return p, nil
}

// addSeat gives a seat to the pool, which is not in use yet.
func (p *Pool) addSeat(s *seat) {
	p.seats = append(p.seats, s)
	p.occupants[s.index].Store(s.spares[0])
}

// Workers returns how many workers the pool has. That never changes.
//
// It is no bound for an index. More jobs may run at once than there are workers, and a job has
// another worker after each wait: see "No guarantees" of the package. And of the default
// pool it is the number of now: by the next call [Default] may return another one. What each
// goroutine needs for itself is best kept in a sync.Pool, or for loops in a Scratch of package
// par.
func (p *Pool) Workers() int { return len(p.seats) }

// Idle reports whether a worker of the pool has nothing to do: it sleeps, or looks for work. It
// costs an atomic load. Any goroutine may call it.
func (p *Pool) Idle() bool {
	inactive, _ := p.sleep.Counts()
	return inactive > 0
}

// post tells of jobs that were queued, which come from outside, and wakes as many workers as
// must be woken for them.
func (p *Pool) post(n int) {
	p.injected.Add(uint64(n))
	p.sleep.Post(n, true)
	p.call()
}

// hasWork is the one answer to "is there work?": it looks at every place where
// a search by an idle worker would find some. Like such a search, it asks the
// owner of each empty deque for more, if that is in view.
//
// Private frames are not among the places: nobody but their owner can take
// them, and the owner publishes them before it waits.
func (p *Pool) hasWork() bool {
	if !p.used() {
		return false
	}
	found := !p.injector.Empty() || !p.unseated.Empty()
	for n, end := p.view.next(0, len(p.victims)), len(p.victims); n < end; n = p.view.next(n+1, end) {
		v := &p.victims[n]
		prim.Touch(&v.deque, false)
		if v.deque.Len() > 0 {
			found = true
		} else {
			p.want(n)
		}
	}
	return found
}
