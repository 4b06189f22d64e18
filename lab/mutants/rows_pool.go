package mutants

import (
	"slices"

	"github.com/rouse-go/rouse/conformance/explore"
)

// onPool is the name of a scenario of pools, with the default backends.
func onPool(scenario string) string { return "TestPool/sleep=futex/deque=chaselev/" + scenario }

// missedWake is what is said of a job, or a worker, that waits for ever.
const missedWake = string(explore.Deadlock)

var poolRows = slices.Concat(poolForkRows, poolEndRows, poolWaitRows, poolScopeRows, unnoticedRows, fairRows)

// What becomes public, and who waits for whom.
var poolForkRows = []Mutant{
	{"pool/3_injector_not_looked_at",
		in("pool/new.go", "Pool.hasWork").replace("!p.injector.Empty()", "false"),
		explored(2, onPool("blocked_job_jec_wraps"), missedWake)},
	{"pool/26_deques_not_looked_at", in("pool/new.go", "Pool.hasWork").drop("found = true"),
		explored(2, onPool("seat_returned_to_fork"), missedWake)},
	{"pool/29_wanted_lowered_after_push", in("pool/publish.go", "Worker.publish").
		drop("w.wanted.And(^wantForks)").before("if jobs := max(inactive-n, w.demand.unmet); jobs > 0 {",
		"if seated { w.wanted.And(^wantForks) }"), explored(1, onPool("wanted_again"), missedWake)},
	{"pool/30_wanted_not_raised_by_thief", in("pool/search.go", "seat.visit").
		replace("outcome == api.Stolen {", "false {"), explored(1, onPool("wanted_again"), missedWake)},
	{"pool/30_wanted_not_raised_by_pop", in("pool/deque.go", "seat.wantOnBehalf").
		replace("inactive, _ := s.pool.sleep.Counts(); inactive > s.jobs()", "false"),
		explored(0, onPool("wanted_after_pop"), missedWake)},
	{"pool/raised_only_for_sleepers", in("pool/deque.go", "seat.wantOnBehalf").
		replace("inactive, _ := s.pool.sleep.Counts(); inactive",
			"_, sleeping := s.pool.sleep.Counts(); sleeping"),
		explored(0, onPool("wanted_after_pop"), missedWake)},
	{"pool/lowered_after_the_look",
		in("pool/publish.go", "Worker.publish").drop("w.wanted.And(^wantForks)").
			after("n := w.queued()", "if seated { w.wanted.And(^wantForks) }"),
		explored(2, onPool("wanted_beside_spawned"), "").
			harmless("what the look finds lacking is marked, and later forks meet a mark whatever the flag says").
			long()},
	{"pool/31_latch_set_before_job", in("pool/fork.go", "typedFrame.run").
		after("fn, arg := f.take()", "if f.latch.Set() { f.worker.rouse(nil) }").
		and("typedFrame.done").replace("owner := f.worker if f.latch.Set() { owner.rouse(w) }", ""),
		explored(2, onPool("fork_stolen"), "P1: the result of the fork is 0")},
	{"pool/36_returned_without_flags", in("pool/new.go", "New").replace("p.hasWork", `func() bool {
	found := !p.injector.Empty()
	for i := range p.victims {
		found = found || p.victims[i].deque.Len() > 0
	}
	return found
}`), explored(2, onPool("seat_returned_beside_forks"), missedWake)},
	{"pool/stop_not_seen_at_return", in("pool/seat.go", "seat.giveBack").drop("if s.stop.Probe() {"),
		explored(1, onPool("close_races_submit"), missedWake)},
	{"pool/published_not_guarded", in("pool/publish.go", "Worker.publishUpTo").drop("f.seq |= guarded"),
		explored(0, onPool("fork_stolen"), "nil pointer dereference")},
	{"pool/invoke_takes_published",
		in("pool/fork.go", "Invoke").replace("|f.seq&(marks|due)|", "|f.seq&(watched|due)|"),
		explored(3, onPool("invoke_stolen"), "nil pointer dereference")},
	{"pool/join_ignores_flag", in("pool/fork.go", "Forked.Join").replace("|| w.wanted.Load() != 0", ""),
		own("TestUnwindingHandsOver/join", "P5: ")},
	{"pool/invoke_ignores_flag", in("pool/fork.go", "Invoke").replace("|uint64(w.wanted.Load())", ""),
		own("TestUnwindingHandsOver/invoke", "P5: ")},
	{"pool/one_at_a_time", in("pool/stack.go", "demand.burst").replace("max(n, inactive, 1)",
		"min(1, max(n, inactive, 1))").and("stack.ask").replace("jobs, s.head", "0*jobs, s.head"),
		suite("TestFill/default/flat_newest_first/workers=8", "P13: ")},
	{"pool/no_marks", in("pool/stack.go", "stack.ask").replace("jobs, s.head", "0*jobs, s.head"),
		suite("TestFill/default/long_leaf_last/workers=8", "P13: ")},
	{"pool/seatless_publishes_one", in("pool/publish.go", "Worker.publish").
		after("n := w.queued()", "if !seated { if n == 0 { w.publishUpTo(1) }; return }"),
		suite("TestFill/sleep=no_lender/flat_after_block/workers=8", "P13: ")},
	{"pool/any_mark_will_do", in("pool/publish.go", "Worker.publish").
		replace("&& w.demand.unmet >= lacking", ""), own("TestMarkIsForAsManyAsWait", "P13: ")},
	{"pool/taken_back_is_not_replaced", in("pool/deque.go", "seat.tidy").
		replace("moment s.wantOnBehalf()", "moment"), own("TestForkTakenBackIsReplaced", "P13: ")},
	{"pool/strays_are_jobs",
		in("pool/deque.go", "seat.jobs").replace("max(s.deque.Len()-s.strays, 0)", "s.deque.Len()"),
		own("TestForkTakenBackIsReplaced", "P13: ")},
	{"pool/few_are_not_all", in("pool/stack.go", "demand.ask").
		replace("uint64(bits.Len(uint(d.unmet))) + 1", "uint64(bits.Len(uint(d.unmet)))"),
		own("TestStolenJobPublishesItsFirstForks", "P13: ")},
	{"pool/demand_forgotten",
		in("pool/stack.go", "demand.burst").drop("n = max(2*d.published, workers)"),
		suite("TestFill/default/flat_in_a_taken_fork/workers=8", "P13: ")},
	{"pool/burst_not_posted", in("pool/publish.go", "Worker.publishUpTo").
		replace("p.sleep.Post(1, wasEmpty) // A2 to A4", "_ = wasEmpty"),
		explored(0, onPool("wanted_by_two"), missedWake)},
	{"pool/latch_reset_after_push", in("pool/publish.go", "Worker.publishUpTo").drop("f.latch.Reset()").
		after("var last *Job", "var f *fork").replace(":= w.frameAt(w.public)", "= w.frameAt(w.public)").
		after("p.sleep.Post(1, wasEmpty)", "f.latch.Reset()"),
		explored(1, onPool("fork_stolen"), missedWake)},
	{"pool/popped_not_pushed_back", in("pool/deque.go", "seat.tidy").drop("s.putBack(j)"),
		explored(0, onPool("pushed_back"), missedWake)},
	{"pool/thief_comes_for_nothing", in("pool/deque.go", "seat.tidy").
		replace("s.wantOnBehalf() // of the thief that comes for nothing", ""),
		explored(2, onPool("wanted_after_pop"), missedWake)},
	{"pool/pushed_back_without_post", in("pool/deque.go", "seat.tidy").
		replace("s.putBack(j) // with a post, for the deque was short for a moment", "s.deque.Push(j)"),
		explored(1, onPool("pushed_back"), missedWake)},
	{"pool/thief_does_not_claim",
		in("pool/search.go", "seat.visit").replace("&& !j.begin() { j = nil", "{ j.claim.Store(begun)"),
		explored(1, onPool("fork_stolen"), "pool: a fork has no function")},
	{"pool/forks_not_settled", in("pool/work.go", "Worker.execute").drop("if w.head > limit {"),
		explored(2, onPool("fork_not_joined_by_submitted"),
			"P1: when its job has returned, a fork that was not joined was run 0 times")},
	{"pool/run_does_not_settle", in("pool/run.go", "runFrame.run").drop("if w.head > limit {"),
		explored(0, onPool("fork_not_joined"),
			"P1: when its job has returned, a fork that was not joined was run 0 times")},
	{"pool/nothing_published_before_waiting", in("pool/wait.go", "Worker.wait").drop("w.publishAll()"),
		explored(0, onPool("private_while_waiting"), missedWake)},
}

// Panics, callers from outside, and the end.
var poolEndRows = []Mutant{
	{"pool/23_panic_skips_latch", in("pool/fork.go", "typedFrame.done").
		after("f.failed = failed", "if failed != nil && failed.panicked != nil { return }"),
		explored(1, onPool("panic_of_stolen"), missedWake)},
	{"pool/24_goexit_skips_latch", in("pool/fork.go", "typedFrame.done").
		after("f.failed = failed", "if failed != nil && failed.panicked == nil { return }"),
		explored(1, onPool("goexit_of_stolen"), missedWake)},
	{"pool/goexit_loses_worker", in("pool/work.go", "Worker.work").drop("case s != nil:"),
		explored(0, onPool("goexit_of_queued"), missedWake)},
	{"pool/borrowed_seat_kept", in("pool/work.go", "Pool.serve").drop("s.handOffLast()"),
		explored(1, onPool("goexit_of_submitted"), missedWake)},
	{"pool/goexit_keeps_borrowed_seat",
		in("pool/work.go", "Worker.work").replace("s != nil:", "s != nil && !s.lent:"),
		explored(0, onPool("goexit_of_submitted"), missedWake)},
	{"pool/hosted_overtakes_queue", in("pool/submit.go", "Pool.host").drop("if !p.injector.Empty() {"),
		explored(3, onPool("submitted_in_order"), "P1: job 2 of one submitter runs after job 0")},
	{"pool/context_believed", in("pool/run.go", "Run").replace("// The context", `if entered && ok {
	return runInside(carried, p, fn, arg), nil
}
// The context`), own("TestContextOnAnotherGoroutine", "P11: ")},
	{"pool/exited_run_keeps_number", in("pool/run.go", "Worker.endRun").drop("if !returned {"),
		explored(0, onPool("close_after_goexit"), "Close or Shutdown called by a job of the pool")},
	{"pool/taken_fork_not_awaited", in("pool/stack.go", "Worker.discard").
		replace("&& !w.reclaim(f) { w.wait(&f.latch, cause{job: &f.Job})", "{ w.reclaim(f)"), explored(2,
		onPool("panic_beside_stolen"), "P2: a panic has left Run, and the sibling runs still")},
	{"pool/panicking_run_forgets_forks",
		in("pool/run.go", "runFrame.run").replace("w.discard(limit)", "_ = limit"),
		explored(0, onPool("panic_over_forks"), "P2: a panic has left Run, and a fork")},
	{"pool/stolen_panic_not_original",
		in("pool/panic.go", "PanicError.repanic").drop("defer func() { panic(e.Value) }()"),
		explored(1, onPool("panic_of_stolen"), "P2: Run ends with")},
	{"pool/queued_panic_not_original",
		in("pool/panic.go", "Pool.endRunAs").replace("f.panicked.repanic()", "panic(f.panicked)"),
		explored(1, onPool("panic_on_borrowed_seat"), "P2: Run ends with")},
	{"pool/panic_keeps_seat", in("pool/run.go", "Worker.endFailed").drop("end(false)"),
		explored(0, onPool("panic_on_borrowed_seat"), missedWake)},
	{"pool/displaced_frame_keeps_number", in("pool/stack.go", "Worker.rest").
		replace("f.header().seq = 0 // a handle may be left", "_ = f"),
		explored(0, onPool("handle_after_rest"), "a fork is joined twice")},
	{"pool/waiter_lost", in("pool/completion.go", "share").
		replace("if c.put(own, top) { return own }",
			"n := own.header(); n.kind, n.next, n.others = own, top, top.shared(); c.waiters.Store(n); return own"),
		explored(1, onPool("two_waiters"), missedWake)},
	{"pool/withdrawn_and_run",
		in("pool/worker.go", "Job.begin").replace("{ return j.claim.CompareAndSwap(unclaimed, begun) }",
			"{ free := j.claim.Load() == unclaimed; if free { j.claim.Store(begun) }; return free }"),
		explored(3, onPool("withdrawn_or_run"), "nil pointer dereference")},
	{"pool/seats_beneath_kept", in("pool/wait.go", "Worker.setAside").drop("w.releaseBeneath()"),
		explored(0, onPool("seat_held_by_waiter"), missedWake)},
	{"pool/job_waits_like_an_outsider", in("pool/handle.go", "Handle.Wait").never("w != nil"),
		explored(0, onPool("wait_in_job"), missedWake)},
	{"pool/25_close_drops_queue", in("pool/close.go", "Pool.end").never("!p.allLeft()"),
		explored(1, onPool("close_drains"), "P6: Close has returned, and 1 jobs of 2 were run")},
	{"pool/close_wakes_nobody",
		in("pool/close.go", "Pool.end").replace("p.sleep.Wake(seat)", "_ = seat"),
		explored(1, onPool("close_while_falling_asleep"), missedWake)},
	{"pool/let_in_after_closing", in("pool/close.go", "Pool.enter").
		replace("if p.shutdown.entered.Add(int64(n))&closing == 0 { return true } p.leave(n) return false",
			"p.shutdown.entered.Add(int64(n)); return true"),
		explored(1, onPool("close_races_submit"), missedWake)},
	{"pool/closing_flagged_late", in("pool/close.go", "Pool.close").drop("s.closing.Store(true)").
		and("Pool.end").before("_ = s.drained.Wait(context.Background())", "s.closing.Store(true)"),
		explored(1, onPool("close_races_submit"), missedWake)},
	{"pool/close_does_not_add_up", in("pool/close.go", "Pool.end").drop("p.addUp()"),
		explored(1, onPool("close_drains"), missedWake)},
	{"pool/late_count_not_added_up", in("pool/close.go", "Pool.leaveCounted").drop("p.addUp()"),
		explored(2, onPool("close_drains"), missedWake)},
	{"pool/entered_read_first", in("pool/close.go", "Pool.allLeft").
		before("left := p.shutdown.left.Load() + p.shutdown.counted.Load()",
			"entered := p.shutdown.entered.Load() &^ closing").
		replace("p.shutdown.entered.Load()&^closing", "entered"),
		explored(2, onPool("close_races_refused"), missedWake)},
	{"pool/random_schedule_hesitates_never",
		in("pool/publish.go", "Worker.hesitate").replace("== nil || w.dice.IntN(2) == 0", "!= nil"),
		own("TestRandomScheduleHasForksTaken", "WithRandomSchedule: ")},
}
