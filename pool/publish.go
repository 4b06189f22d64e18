package pool

// Publication on demand. A fork is private to its worker until another worker
// wants work; then the oldest one, which tends to be the largest, is made
// public. See "The flag and the sleepers" in the README.

// want asks w to publish. The caller is counted inactive, or acts for one who
// is.
func (w *Worker) want() {
	if w.wanted.Load() == 0 {
		w.wanted.Store(1)
	}
}

// publish makes the oldest private frame below the given position public, if
// another worker waits for one. The caller has seen wanted.
func (w *Worker) publish(below uint64) {
	w.skipHoles()
	if w.public >= below {
		return
	}
	if w.pool.eager {
		w.publishOldest()
		return
	}
	if w.deque.Len() > 0 {
		// What is there is for those who wait; who takes it asks for more.
		// Lowered before the second look: a thief that comes after that
		// finds the flag down, and raises it.
		w.wanted.Store(0)
		if w.deque.Len() > 0 {
			return
		}
	}
	// Lowered before the push, for the same reason.
	w.wanted.Store(0)
	w.publishOldest()
}

// pop takes the newest job of the worker's own deque, or returns nil.
func (w *Worker) pop() *Job {
	j := w.deque.Pop()
	if j != nil {
		// The deque may be empty now, and nobody look again before it sleeps.
		if inactive, _ := w.pool.sleep.Counts(); inactive > 0 {
			w.want()
		}
	}
	return j
}

// publishAll makes every private frame public, oldest first. A worker does
// this before it waits.
func (w *Worker) publishAll() {
	for w.skipHoles(); w.public < w.head; w.skipHoles() {
		w.publishOldest()
	}
}

// publishOldest makes the frame at w.public public. There is one.
func (w *Worker) publishOldest() {
	f := w.frameAt(w.public)
	w.public++
	f.seq |= guarded // its join must take the long way
	f.latch.Reset()
	w.stats.published.Add(1)
	w.stats.forks.Store(w.seq / seqStep)
	w.push(&f.Job)
}

// push makes a job public, and wakes a worker if one must be woken for it.
func (w *Worker) push(j *Job) {
	wasEmpty := w.deque.Len() == 0
	w.deque.Push(j) // A1
	w.pool.sleep.Post(1, wasEmpty)
}
