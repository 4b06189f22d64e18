package mutants

// How a loop of par is shared: pieces that others can halve, and ranges that can be called
// back.
var crewRows = []Mutant{
	{"par/put_back_lost", at("loop.piece").replace("done < n {", "done < n && false {"),
		pooled(0, "called_back", "F1: ")},
	{"par/flag_lowered_at_the_end", at("loop.piece").replace("stop.Load() && !l.isOver()", "stop.Load()"),
		own("TestFlagStaysUpAtTheEnd", "F3: ")},
	{"par/put_back_by_flag", at("loop.piece").replace("done < n {", "done < n && stop.Load() {"),
		pooled(0, "called_back", "F1: ")},
	{"par/put_back_too_much", at("loop.piece").
		replace("s.putBack(lo + done)", "s.putBack(lo + done - 1)"), pooled(0, "called_back", "F1: ")},
	{"par/taken_twice", at("loop.halve").replace("if v.left.CompareAndSwap(left, spanOf(lo, mid)) {",
		"if v.left.Store(spanOf(lo, mid)); true {"), pooled(2, "loop", "F1: ")},
	{"par/owner_stores_its_range",
		at("loop.piece").replace("if !s.left.CompareAndSwap(left, spanOf(lo+n, hi)) {",
			"if s.left.Store(spanOf(lo+n, hi)); false {"), pooled(1, "loop", "F1: ")},
	{"par/call_taken_in_silence", at("loop.helped").drop("l.want()"), hangs(0, "barrier")},
	{"par/answers_for_itself_alone", at("loop.any").replace("|| v != s && hi > lo", ""),
		hangs(1, "barrier").shallow(tooMany)},
	{"par/leaves_in_silence", at("loop.take").drop("l.want()"), hangs(0, "put_back_with_limit")},
	{"par/keeps_what_others_come_for",
		at("loop.call").replace("l.working.Load() != owners", "owners < 0"),
		own("TestRangeEndsWhenSomebodyComes", "F7: ")},
	{"par/keeps_its_length_after_putting_back", at("loop.piece").
		replace("p.look(prim.Now(), done)", "p.done(done)"), own("TestLongElementsAreNotKept", "F7: ")},
	{"par/keeps_what_is_scarce", at("loop.singly").replace("n <= oneByOne", "n <= 1"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/short_range_as_one", at("loop.piece").replace("n, shares", "max(n, p.length), shares"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/limit_of_workers_unheeded", at("loop.join").replace("int(n) >= l.limit", "int(n) > l.limit"),
		pooled(1, "limit_of_workers", "F7: ").shallow(tooMany)},
	{"par/refused_is_counted",
		at("loop.join").before("return false", "l.working.Add(1); prim.Yield(); l.working.Add(-1)"),
		hangs(1, "put_back_with_limit").shallow(tooMany)},
	{"par/limit_below_its_own", at("loop.answer").replace("most := l.limit", "most := min(l.limit, 2)"),
		own("TestLimit", "F7: ")},
	{"par/limit_keeps_the_worker", at("loop.besides").replace("w.Block(all)", "all()"),
		own("TestLimitInJob", "deadlock")},
	{"par/one_element_keeps_the_worker", at("config.run").
		replace("n == 1 && c.limit == 0", "n == 1"), own("TestLimitOfOneElement", "F5: For of one")},
	{"par/one_part_keeps_the_worker", at("fold").
		replace("size < n || c.limit > 0", "size < n"), own("TestLimitOfOneElement", "F5: CountFunc of one")},
	{"par/window_of_one_keeps_the_worker", at("stream.begin").
		replace("s.limit > 0", "s.limit > 0 && s.window != 1"), own("TestLimitOfOneElement", "F5: MapSeq of one")},
	{"par/limit_unheeded_by_ranges", at("config.run").
		replace("b.elements == nil && !c.whole", "b.elements == nil"), own("TestLimitOfParts", "F7: ForRange, ")},
	{"par/ranges_of_many_at_first", at("loop.length").
		replace("l.timed.Load() < timedOnes", "l.timed.Load() < 0"), own("TestRangesNotHeldUp", "F7: of ForRange ")},
	{"par/fold_not_shared", at("fold").replace("err = all.each(count, f)",
		"_, err = f.run(all.ctx, 0, count, &never.stop)"), own("TestPartsNotHeldUp", "F7: ")},
	{"par/nil_reports_nothing", in("par", "Map").before("to := uncleared[R](len(s))",
		"if s == nil { return nil }"), own("TestProgressOfSlowFunctions", "WithProgress: Map of 0")},
	{"par/noted_by_the_last_function", at("codesOf").
		replace("code*31+at, at", "at, at"), own("TestNotesAreOfTheFunction", "F7: a call of Do ")},
	{"par/noted_by_add_alone", at("FoldBy").replace("codeOf(key)*31+codeOf(start)", "codeOf(add)"),
		own("TestNotesAreOfTheFunction", "F7: a call of FoldBy.key ")},
	{"par/limit_goes_before_the_others", at("loop.besides").drop("defer l.gone.Wait()"),
		own("TestLimit", "F4: ")},
	{"par/all_above_go_on", at("loop.fail").drop("l.endAbove(int64(lo))"),
		own("TestEndsWhatIsAbove", "F3: ")},
	{"par/ends_what_is_below", at("loop.endAbove").replace("&& c.lo > failed", ""),
		pooled(0, "goes_on_below", "F3: ")},
	{"par/context_never_over", at("loop.release").drop("c.end()"), own("TestContextKept", "F4: ")},
	{"par/context_without_the_callers_end", at("pieceContext.Done").
		replace("c.Context", "context.WithoutCancel(c.Context)"), own("TestElementContext", "F3: ")},
	{"par/contexts_end_with_another_error", at("pieceContext.end").
		replace("nil && c.ended() == nil", "nil"), own("TestContextTellsTheCallersError", "F3: ")},
	{"par/ended_before_anybody_asked", at("pieceContext.Done").drop("c.cancel()"),
		own("TestEndsWhatIsAbove", "F3: ")},
	{"par/thief_does_not_tell", at("loop.piece").replace("for p := pacedFrom(prim.Now()); ; {",
		"for p, told := pacedFrom(prim.Now()), s == &l.first; ; told = true {").
		replace("stop.Load() &&", "stop.Load() && told &&"), hangs(0, "barrier")},
	{"par/ranges_outlast_the_context", at("loop.heed").drop("l.stop()"),
		own("TestContextEndsRanges", "F3: ")},
	{"par/ranges_outlast_the_context_alone", at("loop.stop").drop("l.over.Store(true)"),
		own("TestContextEndsRanges", "F3: ")},
	{"pool/brief_for_ever", in("pool/internal/notes", "Book.Note").replace("now := key", "now := old"),
		own("TestNotes", "P31: ")},
	{"pool/brief_at_first", in("pool/internal/notes", "Book.Note").replace("short { at", "at.Store(key|briefs); false { at"),
		own("TestNotes", "P31: ")},
	{"pool/caught_where_it_is_caught", in("pool/seam.go", "init").replace("workerHere()", "(*Worker)(nil)"),
		own("TestCaughtAndRaised", "P2: ")},
	{"pool/raised_without_its_stack", at("PanicError.raise").drop("e.passOn()"),
		own("TestCaughtAndRaised", "P2: ")},
}
