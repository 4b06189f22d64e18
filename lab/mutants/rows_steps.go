package mutants

// Atomic steps of protocols that no other row breaks: left out, in another order, or in two.
var stepRows = []Mutant{
	{"par/looks_before_it_raises", in("par/slot.go", "loop.take").
		replace("l.want() if !l.any(s)", "some := l.any(s); l.want(); if !some"),
		explored(2, onPool("leaves_or_finds_put_back"), "").
			harmless("the helper was counted out before, so an owner that lowers the flag calls; and one that has put back since finds the flag up at its next look, after one element. A helper that is so slow that it leaves during that element costs the same, and no element can tell which it was")},
	{"par/thief_looks_before_it_stores", in("par/slot.go", "loop.halve").
		before("s.left.Store(spanOf(mid, hi))", "lookedEarly[s] = l.wanted.Load()").and("loop.piece").
		replace("stop.Load() {", "s.early(stop) {").add(`var lookedEarly = map[*slot]bool{}

func (s *slot) early(stop *prim.Bool) bool {
	if up, ok := lookedEarly[s]; ok {
		delete(lookedEarly, s)
		return up
	}
	return stop.Load()
}`), explored(1, onPool("comes_before_piece_is_stored"), missedWake)},
	{"par/thief_stores_before_it_takes", in("par/slot.go", "loop.halve").
		replace("if v.left.CompareAndSwap(left, spanOf(lo, mid)) { s.left.Store(spanOf(mid, hi)) return true }",
			`s.left.Store(spanOf(mid, hi))
if v.left.CompareAndSwap(left, spanOf(lo, mid)) {
	return true
}`), explored(1, onPool("called_back"), "F1: ")},
	{"par/put_back_by_store",
		in("par/slot.go", "slot.putBack").replace("if s.left.CompareAndSwap(left, spanOf(at, hi)) {",
			"if s.left.Store(spanOf(at, hi)); true {"), explored(1, onPool("called_back"), "F1: ")},
	{"par/joins_in_two_steps", in("par/slot.go", "loop.join").
		replace("l.working.CompareAndSwap(n, n+1)", "l.working.Add(1) > 0"),
		explored(1, onPool("limit_of_workers"), "F7: ")},
	{"par/first_owner_uncounted", in("par/slot.go", "loop.begin").drop("l.working.Add(1)"),
		explored(0, onPool("limit_of_workers"), "F7: ")},
	{"par/call_taken_stays_counted", in("par/slot.go", "loop.helped").drop("l.calls.Add(-1)"),
		explored(0, onPool("barrier"), missedWake)},
	{"par/slot_not_in_the_ring", in("par/slot.go", "loop.seat").
		replace("if l.first.next.CompareAndSwap(next, s) {", "if l.first.next.Store(s); true {"),
		explored(1, onPool("comes_before_piece_is_stored"), missedWake)},
	{"par/new_slot_is_anybodys", in("par/slot.go", "loop.seat").drop("s.owned.Store(true)"),
		explored(1, onPool("comes_before_piece_is_stored"), missedWake)},
	{"par/begins_with_the_flag_down", in("par/slot.go", "loop.work").
		replace("default: l.wanted.Store(true)", "default:"), explored(0, onPool("barrier"), missedWake)},
	{"par/begins_beside_with_the_flag_down",
		in("par/slot.go", "loop.work").replace("case l.beside: l.wanted.Store(true)", "case l.beside:"),
		explored(0, onPool("leaves_or_finds_put_back"), missedWake)},
	{"par/owner_that_blocks_counts", in("par/slot.go", "loop.answer").never("n < 1 && l.limit == 0"),
		explored(0, onPool("owner_blocks"), missedWake)},
	{"par/ends_above_before_it_fails", in("par/loop.go", "loop.fail").
		drop("l.endAbove(int64(lo))").before("l.mu.Lock()", "l.endAbove(int64(lo))"),
		explored(1, onPool("ends_what_begins_above"), "livelock")},
	{"par/exit_stays_counted", in("par/slot.go", "loop.drive").drop("l.working.Add(-1)"),
		explored(0, onPool("exits_beside_put_back"), missedWake)},
	{"par/exits_in_silence", in("par/slot.go", "loop.drive").drop("l.want()"),
		explored(1, onPool("exits_beside_put_back"), missedWake)},
	{"par/exit_raises_before_it_is_counted_out", in("par/slot.go", "loop.drive").
		swap("l.working.Add(-1)"), explored(1, onPool("exits_beside_put_back"), missedWake)},
	{"pool/added_up_goes_down", in("pool/close.go", "Pool.addUp").
		replace("for before := counted.Load(); before < sum && !counted.CompareAndSwap(before, sum); { before = counted.Load() }",
			"counted.Store(sum)"), explored(3, onPool("close_while_counting"), missedWake)},
	{"pool/adds_up_once", in("pool/close.go", "Pool.addUp").
		replace("for before := counted.Load(); before < sum && !counted.CompareAndSwap(before, sum); { before = counted.Load() }",
			"if before := counted.Load(); before < sum { counted.CompareAndSwap(before, sum) }"),
		explored(3, onPool("close_while_counting"), missedWake)},
	{"pool/bound_looked_at_before_it_is_left",
		in("pool/seat.go", "Pool.leaveBeside").replace("p.beside.Add(^uint32(0)) if p.hasQueued() {",
			"queued := p.hasQueued(); p.beside.Add(^uint32(0)); if queued {"),
		explored(2, onPool("bound_left"), "livelock")},
	{"pool/joiner_lost", in("pool/completion.go", "completion.push").
		replace("if c.put(kind, top) {",
			"n := kind.header(); n.kind, n.next, n.others = kind, top, top.shared(); if c.waiters.Store(n); true {"),
		explored(1, onPool("joined_by_job"), missedWake)},
	{"pool/completed_in_two_steps",
		in("pool/completion.go", "completion.complete").replace(
			"for n := c.waiters.Swap(&completed); n != nil; {",
			"n := c.waiters.Load(); c.waiters.Store(&completed); for n != nil {"),
		explored(1, onPool("two_waiters"), missedWake)},
	{"pool/called_is_raised_last", in("pool/deque.go", "Pool.call").swap("p.called.Store(true)"),
		explored(2, onPool("two_queued_beside_forks"), "livelock")},
	{"pool/enters_after_a_look",
		in("pool/close.go", "Pool.enter").replace("p.shutdown.entered.Add(int64(n))&closing == 0",
			"p.shutdown.entered.Load()&closing == 0 && p.shutdown.entered.Add(int64(n)) > 0"),
		explored(1, onPool("close_races_run"), missedWake)},
	{"pool/nested_is_not_counted",
		in("pool/close.go", "Pool.enterNested").replace("p.shutdown.entered.Add(1)", "_ = p"),
		explored(1, onPool("close_races_nested_run"), missedWake)},
	{"pool/left_in_two_steps", in("pool/close.go", "Pool.leave").replace("p.shutdown.left.Add(int64(n))",
		"p.shutdown.left.Store(p.shutdown.left.Load() + int64(n))"),
		explored(1, onPool("two_runs"), missedWake)},
	{"pool/closing_said_in_two_steps",
		in("pool/close.go", "Pool.close").replace("if s.entered.Or(closing)&closing == 0 {",
			`if entered := s.entered.Load(); entered&closing == 0 {
	s.entered.Store(entered | closing)`), explored(2, onPool("close_races_run"), missedWake)},
	{"pool/ended_by_two", in("pool/close.go", "Pool.close").replace("s.entered.Or(closing)&closing == 0",
		"s.entered.Load()&closing == 0 && s.entered.Or(closing) >= 0"),
		explored(1, onPool("two_closes"), "pool: a closeGroup is below zero")},
	{"pool/tally_in_two_steps", in("pool/errors.go", "closeGroup.Done").before("switch left",
		"t.count.Store(t.count.Load() - 1)").replace("t.count.Add(-1); {", "t.count.Load(); {"),
		explored(1, onPool("close_drains"), missedWake)},
	{"pool/loose_is_not_counted",
		in("pool/seat.go", "Worker.goSeatless").drop("w.pool.shutdown.lives.Add(1)"),
		explored(0, onPool("unseated_at_once"), "pool: a closeGroup is below zero")},
	{"pool/abandoned_said_after_the_look", in("pool/close.go", "Pool.abandon").
		drop("p.abandoned.Store(true)").before("for _, j := range others {", "p.abandoned.Store(true)"),
		explored(2, onPool("shutdown_races_submit"), missedWake)},
	{"pool/all_submitted_are_not_recalled", in("pool/submit.go", "SubmitAll").drop("p.recall(jobs...)"),
		explored(1, onPool("shutdown_races_submit"), missedWake)},
	{"pool/refused_stays_begun", in("pool/handle.go", "Handle.refuse").
		drop("h.job.claim.Store(withdrawn)"), explored(0, onPool("shutdown_or_begin"), "P20: ")},
	{"pool/outsider_is_nobody", in("pool/completion.go", "completion.enterOutside").drop("n.present.Add(1)"),
		explored(0, onPool("panic_awaited_while_closing"), "P21: ")},
	{"pool/next_load_unsaid", in("pool/deque.go", "Pool.unload").
		replace("p.victims[n].carries.CompareAndSwap(load, 0)", "p.victims[n].carries.Swap(0) != 0"),
		own("TestUnloadOfAnotherLoad", "P32: ")},
	{"par/lowers_for_nothing",
		in("par/slot.go", "loop.answer").replace("!l.any(s) || !l.wanted.CompareAndSwap(true, false)",
			"!l.wanted.CompareAndSwap(true, false) || !l.any(s)"), own("TestFlagStaysUpForNothing", "F7: ")},
	{"par/slot_of_two", in("par/slot.go", "loop.seat").
		replace("if !s.owned.Load() && s.owned.CompareAndSwap(false, true) {",
			"if !s.owned.Load() { prim.Yield(); s.owned.Store(true)"), own("TestSlotsHaveOneOwner", "F1: ")},
	{"pool/room_left_in_two_steps", in("pool/queue.go", "room.leave").
		replace("r.left.Add(1)", "left := r.left.Load()\nprim.Yield()\nr.left.Store(left + 1)"),
		own("TestRoomIsLeftByEach", "P23: ")},
	{"pool/crowded_said_after_the_look", in("pool/queue.go", "room.wait").drop("r.crowded.Store(true)").
		after("if first := r.handOn(); first != nil {", "r.crowded.Store(r.waiting.Len() > 0)"),
		explored(3, onPool("room_left_or_waited_for"), missedWake)},
	{"pool/look_asked_in_two_steps", in("pool/deque.go", "Pool.call").replace("w.wanted.Or(wantLook)",
		"v := w.wanted.Load(); prim.Yield(); w.wanted.Store(v | wantLook)"),
		own("TestFlagKeepsItsOtherBit", "P5: ")},
	{"pool/look_heard_in_two_steps", in("pool/deque.go", "Worker.hear").replace("w.wanted.And(^wantLook)",
		"v := w.wanted.Load(); prim.Yield(); w.wanted.Store(v &^ wantLook)"),
		own("TestFlagKeepsItsOtherBit", "P5: ")},
	{"pool/forks_asked_in_two_steps",
		in("pool/deque.go", "Pool.want").replace("w.wanted.Or(wantForks)",
			"v := w.wanted.Load(); giveWay(); w.wanted.Store(v | wantForks)").andIn("pool/fair.go", "").
			add("func giveWay() { prim.Yield() }"), own("TestFlagKeepsItsOtherBit", "P32: ")},
	{"pool/forks_answered_in_two_steps",
		in("pool/publish.go", "Worker.publish").replace("w.wanted.And(^wantForks)",
			"v := w.wanted.Load(); giveWay(); w.wanted.Store(v &^ wantForks)").andIn("pool/fair.go", "").
			add("func giveWay() { prim.Yield() }"), own("TestFlagKeepsItsOtherBit", "P32: ")},
	{"pool/shown_in_two_steps", in("pool/deque.go", "view.add").replace("v.words[n/64].Or(1 << (n % 64))",
		"word := &v.words[n/64]; old := word.Load(); prim.Yield(); word.Store(old | 1<<(n%64))"),
		own("TestSeatsComeIntoViewAtOnce", "P5: ")},
	{"pool/hidden_in_two_steps", in("pool/deque.go", "view.drop").
		replace("v.words[n/64].And(^(1 << (n % 64)))", `word := &v.words[n/64]
old := word.Load()
prim.Yield()
word.Store(old &^ (1 << (n % 64)))`), own("TestSeatsComeIntoViewAtOnce", "Seats in view: ")},
	{"pool/link_lost", in("pool/scope_jobs.go", "jobList.add").
		replace("if u.top.CompareAndSwap(top, l) {", "if prim.Yield(); true { u.top.Store(l)"),
		own("TestListKeepsAll", "P33: ")},
	{"pool/lists_lost", in("pool/scope_jobs.go", "scopeJobs.list").
		replace("s.others.CompareAndSwap(nil, &made)", "prim.Yield(); s.others.Store(&made)"),
		own("TestScopeKeepsAllLists", "P33: ")},
	{"pool/beside_in_two_steps", in("pool/seat.go", "Pool.comeBeside").
		replace("if p.beside.CompareAndSwap(n, n+1) {", "if prim.Yield(); true { p.beside.Store(n + 1)"),
		own("TestBesideIsBoundedAtOnce", "P32: ")},
}
