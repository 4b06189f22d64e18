package harness

// Rules has the rules that the suite checks. Each text is the beginning of the rule, as it
// stands above its interface in api, or in the documentation of package pool: a test of the
// suite compares them.
var Rules = map[string]string{
	"D1": "Each item that was pushed comes out exactly once.",
	"D2": "The owner pops the newest item, thieves steal the oldest.",
	"D3": "The operations are linearizable. An attempt to steal that ends in Lost has no effect; " +
		"one that ends in Empty met an empty deque.",
	"D4": "D1 holds for the last item, which owner and thieves compete for.",
	"D5": "The deque grows as needed, also while it is stolen from.",
	"D6": "It works for any number of operations: its indexes may wrap.",
	"D7": "Len is never negative, and zero only if the deque was empty, or about to be emptied by " +
		"its owner, at some moment during the call.",
	"D8": "Once taken, an item is not kept reachable past the owner's next operation on the deque.",

	"I1": "Each item that was pushed comes out exactly once.",
	"I2": "Items come out first in, first out: of two pushes of which one ended before the other " +
		"began, the earlier is taken first.",
	"I3": "The operations are linearizable: each takes effect at one moment. An attempt that ends in " +
		"Lost has no effect; one that ends in Empty met an empty queue.",
	"I4": "Empty never returns true while an item is inside for the whole call.",
	"I5": "A taken item is not kept reachable.",
	"I6": "The same item may be pushed again after it was taken.",

	"C1": "At every step sleeping <= inactive <= workers, given callers that keep to the protocol.",
	"C2": "No field borrows from or carries into another, given callers that keep to the " +
		"protocol. A step that does so panics, so it never goes unnoticed.",
	"C3": "Announce leaves the JEC even, Post leaves it odd.",
	"C4": "Once all workers have ended, inactive and sleeping are zero.",
	"C5": "TrySleep fails if there was a Post since the Announce that gave the ticket, unless the " +
		"JEC has wrapped since.",
	"C6": "More workers than a field can count are refused when the counters are made.",

	"L1": "Exactly one Set returns true if the waiter was in state sleeping at that moment; the " +
		"setter must then wake it.",
	"L2": "From Set on, GetSleepy and FallAsleep return false and Probe true, until the owner of " +
		"the latch makes it anew.",
	"L3": "Set's last access to the latch is the one that sets it: the waiter may reuse the " +
		"memory at once.",
	"L4": "A second waiter panics.",
	"L5": "A latch that counts panics when its count overflows or goes below zero.",

	"S1": "No missed wake: after Post has returned, there is a worker that is awake and will " +
		"search, or the job was taken, or no worker sleeps.",
	"S2": "Posted work is conserved: while a posted job waits and not all workers are active, " +
		"some worker is on its way to it, also where many jobs were posted as one.",
	"S3": "A latch that is set ends Park from every state of its worker.",
	"S4": "Wake(w) reaches w and no other.",
	"S5": "Park may return at any time; its caller searches again. After NoWork the caller may " +
		"call Found in place of Park, or let another goroutine go on.",
	"S6": "Post wakes at most as many as there are jobs, and no worker if none sleeps or if enough " +
		"others look already and the queue was empty.",
	"S7": "A worker that sleeps takes no step until it is woken.",
	"S8": "A worker that sleeps uses no processor time; one that is woken runs as soon as the " +
		"platform lets it.",
	"S9": "A seat has one user. It is lent only from a sleep, never twice, and the goroutine that " +
		"sleeps there is not woken while it is lent.",
	"S10": "What did not happen is not counted: a Park that did not block, a Wake or a Post that " +
		"claimed no worker, a Borrow that found no seat.",
	"S11": "Each sleep has one successor: Park returns true, or it returns false and start is " +
		"called once, when the worker is woken.",

	"P1": "Run, Both, Invoke, Scope and Submit give the results that a sequential program would.",
	"P2": "A panic reaches the caller with its value, through Run too; Handle.Wait returns it as " +
		"a *PanicError with its stack.",
	"P3": "runtime.Goexit ends the job that calls it, hangs nothing and loses no worker.",
	"P4": "Nested calls of Run reuse the caller's worker, so they cannot deadlock on it.",
	"P5": "Fewer blocked jobs than workers never stop the others.",
	"P6": "Pool.Close runs what was accepted, and later calls are refused. It returns, or returns " +
		"an error, wherever it is called, as its documentation says.",
	"P7": "A call that races with Close runs or is refused.",
	"P8": "Nothing is left behind after Close: no goroutine and no memory. Nothing that was " +
		"handed over is reachable once its job has ended and the worker has no more work.",
	"P9":  "A million nested forks work.",
	"P10": "One worker, one processor, and garbage collections while workers sleep work.",
	"P11": "Any number of goroutines may call Run, and each goes on at once.",
	"P13": "Balance: 2W equal jobs of time t end within 3t on W idle workers, and each worker runs " +
		"some.",
	"P14": "A lock may be held across a join, and across a Run. What ends with a goroutine for each " +
		"job ends on any number of workers, if what has begun ends each other wait.",
	"P15": "A job that waits runs no unrelated job: a Run does not take longer than it would on " +
		"one worker of its own, if there is a processor for it.",
	"P22": "A pool whose sleep backend is an api.Starter has no goroutine at rest, and is " +
		"collected if it is forgotten then.",
	"P25": "Once Pool.Shutdown has returned the error of its context, no job begins that had not " +
		"begun: none that was submitted, and none of a group. A caller that waits for such a job " +
		"learns that it never will, and the contexts of groups end.",
}
