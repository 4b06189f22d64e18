package api

// Counters is what posters and sleepers agree through: how many workers are
// inactive, how many of those sleep, and the jobs event counter (JEC). The JEC
// is even after a worker has announced that it will sleep, and odd after a post.
// Each method is one atomic step.
//
// The rules:
//
//   - C1. At every step sleeping <= inactive <= workers, given callers that
//     keep to the protocol.
//   - C2. No field borrows from or carries into another, given callers that
//     keep to the protocol. A step that does so panics, so it never goes
//     unnoticed. The counters are void then: they may hold anything, and
//     must not be used again.
//   - C3. Announce leaves the JEC even, Post leaves it odd.
//   - C4. Once all workers have ended, inactive and sleeping are zero.
//   - C5. TrySleep fails if there was a Post since the Announce that gave the
//     ticket, unless the JEC has wrapped since. A wrap must do no harm to a
//     sleeper that looks once more after TrySleep.
//   - C6. More workers than a field can count are refused when the counters
//     are made.
type Counters interface {
	// Load returns a consistent snapshot of the counts and the JEC.
	Load() (inactive, sleeping int, jobs uint32)
	// AddInactive counts a worker that has turned idle.
	AddInactive()
	// SubInactive counts a worker that is no longer idle, and returns the counts
	// that this very step left. If they are equal and not 0, no other worker is
	// awake and idle while some sleep: the caller must wake one.
	SubInactive() (inactive, sleeping int)
	// Announce makes the JEC even, and returns the value that this very step left.
	Announce() (ticket uint32)
	// TrySleep counts a sleeper if the JEC still equals the ticket, and
	// reports whether it did.
	TrySleep(ticket uint32) bool
	// SubSleeping takes n claimed sleepers off the count, in one step. The
	// claimer calls it before the first of them can run.
	SubSleeping(n int)
	// Post makes the JEC odd, and returns the counts that this very step
	// left.
	Post() (inactive, sleeping int)
	// Lend counts a sleeper that was claimed and made active, in one step.
	Lend()
	// Restore undoes Lend, in one step. It returns true if no worker was inactive before:
	// the caller must look for work, because no other worker does.
	Restore() (first bool)
}
