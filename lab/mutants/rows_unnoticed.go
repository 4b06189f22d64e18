package mutants

import "github.com/rouse-go/rouse/explore"

// Faults that the tests of their time did not notice: two kinds of a thing in place of the same
// twice, seats three deep, seats that come back with something in their deque, contexts that
// outlive the call, results that are there already, and order.
var unnoticedRows = []Mutant{
	{"pool/panics_taken_for_the_same", at("same").
		replace("return a == b", "return true"), own("TestPanicRaisedAnew", "P2: ")},
	{"pool/one_seat_beneath_given_up", at("Worker.releaseBeneath").after("b.moveToGuestSeat()", "break"),
		own("TestWorkersBeneath", "P4: ")},
	{"pool/one_seat_beneath_known", at("Worker.below").replace("all[i+1:]", "all[i+1:min(i+2, len(all))]"),
		own("TestWorkersBeneath", "P4: ")},
	{"pool/nested_run_knows_nothing_beneath",
		at("runInside").drop("w.beneath = top.but(w)"), hangs(0, "run_here_beneath")},
	{"pool/run_ends_block", at("runInside").replace("case wasBlocked:", "case wasBlocked && false:"),
		own("TestStatsOfWhatJobsDo", "P26: ")},
	{"pool/job_beneath_counts_on", at("Worker.setState").replace("w.state == beside", "w.state == beside && s != covered"),
		own("TestWaitsBeside", "P32: ")},
	{"pool/own_deque_not_searched", at("seat.findUntil").replace("j = s.find(true);", "j = s.search(true);"),
		pooled(0, "spawned_in_nested_run", string(explore.Livelock))},
	{"pool/stack_lost_by_job_that_returns", at("Worker.execute").
		replace("true w.raised = raised", "true"), own("TestPanicPassing/job_that_returns", "P2: ")},
	{"pool/stack_lost_by_job_that_panics", at("Worker.execute").
		replace("raised = raised w.discard", "discard"), own("TestPanicPassing/job_that_panics", "P2: ")},
	{"pool/stack_lost_by_run",
		at("runFrame.Run").replace("w.raised = raised returned = true", "returned = true; _ = raised"),
		own("TestPanicPassing/run", "P2: ")},
	{"pool/job_has_panic_from_beneath", at("Worker.execute").drop("w.raised = nil"),
		own("TestPanicPassing/equal_from_job", "P12: ")},
	{"pool/run_has_panic_from_beneath", at("runFrame.Run").drop("w.raised = nil"),
		own("TestPanicPassing/equal_from_run", "P12: ")},
	{"pool/last_failure_of_scope", at("spawned.done").
		replace("failed.CompareAndSwap(nil, f)", "failed.Store(f)"), own("TestPanicOfScope", "P2: ")},
	{"pool/slot_of_other_type_keeps_number", at("nextFrame").drop("last.header().seq = 0"),
		own("TestMisuse/workers=1", "P1: ")},
	{"pool/context_keeps_run", at("completion.complete").drop("w.stop()"),
		own("TestContextOutlivesPool/SubmitErr", "P8: ")},
	{"pool/context_keeps_waiter",
		at("Handle.join").replace("defer prim.AfterFunc(ctx, func() { release(nil) })()",
			"prim.AfterFunc(ctx, func() { release(nil) })"), own("TestContextOutlivesPool/Wait", "P8: ")},
	{"pool/spawned_keeps_failure", at("Scope.awaitJobs").drop("s.failed.Store(nil)"),
		own("TestEndedJobsReferToNothing", "P8: panic of a spawned job")},
	{"pool/spawned_keeps_function", at("plain.run").drop("j.fn = nil"),
		own("TestEndedJobsReferToNothing", "P8: function of a spawned job")},
	{"pool/nil_panic_taken_for_exit", at("Worker.capture").replace("&& seam.Exits(2)", ""),
		own("TestRunPanicsWithNil", "P2: ")},
	{"pool/context_before_result", at("Handle.Wait").
		replace("!h.isDone() { var", "ctx.Err() != nil { var"), pooled(0, "told_before_given_up", "P1: ")},
	{"pool/second_close_returns_at_once", at("Pool.close").replace("s.ended.Wait(ctx);", "ctx.Err();"),
		pooled(0, "two_closes", "P6: one of two calls of Close has returned")},
}
