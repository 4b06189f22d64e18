package mutants

// Faults that break a promise of one package, which has no interface in api: most are
// caught by that package's own tests alone. Two were put in by somebody who knew the
// code and no test, and nothing noticed them.
var ownPatches = []Patch{
	{
		Name: "deque/ring_larger_than_asked", File: "deque/ring.go",
		Edits: []Edit{{"for n < length {", "for n <= length {"}},
		Kills: "TestGrowth", Own: true, Says: "D10: ",
	},
	{
		Name: "deque/blocks_of_another_size", File: "deque/injector.go",
		Edits: []Edit{{"newBlock[T](len(b.slots))", "newBlock[T](injectorBlock)"}},
		Kills: "TestInjectorMemory", Own: true, Says: "D10: ",
	},
	{
		Name: "counters/claimed_twice", File: "counters/set.go",
		Edits: []Edit{{"return s.words[worker/64].And(^bit)&bit != 0", "s.words[worker/64].And(^bit)\n	return true"}},
		Kills: "TestSet", Own: true, Says: "C7: ",
	},
	{
		Name: "counters/three_successors", File: "counters/wake.go",
		Edits: []Edit{{"min(2, sleeping", "min(3, sleeping"}},
		Kills: "TestSuccessors", Own: true, Says: "C8: ",
	},
	{
		Name: "latch/context_before_set", File: "latch/outside.go",
		Edits: []Edit{{"	if o.Probe() {\n		return nil\n	}\n	if err", "	if err"}},
		Kills: "TestOutsideEndedContext", Own: true, Says: "L6: ",
	},
	{
		Name: "latch/open_before_zero", File: "latch/count.go",
		Edits: []Edit{{"	if left > 0 {", "	if left > 1 {"}},
		Kills: "TestCountOpensAtZero", Own: true, Says: "L7: ",
	},
	{
		Name: "api/yields_with_a_processor_for_each", File: "api/rounds.go",
		Edits: []Edit{{"if workers > prim.Processors() {", "if workers >= prim.Processors() {"}},
		Kills: "TestDefaultRoundsFollowProcessors", Own: true, Says: "S12: ",
	},
	{
		Name: "api/lingers_for_other_rounds", File: "api/rounds.go",
		Edits: []Edit{{"		if idle.Round < r.Linger {", "		if idle.Round < r.Spin {"}},
		Kills: "TestRoundsNext", Own: true, Says: "S12: ",
	},
	{
		Name: "api/lingers_beyond_the_visits", File: "api/rounds.go",
		Edits: []Edit{{"Linger: rounds - spin", "Linger: 512 - spin"}},
		Kills: "TestDefaultRoundsFollowProcessors", Own: true, Says: "S12: ",
	},
	{
		Name: "pool/short_work_lingers", File: "pool/seat.go",
		Edits: []Edit{{"idle.Lingers = s.workedLong()", "idle.Lingers = true"}},
		Kills: "TestLongWorkLingers", Own: true, Says: "Idle.Lingers: each ",
	},
	{
		Name: "pool/lingers_again_and_again", File: "pool/seat.go",
		Edits: []Edit{{"		s.since += 2 * (prim.Now() - s.looks)\n", ""}},
		Kills: "TestWhatCountsAsLongWork", Own: true, Says: "Idle.Lingers: after as much ",
	},
	{
		Name: "pool/sleep_counts_as_lingering", File: "pool/seat.go",
		Edits: []Edit{{"	if s.workedLong() {\n		s.since +=", "	if s.pool.lingers {\n		s.since +="}},
		Kills: "TestWhatCountsAsLongWork", Own: true, Says: "Idle.Lingers: after what it takes, behind a sleep ",
	},
	{
		Name: "pool/trifles_are_long_work", File: "pool/worker.go",
		Edits: []Edit{{"			w.seat.since += trifle\n", "			w.seat.since += 0\n"}},
		Kills: "TestWhatCountsAsLongWork", Own: true, Says: "Idle.Lingers: after jobs ",
	},
	{
		Name: "pool/nobody_lingers", File: "pool/seat.go",
		Edits: []Edit{{"idle.Lingers = s.workedLong()", "idle.Lingers = false"}},
		Kills: "TestLongWorkLingers", Own: true, Says: "Idle.Lingers: no ",
	},
	{
		Name: "pool/lingers_without_a_processor", File: "pool/pool.go",
		Edits: []Edit{{"		p.lingers = c.workers > 1\n", ""}, {"	p.look = p.hasWork\n", "	p.look, p.lingers = p.hasWork, true\n"}},
		Kills: "TestLongWorkLingers", Own: true, Says: "Idle.Lingers: 1 ",
	},
	{
		Name: "jec/rounds_ignored", File: "sleep/jec/sleep.go",
		Edits: []Edit{{"		rounds:   c.rounds,\n", "		rounds:   api.DefaultRounds(workers),\n"}},
		Kills: "TestRoundsAreFollowed", Own: true, Says: "S12: ",
	},
	{
		Name: "futex/jobs_bits_ignored", File: "sleep/futex/sleep.go",
		Edits: []Edit{{"jec.WithJobsBits(c.jobsBits),", ""}},
		Kills: "TestOptionsInAnyOrder", Own: true, Says: "S12: ",
	},
	{
		Name: "pool/forks_told_twice", File: "pool/stats.go",
		Edits: []Edit{{"		w.told.forks = forks\n", "		w.told.forks = forks - forks%2\n"}},
		Kills: onSuite("Stats"), Suite: true, Says: "P26: ",
	},
	{
		Name: "pool/labels_stay_after_panic", File: "pool/submit.go",
		Edits: []Edit{{"		defer unlabel()\n		return fn(w)\n", "		result = fn(w)\n		unlabel()\n		return result\n"}},
		Kills: onSuite("SubmitContext/labels"), Suite: true, Says: "P27: ",
	},
	{
		Name: "pool/channel_is_nobody", File: "pool/completion.go",
		Edits: []Edit{{"			n.present.Store(1)\n			return n\n", "			return n\n"}},
		Kills: onSuite("Unseen/channel"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/waits_counted_twice", File: "pool/wait.go",
		Edits: []Edit{{"	w.counts().aside.Add(1)", "	w.counts().aside.Add(2)"}},
		Kills: "TestStatsOfAWait", Own: true, Says: "P26: ",
	},
	{
		Name: "pool/labels_of_who_made_the_pool", File: "pool/seat.go",
		Edits: []Edit{{"func unlabel() { pprof.SetGoroutineLabels(context.Background()) }", "func unlabel() { _, _ = context.Background, pprof.SetGoroutineLabels }"}},
		Kills: "TestForksHaveNoLabels", Own: true, Says: "P27: ",
	},
	{
		Name: "pool/built_in_not_named", File: "pool/front.go",
		Edits: []Edit{{"		old = front.builtIn.Load()\n", ""}},
		Kills: "TestDefault", Own: true, Says: "P28: ",
	},
	{
		Name: "pool/nil_handler_called", File: "pool/pool.go",
		Edits: []Edit{{"return func(c *config) { c.handler = f }", "return func(c *config) { c.handler = func(e *PanicError) { f(e) } }"}},
		Kills: "TestOptionsInAnyOrder", Own: true, Says: "P29: ",
	},
	{
		Name: "pool/dump_hides_who_is_awaited", File: "pool/dump.go",
		Edits: []Edit{{"case at != nil && at.job != nil:", "case at != nil && at.job != nil && at.scope != nil:"}},
		Kills: "TestDump", Own: true, Says: "P30: ",
	},
}
