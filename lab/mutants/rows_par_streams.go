package mutants

// Streams, pipes, and sources with a goroutine of their own.
var parStreamRows = []Mutant{
	{"par/waits_without_a_look", in("par/feeder.go", "stream.wait").
		replace("case s.out == nil && state >= cellDone, s.head.Load() >= number, s.out != nil && s.failed.Load() < 0:",
			"case false:"), explored(1, onPool("stream"), missedWake)},
	{"par/ended_and_nobody_told", in("par/stream.go", "stream.ended").
		replace("s.feeder.ringFor(i + 1)", "_ = s"), explored(2, onPool("stream"), missedWake)},
	{"par/token_put_back_without_a_look",
		in("par/pipe.go", "Pipe.deliver").after("p.token.Store(false)", "return p.broken.Load() == nil"),
		explored(2, onPool("pipe_of_two_helpers"), missedWake)},
	{"par/handed_on_by_two", in("par/pipe.go", "Pipe.deliver").
		replace("|| !p.token.CompareAndSwap(false, true) {", "|| p.token.Load() {"),
		explored(1, onPool("pipe"), "F1: ")},
	{"par/handed_on_after_failure", in("par/pipe.go", "Pipe.deliver").
		replace("if p.broken.Load() == nil {", "if true {"), explored(1, onPool("pipe_error"), "F2: ")},
	{"par/head_moves_and_nobody_told", in("par/stream.go", "stream.drain").
		replace("s.feeder.ringUpTo(head + 1)", "_ = s"), explored(2, onPool("pipe"), missedWake)},
	{"par/failure_and_nobody_told", in("par/pipe.go", "Pipe.fails").drop("p.s.feeder.ring()"),
		explored(2, onPool("pipe_error"), missedWake)},
	{"par/panic_told_twice",
		in("par/pipe.go", "Pipe.report").replace("b.told.CompareAndSwap(false, true)", "!b.told.Load()"),
		explored(2, onPool("pipe_panic"), "F2: ")},
	{"par/panic_left_to_the_call", in("par/pipe.go", "Pipe.leave").drop("p.report(b)"),
		explored(2, onPool("pipe_forgotten"), "F2: ")},
	{"par/ring_gone_for_who_looks", in("par/pipe.go", "Pipe.ends").
		replace("p.s.cells.Store(new(ring[T, R]))", "p.s.cells.Store(nil)"),
		explored(2, onPool("pipe"), "nil pointer")},
	{"par/closed_pipe_keeps_function", in("par/pipe.go", "Pipe.ends").
		replace("p.s.f, p.sink = nil, nil", "_ = p").drop("p.s.cells.Store(new(ring[T, R]))"),
		own("TestStreamKeepsNothing", "F4: Pipe is over")},
	{"par/closed_and_nobody_told", in("par/helper.go", "helper.leave").
		replace("s.active.Add(-1) == closed", "s.active.Add(-1) == closed && false"),
		explored(2, onPool("stream_break"), missedWake)},
	{"par/source_ends_and_nobody_told", in("par/live.go", "live.source").drop("l.reader.ring()"),
		explored(1, onPool("live_source"), missedWake)},
	{"par/reader_waits_without_a_look", in("par/live.go", "live.await").always("state == cellOwned"),
		explored(1, onPool("live_source"), missedWake)},
	{"par/source_over_before_last", in("par/live.go", "live.consume").drop("ends := l.ends.Load()").
		replace("state == cellEmpty && ends:", "state == cellEmpty && l.ends.Load():"),
		explored(1, onPool("live_source"), "F1: ")},
	{"par/break_leaves_source", in("par/live.go", "live.stop").drop("l.block(l.gone.Wait)"),
		explored(0, onPool("live_source_break"), missedWake)},
	{"par/break_lets_source_wait", in("par/live.go", "live.stop").drop("l.feeder.ring()"),
		explored(0, onPool("live_source_break"), missedWake)},
	{"par/reader_never_helps", in("par/live.go", "live.feed").
		replace("case !l.reader.ringFor(l.tail) &&", "case"), own("TestLiveSourceOfEvents", "deadlock")},
	{"par/feeder_alone_with_long", in("par/feeder.go", "stream.mine").
		replace("case s.each() < shareTime || s.engaged.Load() == 0:", "case true:"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/window_never_stretches", in("par/stream.go", "stream.stretches").
		replace("return s.window == 0 &&", "return false && s.window == 0 &&"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/feeder_sleeps_while_hungry", in("par/helper.go", "stream.counts").
		drop("s.feeder.ringHungry()"), own("TestNothingHeldUp", "F7: ")},
	{"par/helpers_come_one_by_one", in("par/helper.go", "helper.recruit").drop("h.stream.ask(false)"),
		own("TestNothingHeldUp", "F7: ")},
	{"par/waits_with_its_seat", in("par/feeder.go", "stream.block").
		replace("pool.BlockHere(wait)", "wait()"), own("TestLiveSourceOfEvents", "deadlock")},
	{"par/stream_above_goes_on", in("par/stream.go", "stream.do").drop("s.endAbove(i)"),
		own("TestStreamEndsWhatIsAbove", "F3: ")},
	{"par/stream_ends_what_is_below",
		in("par/stream.go", "stream.endAbove").replace("max(failed+1, s.head.Load())", "s.head.Load()"),
		explored(0, onPool("stream_goes_on_below"), "F3: ")},
	{"par/stream_looks_before_it_has_a_context", in("par/stream.go", "stream.do").
		replace("i > s.failed.Load()", "false"), own("TestNothingBeginsAboveFailure", "F2: ")},
	{"par/stream_break_waits", in("par/stream.go", "stream.end").drop("s.endAbove(-1)"),
		own("TestStreamBreakEnds", "deadlock")},
	{"par/live_break_waits", in("par/live.go", "live.stop").drop("l.endAbove(-1)"),
		own("TestLiveBreakEndsFirst", "deadlock")},
	{"par/pipe_fails_and_waits", in("par/pipe.go", "Pipe.fails").drop("p.s.endAbove(-1)"),
		own("TestPipeFailsEnds", "F3: ")},
	{"par/stream_contexts_never_over", in("par/stream.go", "stream.end").replace("ctx.end()", "_ = ctx"),
		own("TestStreamContextLasts", "F4: ")},
	{"par/feeder_begins_alone", in("par/stream.go", "stream.begin").
		drop("s.unknown = !s.pool.Brief(s.firstKey())"), own("TestOneEach", "F7: ")},
	{"par/stream_of_one_more", in("par/helper.go", "stream.enlist").
		replace("int(n) >= s.limit", "int(n) > s.limit"), own("TestLimitOfHelpers", "F7: ")},
	{"par/helpers_counted_after_look", in("par/helper.go", "stream.enlist").
		replace("case s.engaged.CompareAndSwap(n, n+1):", "default:\nprim.Yield()\ns.engaged.Add(1)"),
		own("TestLimitOfHelpers", "F7: ")},
	{"par/consumer_beside_limit", in("par/live.go", "live.consume").
		replace("state == cellReady && l.limit == 0", "state == cellReady"),
		own("TestLimit", "F7: ")},
	{"par/feeder_beside_limit", in("par/feeder.go", "stream.mine").
		replace("case s.limit > 0:", "case false:"), own("TestLimit", "F7: ")},
	{"par/stream_leaves_goroutine", in("par/stream.go", "stream.end").drop("s.block(s.helpers.Wait)"),
		own("TestEndWaitsForGoroutines", "F4: ")},
	{"par/exits_and_nobody_comes", in("par/helper.go", "helper.run").
		replace("if s.limit > 0 && s.left() {", "if false {"), own("TestExitLeavesNothingBelow", "F2: ")},
	{"par/first_is_long_unnoted", in("par/feeder.go", "stream.meet").
		drop("s.pool.Note(s.firstKey(), false)"), own("TestFirstOfStream", "F7: ")},
	{"par/first_was_short_unnoted", in("par/stream.go", "stream.begin").
		replace("!s.pool.Brief(s.firstKey())", "true"), own("TestFirstOfStream", "F7: ")},
}
