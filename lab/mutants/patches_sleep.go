package mutants

// The counters, the sleep backends and the lending of seats. Where there is a
// choice, Kills is a scenario that needs the fewest preemptions, and made for it.
var sleepPatches = []Patch{
	{
		Name: "counters/1_announce_like_post", Numbers: []int{1}, File: "counters/counters.go",
		Edits: []Edit{{`		if !w.posted() {
			return w.Jobs()
		}`, `		if w.posted() {
			return w.Jobs()
		}`}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=announced", Says: "C1: ", Bound: 0,
	},
	{
		Name: "counters/2_ticket_by_load", Numbers: []int{2}, File: "counters/counters.go",
		Edits: []Edit{{`		if c.swap(w, left) {
			return left.Jobs()
		}`, `		if c.swap(w, left) {
			return c.load().Jobs()
		}`}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=posted", Says: "C1: ", Bound: 1,
	},
	{
		Name: "counters/12_ticket_ignored", Numbers: []int{12}, File: "counters/counters.go",
		Edits: []Edit{{`		if w.Jobs() != ticket {
			return false
		}
`, ``}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=posted", Says: "C1: ", Bound: 0,
	},
	{
		Name: "counters/sleeper_taken_unseen", File: "counters/counters.go",
		Edits: []Edit{{`	if was, _ := c.sub(Word(n) * oneSleeping); was.Sleeping() < n {
		panic(fmt.Sprintf("counters: sleeping %d - %d", was.Sleeping(), n))
	}
`, `	c.sub(Word(n) * oneSleeping)
`}},
		Kills: "TestCounters/bits=32/taken_away_twice", Says: "C2: SubSleeping", Bound: 0,
	},
	{
		Name: "counters/lent_unseen", File: "counters/counters.go",
		Edits: []Edit{{`	if was, _ := c.sub(oneInactive + oneSleeping); was.Sleeping() == 0 {
		panic("counters: sleeping 0 - 1 by a loan")
	}
`, `	c.sub(oneInactive + oneSleeping)
`}},
		Kills: "TestCounters/bits=32/taken_away_twice", Says: "C2: Lend", Bound: 0,
	},
	{
		Name: "counters/inactive_taken_unseen", File: "counters/counters.go",
		Edits: []Edit{{`	if was.Inactive() == 0 {
		panic("counters: inactive 0 - 1")
	}
	if was.Inactive() <= was.Sleeping() {
`, `	if was.Inactive() > 0 && was.Inactive() <= was.Sleeping() {
`}},
		Kills: "TestCounters/bits=32/taken_away_twice", Says: "C2: SubInactive", Bound: 0,
	},
	{
		Name: "counters/added_unseen", File: "counters/counters.go",
		Edits: []Edit{{`	if was, _ := c.add(oneInactive); was.Inactive() >= c.workers {
		panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers", was.Inactive(), c.workers))
	}
`, `	c.add(oneInactive)
`}},
		Kills: "TestCounters/bits=32/Limits", Suite: true, Says: "C2: AddInactive does not panic",
	},
	{
		Name: "counters/restored_unseen", File: "counters/counters.go",
		Edits: []Edit{{`	if was.Inactive() >= c.workers {
		panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers, returning a loan", was.Inactive(), c.workers))
	}
`, ``}},
		Kills: "TestCounters/bits=32/Limits", Suite: true, Says: "C2: Restore does not panic",
	},
	{
		// The look and the step are two: of two callers, each finds the sleeper.
		Name: "counters/looked_at_before_the_step", File: "counters/counters.go",
		Edits: []Edit{{`	if was, _ := c.sub(Word(n) * oneSleeping); was.Sleeping() < n {
		panic(fmt.Sprintf("counters: sleeping %d - %d", was.Sleeping(), n))
	}
`, `	if c.load().Sleeping() < n {
		panic("counters: sleeping 0 - 1")
	}
	c.sub(Word(n) * oneSleeping)
`}},
		Kills: "TestCounters/bits=32/taken_away_twice", Says: "C2: SubSleeping", Bound: 1,
	},
	{
		Name: "counters/post_by_load", File: "counters/counters.go",
		Edits: []Edit{{`		w = Word(c.bits.Or(uint64(oneJob))) | oneJob
`, `		c.bits.Or(uint64(oneJob))
		w = c.load()
`}},
		Kills: "TestCounters/bits=32/three_steps_at_once/last=announced", Says: "C1: ", Bound: 1,
	},
	{
		// The counts are older than the step: a sleeper that fell asleep between is
		// not among them.
		Name: "counters/post_by_the_first_load", File: "counters/counters.go",
		Edits: []Edit{{`		w = Word(c.bits.Or(uint64(oneJob))) | oneJob
`, `		c.bits.Or(uint64(oneJob))
`}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=announced", Says: "C1: ", Bound: 1,
	},
	{
		// Two posters that both met an even JEC make it even again.
		Name: "counters/post_by_add", File: "counters/counters.go",
		Edits: []Edit{{`		w = Word(c.bits.Or(uint64(oneJob))) | oneJob
`, `		_, w = c.add(oneJob)
`}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=announced", Says: "C1: ", Bound: 1,
	},
	{
		Name: "counters/first_by_the_value_left", File: "counters/counters.go",
		Edits: []Edit{
			{`	was, _ := c.add(oneInactive + oneSleeping)
`, `	was, left := c.add(oneInactive + oneSleeping)
`},
			{`	return was.Inactive() == 0
`, `	return left.Inactive() == 0
`},
		},
		Kills: "TestCounters/bits=32/Linearizable", Suite: true, Says: "C1: ",
	},
	{
		Name: "counters/left_by_the_value_met", File: "counters/counters.go",
		Edits: []Edit{{`	return left.Inactive(), left.Sleeping()
`, `	return was.Inactive(), left.Sleeping()
`}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=announced", Says: "C1: ", Bound: 0,
	},
	{
		Name: "counters/left_by_a_second_load", File: "counters/counters.go",
		Edits: []Edit{{`	return left.Inactive(), left.Sleeping()
`, `	left = c.load()
	return left.Inactive(), left.Sleeping()
`}},
		Kills: "TestCounters/bits=32/two_steps_at_once/last=announced", Says: "C1: ", Bound: 1,
	},
	{
		Name: "sleep/3_no_last_look", Numbers: []int{3, 26}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	if (look() || latch.Probe()) && s.takeBack(idle.Worker) { // B5`, `	if latch.Probe() && s.takeBack(idle.Worker) {`}},
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/7_stop_not_rechecked", Numbers: []int{4, 7, 13}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	if (look() || latch.Probe()) && s.takeBack(idle.Worker) { // B5`, `	if look() && s.takeBack(idle.Worker) {`}},
		Kills: "TestSleep/sleep=futex/stop", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/5_cascade_after_the_job", Numbers: []int{5}, File: "sleep/jec/sleep.go",
		Edits: []Edit{
			{`	rounds   api.Rounds
	seats    []seat
`, `	rounds   api.Rounds
	seats    []seat
	late     prim.Bool // a wake is due when the job has ended
`},
			{`	if wake := counters.Successors(len(s.seats), inactive, sleeping); wake > 0 {
		s.counters.Post()
		s.wakeAny(wake)
	}`, `	if inactive == sleeping {
		s.late.Store(true)
	}`},
			{`	s.counters.AddInactive()
`, `	if s.late.Swap(false) {
		s.wakeAny(1)
	}
	s.counters.AddInactive()
`},
		},
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/6_no_cascade", Numbers: []int{6}, File: "sleep/jec/sleep.go",
		Edits: noCascade,
		Kills: "TestSleep/sleep=jec/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/8_added_after_the_last_look", Numbers: []int{8}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	s.sleepers.Add(idle.Worker)
	if (look() || latch.Probe()) && s.takeBack(idle.Worker) { // B5`, `	found := look() || latch.Probe()
	s.sleepers.Add(idle.Worker)
	if found && s.takeBack(idle.Worker) {`}},
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/9_one_futex_for_all", Numbers: []int{9}, File: "sleep/futex/word.go",
		Edits: []Edit{
			{`	for !w.released.CompareAndSwap(1, 0) {`, `	for n := all.Load(); !w.released.CompareAndSwap(1, 0); n = all.Load() {`},
			{`			futexWait(&w.released, 0)`, `			futexWait(&all, n)`},
			{`		futexWake(&w.released)`, `		all.Add(1)
		futexWake(&all)`},
			{`func newWord(`, `var all prim.Uint32

func newWord(`},
		},
		Kills: "TestSleep/sleep=futex/two_stops", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/10_claim_in_two_steps", Numbers: []int{10}, File: "counters/set.go",
		Edits: []Edit{{`	return s.words[worker/64].And(^bit)&bit != 0
`, `	there := s.words[worker/64].Load()&bit != 0
	s.words[worker/64].And(^bit)
	return there
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/11_added_before_the_count", Numbers: []int{11}, File: "sleep/jec/park.go",
		Edits: []Edit{
			{`	s.sleepers.Add(idle.Worker)
	if (look()`, `	if (look()`},
			{`	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
`, `	s.sleepers.Add(idle.Worker)
	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
		s.sleepers.Remove(idle.Worker)
`},
		},
		Kills: "TestSleep/sleep=futex/stop", Says: "panic", Bound: 2,
	},
	{
		Name: "sleep/14_counted_twice", Numbers: []int{14}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	s.counters.SubSleeping(len(workers))
`, `	s.counters.SubSleeping(len(workers))
	if _, sleeping := s.Counts(); sleeping > 0 {
		s.counters.SubSleeping(1)
	}
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/15_sleeper_counts_too", Numbers: []int{15}, File: "sleep/jec/park.go",
		Edits: []Edit{{`			return false // nothing of the worker may be touched after this
		}
`, `			return false
		}
	if _, sleeping := s.Counts(); sleeping > 0 {
		s.counters.SubSleeping(1)
	}
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/two_counted_as_one", File: "sleep/jec/park.go",
		Edits: []Edit{{`	s.counters.SubSleeping(len(workers))
`, `	s.counters.SubSleeping(1)
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 0,
	},
	{
		Name: "counters/more_than_sleep_counted", File: "counters/counters.go",
		Edits: []Edit{{`; was.Sleeping() < n {`, `; was.Sleeping() == 0 {`}},
		Kills: "TestCounters/bits=32/BelowZero", Suite: true, Says: "C2: SubSleeping of two",
	},
	{
		Name: "sleep/released_before_it_is_counted", File: "sleep/jec/park.go",
		Edits: []Edit{{`	s.counters.SubSleeping(len(workers))
	for`, `	defer s.counters.SubSleeping(len(workers))
	for`}},
		Kills: "TestSleep/sleep=futex/spurious_return", Says: "panic", Bound: 2,
	},
	{
		Name: "sleep/27_count_ignored", Numbers: []int{27}, File: "sleep/jec/park.go",
		Edits: []Edit{{`		n -= len(claimed)
`, ``}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "S6: ", Bound: 1,
	},
	{
		Name: "sleep/28_any_return_is_a_wake_futex", Numbers: []int{28}, File: "sleep/futex/word.go",
		Edits: []Edit{{`	for !w.released.CompareAndSwap(1, 0) {`, `	if !w.released.CompareAndSwap(1, 0) {`}},
		Kills: "TestSleep/sleep=futex/spurious_return", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/28_any_return_is_a_wake_jec", Numbers: []int{28}, File: "sleep/jec/blocker.go",
		Edits: []Edit{{`	for !c.released {
		c.cond.Wait()
	}`, `	if !c.released {
		c.cond.Wait()
	}`}},
		Kills: "TestSleep/sleep=jec/spurious_return", Says: "panic", Bound: 1,
	},
	{
		// A pool whose job waits is lost then: its goroutine has the job, and sleeps.
		Name: "sleep/32_lent_while_it_looks", Numbers: []int{32}, File: "sleep/jec/sleep.go",
		Edits: []Edit{{`	case api.Block:
		return true
`, `	case api.Block:
		if s.counters.TrySleep(uint32(idle.Ticket)) {
			s.sleepers.Add(idle.Worker)
			if s.sleepers.Remove(idle.Worker) {
				s.counters.SubSleeping(1)
			}
		}
		return true
`}},
		Kills: "TestSleep/sleep=futex/seat/not_while_it_looks", Says: "S9: ", Bound: 2,
	},
	{
		Name: "sleep/33_given_back_without_a_look", Numbers: []int{33}, File: "sleep/jec/lend.go",
		Edits: []Edit{
			{`	first := s.counters.Restore() // R1
`, `	s.counters.Restore()
`},
			{`	if !first && !s.counters.Posted() {
		return // no job can have counted on this seat
	}
	if look() && s.takeBack(worker) { // R3
		s.release(worker) // R4
	}
`, ``},
		},
		Kills: "TestSleep/sleep=futex/seat/left_in_the_seat", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/33_no_look_if_nothing_was_posted", Numbers: []int{33}, File: "sleep/jec/lend.go",
		Edits: []Edit{{`	if !first && !s.counters.Posted() {`, `	if _ = first; !s.counters.Posted() {`}},
		Kills: "TestSleep/sleep=futex/seat/returned_beside", Says: "missed wake", Bound: 3,
	},
	{
		Name: "sleep/33_no_look_if_others_are_inactive", Numbers: []int{33}, File: "sleep/jec/lend.go",
		Edits: []Edit{{`	if !first && !s.counters.Posted() {`, `	if !first {`}},
		Kills: "TestSleep/sleep=futex/seat/returned_beside", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/33_cascade_is_no_post", Numbers: []int{33}, File: "sleep/jec/sleep.go",
		Edits: []Edit{{`		s.counters.Post()
		s.wakeAny(wake)`, `		s.wakeAny(wake)`}},
		Kills: "TestSleep/sleep=futex/seat/returned_beside", Says: "missed wake", Bound: 3,
	},
	{
		Name: "sleep/33_look_before_it_is_added", Numbers: []int{33}, File: "sleep/jec/lend.go",
		Edits: []Edit{
			{`	first := s.counters.Restore() // R1
`, `	found := look()
	s.counters.Restore()
`},
			{`	if !first && !s.counters.Posted() {
		return // no job can have counted on this seat
	}
	if look() && s.takeBack(worker) { // R3
`, `	if found && s.takeBack(worker) {
`},
		},
		Kills: "TestSleep/sleep=futex/seat/posted_while_lent", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/34_lent_seat_woken", Numbers: []int{34}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	if !s.sleepers.Remove(worker) {
		return false
	}
`, `	if !s.sleepers.Remove(worker) {
		if s.seats[worker].lent {
			s.seats[worker].Release()
		}
		return false
	}
`}},
		Kills: "TestSleep/sleep=futex/seat/stop", Says: "panic: worker: counters: inactive", Bound: 2,
	},
	{
		Name: "sleep/35_lost_claim_taken_for_a_wake", Numbers: []int{35}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	if (look() || latch.Probe()) && s.takeBack(idle.Worker) { // B5
		s.counters.SubSleeping(1)
	} else {`, `	if look() || latch.Probe() {
		if s.takeBack(idle.Worker) {
			s.counters.SubSleeping(1)
		}
	} else {`}},
		Kills: "TestSleep/sleep=futex/seat/posted_while_lent", Says: "panic: worker: counters: inactive 1 - 1", Bound: 3,
	},
	{
		Name: "sleep/35_work_forgotten", Numbers: []int{35}, File: "sleep/jec/park.go",
		Edits: []Edit{{`	s.Post(1, true)
	return false
`, `	return false
`}},
		Kills: "TestSleep/sleep=futex,bits=1/seat/passed_on", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/37_lent_in_two_steps", Numbers: []int{37}, File: "counters/counters.go",
		Edits: []Edit{{`	if was, _ := c.sub(oneInactive + oneSleeping); was.Sleeping() == 0 {
		panic("counters: sleeping 0 - 1 by a loan")
	}
`, `	c.SubSleeping(1)
	c.SubInactive()
`}},
		Kills: "TestSleep/sleep=futex/seat/kept", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/38_added_before_the_counters", Numbers: []int{38}, File: "sleep/jec/lend.go",
		Edits: []Edit{{`	first := s.counters.Restore() // R1
	s.sleepers.Add(worker)        // R2
`, `	s.sleepers.Add(worker)
	first := s.counters.Restore()
`}},
		Kills: "TestSleep/sleep=futex/seat/stop", Says: "panic", Bound: 2,
	},
}

var noCascade = []Edit{{`	if wake := counters.Successors(len(s.seats), inactive, sleeping); wake > 0 {`,
	`	if wake := counters.Successors(len(s.seats), inactive, sleeping); wake > 0 && inactive > sleeping {`}}
