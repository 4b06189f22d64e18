package mutants

// onLeft is the name of a scenario on a backend whose workers sleep without a goroutine.
func onLeft(scenario string) string { return "TestSleep/sleep=no_goroutines/" + scenario }

// onLeftPool is that of a scenario of a pool with such a backend.
func onLeftPool(scenario string) string {
	return "TestPool/sleep=no_goroutines/deque=locked/" + scenario
}

// What goes on with a worker that sleeps without a goroutine, and when.
var leaveRows = []Mutant{
	{"sleep/leaver_looks_then_says_so", in("sleep/jec", "leaving.isSecond").
		replace("l.met.Swap(1) == 0 {", "l.met.Load() == 0 { l.met.Store(1)"),
		explored(2, onLeft("injected"), "S1: ")},
	{"sleep/met_for_good", in("sleep/jec", "leaving.isSecond").drop("l.met.Store(0)"),
		explored(2, onLeft("injected_again"), "panic")},
	{"sleep/met_forgotten_later", in("sleep/jec", "leaving.isSecond").
		drop("l.met.Store(0)").and("leaving.Block").replace("{ return l.isSecond() }",
		"{ released = l.isSecond(); if released { l.met.Store(0) }; return released }").
		and("leaving.Release").after("l.start(l.worker)", "l.met.Store(0)"),
		explored(2, onLeft("injected_again"), "panic")},
	{"sleep/started_in_its_last_look", in("sleep/jec", "leaving.Release").
		replace("if l.isSecond() { l.start(l.worker) }", "l.isSecond(); l.start(l.worker)"),
		explored(2, onLeft("injected"), "S11: ")},
	{"sleep/never_started", in("sleep/jec", "leaving.Release").
		replace("if l.isSecond() { l.start(l.worker) }", "l.isSecond()"),
		explored(1, onLeft("injected"), "S1: ")},
	{"sleep/latch_woken_as_it_is_left", in("sleep/jec", "Sleep.Park").
		replace("return false // nothing of the worker may be touched after this",
			"latch.WakeUp(); return false"), explored(1, onLeft("stop"), "C4: ")},
	{"sleep/awake_without_release", in("sleep/jec", "Sleep.Park").
		replace("false // nothing of the worker may be touched after this", "true"),
		explored(1, onLeft("stop"), "panic")},
	{"pool/latch_left_asleep", at("seat.awaitJob").drop("s.stop.WakeUp()"),
		explored(0, onLeftPool("goexit_of_submitted"), "panic")},
	{"pool/started_as_if_active", at("seat.wakeUp").drop("s.looking = true"),
		explored(0, onLeftPool("blocked_job"), "panic")},
	{"pool/seat_left_counts_as_ended",
		at("seat.awaitJob").replace("return nil // wakeUp", "s.pool.shutdown.lives.Done(); return nil"),
		explored(0, onLeftPool("blocked_job"), "panic")},
	{"pool/nobody_starts_seats",
		at("New").replace("p.sleep.leaves = b.StartBy(func(seat int) { p.seats[seat].wakeUp() })", "_ = b"),
		suite("TestAtRest/NoGoroutine/unused", "P22: ")},
	{"pool/parker_of_another_bubble", at("Worker.retire").drop("w.aside.parker = nil"),
		own("TestParkerIsNotPassedOn", "P22: ")},
	{"pool/register_keeps_workers",
		in("pool/internal/spell", "Table.Add").after("t.groups[i], g.workers[number] = g.self, w", "everybody = append(everybody, w)").
			add("var everybody []any"), own("TestForgottenGroups", "P22: ")},
	{"pool/numbers_of_forgotten_pools_stay", in("pool/internal/spell", "Table.prune").never("of.Value() == nil"),
		own("TestForgottenGroups", "P22: ")},
	{"pool/worker_stays_in_the_roll", in("pool/internal/spell", "Table.clear").drop("delete(g.workers, number)"),
		own("TestGroupForgets", "P8: ")},
}
