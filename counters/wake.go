package counters

// ToWake returns how many sleepers a post of some jobs should wake, from the counts
// that [Counters.Post] returned. That is one for each job, or, if the queue was empty,
// for each job beyond the workers that are already searching; but never more than sleep.
// It is the smart wake of "Blitz: Sleep/Wake Protocol".
func ToWake(jobs int, wasEmpty bool, inactive, sleeping int) int {
	if wasEmpty {
		jobs -= inactive - sleeping
	}
	return max(0, min(jobs, sleeping))
}

// Successors returns how many sleepers a worker that has just found work should wake,
// from the counts that [Counters.SubInactive] returned: two, as long as fewer workers
// search than have work. So the number of awake workers doubles in the time of a wake,
// and a few workers with work do not wake all others. The last searcher wakes at least
// one if any sleeps (S2: posted work is conserved).
//
// It is Rayon's two wakes, with a limit on thieves like OpenCilk's.
func Successors(workers, inactive, sleeping int) int {
	return max(0, min(2, sleeping, workers-inactive-(inactive-sleeping)))
}
