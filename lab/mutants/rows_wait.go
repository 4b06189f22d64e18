package mutants

// onProgram is the name of a program of the model, played on a pool of so many
// seats, as onPool is of a scenario.
func onProgram(program string) string { return "TestPrograms/sleep=futex/" + program }

// What a job does while it waits, and who resumes it. The faults of the model in
// lab/waiting are among them.
var poolWaitRows = []Mutant{
	{"pool/seat_beneath_kept_after_run",
		in("pool/run.go", "runInside").replace("|| w != top && w.seat == nil", ""),
		explored(0, onPool("block_over_two_pools_again"), missedWake)},
	{"pool/wait_runs_its_own_deque",
		in("pool/wait.go", "Worker.lookOut").after("for range w.pool.spins {",
			"if j := s.take(); j != nil { w.execute(j); return w.seat != nil && w.lookOut(l) }"),
		explored(2, onProgram("join_runs_own_forks,seats=2"), "begins on top of")},
	{"pool/wait_runs_strangers", in("pool/wait.go", "Worker.lookOut").
		replace("{ w.handTo(j) return false", "{ w.execute(j); return w.seat != nil && w.lookOut(l)").
		replace("w.handTo(j) return false", "w.execute(j); return w.seat != nil && w.lookOut(l)"),
		explored(2, onProgram("join_runs_strangers,seats=2"), "other begins on top of main")},
	{"pool/wait_runs_what_came_along",
		in("pool/wait.go", "Worker.lookOut").after("for range w.pool.spins {",
			"if j := s.take(); j != nil { w.execute(j); return w.seat != nil && w.lookOut(l) }"),
		explored(0, onProgram("came_along_wants_lock,seats=2"), "b begins on top of a")},
	{"pool/join_runs_what_it_pops", in("pool/deque.go", "seat.tidy").
		replace("s.putBack(j) // with a post, for the deque was short for a moment",
			"if j.begin() { s.pool.occupants[s.index].Load().execute(j) }"),
		explored(0, onProgram("popped_is_pushed_back,seats=2"), "j begins on top of main")},
	{"pool/taken_along_without_post",
		in("pool/search.go", "seat.takeAlong").drop("s.pool.sleep.Post(1, true)"),
		explored(1, onProgram("stolen_along_is_posted,seats=3"), missedWake)},
	{"pool/batch_without_post", in("pool/search.go", "seat.dequeue").drop("s.pool.sleep.Post(1, true)"),
		explored(1, onProgram("batch_is_posted,seats=3"), missedWake)},
	{"pool/rest_of_batch_lost", in("pool/search.go", "seat.dequeue").drop("s.deque.Push(batch[i])"),
		explored(0, onProgram("came_along_wants_lock,seats=2"), missedWake)},
	{"pool/batch_longer_than_documented",
		in("pool/search.go", "seat.dequeue").replace("make([]*Job, maxBatch)", "make([]*Job, 19)"),
		own("TestSubmitOrder", "P1: job 18 began before job 1,")},
	{"pool/batch_turned_around",
		in("pool/search.go", "seat.dequeue").replace("n - 1; i >= begun; i--", "begun; i < n; i++"),
		own("TestSubmitOrder", "P1: one worker of two ran submitted jobs in the order [0 15 14")},
	{"pool/raid_does_not_end", in("pool/search.go", "seat.visit").
		drop("v.raided.Store(0)").and("seat.raid").replace("s.passed < maxPassed &&", ""),
		explored(0, onProgram("raid_ends,seats=2"), "livelock")},
	{"pool/handle_on_top", in("pool/handle.go", "Handle.joinAt").
		replace("w.publishAll() if w.seat != nil { w.detach().start(&h.job.Job) } else { h.pool().start(&h.job.Job, w.origin == fromQueue) } w.setAside(l, cause{job: &h.job.Job})",
			"w.execute(&h.job.Job)"),
		explored(0, onProgram("handle_on_top,seats=1"), "h begins on top of main")},
	{"pool/seatless_leaves_handle",
		in("pool/handle.go", "Handle.joinAt").replace("!h.begin(w)", "w.seat == nil || !h.begin(w)"),
		explored(1, onProgram("seatless_leaves_handle,seats=1"), missedWake)},
	{"pool/blocked_leaves_handle", in("pool/handle.go", "Handle.joinInBlock").
		drop("if h.begin(w) { h.pool().start(&h.job.Job, w.origin == fromQueue)"),
		explored(1, onProgram("get_in_block,seats=1"), missedWake)},
	{"pool/run_in_block_asks_for_admission", in("pool/run.go", "Run").
		replace("if top.in(p) != nil", "if w := top.in(p); w != nil && w.state != blocked"),
		explored(1, onProgram("run_in_block,seats=1"), missedWake)},
	{"pool/parks_on_its_own_latch", in("pool/wait.go", "Worker.lookOut").
		before("w.handInactive()", "b.Park(&s.idle, l, func() bool { return true })"),
		explored(1, onProgram("park_keeps_seat_for_others,seats=1"), missedWake)},
	{"pool/waiter_counted_as_sleeping", in("pool/wait.go", "Worker.lookOut").
		before("w.handInactive()", "b.Park(&s.idle, neverSet(), func() bool { return true })").
		andIn("pool/stack.go", "").add("func neverSet() *latch.Core { return new(latch.Core) }"),
		explored(1, onProgram("park_keeps_seat_for_others,seats=1"), missedWake)},
	{"pool/waiter_stays_counted",
		in("pool/wait.go", "Worker.lookOut").replace("s.found(&s.idle) return", "return"),
		explored(3, onPool("waiter_and_its_seat"), "counters: inactive 2 + 1 of 2 workers")},
	{"pool/parks_without_look", in("pool/wait.go", "Worker.setAside").
		replace("!l.GetSleepy() || !l.FallAsleep() { w.acquire() return",
			"l.GetSleepy() { l.FallAsleep()"), explored(3, onPool("waiter_and_its_seat"), missedWake)},
	{"pool/two_seats_for_one",
		in("pool/seat.go", "Worker.rouse").replace("} else if leaves", "}; if leaves"),
		explored(2, onPool("waiter_and_a_sleeper"), missedWake)},
	{"pool/heir_forgotten",
		in("pool/work.go", "Worker.retire").replace("successor != nil {", "successor != nil && s == nil {"),
		explored(2, onProgram("heir_before_scope,seats=2"), missedWake)},
	{"pool/second_heir", in("pool/seat.go", "Worker.rouse").replace("&& by.successor == nil", ""),
		explored(0, onProgram("park_keeps_seat_for_others,seats=1"), missedWake)},
	{"pool/heir_of_other_pool", in("pool/seat.go", "Worker.rouse").replace("by.pool == w.pool &&", ""),
		explored(0, onPool("handle_of_other_pool"), missedWake)},
	{"pool/one_waiter_resumed", in("pool/completion.go", "completion.complete").
		replace("n = next",
			"n = nil; if next == nil { break }; if _, ok := next.kind.(*workerWaiter); !ok { n = next }"),
		explored(0, onProgram("end_resumes_one,seats=2"), missedWake)},
	{"pool/ready_waits_for_seat", in("pool/seat.go", "Worker.acquire").
		replace("if s := w.pool.borrow(); s != nil { w.attach(s) } else { w.goSeatless()",
			"for w.seat == nil { if s := w.pool.borrow(); s != nil { w.attach(s) }; prim.Yield()"),
		explored(1, onProgram("ready_waits_for_no_seat,seats=1"), "livelock")},
	{"pool/block_publishes_nothing", in("pool/wait.go", "Worker.release").drop("w.publishAll()"),
		explored(0, onProgram("block_publishes_all,seats=1"), missedWake)},
	{"pool/block_keeps_seat",
		in("pool/wait.go", "Worker.beginBlock").replace("w.release()", "w.publishAll()"),
		explored(0, onProgram("block_gives_seat_away,seats=1"), missedWake)},
	{"pool/block_keeps_seats_beneath", in("pool/wait.go", "Worker.beginBlock").drop("w.releaseBeneath()"),
		explored(0, onPool("block_over_two_pools"), missedWake)},
	{"pool/close_keeps_seats_beneath", in("pool/close.go", "Pool.close").
		drop("defer workerHere().block()()"), explored(0, onPool("close_of_other_pool"), missedWake)},
	{"pool/queued_run_keeps_seats_beneath", in("pool/run.go", "runQueued").
		drop("defer top.block()()"), explored(1, onPool("mutual_pools"), missedWake)},
	{"pool/departs_without_seat_beneath", in("pool/run.go", "Worker.endRun").
		replace("if len(beneath) > 0 { beneath[0].acquire() }", "_ = beneath"),
		explored(1, onPool("seat_held_by_waiter"), "").
			harmless("the job beneath goes on without a seat, as any may, and takes one at its next fork")},
	{"pool/goexit_loses_next",
		in("pool/work.go", "Worker.work").replace("s.start(next)", "s.handOff()"),
		explored(1, onPool("goexit_before_spawned"), missedWake)},
	{"pool/goexit_loses_next_without_seat",
		in("pool/work.go", "Worker.work").replace("w.pool.start(next, beside)", "_ = beside"),
		explored(0, onPool("goexit_before_spawned_without_seat"), missedWake)},
	{"pool/flag_not_raised_for_occupant",
		in("pool/seat.go", "Worker.attach").drop("w.wanted.Store(wantForks | wantLook)"),
		explored(0, onPool("wanted_of_kept_worker"), missedWake)},
	{"pool/flag_raised_before_occupant", in("pool/seat.go", "Worker.attach").swap("o.Store(w)"),
		explored(2, onPool("wanted_of_kept_worker"), "").
			harmless("only the worker itself lowers its flag, and it does not before it sits")},
	{"pool/occupant_not_stored", in("pool/seat.go", "Worker.attach").drop("o.Store(w)"),
		explored(0, onPool("wanted_of_kept_worker"), missedWake)},
	{"pool/private_fork_unclaimed", in("pool/fork.go", "typedFrame.push").
		after("w.seq, f.seq = seq, seq", "f.claim.Store(unclaimed)"),
		explored(3, onProgram("frame_reused,seats=2"), "pool: a fork has no function")},
	{"pool/tucked_in_twice", in("pool/wait.go", "Worker.handInactive").drop("s.looking = true"), explored(0,
		onProgram("park_keeps_seat_for_others,seats=1"), "counters: inactive 1 + 1 of 1 workers")},
	{"pool/awaited_panic_surfaces", in("pool/handle.go", "Handle.done").
		replace("if h.complete(w) { p.unhandled.await(f.panicked) }", "h.complete(w)"),
		explored(0, onPool("panic_awaited_while_closing"), "P21: ")},
	{"pool/close_waits_for_no_report", in("pool/panic.go", "Pool.reportAll").drop("u.reports.Wait()"),
		explored(0, onPool("panic_of_go"), "P21: ")},
	{"pool/panic_of_go_is_lost", in("pool/submit.go", "unheld.done").drop("w.pool.expose(f.panicked)"),
		own("TestUnseenPanics/Go", "P21: ")},
	{"pool/told_and_reported", in("pool/handle.go", "Handle.outcome").
		drop("h.pool().unhandled.told(f.panicked)"), own("TestUnseenPanics/waited", "P21: ")},
	{"pool/close_reports_nothing", in("pool/panic.go", "Pool.reportAll").
		replace("!awaited", "false && !awaited"), own("TestUnseenPanics/kept", "P21: ")},
	{"pool/given_up_counts_as_told", in("pool/handle.go", "Handle.waitOutside").
		drop("n.present.Add(-1)"), own("TestUnseenPanics/given_up", "P21: ")},
	{"pool/given_up_in_job_counts_as_told", in("pool/handle.go", "Handle.joinUntil").drop("o.leave()"),
		own("TestUnseenPanics/given_up", "P21: ")},
	{"pool/collected_unreported", in("pool/handle.go", "Handle.done").drop("prim.AddCleanup(h, p.reportDropped, f.panicked)"),
		own("TestUnseenPanicsOfCollectedHandles", "P21: ")},
	{"pool/cancel_forgets_waiters", in("pool/handle.go", "Handle.withdraw").drop("h.complete(nil)"),
		explored(2, onPool("canceled_or_run"), missedWake)},
	{"pool/cancel_says_what_it_wants", in("pool/handle.go", "Handle.Cancel").
		replace("h.job.claim.Load() == withdrawn", "h.job.isClaimed()"),
		explored(0, onPool("canceled_or_run"), "P20: ")},
	{"pool/canceled_without_reason", in("pool/handle.go", "Handle.withdraw").
		drop("h.failed = &failure{reason: reason}"), own("TestTakenBack/Cancel", "P20: ")},
	{"pool/channels_shut_no_more", in("pool/completion.go", "channelWaiter.release").drop("close(n.end)"),
		explored(0, onPool("done_or_asked"), "P20: ")},
	{"pool/two_channels", in("pool/completion.go", "share").replace("; ok {", "; ok && false {"),
		own("TestCancel/done", "P20: ")},
	{"pool/withdrawn_while_begun", in("pool/worker.go", "Job.withdraw").
		replace("{ return j.claim.CompareAndSwap(unclaimed, withdrawn) }", `{
	free := j.claim.Load() == unclaimed
	if free {
		j.claim.Store(withdrawn)
	}
	return free
}`), explored(3, onPool("withdrawn_or_run"), "nil pointer dereference")},
}
