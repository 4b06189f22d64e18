package api

// A Latch is set once. Until then the one worker that waits for it may sleep.
// Its four states are unset (no worker waits, or the waiter is awake),
// sleepy (the waiter has announced that it will sleep), sleeping (it may be
// blocked) and set.
//
// Only the waiter calls GetSleepy, FallAsleep and WakeUp. The goroutine that ends
// the wait calls Set; it need not know the waiter. Both may call Probe.
//
// The rules:
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
	// Set moves any state to set. It returns true if the state was sleeping: then
	// the caller must wake the waiter. The caller must not touch the latch after
	// Set.
	Set() (wasSleeping bool)
}
