package pool

import (
	"github.com/rouse-go/rouse/api"
	"github.com/rouse-go/rouse/api/prim"
)

// unseated is the queue of forks and spawned jobs of workers without a seat. These do not
// stand before the jobs that were submitted, which have a queue of their own.
//
// Most pools never have such a worker, or seldom. So the queue is made by the first push: until
// then a search asks one word, which nobody writes.
type unseated struct {
	// queue is nil until the first push.
	//
	// Writers: whoever pushes first, by CAS, before that push.
	// Pairs:   whoever reads nil has read an empty queue: all pushes, and the posts that follow
	// them, come later.
	queue prim.Pointer[unseatedQueue]
}

type unseatedQueue struct{ api.Injector[Job] }

// Push puts a job in, and reports whether it was alone there.
func (u *unseated) Push(j *Job) (wasEmpty bool) {
	q := u.queue.Load()
	if q == nil {
		q = &unseatedQueue{newInjector()}
		if !u.queue.CompareAndSwap(nil, q) {
			q = u.queue.Load()
		}
	}
	return q.Push(j)
}

// Empty reports whether there is no job.
func (u *unseated) Empty() bool {
	q := u.queue.Load()
	return q == nil || q.Empty()
}
