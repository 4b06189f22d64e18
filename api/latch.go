package api

// A Latch is set once and lets the one worker that waits for it sleep until
// then. Its four states are unset (no worker waits, or the waiter is awake),
// sleepy (the waiter has announced that it will sleep), sleeping (it may be
// blocked) and set.
//
// GetSleepy, FallAsleep and WakeUp belong to the waiter. Set belongs to the
// goroutine that ends the wait; it need not know the waiter. Probe is for
// both.
//
//   - L1. Exactly one Set returns true if the waiter was in state sleeping at
//     that moment; the setter must then wake it.
//   - L2. From Set on, GetSleepy and FallAsleep return false and Probe true,
//     until the owner of the latch makes it anew.
//   - L3. Set's last access to the latch is the one that sets it: the waiter
//     may reuse the memory at once.
//   - L4. A second waiter panics.
//   - L5. A latch that counts panics when its count overflows or goes below
//     zero.
type Latch interface {
	// Probe reports whether the latch is set.
	Probe() bool
	// GetSleepy moves unset to sleepy. It returns false if the latch is set,
	// and panics in any other state.
	GetSleepy() bool
	// FallAsleep moves sleepy to sleeping. It returns false if the latch is
	// set, and panics in any other state.
	FallAsleep() bool
	// WakeUp moves sleepy or sleeping back to unset, and leaves set alone.
	WakeUp()
	// Set moves any state to set. It returns true if that was sleeping: then
	// the caller must wake the waiter. Nothing of the latch may be touched
	// after Set.
	Set() (wasSleeping bool)
}
