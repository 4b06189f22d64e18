package api

// A Sleep decides when idle workers sleep and whom to wake. One Sleep serves
// the workers 0 to n-1 of one pool.
//
// A worker calls StartLooking when it runs out of work, NoWork after each
// fruitless search, and Found when a search or its latch ended that. Whoever
// puts a job where workers look calls Post after it. Whoever sets a latch
// whose waiter was sleeping calls Wake.
//
//		idle := s.StartLooking(w, root)
//		for !latch.Probe() {
//			if job = search(); job != nil {
//				break
//			}
//			s.NoWork(&idle, latch, look)
//		}
//		s.Found(&idle)
//
//	  - S1. No missed wake: after Post has returned, there is a worker that is
//	    awake and will search, or the job was taken, or nobody sleeps. This
//	    holds for every source that look knows of, for latches and for Wake.
//	  - S2. Posted work is conserved: while a posted job waits and not all
//	    workers are active, some worker is on its way to it, also where many
//	    jobs were posted as one. A worker that leaves the idle state as the
//	    last one awake wakes another first.
//	  - S3. A latch that is set ends NoWork from every state of its worker.
//	  - S4. Wake(w) reaches w and no other.
//	  - S5. NoWork may return at any time; its caller searches again.
//	  - S6. Post wakes at most as many as there are jobs, and nobody if none
//	    sleeps or if enough others look already and the queue was empty.
//	  - S7. A worker that sleeps takes no step until it is woken.
//	  - S8. A worker that sleeps uses no processor time; one that is woken runs
//	    as soon as the platform lets it.
//
// StartLooking, NoWork and Found belong to the goroutine that is the worker
// at the time; the others are for everybody.
type Sleep interface {
	// StartLooking says that the worker has turned idle. root says that it
	// has no job beneath it, so that its seat may be lent while it sleeps.
	StartLooking(worker int, root bool) Idle
	// NoWork says that a search found nothing, and returns when it is worth
	// searching again: at once, or after the worker has slept.
	//
	// It does not block if latch is set or if look, called last before
	// blocking, returns true. look must report whether there is work in any
	// place where a search would find it, or any other reason to stay awake;
	// it must not call the Sleep. It may be called under a lock.
	NoWork(idle *Idle, latch Latch, look func() bool)
	// Found says that the worker is idle no more: it has taken a job, or what
	// it waited for has come. It must be called before the job is run.
	Found(idle *Idle)
	// Post says that a number of jobs were put where workers look. wasEmpty
	// says that nothing else waited there: then those that look already come
	// for these jobs, and need not be woken. A caller may post many jobs as
	// one, to wake one worker at most: each that comes wakes the next (S2).
	Post(jobs int, wasEmpty bool)
	// Wake rouses the given worker if it sleeps, and reports whether it did.
	Wake(worker int) bool
	// Counts returns how many workers are inactive, and how many of those
	// sleep, at one moment. A worker may be counted as sleeping a moment
	// before it can be woken or its seat lent; it still looks after that.
	Counts() (inactive, sleeping int)
}

// An Idle is the state of one worker between [Sleep.StartLooking] and
// [Sleep.Found]. The worker keeps it, the backend reads and writes it.
type Idle struct {
	// Worker is the worker's number.
	Worker int
	// Root says that the worker has no job beneath it.
	Root bool
	// Round counts the fruitless searches since the worker last had a reason
	// to stay awake.
	Round int
	// Ticket is the backend's own.
	Ticket uint64
}

// A Lender is a [Sleep] that can lend the seat of a worker which sleeps at its
// root. The borrower then is that worker, while the worker's own goroutine
// stays blocked; if it must sleep it does so apart from that goroutine, and
// Wake finds it there.
//
//   - S9. A seat has one occupant: it is lent only from a sleep at the root,
//     never twice, and never woken while it is lent. It comes back without a
//     missed wake: what was posted meanwhile, and not taken, is not
//     forgotten.
type Lender interface {
	Sleep
	// Borrow claims a worker that sleeps at its root and makes it active. ok
	// is false if there is none.
	Borrow() (worker int, ok bool)
	// Return gives the seat back: the worker sleeps again, or is roused if
	// look returns true. look has the meaning that it has in NoWork, and must
	// also report whether the worker's root latch is set.
	Return(worker int, look func() bool)
}

// A Meter is a [Sleep] that counts what it does. The counts are monotone and
// may be read at any time.
type Meter interface {
	Sleep
	// Meter returns the counts so far.
	Meter() Metered
}

// Metered is what a [Meter] has counted.
type Metered struct {
	// Parks is the number of times that a worker blocked.
	Parks uint64
	// Wakes is the number of sleepers that were claimed to be woken.
	Wakes uint64
	// Lent is the number of seats lent.
	Lent uint64
	// Syscalls is the number of system calls made to wait or wake, where the
	// backend makes them itself.
	Syscalls uint64
}
