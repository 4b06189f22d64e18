package api

// A Sleep decides when idle workers sleep and which of them to wake. One Sleep serves
// the workers 0 to n-1 of one pool.
//
// To a Sleep, a worker is a seat of the pool and the goroutine that has it. Only a worker
// without a job sleeps here: a job that waits for another one gives up its seat,
// and waits elsewhere. So only one latch can wake a sleeper: the one that is set when
// the worker is to end.
//
// A worker calls StartLooking when it runs out of work, NoWork after each
// fruitless search, and Park when NoWork returns true. When it has found a job, or its
// latch is set, it calls Found. A poster calls Post after it has put a job where workers
// look. A goroutine that sets a latch whose waiter was sleeping calls Wake.
//
//	idle := s.StartLooking(worker)
//	for !stop.Probe() {
//		if job = search(); job != nil {
//			break
//		}
//		if s.NoWork(&idle) && !s.Park(&idle, stop, look) {
//			return // the worker sleeps, and another goroutine continues it
//		}
//	}
//	s.Found(&idle)
//
// The rules:
//
//   - S1. No missed wake: after Post has returned, there is a worker that is
//     awake and will search, or the job was taken, or no worker sleeps. This
//     holds for every source that look knows of, for latches and for Wake.
//   - S2. Posted work is conserved: while a posted job waits and not all
//     workers are active, some worker is on its way to it, also where many
//     jobs were posted as one. A worker that leaves the idle state as the
//     last one awake wakes another first.
//   - S3. A latch that is set ends Park from every state of its worker. Nothing
//     but the end of the worker's time sets it.
//   - S4. Wake(w) reaches w and no other.
//   - S5. Park may return at any time; its caller searches again. After NoWork the
//     caller may call Found in place of Park, or let another goroutine go on.
//   - S6. Post wakes at most as many as there are jobs, and no worker if none
//     sleeps or if enough others look already and the queue was empty.
//   - S7. A worker that sleeps takes no step until it is woken.
//   - S8. A worker that sleeps uses no processor time; one that is woken runs
//     as soon as the platform lets it.
//
// S9 is about a [Lender], S10 about a [Meter], S11 about a [Starter], S12 about
// [Rounds] and the options of a backend.
//
// Only the goroutine that has the seat calls StartLooking, NoWork, Park and Found; any
// goroutine may call the others.
type Sleep interface {
	// StartLooking counts the worker as idle.
	StartLooking(worker int) Idle
	// NoWork follows a search that found nothing. It may pause before the next
	// search. It returns true if the worker has searched for long enough and
	// should park. It never sleeps, and no other goroutine can claim the worker
	// during the call.
	NoWork(idle *Idle) (tired bool)
	// Park puts the worker to sleep, and returns true when it is worth searching
	// again. A [Starter] may return false: then the worker sleeps without a
	// goroutine, and the caller no longer has it. The last call for this Idle must
	// have been a NoWork that returned true.
	//
	// Park does not block if latch is set, or if look, which it calls last before
	// it blocks, returns true. look must report whether there is work in any
	// place where a search would find it, or any other reason to stay awake.
	// look must not call the Sleep, and Park may hold a lock while it calls look.
	Park(idle *Idle, latch Latch, look func() bool) (awake bool)
	// Found counts the worker as no longer idle: it has taken a job, or is to end.
	// Call it before the job runs.
	Found(idle *Idle)
	// Post wakes workers for a number of jobs that were put where workers look.
	// wasEmpty says that nothing else waited there: then the workers that search
	// already come for these jobs. A caller may post many jobs as one, to wake at
	// most one worker: each worker that comes wakes the next (S2).
	Post(jobs int, wasEmpty bool)
	// Wake wakes the given worker if it sleeps, and reports whether it did.
	Wake(worker int) bool
	// Counts returns how many workers are inactive, and how many of those
	// sleep, at one moment. A worker may be counted as sleeping a moment
	// before it can be woken or its seat lent; it looks once more after that.
	Counts() (inactive, sleeping int)
}

// An Idle is the state of one worker between [Sleep.StartLooking] and
// [Sleep.Found]. The backend reads and writes it. The goroutine that has the worker's
// seat keeps it, and passes it on with the seat.
type Idle struct {
	// Worker is the worker's number.
	Worker int
	// Round counts the fruitless searches since the worker last had a reason
	// to stay awake.
	Round int
	// Lingers is true if the worker was busy for long before it began to look, and so may
	// look for longer. The goroutine that has the seat sets it after
	// [Sleep.StartLooking], and [Rounds.Next] clears it.
	Lingers bool
	// Ticket is the backend's own.
	Ticket uint64
}

// A Lender is a [Sleep] that can lend the seat of a worker that sleeps. The
// borrower then has the seat, while the goroutine that sleeps there stays blocked
// in Park.
//
// The rule:
//
//   - S9. A seat has one user. It is lent only from a sleep, never twice, and
//     the goroutine that sleeps there is not woken while it is lent. The
//     borrower may look for work as the worker, but does not park: it returns
//     the seat instead. The seat comes back without a missed wake: what was
//     posted meanwhile, and not taken, is not forgotten.
type Lender interface {
	Sleep
	// Borrow claims a worker that sleeps and makes it active. ok is false if
	// there is none.
	Borrow() (worker int, ok bool)
	// Return gives the seat back. If the borrower has called StartLooking, it must
	// have called Found. The goroutine that sleeps there sleeps on, or is woken if
	// look returns true; look is as in Park. Return does not call look if it knows
	// that no job relied on the seat. The caller then looks at the worker's latch,
	// and calls Wake if that is set.
	Return(worker int, look func() bool)
}

// A Starter is a [Sleep] whose workers may sleep without a goroutine. The
// goroutine that wakes such a worker starts a new one for it.
//
// The rule:
//
//   - S11. Each sleep has one successor: Park returns true, or it returns false and
//     start is called once, when the worker is woken. It is called for no other worker,
//     and not while the seat is lent. The goroutine that wakes the worker calls
//     it; no other goroutine has the worker then.
type Starter interface {
	Sleep
	// StartBy sets the function that continues a worker whose Park has returned
	// false. start must not wait for anything: it starts a goroutine that calls
	// WakeUp of the worker's latch, searches, and continues with the same Idle as
	// after a Park that has returned true. What happens before such a Park returns
	// happens before start.
	//
	// Call StartBy before the first worker looks for work, or never: without it no
	// worker sleeps without a goroutine. It returns false if none ever does; then
	// start is never called.
	StartBy(start func(worker int)) (leaves bool)
}

// A Meter is a [Sleep] that counts what it does. The counts never fall, and any
// goroutine may read them at any time.
//
// The rule:
//
//   - S10. What did not happen is not counted: a Park that did not block, a Wake
//     or a Post that claimed no worker, a Borrow that found no seat.
type Meter interface {
	Sleep
	// Meter returns the counts so far.
	Meter() Metered
}

// Metered has the counts of a [Meter].
type Metered struct {
	// Parks is the number of times that a worker blocked, or was left without a
	// goroutine.
	Parks uint64
	// Wakes is the number of sleepers that were claimed to be woken.
	Wakes uint64
	// Lent is the number of seats lent.
	Lent uint64
	// Syscalls is the number of system calls made to wait or wake, where the
	// backend makes them itself.
	Syscalls uint64
}
