package mutants

// The counters, the sleep backends and the lending of seats. Where there is a
// choice, Kills is a scenario that needs the fewest preemptions, and made for it.
var sleepRows = []Mutant{
	{"counters/1_announce_like_post", at("Counters.Announce").replace("!w.posted()", "w.posted()"),
		explored(0, onCounters("two_steps_at_once/last=announced"), "C1: ")},
	{"counters/2_ticket_by_load", at("Counters.Announce").replace("left.Jobs()", "c.load().Jobs()"),
		explored(1, onCounters("two_steps_at_once/last=posted"), "C1: ")},
	{"counters/12_ticket_ignored", at("Counters.TrySleep").drop("if w.Jobs() != ticket {"),
		explored(0, onCounters("two_steps_at_once/last=posted"), "C1: ")},
	{"counters/sleeper_taken_unseen", at("Counters.SubSleeping").
		replace(`if was, _ := c.sub(Word(n) * oneSleeping); was.Sleeping() < n { panic(fmt.Sprintf("counters: sleeping %d - %d", was.Sleeping(), n)) }`,
			"c.sub(Word(n) * oneSleeping)"), explored(0, onCounters("taken_away_twice"), "C2: SubSleeping")},
	{"counters/lent_unseen", at("Counters.Lend").
		replace(`if was, _ := c.sub(oneInactive + oneSleeping); was.Sleeping() == 0 { panic("counters: sleeping 0 - 1 by a loan") }`,
			"c.sub(oneInactive + oneSleeping)"), explored(0, onCounters("taken_away_twice"), "C2: Lend")},
	{"counters/inactive_taken_unseen",
		at("Counters.SubInactive").replace(`== 0 { panic("counters: inactive 0 - 1") } if`, "> 0 &&"),
		explored(0, onCounters("taken_away_twice"), "C2: SubInactive")},
	{"counters/added_unseen", at("Counters.AddInactive").
		replace(`if was, _ := c.add(oneInactive); was.Inactive() >= c.workers { panic(fmt.Sprintf("counters: inactive %d + 1 of %d workers", was.Inactive(), c.workers)) }`,
			"c.add(oneInactive)"), suite(onCounters("Limits"), "C2: AddInactive does not panic")},
	{"counters/restored_unseen", at("Counters.Restore").drop("if was.Inactive() >= c.workers {"),
		suite(onCounters("Limits"), "C2: Restore does not panic")},
	// The look and the step are two: of two callers, each finds the sleeper.
	{"counters/looked_at_before_the_step", at("Counters.SubSleeping").
		replace(`was, _ := c.sub(Word(n) * oneSleeping); was.Sleeping() < n { panic(fmt.Sprintf("counters: sleeping %d - %d", was.Sleeping(), n)) }`,
			`c.load().Sleeping() < n {
	panic("counters: sleeping 0 - 1")
}
c.sub(Word(n) * oneSleeping)`), explored(1, onCounters("taken_away_twice"), "C2: SubSleeping")},
	{"counters/post_by_load", at("Counters.Post").replace("w = Word(c.bits.Or(uint64(oneJob))) | oneJob",
		"c.bits.Or(uint64(oneJob)); w = c.load()"),
		explored(1, onCounters("three_steps_at_once/last=announced"), "C1: ")},
	// The counts are older than the step: a sleeper that fell asleep between is not among them.
	{"counters/post_by_the_first_load", at("Counters.Post").
		replace("w = Word(c.bits.Or(uint64(oneJob))) | oneJob", "c.bits.Or(uint64(oneJob))"),
		explored(1, onCounters("two_steps_at_once/last=announced"), "C1: ")},
	// Two posters that both met an even JEC make it even again.
	{"counters/post_by_add", at("Counters.Post").
		replace("w = Word(c.bits.Or(uint64(oneJob))) | oneJob", "_, w = c.add(oneJob)"),
		explored(1, onCounters("two_steps_at_once/last=announced"), "C1: ")},
	{"counters/first_by_the_value_left", at("Counters.Restore").replace("was, _ :=", "was, left :=").
		replace("was.Inactive() ==", "left.Inactive() =="), suite(onCounters("Linearizable"), "C1: ")},
	{"counters/left_by_the_value_met",
		at("Counters.SubInactive").replace("left.Inactive(),", "was.Inactive(),"),
		explored(0, onCounters("two_steps_at_once/last=announced"), "C1: ")},
	{"counters/left_by_a_second_load",
		at("Counters.SubInactive").after("if was.Inactive() <= was.Sleeping() {", "left = c.load()"),
		explored(1, onCounters("two_steps_at_once/last=announced"), "C1: ")},
	{"sleep/3_no_last_look",
		in("sleep/jec", "Sleep.Park").replace("(look() || latch.Probe()) && s.takeBack(worker) {",
			"latch.Probe() && s.takeBack(worker) {"), explored(1, onFutex("two_posters"), "missed wake")},
	{"sleep/7_stop_not_rechecked",
		in("sleep/jec", "Sleep.Park").replace("(look() || latch.Probe()) && s.takeBack(worker) {",
			"look() && s.takeBack(worker) {"), explored(2, onFutex("stop"), "missed wake")},
	{"sleep/5_cascade_after_the_job",
		in("sleep/jec", "Sleep.Found").
			replace("wake := counters.Successors(len(s.seats), inactive, sleeping); wake > 0 { s.counters.Post() s.wakeAny(wake)",
				"inactive == sleeping { lateOf(s).Store(true)").
			and("Sleep.StartLooking").after("s.check(worker)", "if lateOf(s).Swap(false) { s.wakeAny(1) }").
			add(`// late says that a wake is due when the job has ended.
var late = make(map[*Sleep]*prim.Bool)

func lateOf(s *Sleep) *prim.Bool {
	if late[s] == nil {
		late[s] = new(prim.Bool)
	}
	return late[s]
}`),
		explored(1, onFutex("two_posters"), "missed wake")},
	{"sleep/6_no_cascade",
		in("sleep/jec", "Sleep.Found").replace("wake > 0", "wake > 0 && inactive > sleeping"),
		explored(1, "TestSleep/sleep=jec/two_posters", "missed wake")},
	{"sleep/8_added_after_the_last_look", in("sleep/jec", "Sleep.Park").
		replace("s.sleepers.Add(worker) if (look() || latch.Probe()) && s.takeBack(worker) {",
			`found := look() || latch.Probe()
s.sleepers.Add(worker)
if found && s.takeBack(worker) {`), explored(1, onFutex("two_posters"), "missed wake")},
	{"sleep/9_one_futex_for_all", in("sleep/futex", "word.block").replace("w.state.Load() == where {",
		"n := shared.Load(); w.state.Load() == where; n = shared.Load() {").
		replace("futexWait(&w.state, inKernel)", "futexWait(&shared, n)").
		and("word.Release").replace("futexWake(&w.state)", "shared.Add(1); futexWake(&shared)").
		add("var shared prim.Uint32"), explored(2, onFutex("two_stops"), "missed wake")},
	{"sleep/10_claim_in_two_steps",
		in("counters", "Set.Remove").replace("return s.words[worker/64].And(^bit)&bit != 0",
			"there := s.words[worker/64].Load()&bit != 0; s.words[worker/64].And(^bit); return there"),
		explored(1, onFutex("wakes_per_post"), "panic")},
	{"sleep/11_added_before_the_count", in("sleep/jec", "Sleep.Park").drop("s.sleepers.Add(worker)").
		replace("if !s.counters.TrySleep(uint32(idle.Ticket)) {", `s.sleepers.Add(worker)
if !s.counters.TrySleep(uint32(idle.Ticket)) {
	s.sleepers.Remove(idle.Worker)`), explored(2, onFutex("stop"), "panic")},
	{"sleep/14_counted_twice",
		in("sleep/jec", "Sleep.release").after("s.counters.SubSleeping(len(workers))",
			"if _, sleeping := s.Counts(); sleeping > 0 { s.counters.SubSleeping(1) }"),
		explored(1, onFutex("wakes_per_post"), "panic")},
	{"sleep/15_sleeper_counts_too", in("sleep/jec", "Sleep.Park").
		replace("false // nothing of the worker may be touched after this }",
			"false }; if _, sleeping := s.Counts(); sleeping > 0 { s.counters.SubSleeping(1) }"),
		explored(1, onFutex("wakes_per_post"), "panic")},
	{"sleep/two_counted_as_one", in("sleep/jec", "Sleep.release").replace("len(workers)", "1"),
		explored(0, onFutex("wakes_per_post"), "panic")},
	{"counters/more_than_sleep_counted",
		at("Counters.SubSleeping").replace("was.Sleeping() < n", "was.Sleeping() == 0"),
		suite(onCounters("BelowZero"), "C2: SubSleeping of two")},
	{"sleep/released_before_it_is_counted",
		in("sleep/jec", "Sleep.release").before("s.counters.SubSleeping(len(workers))", "defer"),
		explored(2, onFutex("spurious_return"), "panic")},
	{"sleep/27_count_ignored", in("sleep/jec", "Sleep.wakeAny").drop("n -= len(claimed)"),
		explored(1, onFutex("wakes_per_post"), "S6: ")},
	{"sleep/28_any_return_is_a_wake_futex", in("sleep/futex", "word.block").
		replace("for w.state", "if w.state"), explored(1, onFutex("spurious_return"), "panic")},
	{"sleep/28_any_return_is_a_wake_jec", in("sleep/jec", "condition.Block").replace("for !c", "if !c"),
		explored(1, "TestSleep/sleep=jec/spurious_return", "panic")},
	// A pool whose job waits is lost then: its goroutine has the job, and sleeps.
	{"sleep/32_lent_while_it_looks", in("sleep/jec", "Sleep.NoWork").
		before("return true", `if s.counters.TrySleep(uint32(idle.Ticket)) {
	s.sleepers.Add(idle.Worker)
	if s.sleepers.Remove(idle.Worker) {
		s.counters.SubSleeping(1)
	}
}`), explored(2, onFutex("seat/not_while_it_looks"), "S9: ")},
	{"sleep/33_given_back_without_a_look", in("sleep/jec", "Sleep.Return").
		replace("first := s.counters.Restore()", "s.counters.Restore()").
		replace("if !first && !s.counters.Posted() { return // no job can have counted on this seat } if look() && s.takeBack(worker) { // R3: look, as in B5 s.release(worker) // R4: wake the seat for the work }",
			""), explored(1, onFutex("seat/left_in_the_seat"), "missed wake")},
	{"sleep/33_no_look_if_nothing_was_posted", in("sleep/jec", "Sleep.Return").
		replace("!first &&", "_ = first;"), explored(3, onFutex("seat/returned_beside"), "missed wake")},
	{"sleep/33_no_look_if_others_are_inactive",
		in("sleep/jec", "Sleep.Return").replace("&& !s.counters.Posted()", ""),
		explored(2, onFutex("seat/returned_beside"), "missed wake")},
	{"sleep/33_cascade_is_no_post", in("sleep/jec", "Sleep.Found").drop("s.counters.Post()"),
		explored(3, onFutex("seat/returned_beside"), "missed wake")},
	{"sleep/33_look_before_it_is_added", in("sleep/jec", "Sleep.Return").
		replace("first := s.counters.Restore()", "found := look(); s.counters.Restore()").
		replace("!first && !s.counters.Posted() { return // no job can have counted on this seat } if look() && s.takeBack(worker) {",
			"found && s.takeBack(worker) {"), explored(2, onFutex("seat/posted_while_lent"), "missed wake")},
	{"sleep/34_lent_seat_woken", in("sleep/jec", "Sleep.Wake").
		before("return false", "if s.seats[worker].lent { s.seats[worker].Release() }"),
		explored(2, onFutex("seat/stop"), "worker: counters: inactive")},
	{"sleep/35_lost_claim_taken_for_a_wake", in("sleep/jec", "Sleep.Park").
		replace("(look() || latch.Probe()) && s.takeBack(worker) { // B5: the last look s.counters.SubSleeping(1)",
			"look() || latch.Probe() { if s.takeBack(worker) { s.counters.SubSleeping(1) }"),
		explored(3, onFutex("seat/posted_while_lent"), "worker: counters: inactive 1 - 1")},
	{"sleep/idle_read_when_claimed",
		in("sleep/jec", "Sleep.Park").replace("s.takeBack(worker)", "s.takeBack(idle.Worker)"),
		own("TestParkLeavesIdleToBorrower", "S9: Sleep.Park")},
	{"sleep/35_work_forgotten", in("sleep/jec", "Sleep.takeBack").drop("s.Post(1, true)"),
		explored(1, onFutex("seat/passed_on"), "missed wake")},
	{"sleep/37_lent_in_two_steps", in("counters", "Counters.Lend").
		replace(`if was, _ := c.sub(oneInactive + oneSleeping); was.Sleeping() == 0 { panic("counters: sleeping 0 - 1 by a loan") }`,
			"c.SubSleeping(1); c.SubInactive()"), explored(2, onFutex("seat/kept"), "missed wake")},
	{"sleep/38_added_before_the_counters", in("sleep/jec", "Sleep.Return").
		swap("first := s.counters.Restore()"), explored(2, onFutex("seat/stop"), "panic")},
}
