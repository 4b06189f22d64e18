package mutants

import (
	"slices"

	"github.com/rouse-go/rouse/explore"
)

// onPool is the name of a scenario of pools, with the default backends.
func onPool(scenario string) string { return "TestPool/sleep=futex/deque=chaselev/" + scenario }

// missedWake is what is said of a job, or a worker, that waits forever.
const missedWake = string(explore.Deadlock)

var poolRows = slices.Concat(poolForkRows, poolEndRows, poolWaitRows, guestRows, poolScopeRows, unnoticedRows, fairRows)

// What becomes public, and which job waits for which.
var poolForkRows = []Mutant{
	{"pool/3_injector_not_looked_at", at("Pool.hasWork").replace("!p.inbox.queue.Empty()", "false"),
		hangs(2, "blocked_job_jec_wraps")},
	{"pool/26_deques_not_looked_at", at("Pool.hasWork").drop("found = true"),
		hangs(0, "seat_returned_to_fork")},
	{"pool/29_wanted_lowered_after_push", at("Worker.publish").
		drop("w.wanted.And(^wantForks)").before("if jobs := max(inactive-n, w.stack.demand.unmet); jobs > 0 {",
		"w.wanted.And(^wantForks)"), hangs(1, "wanted_again")},
	{"pool/30_wanted_not_raised_by_thief",
		at("seat.visit").replace("p.want(n) return j", "return j"), hangs(1, "wanted_again")},
	{"pool/30_wanted_not_raised_by_pop", at("seat.wantOnBehalf").
		replace("inactive, _ := s.pool.sleep.Counts(); inactive > s.jobs()", "false"),
		hangs(0, "wanted_after_pop")},
	{"pool/raised_only_for_sleepers",
		at("seat.wantOnBehalf").replace("inactive, _ := s.pool.sleep.Counts(); inactive",
			"_, sleeping := s.pool.sleep.Counts(); sleeping"), hangs(0, "wanted_after_pop")},
	{"pool/31_latch_set_before_job",
		at("typedFrame.run").after("fn, arg := f.moveOut()", "if f.latch.Set() { f.worker.rouse(nil) }").
			and("typedFrame.done").replace("owner := f.worker if f.latch.Set() { owner.rouse(w) }", ""),
		pooled(2, "fork_stolen", "P1: the result of the fork is 0")},
	{"pool/36_returned_without_flags", at("New").replace("s, p.hasWork", `s, func() bool {
	found := !p.inbox.queue.Empty()
	for _, s := range p.seats {
		found = found || s.deque.Len() > 0
	}
	return found
}`), hangs(2, "seat_returned_beside_forks")},
	{"pool/stop_not_seen_at_return", at("seat.giveBack").drop("if s.stop.Probe() {"),
		hangs(1, "close_races_submit")},
	{"pool/published_not_guarded", at("Worker.publishUpTo").drop("f.seq |= guarded"),
		pooled(1, "fork_stolen", "P1: the fork was run 2 times")},
	{"pool/invoke_takes_published", at("Invoke").replace("f.seq&guarded", "0"),
		pooled(0, "invoke_stolen", "nil pointer dereference")},
	{"pool/join_ignores_flag", at("Forked.Join").replace("|uint64(w.wanted.Load())", ""),
		hangs(0, "join_hands_over")},
	{"pool/invoke_ignores_flag", at("Invoke").replace("|uint64(w.wanted.Load())", ""),
		hangs(0, "invoke_hands_over")},
	{"pool/one_at_a_time", at("demand.burst").replace("max(n, inactive, 1)",
		"min(1, max(n, inactive, 1))").and("stack.ask").replace("jobs, s.head+1", "0*jobs, s.head+1"),
		suite("TestFill/default/flat_newest_first/workers=8", "P13: ")},
	{"pool/no_marks", at("stack.ask").replace("jobs, s.head+1", "0*jobs, s.head+1"),
		suite("TestFill/default/long_leaf_last/workers=8", "P13: ")},
	{"pool/guest_publishes_one", at("Worker.publish").
		after("n := w.seat.jobs()", "if w.seat.isGuest() { if n == 0 { w.publishUpTo(1) }; return }"),
		suite("TestFill/sleep=no_lender/flat_after_block/workers=8", "P13: ")},
	{"pool/any_mark_will_do", at("Worker.publish").replace("&& w.stack.demand.unmet >= lacking", ""),
		own("TestMarkIsForAsManyAsWait", "P13: ")},
	{"pool/taken_back_is_not_replaced", at("seat.tidy").replace("moment s.wantOnBehalf()", "moment"),
		own("TestForkTakenBackIsReplaced", "P13: ")},
	{"pool/strays_are_jobs", at("seat.jobs").replace("max(s.deque.Len()-int(s.strays), 0)", "s.deque.Len()"),
		own("TestForkTakenBackIsReplaced", "P13: ")},
	{"pool/mark_passed_over", at("stack.ask").replace("jobs, s.head+1", "jobs, s.head+2"),
		own("TestStolenJobPublishesItsFirstForks", "P13: ")},
	{"pool/demand_forgotten", at("demand.burst").drop("n = max(2*d.published, workers)"),
		suite("TestFill/default/flat_in_a_taken_fork/workers=8", "P13: ")},
	{"pool/burst_not_posted", at("Worker.publishUpTo").
		replace("p.sleep.Post(1, wasEmpty) // A2 to A4", "_ = wasEmpty"), hangs(0, "wanted_by_two")},
	{"pool/latch_reset_after_push", at("Worker.publishUpTo").drop("f.latch.Reset()").
		after("var last *Job", "var f *fork").replace(":= w.stack.frameAt(w.stack.public)", "= w.stack.frameAt(w.stack.public)").
		after("p.sleep.Post(1, wasEmpty)", "f.latch.Reset()"), hangs(1, "fork_stolen")},
	{"pool/popped_not_pushed_back", at("seat.tidy").drop("s.push(j)"), hangs(0, "pushed_back")},
	{"pool/thief_comes_for_nothing",
		at("seat.tidy").replace("s.wantOnBehalf() // of the thief that comes for nothing", ""),
		hangs(2, "wanted_after_pop")},
	{"pool/pushed_back_without_post", at("seat.tidy").
		replace("s.push(j) // with a post, for the deque was short for a moment", "s.deque.Push(j)"),
		hangs(1, "pushed_back")},
	{"pool/thief_does_not_claim",
		at("seat.visit").replace("if j.begin() {", "if j.claim.Store(begun); true {"),
		pooled(1, "fork_stolen", "pool: a fork has no function")},
	{"pool/forks_not_settled", at("Worker.execute").drop("if w.stack.head > limit {"),
		pooled(1, "fork_not_joined_by_submitted",
			"P1: when its job has returned, a fork that was not joined was run 0 times")},
	{"pool/run_does_not_settle", at("runFrame.Run").drop("if w.stack.head > limit {"), pooled(0,
		"fork_not_joined", "P1: when its job has returned, a fork that was not joined was run 0 times")},
	{"pool/nothing_published_before_waiting", at("Worker.wait").drop("w.publishAll()"),
		hangs(0, "private_while_waiting")},
}

// Panics, callers from outside, and the end.
var poolEndRows = []Mutant{
	{"pool/23_panic_skips_latch", at("typedFrame.done").
		after("f.failed = failed", "if failed != nil && failed.panicked != nil { return }"),
		hangs(1, "panic_of_stolen")},
	{"pool/24_goexit_skips_latch", at("typedFrame.done").
		after("f.failed = failed", "if failed != nil && failed.panicked == nil { return }"),
		hangs(1, "goexit_of_stolen")},
	{"pool/goexit_loses_worker", at("Worker.work").replace("s.handOffLast()", "_ = s"), hangs(0, "goexit_of_queued")},
	{"pool/borrowed_seat_kept", at("seat.main").drop("s.handOffLast()"),
		hangs(1, "goexit_of_submitted")},
	{"pool/goexit_keeps_borrowed_seat", at("Worker.work").replace("s.handOffLast()", "if !s.lent { s.handOffLast() }"),
		hangs(0, "goexit_of_submitted")},
	{"pool/hosted_overtakes_queue", at("Pool.host").replace("|| !p.inbox.queue.Empty()", ""),
		pooled(2, "submitted_in_order", "P1: job 2 of one submitter runs after job 0")},
	{"pool/context_believed", at("run").before("return runHere(", `if ok && p.enter(1) {
	return runInside(carried, p, user, fn, arg), nil
}`), own("TestRunWithWorkerOfContext", "P11: ")},
	{"pool/exited_run_keeps_number", at("runHere").replace("w.number, true, w.endRun", "w.number, false, w.endRun"),
		pooled(0, "close_after_goexit", "Close or Shutdown called by a job of the pool")},
	{"pool/taken_fork_not_awaited", at("Worker.discard").
		replace("&& !w.reclaim(f) { w.wait(&f.latch, cause{job: &f.Job})", "{ w.reclaim(f)"),
		pooled(2, "panic_beside_stolen", "P2: a panic has left Run, and the sibling runs still")},
	{"pool/panicking_run_forgets_forks", at("runFrame.Run").replace("w.discard(limit)", "_ = limit"),
		pooled(0, "panic_over_forks", "P2: a panic has left Run, and a fork")},
	{"pool/stolen_panic_not_original", at("PanicError.repanic").
		drop("defer func() { panic(e.Value) }()"), pooled(1, "panic_of_stolen", "P2: Run ends with")},
	{"pool/panic_keeps_seat", at("callAs").drop("end(false)"),
		hangs(0, "panic_on_borrowed_seat")},
	{"pool/displaced_frame_keeps_number",
		at("Worker.trim").replace("f.header().seq = 0 // a handle may be left", "_ = f"),
		pooled(0, "handle_after_rest", "a fork was joined twice")},
	{"pool/withdrawn_and_run",
		at("Job.begin").replace("{ return j.claim.CompareAndSwap(unclaimed, begun) }",
			"{ free := j.claim.Load() == unclaimed; if free { j.claim.Store(begun) }; return free }"),
		hangs(1, "withdrawn_or_run")},
	{"pool/seats_beneath_kept", at("Worker.setAside").drop("w.releaseBeneath()"),
		hangs(0, "seat_held_by_waiter")},
	{"pool/job_waits_like_an_outsider", at("Handle.Wait").never("w != nil"), hangs(0, "wait_in_job")},
	{"pool/25_close_drops_queue", at("Pool.end").never("!p.allLeft()"),
		pooled(1, "close_drains", "P6: Close has returned, and 1 jobs of 2 were run")},
	{"pool/close_wakes_nobody", at("Pool.end").replace("p.sleep.Wake(seat)", "_ = seat"),
		hangs(1, "close_while_falling_asleep")},
	{"pool/let_in_after_closing", at("Pool.enter").
		replace("return p.shutdown.entered.Add(int64(n))&closing == 0",
			"p.shutdown.entered.Add(int64(n)); return true"), hangs(1, "close_races_submit")},
	{"pool/closing_flagged_late", at("Pool.close").drop("s.closing.Store(true)").
		and("Pool.end").before("_ = s.drained.Wait(context.Background())", "s.closing.Store(true)"),
		hangs(1, "close_races_submit")},
	{"pool/finished_is_not_told", at("Worker.reportCounts").drop("w.pool.leave(n)"), hangs(0, "close_drains")},
	{"pool/closing_read_first", at("Pool.leave").replace("p.shutdown.left.Add(int64(n)) if p.shutdown.closing.Load()",
		"closing := p.shutdown.closing.Load(); p.shutdown.left.Add(int64(n)); if closing"), hangs(2, "close_drains")},
	{"pool/entered_read_first",
		at("Pool.allLeft").before("left := p.shutdown.left.Load()",
			"entered := p.shutdown.entered.Load() &^ closing").
			replace("p.shutdown.entered.Load()&^closing", "entered"), pooled(2, "close_races_refused", "P6: Close has returned")},
	{"pool/random_schedule_hesitates_never",
		at("Worker.hesitate").replace("r == nil || r.coin()", "r != nil"),
		own("TestRandomScheduleHasForksTaken", "WithRandomSchedule: ")},
}
