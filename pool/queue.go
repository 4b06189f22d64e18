package pool

import (
	"container/list"
	"context"

	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// An inbox has the submitted jobs of a pool that wait for a worker, and what is counted of them.
type inbox struct {
	queue queue
	// direct is the ticket of jobs that begin at once, queued that of jobs that were queued. They do not change.
	direct, queued ticket
	// samples is of how many jobs the queue time is still measured until the next look at the queue.
	//
	// Writers: callers that queue a job (down, by CAS); who looks at the queue, and sets the next timer.
	samples prim.ReportNumber
	// front is when the job was queued that a worker has taken last, or when the queue was no longer empty, if that
	// came later; so the oldest job came then, or later. It is 0 while nobody knows.
	//
	// Writers: takeQueued, if the time of the job is measured; attendQueue; the timer, when the queue is empty.
	front prim.ReportCount
	// attended says that a timer is going to look at the queue, served that a job was taken from there
	// since its last look.
	//
	// Writers: callers that queue a job (attended up, by CAS), workers that take one (served up), the
	// timer.
	// Pairs:   see overdue.go.
	attended, served prim.Bool
	// rested says that a goroutine of the pool has ended since a job was last queued, as all have at rest where workers
	// sleep without one; bubble says that callers are in a bubble of testing/synctest. With a driver there are no
	// timers, so it need not see these.
	//
	// Writers: goroutines that end (rested up); callers that queue a job.
	// Pairs:   see overdue.go.
	rested, bubble prim.ReportBool
	// abandoned says that no submitted job may begin any more.
	//
	// Writers: Shutdown, once.
	// Pairs:   Shutdown sets it, then takes back the jobs that it finds; a worker that
	// has begun a submitted job reads it after that. See Pool.accept, too.
	abandoned prim.Bool

	_ [128]byte // all searches read the fields above
	// injected counts the jobs that were queued, withdrawn those of them that were taken back before they
	// began, and unbegun those that a worker had taken when it found that they must not begin any more.
	// refused counts the jobs that were not let in.
	injected                    prim.Uint64
	withdrawn, unbegun, refused prim.ReportCount
	times                       times
	// beside counts the guests that run queued jobs beside others.
	//
	// Writers: the timer that begins them; those guests, when they wait, get a worker's seat, go on or
	// end.
	beside prim.Uint32
}

// A queue has the submitted jobs that wait for a worker. Steal and Empty are those of an [api.Injector].
type queue interface {
	// push queues a job when there is room for it. It returns the error of ctx if that ends before,
	// and ErrClosed if the pool closes before; with noWait it returns ErrFull at once.
	push(ctx context.Context, j *submission) error
	// remove takes a job out that was claimed by somebody else than a worker that came to it.
	remove(j *submission)
	Steal() (*submission, api.Outcome)
	Empty() bool
	// waits returns how many jobs there are.
	waits(p *Pool) int
	// close turns away all that wait for room, now or later.
	close()
}

// An endless queue is that of a pool without a limit. A job that is taken back leaves its pointer there,
// until a worker comes to it.
type endless struct{ api.Injector[submission] }

func (q endless) push(_ context.Context, j *submission) error {
	j.stamp(false)
	q.Push(j) // A1
	return nil
}
func (q endless) remove(*submission) {}
func (q endless) close()             {}

// waits implements queue. Jobs leave in no order, so those that have left are counted where they begin: in
// one word, to which all workers write, they would hinder each other.
func (q endless) waits(p *Pool) int {
	left := uint32(p.inbox.withdrawn.Load())
	for s := range p.eachSeat {
		left += s.stats.begun.Load()
	}
	// A job is counted as queued when it lies where workers find it, and may have begun.
	return notBelow0(uint32(p.inbox.injected.Load()) - left)
}

// A room is the queue of a pool with a limit: submitted jobs wait in it for a worker, and callers
// wait until there is room for theirs.
//
// A job that is taken back, or begins where somebody waits for it, leaves the queue at once, and its room
// goes to the caller that has waited for longest. So one lock guards all, and the memory of the queue is
// bounded by the limit.
type room struct {
	limit int        // does not change
	idle  func() int // how many workers have no work
	mu    prim.Mutex
	// queue has a *submission for each job that waits for a worker, the oldest first. Guarded by mu.
	queue list.List
	// waiting has a *roomWaiter for each caller that waits for room, guarded by mu.
	waiting list.List
	closed  bool // guarded by mu
	// filled says that the queue is not empty.
	//
	// Writers: holders of mu.
	// Readers: all that look for jobs.
	filled prim.Bool
}

func newRoom(limit int, idle func() int) *room {
	r := &room{limit: limit, idle: idle}
	prim.Declare(r)
	return r
}

// A roomWaiter waits for room for its job.
type roomWaiter struct {
	job    *submission
	parker *prim.Parker
	place  *list.Element
	in     bool // guarded by the room's mu
}

// push implements queue. The jobs of the calling goroutine give up their seats while it waits.
func (r *room) push(ctx context.Context, j *submission) error {
	c, err := r.tryPush(j, ctx != noWait)
	if c == nil {
		return err
	}
	defer workerHere().block().endBlock()
	err = c.parker.ParkContext(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case c.in:
		return nil
	case r.closed:
		return ErrClosed
	}
	r.waiting.Remove(c.place)
	return err
}

// tryPush queues a job, if there is room for it, or has the caller wait, if it does.
//
// A worker that is counted as without work comes for a queued job: so there is one for each job
// beyond the limit, but for those that a Run takes meanwhile. A caller does not overtake those that
// wait for room: free room is theirs.
func (r *room) tryPush(j *submission, waits bool) (*roomWaiter, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.waiting.Len() == 0 && r.queue.Len()-r.idle() < r.limit:
		r.add(j)
		return nil, nil
	case !waits:
		return nil, ErrFull
	case r.closed:
		return nil, ErrClosed
	}
	c := &roomWaiter{job: j, parker: prim.NewParker()}
	c.place = r.waiting.PushBack(c)
	return c, nil
}

// add queues a job. The caller has mu.
func (r *room) add(j *submission) {
	j.stamp(true)
	j.place = r.queue.PushBack(j) // A1
	r.filled.Store(true)
}

// handOn gives free room to the job of the caller that has waited for longest. The caller has mu.
func (r *room) handOn() {
	first := r.waiting.Front()
	if first == nil || r.queue.Len() >= r.limit {
		return
	}
	c := r.waiting.Remove(first).(*roomWaiter)
	c.in = true
	r.add(c.job)
	c.parker.Unpark()
}

// waits implements queue.
func (r *room) waits(*Pool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queue.Len()
}

// close implements queue.
func (r *room) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for e := r.waiting.Front(); e != nil; e = e.Next() {
		e.Value.(*roomWaiter).parker.Unpark()
	}
	r.waiting.Init()
}

// remove implements queue.
func (r *room) remove(j *submission) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.place != nil {
		r.pull(j)
	}
}

// pull takes a job out of the queue. The caller has mu.
func (r *room) pull(j *submission) {
	r.queue.Remove(j.place)
	j.place = nil
	r.handOn()
	if r.queue.Len() == 0 {
		r.filled.Store(false)
	}
}

// Steal implements queue.
func (r *room) Steal() (*submission, api.Outcome) {
	if r.Empty() {
		return nil, api.Empty
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	oldest := r.queue.Front()
	if oldest == nil {
		return nil, api.Empty
	}
	j := oldest.Value.(*submission)
	r.pull(j)
	return j, api.Stolen
}

// Empty implements queue.
func (r *room) Empty() bool { return !r.filled.Load() }
