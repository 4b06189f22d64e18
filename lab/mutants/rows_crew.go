package mutants

// How a loop of par is shared: pieces that others can halve, and ranges that can be called
// back.
var crewRows = []Mutant{
	{"par/put_back_lost", in("par/slot.go", "loop.piece").replace("done < n {", "done < n && false {"),
		explored(0, onPool("called_back"), "F1: ")},
	{"par/put_back_by_flag", in("par/slot.go", "loop.piece").
		replace("done < n {", "done < n && stop.Load() {"), explored(0, onPool("called_back"), "F1: ")},
	{"par/put_back_too_much",
		in("par/slot.go", "loop.piece").replace("s.putBack(lo + done)", "s.putBack(lo + done - 1)"),
		explored(0, onPool("called_back"), "F1: ")},
	{"par/taken_twice",
		in("par/slot.go", "loop.halve").replace("if v.left.CompareAndSwap(left, spanOf(lo, mid)) {",
			"if v.left.Store(spanOf(lo, mid)); true {"), explored(2, onPool("loop"), "F1: ")},
	{"par/owner_stores_its_range",
		in("par/slot.go", "loop.piece").replace("if !s.left.CompareAndSwap(left, spanOf(lo+n, hi)) {",
			"if s.left.Store(spanOf(lo+n, hi)); false {"), explored(1, onPool("loop"), "F1: ")},
	{"par/call_taken_in_silence", in("par/slot.go", "loop.helped").drop("l.want()"),
		explored(0, onPool("barrier"), missedWake)},
	{"par/answers_for_itself_alone", in("par/slot.go", "loop.any").replace("|| v != s && hi > lo", ""),
		explored(1, onPool("barrier"), missedWake)},
	{"par/leaves_in_silence", in("par/slot.go", "loop.take").drop("l.want()"),
		explored(0, onPool("put_back_with_limit"), missedWake)},
	{"par/keeps_what_others_come_for",
		in("par/loop.go", "loop.call").replace("l.working.Load() != owners", "owners < 0"),
		own("TestRangeEndsWhenSomebodyComes", "F7: ")},
	{"par/keeps_its_length_after_putting_back", in("par/slot.go", "loop.piece").
		replace("p.look(prim.Now(), done)", "p.done(done)"), own("TestLongElementsAreNotKept", "F7: ")},
	{"par/keeps_what_is_scarce", in("par/slot.go", "loop.singly").replace("n <= oneByOne", "n <= 1"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/short_range_as_one", in("par/slot.go", "loop.piece").
		replace("l.singly(n, shares)", "l.singly(max(n, p.length), shares)"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/limit_of_workers_unheeded",
		in("par/slot.go", "loop.join").replace("int(n) >= l.limit", "int(n) > l.limit"),
		explored(1, onPool("limit_of_workers"), "F7: ")},
	{"par/refused_is_counted", in("par/slot.go", "loop.join").
		before("return false", "l.working.Add(1); prim.Yield(); l.working.Add(-1)"),
		explored(1, onPool("put_back_with_limit"), missedWake)},
	{"par/limit_below_its_own", in("par/slot.go", "loop.answer").
		replace("most := l.limit", "most := min(l.limit, 2)"), own("TestLimit", "F7: ")},
	{"par/limit_keeps_the_worker", in("par/slot.go", "loop.besides").replace("w.Block(all)", "all()"),
		own("TestLimitInJob", "deadlock")},
	{"par/limit_goes_before_the_others", in("par/slot.go", "loop.besides").drop("defer l.gone.Wait()"),
		own("TestLimitWaits", "F4: ")},
	{"par/all_above_go_on", in("par/loop.go", "loop.fail").drop("l.endAbove(int64(lo))"),
		own("TestEndsWhatIsAbove", "F3: ")},
	{"par/ends_what_is_below", in("par/slot.go", "loop.endAbove").replace("&& c.lo > failed", ""),
		explored(0, onPool("goes_on_below"), "F3: ")},
	{"par/context_never_over", in("par/slot.go", "loop.release").drop("c.end()"),
		own("TestContextKept", "F4: ")},
	{"par/context_without_the_callers_end", in("par/context.go", "pieceContext.Done").
		replace("context.WithCancel(c.Context)", "context.WithCancel(context.WithoutCancel(c.Context))"),
		own("TestElementContext", "F3: ")},
	{"par/contexts_end_with_another_error", in("par/context.go", "pieceContext.end").
		replace("c.child == nil && c.ended() == nil", "c.child == nil"),
		own("TestContextTellsTheCallersError", "F3: ")},
	{"par/ended_before_anybody_asked", in("par/context.go", "pieceContext.Done").drop("c.cancel()"),
		own("TestEndsWhatIsAbove", "F3: ")},
	{"par/thief_does_not_tell",
		in("par/slot.go", "loop.piece").replace("for p := pacedFrom(prim.Now()); ; {",
			"for p, told := pacedFrom(prim.Now()), s == &l.first; ; told = true {").
			replace("stop.Load() {", "stop.Load() && told {"), explored(0, onPool("barrier"), missedWake)},
	{"par/ranges_outlast_the_context", in("par/loop.go", "loop.heed").drop("l.stop()"),
		own("TestContextEndsRanges", "F3: ")},
	{"par/ranges_outlast_the_context_alone", in("par/loop.go", "loop.stop").drop("l.over.Store(true)"),
		own("TestContextEndsRanges", "F3: ")},
	{"pool/brief_after_one", in("pool/loops.go", "Pool.Note").
		replace("now |= min(old&3+1, briefs)", "now |= briefs"), own("TestNotes", "P31: ")},
	{"pool/brief_for_ever", in("pool/loops.go", "Pool.Note").replace("now := key", "now := old"),
		own("TestNotes", "P31: ")},
	{"pool/brief_at_first", in("pool/loops.go", "Pool.Note").
		replace("if short { at.Store", "if at.Store(key|briefs); false { at.Store"),
		own("TestNotes", "P31: ")},
	{"pool/caught_where_it_is_caught", in("pool/panic.go", "Caught").
		replace("workerHere()", "(*Worker)(nil)"), own("TestCaughtAndRaised", "P2: ")},
	{"pool/raised_without_its_stack", in("pool/panic.go", "PanicError.Raise").drop("e.passOn()"),
		own("TestCaughtAndRaised", "P2: ")},
}
