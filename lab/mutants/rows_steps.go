package mutants

// Atomic steps of protocols that no other row breaks: left out, in another order, or in two.
var stepRows = []Mutant{
	{"par/thief_looks_before_it_stores", at("loop.halve").
		before("s.left.Store(spanOf(mid+1, hi))", "lookedEarly[s] = l.wanted.Load()").and("loop.piece").
		replace("stop.Load() &&", "s.early(stop) &&").add(`var lookedEarly = map[*slot]bool{}

func (s *slot) early(stop *prim.Bool) bool {
	if up, ok := lookedEarly[s]; ok {
		delete(lookedEarly, s)
		return up
	}
	return stop.Load()
}`), hangs(1, "comes_before_piece_is_stored")},
	{"par/thief_stores_before_it_takes", at("loop.halve").
		replace("if v.left.CompareAndSwap(left, spanOf(lo, mid)) { s.left.Store(spanOf(mid+1, hi)) return",
			"s.left.Store(spanOf(mid+1, hi)); if v.left.CompareAndSwap(left, spanOf(lo, mid)) { return"),
		pooled(1, "called_back", "F1: ")},
	{"par/put_back_by_store",
		at("slot.putBack").replace("if s.left.CompareAndSwap(left, spanOf(at, hi)) {",
			"if s.left.Store(spanOf(at, hi)); true {"), pooled(1, "called_back", "F1: ")},
	{"par/joins_in_two_steps", at("loop.join").replace("CompareAndSwap(n, n+1)", "Add(1) > 0"),
		pooled(1, "limit_of_workers", "F7: ").shallow(tooMany)},
	{"par/first_owner_uncounted", at("loop.begin").drop("l.working.Add(1)"),
		pooled(0, "limit_of_workers", "F7: ")},
	{"par/call_taken_stays_counted", at("loop.helped").drop("l.calls.Add(-1)"), hangs(0, "barrier")},
	{"par/slot_not_in_the_ring", at("loop.seat").replace("CompareAndSwap(next, s)", "Store(s); true"),
		hangs(1, "comes_before_piece_is_stored")},
	{"par/new_slot_is_anybodys", at("loop.seat").drop("s.owned.Store(true)"),
		hangs(1, "comes_before_piece_is_stored")},
	{"par/begins_with_the_flag_down",
		at("loop.work").replace("default: l.wanted.Store(true)", "default:"), hangs(0, "barrier")},
	{"par/begins_beside_with_the_flag_down", at("loop.work").
		replace("beside: l.wanted.Store(true)", "beside:"), hangs(0, "leaves_or_finds_put_back")},
	{"par/owner_that_blocks_counts", at("loop.answer").never("n < 1 && l.limit == 0"),
		hangs(0, "owner_blocks")},
	{"par/ends_above_before_it_fails", at("loop.fail").drop("l.endAbove(int64(lo))").
		before("l.mu.Lock()", "l.endAbove(int64(lo))"), pooled(1, "ends_what_begins_above", "livelock")},
	{"par/exit_stays_counted", at("loop.drive").drop("l.working.Add(-1)"),
		hangs(0, "exits_beside_put_back")},
	{"par/exits_in_silence", at("loop.drive").drop("l.want()"), hangs(1, "exits_beside_put_back")},
	{"par/exit_raises_before_it_is_counted_out", at("loop.drive").swap("l.working.Add(-1)"),
		hangs(1, "exits_beside_put_back")},
	{"pool/joiner_lost", at("completion.change").drop("if w.over {"),
		hangs(1, "joined_by_job")},
	{"pool/completed_in_two_steps",
		at("completion.complete").replace("w := c.waiters.Swap(&completed)",
			"w := c.waiters.Load(); c.waiters.Store(&completed)"), hangs(2, "two_waiters")},
	{"pool/waiters_replaced", at("completion.change").replace("c.waiters.CompareAndSwap(nil, made)", "c.waiters.Store(made)"),
		hangs(1, "two_waiters")},
	{"pool/enters_after_a_look", at("Pool.enter").replace("Add(int64(n))&closing == 0",
		"Load()&closing == 0 && p.shutdown.entered.Add(int64(n)) > 0"), hangs(2, "close_races_run")},
	{"pool/nested_leaves_twice", at("runHere").replace("return runInside(top, p, user, fn, arg), nil } } if",
		"if !entered { p.leave(1) }; return runInside(top, p, user, fn, arg), nil\n}\n}\nif"),
		hangs(1, "close_races_nested_run")},
	{"pool/left_in_two_steps", at("Pool.leave").replace("p.shutdown.left.Add(int64(n))",
		"p.shutdown.left.Store(p.shutdown.left.Load() + int64(n))"), hangs(1, "two_runs")},
	{"pool/closing_said_in_two_steps",
		at("Pool.close").replace("if s.entered.Or(closing)&closing == 0 {",
			`if entered := s.entered.Load(); entered&closing == 0 {
	s.entered.Store(entered | closing)`), hangs(2, "close_races_run")},
	{"pool/ended_by_two", at("Pool.close").replace("s.entered.Or(closing)&closing == 0",
		"s.entered.Load()&closing == 0 && s.entered.Or(closing) >= 0"),
		pooled(1, "two_closes", "pool: a closeGroup is below zero")},
	{"pool/tally_in_two_steps",
		at("closeGroup.Done").before("switch left", "t.count.Store(t.count.Load() - 1)").
			replace("t.count.Add(-1); {", "t.count.Load(); {"), hangs(1, "close_drains")},
	{"pool/guest_outlives_close", at("Pool.guestSeat").drop("p.shutdown.lives.Add(1)"),
		pooled(0, "guests_fork_at_once", "pool: a closeGroup is below zero")},
	{"pool/abandoned_said_after_the_look", at("Pool.abandon").
		drop("p.inbox.abandoned.Store(true)").before("case api.Empty: return", "p.inbox.abandoned.Store(true)"),
		hangs(1, "shutdown_races_submit")},
	{"pool/refused_stays_begun", at("Handle.refuse").drop("h.job.claim.Store(withdrawn)"),
		pooled(0, "shutdown_or_begin", "P20: ")},
	{"pool/outsider_is_nobody", at("completion.complete").replace("w.all.Len() > 0", "false"),
		pooled(0, "panic_awaited_while_closing", "P21: ")},
	{"par/lowers_for_nothing",
		at("loop.answer").replace("!l.any() || !l.wanted.CompareAndSwap(true, false)",
			"!l.wanted.CompareAndSwap(true, false) || !l.any()"), own("TestFlagStaysUpForNothing", "F7: ")},
	{"par/slot_of_two", at("loop.seat").replace("Load() && s.owned.CompareAndSwap(false, true) {",
		"Load() { prim.Yield(); s.owned.Store(true)"), own("TestFoldBrackets", "F1: ")},
	{"pool/forks_asked_in_two_steps", at("Pool.want").replace("w.wanted.Or(wantForks)",
		"v := w.wanted.Load(); prim.Yield(); w.wanted.Store(v | wantForks)"),
		own("TestFlagKeepsItsOtherBit", "P34: ")},
	{"pool/shown_in_two_steps", at("seat.show").replace("shown.Or(bit)",
		"old := shown.Load(); shown.Store(old | bit)"),
		hangs(1, "guests_fork_at_once")},
	{"pool/hidden_in_two_steps", at("seat.hide").replace("shown.And(^bit)",
		"old := shown.Load(); prim.Yield(); shown.Store(old &^ bit)"),
		own("TestGuestsAreHiddenAtOnce", "P5: ")},
	{"pool/link_lost", at("jobList.add").
		replace("if u.top.CompareAndSwap(top, l) {", "if prim.Yield(); true { u.top.Store(l)"),
		own("TestListKeepsAll", "P1: ")},
	{"pool/lists_lost", at("scopeJobs.list").
		replace("s.others.CompareAndSwap(nil, made)", "prim.Yield(); s.others.Store(made)"),
		own("TestScopeKeepsAllLists", "P1: ")},
	{"pool/beside_in_two_steps", at("Pool.comeBeside").
		replace("if p.inbox.beside.Add(1) <= uint32(len(p.seats)) {", "n := p.inbox.beside.Load(); prim.Yield(); p.inbox.beside.Store(n + 1); if n < uint32(len(p.seats)) {"),
		own("TestBesideIsBounded", "P32: ")},
	{"pool/refused_counts_as_beside", at("Pool.comeBeside").drop("p.inbox.beside.Add(^uint32(0))"),
		own("TestLookAtQueue", "P32: ")},
}
