package mutants

// What par and the doors of the pool beneath it promise.
var parRows = []Mutant{
	{"par/last_failure",
		at("loop.fail").replace("int64(lo) <", "l.failed.Load() == math.MaxInt || int64(lo) >"),
		pooled(1, "lowest_error", "F2: ")},
	{"par/body_on_another_worker", at("jobs.runAs").
		replace("(w *pool.Worker, _ *pool.Scope) { part(w) }", "(*pool.Worker, *pool.Scope) { part(j.worker) }"),
		own("TestForWorkerAsleep", "F1: ")},
	{"par/forks_of_failed_body_stay", at("jobs.runAs").
		replace("w.Scope(func(w *pool.Worker, _ *pool.Scope) { part(w) })", "part(w)"), own("TestForWorkerFails", "F")},
	{"par/body_of_closed_pool_left_out", at("jobs.enter").
		replace("loops.Run(j.pool, part) == nil", "loops.Run(j.pool, part) == nil || true"), own("TestForWorker", "F5: ")},
	{"par/context_of_another_body", at("jobs.runAs").replace("ctx = pool.NewContext(ctx, w)", "_ = ctx"),
		own("TestForWorkerFails", "F3: ")},
	{"par/first_failure",
		at("loop.fail").replace("int64(lo) < l.failed.Load()", "l.failed.Load() == math.MaxInt"),
		pooled(1, "lowest_error", "F2: ")},
	{"par/panic_leaves_no_mark", at("loop.call").
		drop("l.fail(lo, failure{panicked: loops.Caught(recover())})"), pooled(1, "lowest_panic", "F2: ")},
	{"par/panic_beats_lower_error", at("loop.fail").replace("Load()", "Load() || f.panicked != nil"),
		pooled(1, "error_below_panic", "F2: ")},
	{"par/panic_of_the_caller_at_once",
		at("loop.piece").replace("if !ok {", `if !ok && s == &l.first && l.failure.panicked != nil {
	loops.Raise(l.failure.panicked)
}
if !ok {`), pooled(2, "lowest_panic", "F2: ")},
	{"par/all_end_at_first_failure", at("loop.piece").
		replace("int64(l.base+lo) >= l.failed.Load()", "l.failed.Load() != math.MaxInt"),
		pooled(1, "lowest_error", "F2: ")},
	{"par/joined_backwards", at("folding.row").
		replace("f.leaf.join(p.sums[0], sum)", "f.leaf.join(sum, p.sums[0])"), pooled(0, "fold", "F1: ")},
	{"par/leaves_by_workers", at("fold").before("count := partsOf(n, size)",
		"if c.pool != nil && c.pool.Workers() > 1 { size = max(1, size/2) }"),
		own("TestFoldBrackets", "F1: ")},
	{"par/turn_not_read_again",
		at("turns.take").replace("uint8(t.Or(early<<child)) == uint8(child)", "t.Or(early<<child) < 0"),
		pooled(2, "fold_of_few", "F1: ")},
	{"par/looks_before_it_passes", at("turns.pass").
		replace("return t.Add(uint32(to-from))", "was := t.Load(); t.Add(uint32(to-from)); return was"),
		pooled(1, "fold_of_few", "F1: ")},
	{"par/early_ones_are_lost",
		at("folding.goOn").replace("f.join(n.first, n.first+to<<((n.level-1)*fanBits))", "_ = n"),
		pooled(1, "fold_of_few", "F1: ")},
	// What a run of ranges has joined of a node of the second level is joined by no other.
	{"par/turn_above_kept", at("folding.run").replace("f.goOn(n, from, to)", "to == n.children"),
		own("TestFoldBrackets", "F1: ")},
	{"par/turn_above_of_last_passed", at("folding.run").
		replace("f.goOn(n, from, to)", "f.goOn(n, to-1, to)"), pooled(0, "fold_of_many", "F1: ")},
	{"par/turns_never_taken",
		at("turns.take").replace("t.has(child) || uint8(t.Or(early<<child)) == uint8(child)",
			"child == 0 || t.has(child) && t.Or(early<<child) == 0"), own("TestFoldsKeepFew", "F1: ")},
	{"par/scan_without_what_is_before", at("scanning.run").replace("block > 0", "block > 1"),
		pooled(0, "scan", "F1: ")},
	{"par/others_counted_as_chosen", at("picking.run").replace("to-end", "from-at+end"),
		own("TestFilter", "slice bounds out of range")},
	{"par/context_error_without_cause", at("endOf").replace("== nil || cause == err", "!= nil"),
		own("TestContextEndsEach", "F3: the context of ForErr")},
	{"par/begins_after_the_end",
		at("config.run").replace("case c.isOver():", "case false:"),
		own("TestContextEndsEach", "F3: the context of ForErr")},
	{"par/never_shared", at("loop.shares").replace("l.scope != nil", "false"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/standing_clock_is_no_time", at("config.alone").
		replace("look(now, m)", "look(now, m) && false"), own("TestBubble", "called for help 0 times")},
	{"par/wakes_at_once", at("config.run").replace("loops.Brief(p, key)", "false"),
		own("TestShortFollowsShort", "F7: ")},
	{"pool/beside_counts_for_ever", at("Worker.setState").replace("w.state == beside", "w.state == beside && s != idle"),
		own("TestLookAtQueue", "P32: all jobs have ended")},
	{"pool/blocked_job_is_beside", at("Worker.setState").replace("w.state == beside", "w.state == beside && s != blocked"),
		own("TestWaitsBeside", "P32: ")},
	{"pool/job_is_beside_no_more", at("Worker.endBlock").drop("w.goOn()"),
		own("TestWaitsBeside", "P32: ")},
	{"pool/loop_in_job_takes_second_seat", at("runHere").
		replace("top.in(p) != nil", "top.in(p) != nil && !entered"), own("TestLoopsRunInJob", "P4: ")},
}
