package conformance

// rules says in a sentence what each rule demands. The full text is with the
// interfaces in api, and for the pool in its documentation.
var rules = map[string]string{
	"D1": "each item that was pushed comes out exactly once",
	"D2": "the owner pops the newest item, thieves steal the oldest",
	"D3": "the operations are linearizable: Lost has no effect, Empty and a nil from Pop met an empty deque",
	"D4": "the last item, for which owner and thieves compete, comes out exactly once",
	"D5": "the deque grows as needed, also while it is stolen from",
	"D6": "it works for any number of operations",
	"D7": "Len is never negative, and zero only if the deque was empty or about to be",
	"D8": "an item that was taken is not kept reachable past the owner's next operation",

	"I1": "each item that was pushed comes out exactly once",
	"I2": "of two pushes of which one ended before the other began, the earlier is taken first",
	"I3": "the operations are linearizable: Lost has no effect, Empty met an empty queue",
	"I4": "Empty never returns true while an item is inside for the whole call",
	"I5": "a taken item is not kept reachable",
	"I6": "the same item may be pushed again after it was taken",

	"C1": "sleeping <= inactive <= workers at every step",
	"C2": "no field borrows from or carries into another; a step that would do so panics",
	"C3": "Announce leaves the jobs event counter even, Post leaves it odd",
	"C4": "once all workers have ended, inactive and sleeping are zero",
	"C5": "TrySleep fails if there was a Post since the Announce that gave the ticket",
	"C6": "more workers than a field can count are refused",

	"L1": "exactly one Set returns true if the waiter was sleeping, and none if it was not",
	"L2": "from Set on, GetSleepy and FallAsleep return false and Probe true",
	"L3": "Set's last access to the latch is the one that sets it: the waiter may reuse the memory at once",
	"L4": "a second waiter panics",
	"L5": "a latch that counts panics when its count overflows or goes below zero",

	"S1": "no missed wake: after Post, somebody awake will search, or the job was taken, or nobody sleeps",
	"S2": "posted work is conserved: while a posted job waits and not all workers are active, some worker is on its way to it",
	"S3": "a latch that is set ends Park from every state of its worker",
	"S4": "Wake(w) reaches w and no other",
	"S5": "Park may return at any time, and after NoWork its caller may do without it",
	"S6": "Post wakes at most as many as there are jobs, and nobody if none sleeps or enough others look already and the queue was empty",
	"S7": "a worker that sleeps takes no step until it is woken, and workers that find nothing do come to sleep",
	"S8": "a worker that sleeps uses no processor time",
	"S9": "a seat has one user, is lent only from a sleep, and comes back without a missed wake",

	"P1":  "Join, Scope, Submit and Run give the results that a sequential program would",
	"P2":  "a panic on either side or both reaches the caller with its value; before, each sibling has finished or will never start",
	"P3":  "runtime.Goexit in a job hangs nothing and loses no worker",
	"P4":  "nested calls of Run wait for no seat that their own goroutine holds",
	"P5":  "fewer blocked jobs than workers never stop the others",
	"P6":  "Close runs what was accepted; later submissions are refused",
	"P7":  "a submission that races with Close either runs or is refused",
	"P8":  "nothing is left behind after Close: no goroutine, no heap; nothing handed over is reachable once it was joined",
	"P9":  "a million nested forks work",
	"P10": "one worker, one processor, and garbage collection while workers sleep all work",
	"P11": "any number of callers of Run; never more jobs at once than workers",
	"P12": "a panic while a panic is handled is a panic like any other",
	"P13": "a pool fills: 2W equal leaves take at most three leaf times on W idle workers, in each shape of TestFill, and each worker runs some",
}
