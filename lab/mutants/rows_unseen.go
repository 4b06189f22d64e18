package mutants

// Faults that tests did not notice at first, or by luck, or only as something that does not end.
var unseenRows = []Mutant{
	{"pool/guest_stays_enlisted", at("seat.maxWorkers").replace("return 0", "return 1"),
		own("TestRollForgetsEndedWorkers", "P8: ")},
	{"pool/spare_too_many_stays_enlisted", at("Worker.retire").replace("if len(s.spares.workers) == s.maxWorkers() {",
		"if false {").replace("} else {", "} else if len(s.spares.workers) < maxSpares {"),
		own("TestRollForgetsEndedWorkers", "P8: ")},
	{"pool/invoke_forgets_one_fork", at("Invoke").replace("> position", "> position+1"),
		own("FuzzProgram", "P1: ")},
	{"pool/withdrawn_run_returns_cause", at("SubmitErr").
		replace("h.withdraw(ctx.Err())", "h.withdraw(context.Cause(ctx))"), own("TestEndedContext/SubmitErr", "P1: ")},
	{"pool/wait_in_block_ignores_context",
		at("Handle.join").replace("h.waitOutside(ctx)", "h.waitOutside(context.Background())"),
		own("TestWaitGivenUp", "P1: ")},
	{"pool/block_regains_nothing", at("Worker.endBlock").
		replace("w.goOn()", "if w.seat == nil { w.sitOn(w.pool.guestSeat()) }").and("Worker.Block").drop("w.takeWorkerSeat()"),
		own("TestStatsOfWhatJobsDo", "P26: ")},
	{"pool/noted_without_wait", at("Worker.setAside").after("if w.aside.parker == nil {", "w.showWait(on)"),
		own("TestNothingIsNotedWithoutWait", "P8: ")},
	{"pool/labels_of_run_stay", at("Handle.under").drop("defer unlabel()"),
		own("TestLabelsOfContextAreOffAtTheEnd", "P27: ")},
	{"pool/nil_worker_hides_nothing",
		at("NewContext").before("return &carrier{ctx, w}", "if w == nil { return ctx }"),
		own("TestRunWithWorkerOfContext", "P28: ")},
	{"pool/deep_stack_read_in_part", in("pool/internal/spell", "Numbers").replace("n < len(pcs)", "true"),
		own("TestNumbersAtAnyDepth", "P4: ")},
	{"pool/scope_prefers_job", at("Worker.Scope").replace("returned &&", "(returned || true) &&"),
		own("FuzzProgram", "P1: ")},
	{"sleep/park_counted_without_block",
		in("sleep/jec", "Sleep.Park").after("s.sleepers.Add(worker)", "p.metered.parks.Add(1)"),
		suite("TestSleepJEC/rounds=none/Meter", "S10: ")},
	{"sleep/jobs_bits_not_passed_on", in("sleep/futex", "New").
		replace("jec.WithJobsBits(c.jobsBits),", ""), own("TestNewRefuses", "New: no jobs bits: ")},
	{"sleep/announced_too_late_anew", in("sleep/jec", "Sleep.Park").
		replace("idle.Round = s.rounds.Announcement()", "idle.Round = s.rounds.Announcement() + 1"),
		suite("TestSleepJEC/rounds=none/RestAfterPost", "S7: ")},
	{"sleep/35_lost_claim_ends_park", in("sleep/jec", "Sleep.Park").
		replace("(look() || latch.Probe()) && s.takeBack(worker) { // B5: the last look s.counters.SubSleeping(1)",
			"look() || latch.Probe() { if s.takeBack(worker) { s.counters.SubSleeping(1) }"),
		suite("TestSleepFutex/rounds=none/Seat/BorrowedInLastLook", "S9: ")},
	{"prim/parker_without_room", in("api/prim", "NewParker").replace("struct{}, 1)", "struct{})"),
		own("TestParkerHoldsOnePermit", "Parker.Unpark: it left no permit")},
	{"latch/add_to_set", at("Count.Add").replace("<= int64(n)", "< int64(n)"),
		own("TestCountRefuses", "L5: Add to a latch that is set")},
	{"pool/close_waits_for_nobody", at("Pool.end").drop("s.lives.Wait()"), own("TestCloseWaits", "P8: ")},
	{"pool/compact_keeps_public", at("stack.compact").replace(">= s.head", "> s.head"),
		own("FuzzProgram", "P1: the stack of")},
	{"latch/outside_ends_though_set",
		at("Outside.Wait").replace("if o.leave(place) { return err } break", "o.leave(place); return err"),
		explored(0, "TestOutside/set_before_given_up", "L6: ")},
	{"pool/ends_before_it_is_released",
		at("Handle.Wait").replace("h.waitOutside(ctx)", `var l latch.Outside
if h.add(func(*Worker) { l.Set() }) != nil {
	if err := l.Wait(ctx); err != nil {
		return h.result, err
	}
}`), pooled(1, "told_before_given_up", "P1: ")},
	{"latch/outside_place_stays", at("Outside.leave").drop("o.waiters.Remove(place)"),
		own("TestOutsideGivenUp", "L6: ")},
	{"pool/handler_before_seat_is_free",
		at("callAs").after("e = w.capture(recover()).panicked", "if e != nil { p.report(e) }").
			replace("p.report(e) panic", "panic"), own("TestAfterPanicHandler/panics", "P5: no end of: Run ends whose function panics")},
	{"pool/older_forks_discarded", at("stack.since").replace("f.seq&^guarded <= seq", "f.seq <= seq"),
		own("FuzzProgram", "P1: ")},
	{"pool/number_kept_by_panic", at("Worker.endRun").drop("if !returned {"),
		own("TestWorkerIsFoundAfterPanic", "P4: ")},
	{"pool/rises_without_flag", at("Worker.detach").drop("w.wanted.Or(wantForks)"),
		own("TestGuestComesBackWithFlagUp", "P5: ")},
	{"pool/hole_guarded_as_neighbour", at("stack.remove").
		replace("s.frameAt(last + 1)", "s.frameAt(f.position + 1)"),
		own("FuzzProgram", "P1: ")},
	{"pool/begins_handle_with_private_forks", at("Worker.giveWay").drop("w.publishAll()"),
		hangs(0, "handle_over_private_fork")},
	{"sleep/thread_park_overruled",
		in("sleep/futex", "New").replace("!hasFutex", "!hasFutex || workers > prim.Processors()"),
		own("TestThreadParkBeyondProcessors",
			"WithThreadPark: one of two workers on one processor was woken, and 0 system calls were made")},
	{"api/rounds_divide_by_workers", in("api", "DefaultRounds").replace("max(1, workers)", "workers"),
		own("TestRoundsValidate", "S12: panic, at rounds_test.go:")},
	{"deque/popped_slot_kept_by_empty_pop", at("ChaseLev.Pop").replace("popped {", "popped && b != t {"),
		suite(onDeque("Retention/popped_above_stolen"), "D8: ")},
	{"sleep/found_wakes_before_it_posts", in("sleep/jec", "Sleep.Found").swap("s.counters.Post()"),
		explored(2, "TestSleep/sleep=jec/seat/returned_as_found", missedWake)},
	{"sleep/32_given_back_before_it_is_not_lent", in("sleep/jec", "Sleep.Return").
		drop("p.lent = false").after("s.sleepers.Add(worker)", "s.Counts(); p.lent = false"),
		explored(3, onFutex("seat/two_borrowers"), "panic")},
	{"sleep/goroutine_park_counted_as_call",
		in("sleep/futex", "word.Release").before("w.parker.Unpark()", "w.syscalls.Add(1)"),
		suite("TestSleepFutex/park=goroutine/Meter", "S10: ")},
	{"prim/unpark_blocks", in("api/prim", "Parker.Unpark").
		replace("select { case p.permit <- struct{}{}: Expose() default: }",
			"p.permit <- struct{}{}; Expose()"), own("TestParkerHoldsOnePermit", "Parker.Unpark: it blocks")},
	{"pool/failed_run_keeps_argument",
		at("callAs").replace("large || !returned { *v = runFrame[A, R]{} } if !v.large && returned",
			"large && returned { *v = runFrame[A, R]{} }; if !v.large"), own("TestForgotten/run", "P8: ")},
	{"pool/eager_lowers_flag", at("Worker.publish").
		drop("if w.pool.eager {").after("w.seat.show()", "if w.pool.eager { w.publishUpTo(1); return }"),
		hangs(0, "eager_before_leaf")},
	{"pool/hosted_without_claim", at("Pool.host").drop("j.begin()"), pooled(0, "canceled_or_run", "P20: ")},
	{"pool/ended_before_panics_are_told", at("Pool.end").after("s.lives.Wait()", "s.ended.Set()").
		replace("} s.ended.Set()", "}"), own("TestUnseenPanics/kept", "P21: ")},
	{"pool/panic_left_to_departing_worker", at("callAs").replace("e.passOn() if handled {", "if handled {").
		before("if loses {", "if e != nil { e.passOn() }"),
		own("TestPanicTravels", "P2: ")},
	{"pool/guest_is_not_counted_again", at("Worker.setState").
		replace("c.seatless.Add(1)", "if w.state == idle { c.seatless.Add(1) }"),
		own("TestStatsOfWhatJobsDo", "P26: Stats.Seatless: ")},
	{"pool/interface_compared_inside", at("same").drop("defer func() { same = recover() != nil || same }()"),
		own("TestRunPanicsWithOriginalValue/not_comparable_2", "P2: ")},
	{"counters/take_gives_up_at_empty_word", at("Set.Take").replace("break", "return 0, false"),
		suite("TestSleepJEC/rounds=none/EachOfMany", "S1: ")},
	{"sleep/late_signal_ends_block", in("sleep/jec", "condition.Block").
		replace("for !c.released", "if !c.released"), own("TestBlockOutlivesLateSignal", "Blocker: ")},
	{"prim/processors_of_the_machine", in("api/prim", "Processors").
		replace("runtime.GOMAXPROCS(0)", "runtime.NumCPU()"), own("TestProcessors", "Processors: ")},
	{"prim/given_up_park_takes_permit", in("api/prim", "Parker.ParkContext").
		replace("<-ctx.Done():", "<-ctx.Done(): select { case <-p.permit: default: }"),
		own("TestParkContextGivenUpTakesNoPermit", "Parker.ParkContext: ")},
	{"pool/joined_begins_with_labels", at("rootTask.Run").
		drop("unlabel()").before("j = w.nextJob()", "unlabel()"), own("TestLabels", "P27: ")},
	{"pool/noted_after_wait", at("Worker.setAside").drop("w.showNoWait()"),
		own("TestForgotten/joined", "P8: ")},
	{"deque/ring_of_any_length", at("newRing").
		replace("n := 1 for n < length { n *= 2 } r := &ring[T]{slots: make([]prim.Pointer[T], n)}",
			"r := &ring[T]{slots: make([]prim.Pointer[T], length)}").
		and("ring.slot").replace("uint64(i)&uint64(len(r.slots)-1)", "uint64(i)%uint64(len(r.slots))"),
		own("TestGrowth", "D10: ")},
}
