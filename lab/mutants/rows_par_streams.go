package mutants

// Streams, pipes, and sources with a goroutine of their own.
var parStreamRows = []Mutant{
	{
		"par/waits_without_a_look",
		in("par/feeder.go", "stream.wait").replace("case state >= cellDone && !s.out.apart(), s.head.Load() >= number, s.out.over():", "case false:"),
		explored(1, onPool("stream"), missedWake),
	},
	{
		"par/ended_and_nobody_told",
		in("par/seq.go", "sequence.ended").replace("s.feeder.ringFor(number + 1)", "_ = s"),
		explored(2, onPool("stream"), missedWake),
	},
	{
		"par/token_put_back_without_a_look",
		in("par/pipe.go", "Pipe.deliver").after("p.token.Store(false)", "return p.broken.Load() == nil"),
		explored(2, onPool("pipe_of_two_helpers"), missedWake),
	},
	{
		"par/handed_on_by_two",
		in("par/pipe.go", "Pipe.deliver").replace("|| !p.token.CompareAndSwap(false, true) {", "|| p.token.Load() {"),
		explored(1, onPool("pipe"), "F1: "),
	},
	{
		"par/handed_on_after_failure",
		in("par/pipe.go", "Pipe.deliver").replace("if p.broken.Load() == nil {", "if true {"),
		explored(1, onPool("pipe_error"), "F2: "),
	},
	{
		"par/head_moves_and_nobody_told",
		in("par/stream.go", "stream.drain").replace("s.feeder.ringUpTo(head + 1)", "_ = s"),
		explored(2, onPool("pipe"), missedWake),
	},
	{
		"par/failure_and_nobody_told",
		in("par/pipe.go", "Pipe.fails").drop("p.s.feeder.ring()"),
		explored(2, onPool("pipe_error"), missedWake),
	},
	{
		"par/panic_told_twice",
		in("par/pipe.go", "Pipe.report").replace("b.told.CompareAndSwap(false, true)", "!b.told.Load()"),
		explored(1, onPool("pipe_panic"), "F2: "),
	},
	{
		"par/panic_left_to_the_call",
		in("par/pipe.go", "Pipe.leave").drop("p.report(b)"),
		explored(1, onPool("pipe_forgotten"), "F2: "),
	},
	{
		"par/ring_gone_for_who_looks",
		in("par/pipe.go", "Pipe.ends").replace("p.s.cells.Store(new(ring[T, R]))", "p.s.cells.Store(nil)"),
		explored(2, onPool("pipe"), "nil pointer"),
	},
	{
		"par/closed_pipe_keeps_function",
		in("par/pipe.go", "Pipe.ends").replace("p.s.f, p.sink = nil, nil", "_ = p").drop("p.s.cells.Store(new(ring[T, R]))"),
		own("TestPipeKeepsNothing", "F4: a pipe is closed"),
	},
	{
		"par/closed_and_nobody_told",
		in("par/helper.go", "helper.leave").replace("s.active.Add(-1) == closed", "s.active.Add(-1) == closed && false"),
		explored(2, onPool("stream_break"), missedWake),
	},
	{
		"par/source_ends_and_nobody_told",
		in("par/live.go", "live.source").drop("l.reader.ring()"),
		explored(1, onPool("live_source"), missedWake),
	},
	{
		"par/reader_waits_without_a_look",
		in("par/live.go", "live.await").always("state == cellOwned"),
		explored(1, onPool("live_source"), missedWake),
	},
	{
		"par/source_over_before_last",
		in("par/live.go", "live.consume").drop("ends := l.ends.Load()").replace("state == cellEmpty && ends:", "state == cellEmpty && l.ends.Load():"),
		explored(1, onPool("live_source"), "F1: "),
	},
	{
		"par/break_leaves_source",
		in("par/live.go", "live.stop").drop("l.block(l.gone.Wait)"),
		explored(0, onPool("live_source_break"), missedWake),
	},
	{
		"par/break_lets_source_wait",
		in("par/live.go", "live.stop").drop("l.feeder.ring()"),
		explored(0, onPool("live_source_break"), missedWake),
	},
	{
		"par/reader_never_helps",
		in("par/live.go", "live.feed").replace("!l.reader.ringFor(l.tail) &&", ""),
		own("TestLiveSourceOfEvents", "deadlock"),
	},
	{
		"par/feeder_alone_with_long",
		in("par/feeder.go", "stream.mine").replace("if s.each() < spell || s.engaged.Load() == 0 {", "if true {"),
		own("TestNothingHeldUpInStreams", "F7: "),
	},
	{
		"par/window_never_stretches",
		in("par/stream.go", "stream.stretches").replace("return s.window == 0 &&", "return false && s.window == 0 &&"),
		own("TestNothingHeldUpInStreams", "F7: "),
	},
	{
		"par/feeder_sleeps_while_hungry",
		in("par/helper.go", "stream.counts").drop("s.feeder.ringHungry()"),
		own("TestNothingHeldUpInStreams", "F7: "),
	},
	{
		"par/helpers_come_one_by_one",
		in("par/helper.go", "helper.recruit").drop("h.stream.ask(false)"),
		own("TestNothingHeldUpInStreams", "F7: "),
	},
	{
		"par/waits_with_its_seat",
		in("par/feeder.go", "stream.block").replace("pool.BlockHere(wait)", "wait()"),
		own("TestLiveSourceOfEvents", "deadlock"),
	},
}
