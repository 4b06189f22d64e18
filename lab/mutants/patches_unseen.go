package mutants

// Faults that an outsider wrote, who knew the code and what it promises, and not the
// tests; these did not notice them, or by luck, or only as something that does not end.
var unseenPatches = []Patch{
	{
		Name: "pool/seatless_stays_enlisted", File: "pool/worker.go",
		Edits: []Edit{
			{"	if s == nil || len(s.spares) == maxSpares {\n", "	if s != nil && len(s.spares) == maxSpares {\n"},
			{"	} else {\n		s.spares = append(s.spares, w)\n", "	} else if s != nil {\n		s.spares = append(s.spares, w)\n"},
		},
		Kills: "TestRollForgetsEndedWorkers", Own: true, Says: "P8: ",
	},
	{
		Name: "pool/spare_too_many_stays_enlisted", File: "pool/worker.go",
		Edits: []Edit{
			{"	if s == nil || len(s.spares) == maxSpares {\n", "	if s == nil {\n"},
			{"	} else {\n		s.spares = append(s.spares, w)\n", "	} else if len(s.spares) < maxSpares {\n		s.spares = append(s.spares, w)\n"},
		},
		Kills: "TestRollForgetsEndedWorkers", Own: true, Says: "P8: ",
	},
	{
		Name: "pool/regains_in_block", File: "pool/seat.go",
		Edits:    []Edit{{"	if w.seat != nil || w.blocked {\n", "	if w.seat != nil {\n"}},
		Harmless: "stepAside gives no seat to a worker that had none",
		Kills:    onSuite("Block/queued_elsewhere"), Suite: true,
	},
	{
		Name: "pool/invoke_forgets_one_fork", File: "pool/invoke.go",
		Edits: []Edit{{"	if w.head > position {\n", "	if w.head > position+1 {\n"}},
		Kills: onSuite("workers=1/NeverJoined"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/late_handle_joins", File: "pool/stack.go",
		Edits: []Edit{{"			f.header().seq = 0 // a handle may be left\n", "			_ = f\n"}},
		Kills: onSuite("JoinedLate"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/withdrawn_run_returns_cause", File: "pool/submit.go",
		Edits: []Edit{{"withdraw(ctx.Err()) })", "withdraw(context.Cause(ctx)) })"}},
		Kills: onSuite("WithdrawnRun"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/wait_in_block_ignores_context", File: "pool/submit.go",
		Edits: []Edit{{"		h.waitOutside(ctx)\n	} else if", "		h.waitOutside(context.Background())\n	} else if"}},
		Kills: onSuite("Waiters/given_up"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/heir_of_other_pool_computes", File: "pool/wait.go",
		Edits: []Edit{{"by.pool == w.pool && by.seat", "by.seat"}},
		Kills: onSuite("Waiters/of_another_pool"), Suite: true, Says: "P5: ",
	},
	{
		Name: "pool/block_regains_nothing", File: "pool/wait.go",
		Edits: []Edit{{"		w.blocked = false\n		w.waitsNoMore()\n		w.regain()\n", "		w.regain()\n		w.waitsNoMore()\n		w.blocked = false\n"}},
		Kills: onSuite("Block/takes_a_worker_again/workers=1"), Suite: true, Says: "P19: ",
	},
	{
		Name: "pool/noted_without_wait", File: "pool/wait.go",
		Edits: []Edit{
			{"	if !l.GetSleepy() || !l.FallAsleep() {\n		w.regain()\n", "	w.waits(job, scope)\n	if !l.GetSleepy() || !l.FallAsleep() {\n		w.regain()\n"},
		},
		Kills: "TestNothingIsNotedWithoutWait", Own: true, Says: "P8: ",
	},
	{
		Name: "pool/labels_of_run_stay", File: "pool/submit.go",
		Edits: []Edit{{"		defer unlabel()\n", ""}},
		Kills: onSuite("Forgotten/labels"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/nil_worker_hides_nothing", File: "pool/context.go",
		Edits: []Edit{{"	return &carrier{ctx, w}\n", "	if w == nil {\n		return ctx\n	}\n	return &carrier{ctx, w}\n"}},
		Kills: onSuite("NestedRun/context_elsewhere"), Suite: true, Says: "P4: ",
	},
	{
		Name: "pool/deep_stack_read_in_part", File: "pool/spell.go",
		Edits: []Edit{{"	for n == len(pcs) {\n", "	if n == len(pcs) {\n"}},
		Kills: onSuite("NestedRun/deep"), Suite: true, Says: "P4: ",
	},
	{
		Name: "pool/scope_prefers_job", File: "pool/scope.go",
		Edits: []Edit{{"returned && f != nil {", "(returned || true) && f != nil {"}},
		Kills: onSuite("Panic/scope_both"), Suite: true, Says: "P2: ",
	},
	{
		Name: "sleep/park_counted_without_block", File: "sleep/jec/park.go",
		Edits: []Edit{{"	s.sleepers.Add(idle.Worker)\n", "	s.sleepers.Add(idle.Worker)\n	p.metered.parks.Add(1)\n"}},
		Kills: "TestSleepJEC/rounds=none/Meter", Suite: true, Says: "S10: ",
	},
	{
		Name: "sleep/jobs_bits_not_passed_on", File: "sleep/futex/sleep.go",
		Edits: []Edit{{" jec.WithJobsBits(c.jobsBits),", ""}},
		Kills: "TestNewRefuses", Own: true, Says: "New: no jobs bits: ",
	},
	{
		Name: "sleep/announced_too_late_anew", File: "sleep/jec/park.go",
		Edits: []Edit{{"idle.Round = s.rounds.Announcement()", "idle.Round = s.rounds.Announcement() + 1"}},
		Kills: "TestSleepJEC/rounds=none/RestAfterPost", Suite: true, Says: "S7: ",
	},
	{
		Name: "sleep/35_lost_claim_ends_park", Numbers: []int{35}, File: "sleep/jec/park.go",
		Edits: []Edit{{"	if (look() || latch.Probe()) && s.takeBack(idle.Worker) { // B5\n		s.counters.SubSleeping(1)\n", "	if look() || latch.Probe() {\n		if s.takeBack(idle.Worker) {\n			s.counters.SubSleeping(1)\n		}\n"}},
		Kills: "TestSleepFutex/rounds=none/Seat/BorrowedInLastLook", Suite: true, Says: "S9: ",
	},
	{
		Name: "prim/parker_without_room", File: "api/prim/parker.go",
		Edits: []Edit{{"make(chan struct{}, 1)", "make(chan struct{})"}},
		Kills: "TestParkerHoldsOnePermit", Own: true, Says: "Parker.Unpark: it left no permit",
	},
	{
		Name: "latch/add_to_set", File: "latch/count.go",
		Edits: []Edit{{"sum <= int64(n) || sum > math", "sum < int64(n) || sum > math"}},
		Kills: "TestCountRefuses", Own: true, Says: "L5: Add to a latch that is set",
	},
	{
		Name: "pool/close_waits_for_nobody", File: "pool/shutdown.go",
		Edits: []Edit{{"	s.lives.Wait()\n", ""}},
		Kills: "TestCloseWaits", Own: true, Says: "P8: ",
	},
	{
		Name: "pool/compact_keeps_public", File: "pool/stack.go",
		Edits: []Edit{{"	if s.public >= s.head {\n		public = to\n", "	if s.public > s.head {\n		public = to\n"}},
		Kills: "TestOutOfOrder/workers=4/eager", Own: true, Says: " and public ",
	},
	{
		Name: "latch/outside_ends_though_set", File: "latch/outside.go",
		Edits: []Edit{{"			if o.leave(w) {\n				return err\n			}\n			break\n", "			o.leave(w)\n			return err\n"}},
		Kills: "TestLatch/latch=outside/set_before_given_up", Says: "L2: ", Bound: 0,
	},
	{
		Name: "pool/ends_before_it_is_released", File: "pool/submit.go",
		Edits: []Edit{{"			h.waitOutside(ctx)\n", "			if n := h.enterOutside(); n != nil {\n				if err := n.outside.Wait(ctx); err != nil {\n					return h.result, err\n				}\n			}\n"}},
		Kills: onPool("told_before_given_up"), Says: "P1: ", Bound: 2,
	},
	{
		Name: "latch/outside_neighbour_forgotten", File: "latch/outside.go",
		Edits: []Edit{{"	if w.next != nil {\n		w.next.prev = w.prev\n	}\n	return true\n", "	return true\n"}},
		Kills: onSuite("Waiters/give_up_in_turn"), Suite: true, Says: "P8: ",
	},
}

// The second set of such faults, by another one.
var unseenAgainPatches = []Patch{
	{
		Name: "pool/handler_before_seat_is_free", File: "pool/run.go",
		Edits: []Edit{
			{"			w.endFailed(end, e)\n", "			if e != nil {\n				p.report(e)\n			}\n			w.endFailed(end, e)\n"},
			{"				p.report(e)\n				panic", "				panic"},
		},
		Kills: onSuite("PanicHandler/panics"), Suite: true, Says: "P5: ",
	},
	{
		Name: "pool/queued_run_heeds_late_context", File: "pool/run.go",
		Edits: []Edit{{"	n.outside.Wait(context.Background()) // which never ends\n", "	n.outside.Wait(context.Background())\n	if ctx.Err() != nil {\n		return h.result, ctx.Err()\n	}\n"}},
		Kills: onSuite("Waiters/ends_own_context"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/second_close_keeps_seats", File: "pool/shutdown.go",
		Edits: []Edit{{"	defer here.stepAside()()\n", "	if !p.shutdown.closing.Load() {\n		defer here.stepAside()()\n	}\n"}},
		Kills: onSuite("ManyCloses/beneath"), Suite: true, Says: "P6: ",
	},
	{
		Name: "pool/wait_in_block_begins_nothing", File: "pool/submit.go",
		Edits: []Edit{{"		if h.begin(w) {\n			h.pool().start(&h.job.Job)\n		}\n		h.waitOutside", "		h.waitOutside"}},
		Kills: onSuite("Aside/handle_in_block/workers=1"), Suite: true, Says: "P14: ",
	},
	{
		Name: "pool/older_forks_discarded", File: "pool/stack.go",
		Edits: []Edit{{"s.frameAt(limit-1).seq &^ guarded", "s.frameAt(limit - 1).seq"}},
		Kills: onSuite("Panic/leaves_older_forks"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/number_kept_by_panic_raised_anew", File: "pool/run.go",
		Edits: []Edit{{"	end(w, false)\n", "	end(w, raised != nil)\n"}},
		Kills: onSuite("PanicHandler/returns"), Suite: true, Says: "P6: ",
	},
	{
		Name: "pool/rises_without_flag", File: "pool/seat.go",
		Edits: []Edit{{"	w.wanted.Store(1)\n	w.tell()\n", "	w.tell()\n"}},
		Kills: onSuite("Block/takes_a_worker_later/workers=1"), Suite: true, Says: "P19: ",
	},
	{
		Name: "pool/hole_guarded_as_neighbour", File: "pool/stack.go",
		Edits: []Edit{{"	for s.frameAt(next).seq == 0 {\n		next++\n	}\n", ""}},
		Kills: onSuite("workers=1/OutOfOrder"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/begins_handle_with_private_forks", File: "pool/submit.go",
		Edits: []Edit{{"			w.publishAll()\n", ""}},
		Kills: onSuite("HandedOver/by=waiting"), Suite: true, Says: "P5: ",
	},
	{
		Name: "pool/batch_keeps_what_waits", File: "pool/search.go",
		Edits: []Edit{{"	clear(batch[:n])\n", "	clear(batch[:begun])\n"}},
		Kills: onSuite("Forgotten/queued"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/claimable_before_it_is_whole", File: "pool/publish.go",
		Edits: []Edit{
			{"		f.latch.Reset()\n", "		f.claim.Store(unclaimed)\n		f.latch.Reset()\n"},
			{"		f.claim.Store(unclaimed) // nothing of the frame is written after this\n", ""},
		},
		Kills: onPool("published_anew"), Race: true, Says: "DATA RACE", Bound: 1,
	},
	{
		Name: "sleep/thread_park_overruled", File: "sleep/futex/sleep.go",
		Edits: []Edit{{"	if !hasFutex {\n", "	if !hasFutex || workers > prim.Processors() {\n"}},
		Kills: "TestThreadParkBeyondProcessors", Own: true, Says: "WithThreadPark: one of two workers on one processor was woken, and 0 system calls were made",
	},
	{
		Name: "api/rounds_divide_by_workers", File: "api/rounds.go",
		Edits: []Edit{{"visits/max(1, workers)", "visits/workers"}},
		Kills: "TestDefaultRounds", Own: true, Says: "DefaultRounds: it panics for 0 workers: ",
	},
}

// The third set, by another one again.
var unseenThirdPatches = []Patch{
	{
		Name: "deque/popped_slot_kept_by_empty_pop", File: "deque/chaselev.go",
		Edits: []Edit{{"	if popped {\n", "	if popped && b != t {\n"}},
		Kills: "TestDeque/deque=chaselev/Retention/popped_above_stolen", Suite: true, Says: "D8: ",
	},
	{
		Name: "sleep/found_wakes_before_it_posts", File: "sleep/jec/sleep.go",
		Edits: []Edit{{"		s.counters.Post()\n		s.wakeAny(wake)\n", "		s.wakeAny(wake)\n		s.counters.Post()\n"}},
		Kills: "TestSleep/sleep=jec/seat/returned_as_found", Says: missedWake, Bound: 2,
	},
	{
		Name: "sleep/32_given_back_before_it_is_not_lent", Numbers: []int{32}, File: "sleep/jec/lend.go",
		Edits: []Edit{
			{"	p.lent = false\n", ""},
			{"	s.sleepers.Add(worker)        // R2\n", "	s.sleepers.Add(worker)        // R2\n	p.lent = false\n"},
		},
		Kills: "TestSleep/sleep=jec/seat/two_borrowers", Race: true, Says: "DATA RACE", Bound: 1,
	},
	{
		Name: "sleep/goroutine_park_counted_as_call", File: "sleep/futex/word.go",
		Edits: []Edit{{"	w.released.Store(1)\n", "	w.released.Store(1)\n	w.syscalls.Add(1)\n"}},
		Kills: "TestSleepFutex/park=goroutine/Meter", Suite: true, Says: "S10: ",
	},
	{
		Name: "prim/unpark_blocks", File: "api/prim/parker.go",
		Edits: []Edit{{"	select {\n	case p.permit <- struct{}{}:\n		Expose()\n	default:\n	}\n", "	p.permit <- struct{}{}\n	Expose()\n"}},
		Kills: "TestSleepFutex/park=goroutine/WokenInLastLook", Suite: true, Says: "S4: ",
	},
	{
		Name: "pool/reported_without_handler", File: "pool/panic.go",
		Edits: []Edit{{"	if p.panicHandler != nil && !e.reported {\n		e.reported = true\n", "	if e.reported {\n		return\n	}\n	e.reported = true\n	if p.panicHandler != nil {\n"}},
		Kills: onSuite("PanicHandler/of_outer_pool"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/failed_run_keeps_argument", File: "pool/run.go",
		Edits: []Edit{
			{"		*v = visit[A, R]{}\n", ""},
			{"		case returned:\n", "		case returned:\n			*v = visit[A, R]{}\n"},
		},
		Kills: onSuite("Forgotten/run"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/eager_lowers_flag", File: "pool/publish.go",
		Edits: []Edit{
			{"	if w.pool.eager {\n		w.publishUpTo(1)\n		return\n	}\n", ""},
			{"	inactive, _ := w.pool.sleep.Counts()\n	n := w.queued()\n", "	if w.pool.eager {\n		w.publishUpTo(1)\n		return\n	}\n	inactive, _ := w.pool.sleep.Counts()\n	n := w.queued()\n"},
		},
		Kills: onSuite("ForkedAtOnce"), Suite: true, Says: "P5: ",
	},
}

// The fourth set, by another one again.
var unseenFourthPatches = []Patch{
	{
		Name: "pool/hosted_without_claim", File: "pool/submit.go",
		Edits: []Edit{{"	j.begin() // nobody else knows of it\n", ""}},
		Kills: onSuite("Canceled/running"), Suite: true, Says: "P20: ",
	},
	{
		Name: "pool/told_before_panic_is_noted", File: "pool/submit.go",
		Edits: []Edit{{"	keep(h, f.panicked)\n	if h.complete(w) {\n", "	awaited := h.complete(w)\n	keep(h, f.panicked)\n	if awaited {\n"}},
		Kills: onPool("panic_told_as_job_ends"), Says: "P21: ", Bound: 2,
	},
	{
		Name: "pool/run_waits_once_it_is_queued", File: "pool/run.go",
		Edits: []Edit{
			{"	n := h.enterOutside()\n", ""},
			{"	n.outside.Wait(context.Background()) // which never ends\n", "	h.waitOutside(context.Background())\n"},
		},
		Kills: onPool("run_panics_while_closing"), Says: "panic: ", Bound: 2,
	},
	{
		Name: "pool/borrower_sees_the_queue_alone", File: "pool/worker.go",
		Edits: []Edit{{"	if s.lent && len(s.pool.seats) > 1 && s.pool.injector.Empty() {\n		return nil\n	}\n", "	if s.lent {\n		return s.dequeue()\n	}\n"}},
		Kills: "TestSubmitOrder", Own: true, Says: "P1: ",
	},
	{
		Name: "pool/ended_before_panics_are_told", File: "pool/shutdown.go",
		Edits: []Edit{
			{"	p.surfaceAll()\n	for _, seat", "	s.ended.Set()\n	p.surfaceAll()\n	for _, seat"},
			{"		}\n	}\n	s.ended.Set()\n}\n", "		}\n	}\n}\n"},
		},
		Kills: onSuite("Unseen/before_the_end"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/panic_left_to_departing_worker", File: "pool/run.go",
		Edits: []Edit{{"	end(w, false)\n	if raised != nil {\n		raised.passOn()\n	}\n", "	if raised != nil {\n		raised.passOn()\n	}\n	end(w, false)\n"}},
		Kills: onSuite("Panic/passes_run_elsewhere"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/seatless_counted_once", File: "pool/seat.go",
		Edits: []Edit{{"	w.counts().seatless.Add(1)\n	if !w.loose {\n", "	if !w.loose {\n		w.counts().seatless.Add(1)\n"}},
		Kills: "TestSeatlessAgain", Own: true, Says: "Stats.Seatless: ",
	},
	{
		Name: "pool/interface_compared_inside", File: "pool/panic.go",
		Edits: []Edit{{"	if !reflect.ValueOf(a).Comparable() { // an interface inside holds such a value\n		return true\n	}\n", ""}},
		Kills: onSuite("Panic/uncomparable"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/outsider_shares_channel", File: "pool/completion.go",
		Edits: []Edit{{"n.closed == nil && n.stop == nil },", "n.stop == nil },"}},
		Kills: onSuite("Done/then_wait"), Suite: true, Says: "P20: ",
	},
	{
		Name: "pool/outsider_shares_context", File: "pool/completion.go",
		Edits: []Edit{{" && n.stop == nil },", " },"}},
		Kills: onSuite("SubmitContext/waited_for"), Suite: true, Says: "P1: ",
	},
	{
		Name: "counters/take_gives_up_at_empty_word", File: "counters/set.go",
		Edits: []Edit{{"			if word == 0 {\n				break\n", "			if word == 0 {\n				return 0, false\n"}},
		Kills: "TestSleepJEC/rounds=none/EachOfMany", Suite: true, Says: "S1: ",
	},
	{
		Name: "sleep/late_signal_ends_block", File: "sleep/jec/blocker.go",
		Edits: []Edit{{"	for !c.released {\n", "	if !c.released {\n"}},
		Kills: "TestBlockOutlivesLateSignal", Own: true, Says: "Blocker: ",
	},
	{
		Name: "prim/processors_of_the_machine", File: "api/prim/sched.go",
		Edits: []Edit{{"	return runtime.GOMAXPROCS(0)\n", "	return runtime.NumCPU()\n"}},
		Kills: "TestProcessors", Own: true, Says: "Processors: ",
	},
	{
		Name: "prim/given_up_park_takes_permit", File: "api/prim/parker.go",
		Edits: []Edit{{"	case <-ctx.Done():\n		return ctx.Err()\n", "	case <-ctx.Done():\n		select {\n		case <-p.permit:\n		default:\n		}\n		return ctx.Err()\n"}},
		Kills: "TestParkContextGivenUpTakesNoPermit", Own: true, Says: "Parker.ParkContext: ",
	},
}

// The few of the fifth forty faults that no rule noticed.
var unseenFifthPatches = []Patch{
	{
		Name: "pool/joined_begins_with_labels", File: "pool/seat.go",
		Edits: []Edit{{"\tprim.Go(func() {\n\t\tunlabel()\n\t\tif s", "\tprim.Go(func() {\n\t\tif s"}},
		Kills: onSuite("Forgotten/labels_of_joiner"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/noted_after_wait", File: "pool/wait.go",
		Edits: []Edit{{"\tw.aside = false\n\tw.waitsNoMore()\n", "\tw.aside = false\n"}},
		Kills: onSuite("Forgotten/joined"), Suite: true, Says: "P8: ",
	},
	{
		Name: "deque/ring_of_any_length", File: "deque/ring.go",
		Edits: []Edit{
			{"\tn := 1\n\tfor n < length {\n\t\tn *= 2\n\t}\n\tr := &ring[T]{slots: make([]prim.Pointer[T], n)}\n", "\tr := &ring[T]{slots: make([]prim.Pointer[T], length)}\n"},
			{"uint64(i)&uint64(len(r.slots)-1)", "uint64(i)%uint64(len(r.slots))"},
		},
		Kills: "TestAgainstSlice/deque=chaselev/uneven", Own: true, Says: "D2: ",
	},
}
