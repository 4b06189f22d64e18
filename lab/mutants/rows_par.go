package mutants

// What par and the doors of the pool beneath it promise.
var parRows = []Mutant{
	{"par/last_failure", in("par/loop.go", "loop.fail").
		replace("int64(lo) <", "l.failed.Load() == math.MaxInt || int64(lo) >"),
		explored(1, onPool("lowest_error"), "F2: ")},
	{"par/first_failure", in("par/loop.go", "loop.fail").
		replace("int64(lo) < l.failed.Load()", "l.failed.Load() == math.MaxInt"),
		explored(1, onPool("lowest_error"), "F2: ")},
	{"par/panic_leaves_no_mark",
		in("par/loop.go", "loop.call").drop("l.fail(lo, failure{panicked: pool.Caught(recover())})"),
		explored(1, onPool("lowest_panic"), "F2: ")},
	{"par/panic_beats_lower_error", in("par/loop.go", "loop.fail").
		replace("int64(lo) < l.failed.Load()", "int64(lo) < l.failed.Load() || f.panicked != nil"),
		explored(1, onPool("error_below_panic"), "F2: ")},
	{"par/panic_of_the_caller_at_once", in("par/slot.go", "loop.piece").
		replace("if !ok {", `if !ok && s == &l.first && l.failure.panicked != nil {
	l.failure.panicked.Raise()
}
if !ok {`), explored(2, onPool("lowest_panic"), "F2: ")},
	{"par/all_end_at_first_failure", in("par/slot.go", "loop.piece").
		replace("int64(l.base+lo) >= l.failed.Load()", "l.failed.Load() != math.MaxInt"),
		explored(1, onPool("lowest_error"), "F2: ")},
	{"par/waits_for_a_seat", in("par/loop.go", "loop.share").
		replace("pool.RunHere(l.pool,", "pool.Run(context.Background(), l.pool,"),
		explored(0, onPool("loop_under_lock"), missedWake)},
	{"par/queue_waits_for_loop", in("par/slot.go", "loop.piece").drop("pool.LoopsOf(w).Yield()"),
		own("TestQueuedBesideLoop", "F6: beside a loop")},
	{"par/joined_backwards", in("par/fold.go", "folding.row").
		replace("f.leaf.join(p.sums[0], sum)", "f.leaf.join(sum, p.sums[0])"),
		explored(0, onPool("fold"), "F1: ")},
	{"par/leaves_by_workers", in("par/fold.go", "fold").before("count := partsOf(n, size)",
		"if c.pool != nil && c.pool.Workers() > 1 { size = max(1, size/2) }"),
		own("TestFoldBrackets", "F1: ")},
	{"par/turn_not_read_again", in("par/fold.go", "turns.take").
		replace("uint8(t.Or(early<<child)) == uint8(child)", "t.Or(early<<child) < 0"),
		explored(2, onPool("fold_of_few"), "F1: ")},
	{"par/looks_before_it_passes",
		in("par/fold.go", "turns.pass").replace("return t.Add(uint32(to-from))&(early<<to) != 0",
			"was := t.Load(); t.Add(uint32(to-from)); return was&(early<<to) != 0"),
		explored(1, onPool("fold_of_few"), "F1: ")},
	{"par/early_ones_are_lost", in("par/fold.go", "folding.goOn").
		replace("f.join(n.first, n.first+to<<((n.level-1)*fanBits))", "_ = n"),
		explored(1, onPool("fold_of_few"), "F1: ")},
	// What a run of ranges has joined of a node of the second level is joined by nobody else.
	{"par/turn_above_kept", in("par/fold.go", "folding.run").
		replace("from < to && f.goOn(n, from, to)", "from < to && to == n.children"),
		own("TestFoldBrackets", "F1: ")},
	{"par/turn_above_of_last_passed",
		in("par/fold.go", "folding.run").replace("f.goOn(n, from, to)", "f.goOn(n, to-1, to)"),
		explored(0, onPool("fold_of_many"), "F1: ")},
	{"par/turns_never_taken", in("par/fold.go", "turns.take").
		replace("t.has(child) || uint8(t.Or(early<<child)) == uint8(child)",
			"child == 0 || t.has(child) && t.Or(early<<child) == 0"), own("TestFoldsKeepFew", "F1: ")},
	{"par/scan_without_what_is_before", in("par/scan.go", "scanning.run").
		replace("block > 0", "block > 1"), explored(0, onPool("scan"), "F1: ")},
	{"par/others_counted_as_chosen",
		in("par/filter.go", "picking.run").replace("from-at, to-end", "from-at, from-at+end"),
		own("TestFilter", "slice bounds out of range")},
	{"par/context_error_without_cause", in("par/ended.go", "endOf").
		replace("== nil || cause == err", "!= nil"), own("TestContextEndsEach", "F3: the context of ForErr")},
	{"par/begins_after_the_end", in("par/loop.go", "config.run").
		replace("case c.ctx != nil && c.ctx.Err() != nil:", "case false:"),
		own("TestContextEndsEach", "F3: the context of ForErr")},
	{"par/never_shared", in("par/slot.go", "loop.shares").
		replace("pool.LoopsOf(w).CanShare()", "pool.LoopsOf(w).CanShare() && false"),
		own("TestOneEach", "F7: ")},
	{"par/standing_clock_is_no_time",
		in("par/loop.go", "config.alone").replace("|| p.look(now, m)", "|| p.look(now, m) && false"),
		own("TestBubble", "called for help 0 times")},
	{"par/wakes_at_once", in("par/loop.go", "config.run").replace("p.Brief(key)", "false"),
		own("TestShortFollowsShort", "F7: ")},
	{"pool/yield_begins_any_number", in("pool/seat.go", "Pool.comeBeside").
		never("n >= uint32(len(p.seats))"), own("TestYield", "P31: ")},
	{"pool/yield_counts_for_ever", in("pool/work.go", "Worker.retire").drop("w.standAlone()"),
		own("TestQueuedBeginsAfterSomeForks/fork_and_join", "P32: all jobs have ended")},
	{"pool/blocked_job_is_beside", in("pool/wait.go", "Worker.release").drop("w.standAlone()"),
		own("TestYieldBeside/block", "P31")},
	{"pool/job_is_beside_no_more", in("pool/wait.go", "Worker.endBlock").drop("w.goBeside()"),
		own("TestBlockHereBeside", "P31: ")},
	{"pool/scope_in_block", in("pool/scope.go", "Worker.Scope").drop("panic(inBlock)"),
		own("TestInsideBlock/scope", "P29: ")},
	{"pool/waiting_job_is_beside", in("pool/wait.go", "Worker.setAside").drop("w.standAlone()"),
		own("TestYieldBeside/wait", "P31")},
	{"pool/seated_job_is_beside", in("pool/seat.go", "Worker.attach").drop("w.standAlone()"),
		own("TestYieldBeside/seat", "P31")},
	{"pool/idle_when_all_have_jobs", in("pool/pool.go", "Pool.Idle").
		replace("inactive > 0", "inactive >= 0"), own("TestIdle", "P31: ")},
	{"pool/loop_in_job_takes_second_seat", in("pool/run.go", "RunHere").
		replace("top.in(p) != nil", "top.in(p) != nil && !entered"), own("TestRunHereInJob", "P4: ")},
	{"pool/all_can_share", in("pool/loops.go", "Loops.CanShare").replace("w.tryAcquire()", "true"),
		own("TestRunHereWaitsForNoSeat", "P31: ")},
}
