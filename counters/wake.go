package counters

// ToWake decides how many sleepers a post of some jobs rouses (A3), from the
// counts that its [Counters.Post] returned: none if nobody sleeps; one for each
// job if work piles up; else only for those jobs that the workers who look
// already do not cover. It is the smart wake of "Blitz: Sleep/Wake Protocol".
func ToWake(jobs int, wasEmpty bool, inactive, sleeping int) int {
	if wasEmpty {
		jobs -= inactive - sleeping
	}
	return max(0, min(jobs, sleeping))
}
