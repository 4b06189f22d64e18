package mutants

// Parts on the real scheduler. If you check a part of your own by the suite, you have no
// explorer. So these rows break each part, also where a scenario kills a mutant like it, and the
// suite must notice. Where a goroutine would have to be preempted, the mutant yields: so it does
// not depend on chance whether it dies.
var partRows = []Mutant{
	{"suite/deque_10_steal_without_cas", in("deque", "ChaseLev.Steal").
		replace("if !d.top.CompareAndSwap(t, t+1) { return nil, api.Lost }",
			"prim.Yield(); d.top.Store(t + 1)"), suite(onDeque("Linearizable"), "D3: ")},
	{"suite/deque_16_slot_read_after_cas", in("deque", "ChaseLev.Steal").
		before("return item, api.Stolen", "prim.Yield(); item = d.ring.Load().slot(t).Load()"),
		suite(onDeque("Linearizable"), "D3: ")},
	{"suite/deque_17_last_item_without_cas", in("deque", "ChaseLev.takeLast").
		replace("if !d.top.CompareAndSwap(b-1, b) { return nil }", "prim.Yield(); d.top.Store(b)"),
		suite(onDeque("Linearizable"), "D3: ")},
	{"suite/deque_18_growth_forgets", in("deque", "ring.grown").replace("i := from;", "i := from + 1;"),
		suite(onDeque("ThiefFIFO"), "D3: ")},
	{"suite/deque_19_thief_clears", in("deque", "ChaseLev.Steal").
		before("return item, api.Stolen", "prim.Yield(); d.ring.Load().slot(t).Store(nil)").
		and("NewChaseLev").replace("chaseLevCapacity", "1"), suite(onDeque("Linearizable"), "D3: ")},
	// Pop leaves bottom below top.
	{"suite/deque_21_below_empty", in("deque", "ChaseLev.Steal").replace("b-t <= 0", "b == t").
		and("ChaseLev.Pop").replace("case 1:", "case -1:"), suite(onDeque("PopEmpty"), "D3: ")},
	{"suite/deque_newest_stolen", in("deque", "ChaseLev.Steal").replace(".slot(t)", ".slot(b - 1)"),
		suite(onDeque("ThiefFIFO"), "D2: ")},
	{"suite/deque_empty_with_two", in("deque", "ChaseLev.Steal").
		replace("b-t <= 0", "b-t <= 0 || b-t == 2"), suite(onDeque("ThiefFIFO"), "D2: ")},
	{"suite/deque_length_below_zero", in("deque", "ChaseLev.Len").replace("int(max(n, 0))", "int(n)").
		and("ChaseLev.Pop").replace("case 1:", "case -1:"), suite(onDeque("PopEmpty"), "D7: ")},

	{"suite/injector_later_one_first", in("deque", "Injector.Steal").
		before("if item = b.slots[ticket].Swap(q.gone)", `if next := ticket + 1; next < b.drawn() {
	b.slots[ticket].Store(b.slots[next].Swap(b.slots[ticket].Load()))
}`), suite("TestInjector/Model", "I2: ")},
	{"suite/injector_next_block_not_looked_at",
		in("deque", "Injector.Empty").replace("_, _, found := q.front() return !found",
			"b := q.head.Load(); return b.taken.Load() >= b.drawn()").
			and("NewInjector").replace("injectorBlock", "1"), suite("TestInjector/Model", "I4: ")},
	{"suite/injector_taken_twice", in("deque", "Injector.Steal").
		replace("case !b.taken.CompareAndSwap(ticket, ticket+1): return nil, api.Lost }",
			"}; prim.Yield(); b.taken.Store(ticket+1)"), suite("TestInjector/Linearizable", "I3: ")},

	{"suite/latch_22_read_after_set",
		in("latch", "Core.Set").replace("return state(c.state.Swap(uint32(set))) == sleeping",
			`was := state(c.state.Swap(uint32(set)))
prim.Yield()
return was == sleeping && c.Probe()`), suite("TestLatch/latch=core/ReuseAfterSet", "L3: ")},
	{"suite/latch_wakes_always", in("latch", "Core.Set").replace("== sleeping", "!= unset"),
		suite("TestLatch/latch=core/Model", "L1: ")},
	{"suite/latch_wakes_never", in("latch", "Core.Set").replace("== sleeping", "== set && false"),
		suite("TestLatch/latch=core/OneWakePerSet", "L1: ")},
	{"suite/latch_second_waiter", in("latch", "Core.refused").never("s != set"),
		suite("TestLatch/latch=core/Model", "L4: ")},
	{"suite/latch_set_undone", in("latch", "Core.WakeUp").
		before("switch s := state(c.state.Load()); s {", "c.state.Store(uint32(unset))"),
		suite("TestLatch/latch=core/Model", "L2: ")},

	{"suite/counters_1_announce_like_post", in("counters", "Counters.Announce").
		before("if !w.posted() {", "if true { c.Post(); return c.load().Jobs() }"),
		suite(onCounters("Parity"), "C3: ")},
	{"suite/counters_2_ticket_by_load", in("counters", "Counters.Announce").
		before("return left.Jobs()", "prim.Yield(); left = c.load()"),
		suite(onCounters("Linearizable"), "C1: ")},
	{"suite/counters_post_by_load", in("counters", "Counters.Post").
		before("return w.Inactive(), w.Sleeping()", "prim.Yield(); w = c.load()"),
		suite(onCounters("Linearizable"), "C1: ")},
	{"suite/counters_12_ticket_ignored", in("counters", "Counters.TrySleep").never("w.Jobs() != ticket"),
		suite(onCounters("Model"), "C5: ")},
	{"suite/counters_14_counted_twice", in("counters", "Counters.SubSleeping").
		before("if was, _ := c.sub(", "if c.load().Sleeping() > n { c.sub(oneSleeping) }"),
		suite(onCounters("Model"), "C1: ")},
	{"suite/counters_6_last_forgotten", in("counters", "Counters.SubInactive").
		replace("return left", "return was"), suite(onCounters("Linearizable"), "C1: ")},
	{"suite/counters_37_lend_in_two_steps",
		in("counters", "Counters.Lend").replace("if was, _ := c.sub(oneInactive + oneSleeping); was",
			"was, _ := c.sub(oneSleeping); prim.Yield(); c.sub(oneInactive); if was"),
		suite(onCounters("Linearizable"), "C1: ")},
	{"suite/counters_stop_at_zero", in("counters", "Counters.SubSleeping").
		before("if was, _ := c.sub(", "if c.load().Sleeping() < n { return }"),
		suite(onCounters("BelowZero"), "C2: ")},

	{"suite/sleep_4_latch_not_probed_again",
		in("sleep/jec", "Sleep.Park").replace("(look() || latch.Probe())", "look()"),
		suite(onSleep("NoMissedWake/source=stop/At=fell-asleep"), "S3: ")},
	{"suite/sleep_6_no_cascade", in("sleep/jec", "Sleep.Found").never("wake > 0"),
		suite(onSleep("Cascade"), "S2: ")},
	{"suite/sleep_7_stop_not_rechecked", in("sleep/jec", "Sleep.Park").
		replace("(look() || latch.Probe())", "look()").replace("FallAsleep()", "FallAsleep() && false"),
		suite(onSleep("NoMissedWake/source=stop/At=fall-asleep"), "S3: ")},
	{"suite/sleep_9_wrong_worker", in("sleep/jec", "Sleep.Wake").
		before("if !s.sleepers.Remove(worker) {", "worker = (worker + 1) % len(s.seats)"),
		suite(onSleep("WakeReachesItsTarget"), "S4: ")},
	{"suite/sleep_10_claimed_twice", in("counters", "Set.Take").replace("s.Remove(64*i + n)",
		"s.takenByTwo(64*i+n)").add(`func (s *Set) takenByTwo(worker int) bool {
	prim.Yield()
	s.Remove(worker)
	return true
}`), suite(onSleep("Conservation"), "S2: ")},
	{"suite/sleep_14_counted_twice",
		in("sleep/jec", "Sleep.release").after("s.counters.SubSleeping(len(workers))",
			"if _, sleeping := s.Counts(); sleeping > 0 { s.counters.SubSleeping(1) }"),
		suite(onSleep("WakesPerPost"), "S6: ")},
	{"suite/sleep_15_sleeper_counts_too", in("sleep/jec", "Sleep.Park").after("if !p.Block() {",
		"if _, sleeping := s.Counts(); sleeping > 0 { s.counters.SubSleeping(1) }"),
		suite(onSleep("WakeReachesItsTarget"), "S7: ")},
	{"suite/sleep_26_look_ignored", in("sleep/jec", "Sleep.Park").replace("look()", "look() && false"),
		suite("TestSleepJEC/bits=1/NoMissedWake/CounterWraps", "S1: ")},
	{"suite/sleep_27_count_ignored", in("sleep/jec", "Sleep.Post").
		replace("s.wakeAny(counters.ToWake(jobs, wasEmpty, inactive, sleeping))",
			"if counters.ToWake(jobs, wasEmpty, inactive, sleeping) > 0 { s.wakeAny(sleeping) }"),
		suite(onSleep("WakesPerPost"), "S6: ")},
	{"suite/sleep_wakes_when_covered", in("sleep/jec", "Sleep.Post").
		replace("ToWake(jobs, wasEmpty,", "ToWake(jobs, false,"), suite(onSleep("WakesPerPost"), "S6: ")},
	// It would spin for as long as the suite waits.
	{"suite/sleep_never_sleeps",
		in("sleep/jec", "Sleep.NoWork").replace("return true", "prim.Yield(); return false").
			andIn("conformance/internal/harness", "NewConfig").replace("2 * time.Minute", "4 * time.Second"),
		suite("TestSleepFutex/rounds=none/Rest", "S7: ")},
	{"suite/sleep_spins_asleep", in("sleep/futex", "word.block").
		replace("w.syscalls.Add(1) futexWait(&w.state, inKernel)", "prim.Yield()"),
		suite("TestSleepFutex/rounds=none/Rest", "S8: ")},
	{"suite/sleep_32_lent_twice",
		in("sleep/jec", "Sleep.Borrow").before("p := &s.seats[worker]", "s.sleepers.Add(worker)"),
		suite(onSleep("Seat/LentOnceEach"), "S9: ")},
	{"suite/sleep_33_given_back_unseen", in("sleep/jec", "Sleep.Return").
		never("look() && s.takeBack(worker)"), suite(onSleep("Seat/PostedWhileLent"), "S9: ")},
	{"suite/sleep_34_lent_seat_woken",
		in("sleep/jec", "Sleep.Wake").before("if !s.sleepers.Remove(worker) {",
			"if s.seats[worker].lent { s.seats[worker].Release(); return true }"),
		suite(onSleep("Seat/LentOnceEach"), "S9: ")},
	{"suite/sleep_37_lent_in_two_steps", in("counters", "Counters.Lend").
		replace("if was, _ := c.sub(oneInactive + oneSleeping); was", `was, _ := c.sub(oneSleeping)
for range 2000 {
	prim.Yield()
}
c.sub(oneInactive)
if was`), suite(onSleep("Seat/PostedAsBorrowed"), "S9: ")},
}

func onDeque(test string) string    { return "TestDeque/deque=chaselev/" + test }
func onCounters(test string) string { return "TestCounters/bits=32/" + test }
func onSleep(test string) string    { return "TestSleepJEC/rounds=none/" + test }
func onFutex(test string) string    { return "TestSleep/sleep=futex/" + test }
