package counters

// ToWake decides how many sleepers a post of some jobs rouses (A3), from the
// counts that its [Counters.Post] returned: none if no worker sleeps; one for each
// job if work piles up; else one for each job beyond the workers that look
// already. It is the smart wake of "Blitz: Sleep/Wake Protocol".
func ToWake(jobs int, wasEmpty bool, inactive, sleeping int) int {
	if wasEmpty {
		jobs -= inactive - sleeping
	}
	return max(0, min(jobs, sleeping))
}

// Successors decides how many sleepers a worker rouses that has just found work, from
// the counts that its [Counters.SubInactive] returned: two, as long as fewer search
// than have work. So the number of awake workers doubles in the time of a wake, and a
// few that have work do not wake all others. It is Rayon's two wakes under a limit on
// thieves like OpenCilk's: half as many as workers that have work.
//
// The last searcher gets one at least, as it must (S2): the caller has work, so fewer
// search than have work when none does.
func Successors(workers, inactive, sleeping int) int {
	return max(0, min(2, sleeping, workers-inactive-(inactive-sleeping)))
}
