package mutants

// Faults that an outsider wrote, who knew the code and what it promises, and not the
// tests; these did not notice them, or by luck, or only as something that does not end.
var unseenRows = []Mutant{
	{"pool/seatless_stays_enlisted", in("pool/work.go", "Worker.retire").
		replace("== nil ||", "!= nil &&").replace("} else {", "} else if s != nil {"),
		own("TestRollForgetsEndedWorkers", "P8: ")},
	{"pool/spare_too_many_stays_enlisted",
		in("pool/work.go", "Worker.retire").replace("|| len(s.spares) == maxSpares", "").
			replace("} else {", "} else if len(s.spares) < maxSpares {"),
		own("TestRollForgetsEndedWorkers", "P8: ")},
	{"pool/regains_in_block", in("pool/seat.go", "Worker.acquire").replace("|| w.state == blocked", ""),
		own("TestQueuedElsewhereInBlock", "").
			harmless("block gives no seat to a worker that had none")},
	{"pool/invoke_forgets_one_fork", in("pool/fork.go", "Invoke").replace("> position", "> position+1"),
		own("TestInvokeSettles/workers=1", "P1: ")},
	{"pool/late_handle_joins", in("pool/stack.go", "Worker.rest").
		replace("f.header().seq = 0 // a handle may be left", "_ = f"),
		own("TestStaleHandleOfDeepFork", "P1: ")},
	{"pool/withdrawn_run_returns_cause", in("pool/handle.go", "Handle.withdrawAfter").
		replace("withdraw(ctx.Err())", "withdraw(context.Cause(ctx))"),
		own("TestEndedContext/Run", "P1: ")},
	{"pool/wait_in_block_ignores_context", in("pool/handle.go", "Handle.joinInBlock").
		replace("h.waitOutside(ctx)", "h.waitOutside(context.Background())"),
		own("TestWaiters/given_up", "P1: ")},
	{"pool/heir_of_other_pool_computes", in("pool/seat.go", "Worker.rouse").
		replace("by.pool == w.pool &&", ""), own("TestWaitForAnotherPool", "P4: ")},
	{"pool/block_regains_nothing", in("pool/wait.go", "Worker.endBlock").
		drop("w.state = running").after("if seated {", "w.state = running"),
		own("TestBlockLeaves/takes_a_worker_again/workers=1", "P19: ")},
	{"pool/noted_without_wait",
		in("pool/wait.go", "Worker.setAside").after("if w.parker == nil {", "w.waits(on)"),
		own("TestNothingIsNotedWithoutWait", "P8: ")},
	{"pool/labels_of_run_stay", in("pool/handle.go", "Handle.under").drop("defer unlabel()"),
		own("TestLabelsOfContextAreOffAtTheEnd", "P27: ")},
	{"pool/nil_worker_hides_nothing",
		in("pool/identity.go", "NewContext").after("if ctx == nil {", "if w == nil { return ctx }"),
		own("TestRunWithWorkerOfContext", "P28: ")},
	{"pool/deep_stack_read_in_part", in("pool/spell.go", "spelt").replace("n < len(pcs)", "true"),
		own("TestSpeltAtAnyDepth", "P4: ")},
	{"pool/number_read_as_far_as_it_is_near", in("pool/spell.go", "spelt").never("open && !whole"),
		own("TestSpeltAtAnyDepth", "P4: ")},
	{"pool/number_read_twice", in("pool/spell.go", "spelt").
		replace("yielded = len(numbers)", "yielded = 0"), own("TestSpeltAtAnyDepth", "P4: ")},
	{"pool/scope_prefers_job", in("pool/scope.go", "Worker.Scope").
		replace("returned &&", "(returned || true) &&"), own("TestPanicOfScope", "P2: ")},
	{"sleep/park_counted_without_block",
		in("sleep/jec/park.go", "Sleep.Park").after("s.sleepers.Add(worker)", "p.metered.parks.Add(1)"),
		suite("TestSleepJEC/rounds=none/Meter", "S10: ")},
	{"sleep/jobs_bits_not_passed_on", in("sleep/futex/sleep.go", "New").
		replace("jec.WithJobsBits(c.jobsBits),", ""), own("TestNewRefuses", "New: no jobs bits: ")},
	{"sleep/announced_too_late_anew", in("sleep/jec/park.go", "Sleep.Park").
		replace("idle.Round = s.rounds.Announcement()", "idle.Round = s.rounds.Announcement() + 1"),
		suite("TestSleepJEC/rounds=none/RestAfterPost", "S7: ")},
	{"sleep/35_lost_claim_ends_park", in("sleep/jec/park.go", "Sleep.Park").
		replace("(look() || latch.Probe()) && s.takeBack(worker) { // B5 s.counters.SubSleeping(1)",
			"look() || latch.Probe() { if s.takeBack(worker) { s.counters.SubSleeping(1) }"),
		suite("TestSleepFutex/rounds=none/Seat/BorrowedInLastLook", "S9: ")},
	{"prim/parker_without_room",
		in("api/prim/parker.go", "NewParker").replace("struct{}, 1)", "struct{})"),
		own("TestParkerHoldsOnePermit", "Parker.Unpark: it left no permit")},
	{"latch/add_to_set", in("latch/count.go", "Count.Add").replace("<= int64(n)", "< int64(n)"),
		own("TestCountRefuses", "L5: Add to a latch that is set")},
	{"pool/close_waits_for_nobody", in("pool/close.go", "Pool.end").drop("s.lives.Wait()"),
		own("TestCloseWaits", "P8: ")},
	{"pool/compact_keeps_public", in("pool/stack.go", "stack.compact").replace(">= s.head", "> s.head"),
		own("TestOutOfOrder/workers=4", " and public ")},
	{"latch/outside_ends_though_set", in("latch/outside.go", "Outside.Wait").
		replace("if o.leave(w) { return err } break", "o.leave(w); return err"),
		explored(0, "TestOutside/set_before_given_up", "L6: ")},
	{"pool/ends_before_it_is_released", in("pool/handle.go", "Handle.Wait").
		replace("h.waitOutside(ctx)", `if n := h.enterOutside(); n != nil {
	if err := n.latch.Wait(ctx); err != nil {
		return h.result, err
	}
}`), explored(2, onPool("told_before_given_up"), "P1: ")},
	{"latch/outside_neighbour_forgotten", in("latch/outside.go", "Outside.leave").
		drop("if w.next != nil {"), own("TestOutsideAllGiveUp", "L6: ")},
}

// The second set of such faults, by another one.
var unseenAgainRows = []Mutant{
	{"pool/handler_before_seat_is_free", in("pool/run.go", "callAs").
		after("e := w.capture(recover()).panicked", "if e != nil { p.report(e) }").
		replace("p.report(e) panic", "panic"), own("TestAfterPanicHandler/panics", "P5: ")},
	{"pool/queued_run_heeds_late_context", in("pool/run.go", "runQueued").
		replace("n.latch.Wait(context.Background()) // which never ends",
			"n.latch.Wait(context.Background()); if ctx.Err() != nil { return h.result, ctx.Err() }"),
		own("TestEndedContext/Run", "P1: ")},
	{"pool/second_close_keeps_seats",
		in("pool/close.go", "Pool.close").replace("defer workerHere().block()()",
			"if !p.shutdown.closing.Load() { defer workerHere().block()() }"),
		own("TestSecondCloseInJob", "P6: ")},
	{"pool/wait_in_block_begins_nothing", in("pool/handle.go", "Handle.joinInBlock").
		drop("if h.begin(w) { h.pool().start(&h.job.Job, w.origin == fromQueue)"),
		suite(onSuite("Aside/handle_in_block/workers=1"), "P14: ")},
	{"pool/older_forks_discarded", in("pool/stack.go", "stack.since").
		replace("f.seq&^marks <= seq", "f.seq <= seq"), own("TestPanicLeavesOlderForks", "P1: ")},
	{"pool/number_kept_by_panic_raised_anew", in("pool/run.go", "Worker.endFailed").
		replace("end(false)", "end(raised != nil)"), own("TestAfterPanicHandler/returns", "P6: ")},
	{"pool/rises_without_flag",
		in("pool/seat.go", "Worker.detach").drop("w.wanted.Store(wantForks | wantLook)"),
		own("TestBlockLeaves/takes_a_worker_later/workers=1", "P19: ")},
	{"pool/hole_guarded_as_neighbour",
		in("pool/stack.go", "stack.remove").replace("s.frameAt(s.widen(f.position) + 1).seq |= guarded",
			"s.widen(f.position); s.frameAt(f.position + 1).seq |= guarded"),
		own("TestOutOfOrder/workers=1", "P1: ")},
	{"pool/begins_handle_with_private_forks", in("pool/handle.go", "Handle.joinAt").
		drop("w.publishAll()"), own("TestWaitingHandsOver", "P5: ")},
	{"pool/batch_keeps_what_waits", in("pool/search.go", "seat.dequeue").
		replace("clear(batch[:n])", "clear(batch[:begun])"), own("TestForgotten/queued", "P8: ")},
	{"pool/claimable_before_it_is_whole", in("pool/publish.go", "Worker.publishUpTo").
		after("f.seq |= guarded", "f.claim.Store(unclaimed)").
		replace("f.claim.Store(unclaimed) // nothing of the frame is written after this", ""),
		race(1, onPool("published_anew"))},
	{"sleep/thread_park_overruled", in("sleep/futex/sleep.go", "New").
		replace("!hasFutex", "!hasFutex || workers > prim.Processors()"),
		own("TestThreadParkBeyondProcessors",
			"WithThreadPark: one of two workers on one processor was woken, and 0 system calls were made")},
	{"api/rounds_divide_by_workers",
		in("api/rounds.go", "DefaultRounds").replace("visits/max(1, workers)", "visits/workers"),
		own("TestDefaultRounds", "DefaultRounds: it panics for 0 workers: ")},
}

// The third set, by another one again.
var unseenThirdRows = []Mutant{
	{"deque/popped_slot_kept_by_empty_pop",
		in("deque/chaselev.go", "ChaseLev.Pop").replace("popped {", "popped && b != t {"),
		suite("TestDeque/deque=chaselev/Retention/popped_above_stolen", "D8: ")},
	{"sleep/found_wakes_before_it_posts", in("sleep/jec/sleep.go", "Sleep.Found").
		swap("s.counters.Post()"), explored(2, "TestSleep/sleep=jec/seat/returned_as_found", missedWake)},
	{"sleep/32_given_back_before_it_is_not_lent", in("sleep/jec/lend.go", "Sleep.Return").
		drop("p.lent = false").after("s.sleepers.Add(worker)", "p.lent = false"),
		race(1, "TestSleep/sleep=jec/seat/two_borrowers")},
	{"sleep/goroutine_park_counted_as_call",
		in("sleep/futex/word.go", "word.Release").before("w.parker.Unpark()", "w.syscalls.Add(1)"),
		suite("TestSleepFutex/park=goroutine/Meter", "S10: ")},
	{"prim/unpark_blocks", in("api/prim/parker.go", "Parker.Unpark").
		replace("select { case p.permit <- struct{}{}: Expose() default: }",
			"p.permit <- struct{}{}; Expose()"), own("TestParkerHoldsOnePermit", "Parker.Unpark: it blocks")},
	{"pool/reported_without_handler", in("pool/panic.go", "Pool.report").
		replace("p.panicHandler != nil && !e.reported { e.reported = true",
			"e.reported { return }; e.reported = true; if p.panicHandler != nil {"),
		own("TestPanicHandlerOfOuterPool", "P2: ")},
	{"pool/failed_run_keeps_argument", in("pool/run.go", "callAs").
		replace("if !v.large || !returned { *v = runFrame[A, R]{} } if !v.large && returned { w.entry = v }",
			"if !v.large && returned { *v = runFrame[A, R]{} }; if !v.large { w.entry = v }"),
		own("TestForgotten/run", "P8: ")},
	{"pool/eager_lowers_flag", in("pool/publish.go", "Worker.publish").
		drop("if w.pool.eager {").after("if seated {", "if w.pool.eager { w.publishUpTo(1); return }"),
		own("TestPublishedForksBegin/WithEagerPublish", "P5: ")},
}

// The fourth set, by another one again.
var unseenFourthRows = []Mutant{
	{"pool/hosted_without_claim", in("pool/submit.go", "Pool.host").drop("j.begin()"),
		own("TestCancel/running", "P20: ")},
	{"pool/told_before_panic_is_noted",
		in("pool/handle.go", "Handle.done").replace(
			"p.unhandled.note(f.panicked) prim.AddCleanup(h, p.reportDropped, f.panicked) if h.complete(w)",
			"awaited := h.complete(w); p.unhandled.note(f.panicked); prim.AddCleanup(h, p.reportDropped, f.panicked); if awaited"),
		explored(2, onPool("panic_told_as_job_ends"), "P21: ")},
	{"pool/run_waits_once_it_is_queued", in("pool/run.go", "runQueued").
		drop("n := h.enterOutside()").replace("n.latch.Wait(context.Background()) // which never ends",
		"h.waitOutside(context.Background())"),
		explored(2, onPool("run_panics_while_closing"), "panic: ")},
	{"pool/borrower_sees_the_queue_alone", in("pool/work.go", "Worker.find").
		replace("&& len(s.pool.seats) > 1 && s.pool.injector.Empty() && s.pool.unseated.Empty() { return nil",
			"{ return s.fetch()"), own("TestSubmitOrder", "P1: ")},
	{"pool/ended_before_panics_are_told", in("pool/close.go", "Pool.end").
		after("s.lives.Wait()", "s.ended.Set()").replace("} s.ended.Set()", "}"),
		own("TestUnseenPanics/before_the_end", "P21: ")},
	{"pool/panic_left_to_departing_worker", in("pool/run.go", "Worker.endFailed").swap("end(false)"),
		own("TestPanicTravels", "P2: ")},
	{"pool/seatless_counted_once", in("pool/seat.go", "Worker.goSeatless").
		replace("w.counts().seatless.Add(1) w.goBeside() if !w.loose {",
			"w.goBeside(); if !w.loose { w.counts().seatless.Add(1)"),
		own("TestSeatlessAgain", "Stats.Seatless: ")},
	{"pool/interface_compared_inside",
		in("pool/errors.go", "same").drop("if !reflect.ValueOf(a).Comparable() {"),
		own("TestRunPanicsWithOriginalValue/not_comparable_2", "P2: ")},
	{"counters/take_gives_up_at_empty_word", in("counters/set.go", "Set.Take").
		replace("break", "return 0, false"), suite("TestSleepJEC/rounds=none/EachOfMany", "S1: ")},
	{"sleep/late_signal_ends_block", in("sleep/jec/blocker.go", "condition.Block").
		replace("for !c.released", "if !c.released"), own("TestBlockOutlivesLateSignal", "Blocker: ")},
	{"prim/processors_of_the_machine", in("api/prim/sched.go", "Processors").
		replace("runtime.GOMAXPROCS(0)", "runtime.NumCPU()"), own("TestProcessors", "Processors: ")},
	{"prim/given_up_park_takes_permit", in("api/prim/parker.go", "Parker.ParkContext").
		replace("<-ctx.Done():", "<-ctx.Done(): select { case <-p.permit: default: }"),
		own("TestParkContextGivenUpTakesNoPermit", "Parker.ParkContext: ")},
}

// The few of the fifth forty faults that no rule noticed.
var unseenFifthRows = []Mutant{
	{"pool/joined_begins_with_labels", in("pool/work.go", "rootTask.run").
		replace("unlabel() w.execute(j)", "w.execute(j); unlabel()"), own("TestLabels", "P27: ")},
	{"pool/noted_after_wait", in("pool/wait.go", "Worker.setAside").drop("w.waitsNoMore()"),
		own("TestForgotten/joined", "P8: ")},
	{"deque/ring_of_any_length", in("deque/ring.go", "newRing").
		replace("n := 1 for n < length { n *= 2 } r := &ring[T]{slots: make([]prim.Pointer[T], n)}",
			"r := &ring[T]{slots: make([]prim.Pointer[T], length)}").
		and("ring.slot").replace("uint64(i)&uint64(len(r.slots)-1)", "uint64(i)%uint64(len(r.slots))"),
		own("TestAgainstSlice/deque=chaselev/uneven", "D2: ")},
}
