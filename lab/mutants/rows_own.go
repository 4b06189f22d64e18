package mutants

// Faults that break a promise of one package, which has no interface in api: most are
// caught by that package's own tests alone. Two were put in by somebody who knew the
// code and no test, and nothing noticed them.
var ownRows = []Mutant{
	{"pool/handler_without_a_number",
		in("pool/panic.go", "Pool.expose").replace("spell(nil, number, &reporter{p, e})", "p.report(e)"),
		own("TestCloseInPanicHandler", "P6: ")},
	{"pool/begun_stays_queued", in("pool/handle.go", "submission.starts").drop("w.hasBegun()"),
		own("TestStatsOfNow", "P26: ")},
	{"pool/withdrawn_stays_queued", in("pool/handle.go", "submission.isWithdrawn").
		drop("o.pool.withdrawn.Add(1)"), own("TestStatsOfNow", "P26: ")},
	{"pool/begun_told_at_rest", in("pool/debug.go", "Worker.hasBegun").never("w.pool.watched.Load()"),
		own("TestStatsOfNow", "P26: ")},
	{"pool/queued_is_what_is_free", in("pool/queue.go", "room.waits").replace("r.taken()", "r.free()"),
		own("TestStatsOfNow", "P26: ")},
	{"pool/idle_workers_run", in("pool/debug.go", "Pool.Stats").
		replace("len(p.seats)-inactive", "len(p.seats)-0*inactive"), own("TestStatsOfNow", "P26: ")},
	{"pool/run_group_has_no_error", in("pool/group.go", "RunGroup").
		replace("return failed", "_ = failed\nreturn nil"), own("TestGroup/RunGroup/workers=1", "P24: ")},
	{"deque/ring_larger_than_asked", in("deque/ring.go", "newRing").replace("< length", "<= length"),
		own("TestGrowth", "D10: ")},
	{"deque/blocks_of_another_size", in("deque/injector.go", "Injector.extend").
		replace("newBlock[T](len(b.slots))", "newBlock[T](injectorBlock)"),
		own("TestInjectorMemory", "D10: ")},
	{"counters/claimed_twice",
		in("counters/set.go", "Set.Remove").replace("return s.words[worker/64].And(^bit)&bit != 0",
			"s.words[worker/64].And(^bit); return true"), own("TestSet", "C7: ")},
	{"counters/three_successors", in("counters/wake.go", "Successors").
		replace("min(2, sleeping", "min(3, sleeping"), own("TestSuccessors", "C8: ")},
	{"latch/context_before_set", in("latch/outside.go", "Outside.Wait").drop("if o.Probe() {"),
		own("TestOutsideEndedContext", "L6: ")},
	{"latch/open_before_zero", in("latch/count.go", "Count.Sub").replace("left > 0", "left > 1"),
		own("TestCountOpensAtZero", "L7: ")},
	{"api/yields_with_a_processor_for_each", in("api/rounds.go", "DefaultRounds").
		replace("workers >", "workers >="), own("TestDefaultRoundsFollowProcessors", "S12: ")},
	{"api/lingers_for_other_rounds", in("api/rounds.go", "Rounds.Next").replace("r.Linger", "r.Spin"),
		own("TestRoundsNext", "S12: ")},
	{"api/lingers_beyond_the_visits", in("api/rounds.go", "DefaultRounds").replace("rounds -", "512 -"),
		own("TestDefaultRoundsFollowProcessors", "S12: ")},
	{"pool/short_work_lingers", in("pool/seat.go", "linger.look").
		replace("l.workedLong()", "true"), own("TestLongWorkLingers", "Idle.Lingers: each ")},
	{"pool/lingers_again_and_again",
		in("pool/seat.go", "linger.found").drop("l.since += 2 * (prim.Now() - l.looks)"),
		own("TestWhatCountsAsLongWork", "Idle.Lingers: after as much ")},
	{"pool/sleep_counts_as_lingering",
		in("pool/seat.go", "seat.found").replace("s.linger.found()",
			"if s.pool.lingers { s.linger.since += 2 * (prim.Now() - s.linger.looks) }"),
		own("TestWhatCountsAsLongWork", "Idle.Lingers: after what it takes, behind a sleep ")},
	{"pool/trifles_are_long_work", in("pool/work.go", "rootTask.run").replace("+= trifle", "+= 0"),
		own("TestWhatCountsAsLongWork", "Idle.Lingers: after jobs ")},
	{"pool/nobody_lingers", in("pool/seat.go", "linger.look").replace("l.workedLong()", "false"),
		own("TestLongWorkLingers", "Idle.Lingers: no ")},
	{"pool/lingers_without_a_processor", in("pool/new.go", "New").drop("p.lingers = c.workers > 1").
		replace("p.look = p.hasWork", "p.look, p.lingers = p.hasWork, true"),
		own("TestLongWorkLingers", "Idle.Lingers: 1 ")},
	{"jec/rounds_ignored", in("sleep/jec/sleep.go", "New").
		replace("c.rounds,", "  api.DefaultRounds(workers),"), own("TestRoundsAreFollowed", "S12: ")},
	{"futex/jobs_bits_ignored", in("sleep/futex/sleep.go", "New").
		replace("jec.WithJobsBits(c.jobsBits),", ""), own("TestOptionsInAnyOrder", "S12: ")},
	{"pool/forks_told_twice", in("pool/debug.go", "Worker.tell").
		replace("w.told.forks = forks", "w.told.forks = forks - forks%2"),
		own("TestStatsCountOnce", "P26: ")},
	{"pool/labels_stay_after_panic", in("pool/handle.go", "Handle.under").
		replace("defer unlabel() return fn(w)", "result = fn(w); unlabel(); return result"),
		own("TestLabelsEndWithThePanic", "P27: ")},
	{"pool/labels_stay_after_job", in("pool/work.go", "rootTask.run").drop("unlabel()"),
		own("TestLabelsEndWithTheJob", "P27: ")},
	{"pool/labels_kept_asleep", in("pool/search.go", "seat.await").drop("unlabel()"),
		own("TestNoLabelsAtRest", "P8: ")},
	{"pool/first_unseated_push_by_store", in("pool/queue.go", "unseated.Push").
		replace("if !u.queue.CompareAndSwap(nil, q) { q = u.queue.Load() }", "u.queue.Store(q)"),
		explored(1, onPool("unseated_at_once"), missedWake)},
	{"pool/unseated_not_looked_at", in("pool/new.go", "Pool.hasWork").
		replace("|| !p.unseated.Empty()", ""), explored(0, onPool("unseated_at_once"), missedWake)},
	{"pool/channel_is_nobody", in("pool/completion.go", "channelWaiter.release").replace("return true", "return false"),
		own("TestUnseenPanics/channel", "P21: ")},
	{"pool/waits_counted_twice", in("pool/wait.go", "Worker.setAside").
		replace("w.counts().aside.Add(1)", "w.counts().aside.Add(2)"), own("TestStatsOfAWait", "P26: ")},
	{"pool/labels_of_who_made_the_pool",
		in("pool/worker.go", "unlabel").replace("pprof.SetGoroutineLabels(context.Background())",
			"_, _ = context.Background, pprof.SetGoroutineLabels"), own("TestLabels", "P27: ")},
	{"pool/built_in_not_named", in("pool/new.go", "SetDefault").drop("old = defaults.builtIn.Load()"),
		own("TestDefault", "P28: ")},
	{"pool/default_keeps_its_size", in("pool/new.go", "Pool.isUnfit").
		replace("len(p.seats) == builtInWorkers()", "0 < builtInWorkers()"),
		own("TestDefaultFollowsProcessors", "P28: ")},
	{"pool/default_leaves_jobs_in_block",
		in("pool/new.go", "Pool.isUnfit").replace("p.allLeft()", "true"),
		own("TestDefaultKeepsItsJobs", "P28: Default: beside a job in Block")},
	{"pool/default_asks_before_it_adds_up", in("pool/new.go", "Pool.isUnfit").drop("p.addUp()"),
		own("TestDefaultFollowsProcessors", "P28: ")},
	{"pool/default_made_by_each", in("pool/new.go", "renewBuiltIn").replace("p.isUnfit()", "true").
		before("defaults.mu.Lock()", "prim.Yield()"), own("TestDefaultBegunByMany", "P28: ")},
	{"pool/default_of_before_is_closed", in("pool/new.go", "Pool.mayEnd").
		replace("p.builtIn", "p == defaults.builtIn.Load()"), own("TestDefaultKeepsItsJobs", "P6: ")},
	{"pool/default_of_before_is_set",
		in("pool/new.go", "SetDefault").replace("p.builtIn", "p == defaults.builtIn.Load()"),
		own("TestDefaultKeepsItsJobs", "P28: SetDefault")},
	{"pool/default_of_before_is_kept", in("pool/new.go", "renewBuiltIn").
		before("defaults.builtIn.Store(p)", "replaced = append(replaced, defaults.builtIn.Load())").
		add("var replaced []*Pool"), own("TestDefaultFollowsProcessors", "P22: ")},
	{"par/default_of_before_shares", in("par/loop.go", "config.share").
		replace("pool.Default()", "pool.LastDefault()"), own("TestRowsOfCPU", "P28: ")},
	{"pool/nil_handler_called", in("pool/options.go", "WithPanicHandler").
		replace("c.handler = f", "c.handler = func(e *PanicError) { f(e) }"),
		own("TestOptionsInAnyOrder", "P29: ")},
	{"pool/dump_hides_who_is_awaited", in("pool/debug.go", "dumpedJob.does").
		replace("&& at.job", "&& at.job != nil && at.scope"), own("TestDump", "P30: ")},
}
