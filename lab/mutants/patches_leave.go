package mutants

// onLeft is the name of a scenario on a backend whose workers sleep without a goroutine.
func onLeft(scenario string) string { return "TestSleep/sleep=no_goroutines/" + scenario }

// onLeftPool is that of a scenario of a pool with such a backend.
func onLeftPool(scenario string) string {
	return "TestPool/sleep=no_goroutines/deque=locked/" + scenario
}

// What goes on with a worker that sleeps without a goroutine, and when.
var leavePatches = []Patch{
	{
		Name: "sleep/leaver_looks_then_says_so", File: "sleep/jec/leave.go",
		Edits: []Edit{{"	if l.met.Swap(1) == 0 {\n		return false\n", "	if l.met.Load() == 0 {\n		l.met.Store(1)\n		return false\n"}},
		Kills: onLeft("injected"), Says: "S1: ", Bound: 2,
	},
	{
		Name: "sleep/met_for_good", File: "sleep/jec/leave.go",
		Edits: []Edit{{"	l.met.Store(0)\n", ""}},
		Kills: onLeft("injected_again"), Says: "panic", Bound: 2,
	},
	{
		Name: "sleep/met_forgotten_later", File: "sleep/jec/leave.go",
		Edits: []Edit{
			{"	l.met.Store(0)\n	return true\n", "	return true\n"},
			{"{ return l.isSecond() }", "{\n	released = l.isSecond()\n	if released {\n		l.met.Store(0)\n	}\n	return released\n}"},
			{"		l.start(l.worker)\n", "		l.start(l.worker)\n		l.met.Store(0)\n"},
		},
		Kills: onLeft("injected_again"), Says: "panic", Bound: 2,
	},
	{
		Name: "sleep/started_in_its_last_look", File: "sleep/jec/leave.go",
		Edits: []Edit{{"	if l.isSecond() {\n		l.start(l.worker)\n	}\n", "	l.isSecond()\n	l.start(l.worker)\n"}},
		Kills: onLeft("injected"), Says: "S11: ", Bound: 2,
	},
	{
		Name: "sleep/never_started", File: "sleep/jec/leave.go",
		Edits: []Edit{{"	if l.isSecond() {\n		l.start(l.worker)\n	}\n", "	l.isSecond()\n"}},
		Kills: onLeft("injected"), Says: "S1: ", Bound: 1,
	},
	{
		Name: "sleep/latch_woken_as_it_is_left", File: "sleep/jec/park.go",
		Edits: []Edit{{"			return false // nothing of the worker may be touched after this\n", "			latch.WakeUp()\n			return false\n"}},
		Kills: onLeft("stop"), Says: "C4: ", Bound: 1,
	},
	{
		Name: "sleep/awake_without_release", File: "sleep/jec/park.go",
		Edits: []Edit{{"			return false // nothing of the worker may be touched after this\n", "			return true\n"}},
		Kills: onLeft("stop"), Says: "panic", Bound: 1,
	},
	{
		Name: "pool/latch_left_asleep", File: "pool/seat.go",
		Edits: []Edit{{"		s.stop.WakeUp() // if it has slept without a goroutine\n", ""}},
		Kills: onLeftPool("blocked_job"), Says: "panic", Bound: 0,
	},
	{
		Name: "pool/started_as_if_active", File: "pool/seat.go",
		Edits: []Edit{{"	s.looking = true\n	s.start(nil)\n", "	s.start(nil)\n"}},
		Kills: onLeftPool("blocked_job"), Says: "panic", Bound: 0,
	},
	{
		Name: "pool/seat_left_counts_as_ended", File: "pool/seat.go",
		Edits: []Edit{{"			return nil // goOn\n", "			s.pool.shutdown.lives.Done()\n			return nil\n"}},
		Kills: onLeftPool("blocked_job"), Says: "panic", Bound: 0,
	},
	{
		Name: "pool/nobody_starts_seats", File: "pool/pool.go",
		Edits: []Edit{{"		p.leaves = b.StartBy(func(seat int) { p.seats[seat].goOn() })\n", "		_ = b\n"}},
		Kills: "TestAtRest/NoGoroutine/unused", Suite: true, Says: "P22: ",
	},
	{
		Name: "pool/parker_of_another_bubble", File: "pool/worker.go",
		Edits: []Edit{{"		w.parker = nil\n", ""}},
		Kills: "TestParkerIsNotPassedOn", Own: true, Says: "P22: ",
	},
	{
		Name: "pool/register_keeps_workers", File: "pool/identity.go",
		Edits: []Edit{
			{"var enlisted register\n", "var enlisted register\n\nvar everybody []*Worker\n"},
			{"	r.all[r.last] = w.pool.roll.add(w)\n", "	r.all[r.last] = w.pool.roll.add(w)\n	everybody = append(everybody, w)\n"},
		},
		Kills: "TestNumbersOfForgottenPools", Own: true, Says: "P22: ",
	},
	{
		Name: "pool/numbers_of_forgotten_pools_stay", File: "pool/identity.go",
		Edits: []Edit{{"		if at.pool.Value() == nil {\n			delete(r.all, number)\n		}\n", "		_, _ = number, at\n"}},
		Kills: "TestNumbersOfForgottenPools", Own: true, Says: "P22: ",
	},
	{
		Name: "pool/worker_stays_in_the_roll", File: "pool/identity.go",
		Edits: []Edit{{"	l.slots[slot] = nil\n", ""}},
		Kills: "TestRollForgets", Own: true, Says: "P8: ",
	},
}
