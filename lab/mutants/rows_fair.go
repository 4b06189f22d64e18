package mutants

// What begins beside others, and the oldest job of a scope.
var fairRows = []Mutant{
	{"pool/called_before_push", in("pool/pool.go", "Pool.post").drop("p.call()").
		andIn("pool/submit.go", "Pool.accept").after("j.from = &p.queued", "p.call()"),
		explored(2, onPool("queued_beside_forks"), "livelock")},
	{"pool/nobody_is_called", in("pool/pool.go", "Pool.post").drop("p.call()"),
		explored(0, onPool("queued_beside_forks"), "livelock")},
	{"pool/submit_all_calls_nobody", in("pool/submit.go", "SubmitAll").
		replace("p.post(len(fns))", `p.injected.Add(uint64(len(fns)))
p.sleep.Post(len(fns), true)`), own("TestSubmitAllCalls", "P32: ")},
	{"pool/bit_lowered_after_the_look", in("pool/fair.go", "Worker.look").drop("w.hear()").
		replace("w.seat.watch = watch{}", `w.hear()
w.seat.watch = watch{}`), explored(1, onPool("queued_beside_forks"), "livelock")},
	{"pool/called_is_not_lowered", in("pool/fair.go", "Worker.hear").drop("w.pool.called.Store(false)"),
		explored(0, onPool("queued_beside_forks"), "livelock")},
	{"pool/called_lowered_first", in("pool/fair.go", "Worker.hear").
		replace("w.wanted.And(^wantLook) w.pool.looked.add(w.seat.index) w.pool.called.Store(false)",
			`w.pool.called.Store(false)
w.wanted.And(^wantLook)
w.pool.looked.add(w.seat.index)`), explored(1, onPool("two_queued_beside_forks"), "livelock")},
	{"pool/publishing_lowers_both", in("pool/publish.go", "Worker.publish").
		replace("w.wanted.And(^wantForks)", "w.wanted.Store(0)"),
		explored(0, onPool("queued_beside_forks"), "livelock")},
	{"pool/patient_for_ever", in("pool/fair.go", "Worker.patient").
		drop("w.lookAfter(min(uint64(t.steps), most-n))"),
		own("TestQueuedBeginsAfterSomeForks/fork_and_join", "P32: ")},
	{"pool/clock_alone", in("pool/fair.go", "Worker.patient").
		replace("n >= most || int(t.looks) >= times*prim.Size(unservedLooks)", "false"),
		own("TestQueuedBeginsAfterSomeForks/fork_and_join", "P32: ")},
	{"pool/looks_without_count", in("pool/fair.go", "Worker.patient").
		replace("|| int(t.looks) >= times*prim.Size(unservedLooks)", ""),
		own("TestQueuedBeginsAfterSomeForks/spawned_jobs", "P32: ")},
	{"pool/ends_of_jobs_do_not_look", in("pool/scope.go", "Scope.await").drop("w.glance()"),
		own("TestQueuedBeginsAfterSomeForks/ends_of_jobs", "P32: ")},
	{"pool/spawns_do_not_look", in("pool/deque.go", "Worker.push").drop("w.glance()"),
		own("TestQueuedBeginsAfterSomeForks/spawned_jobs", "P32: ")},
	{"pool/due_forks_joined_the_short_way", in("pool/fork.go", "Forked.Join").
		replace("|| h.seq&due != 0", ""), own("TestQueuedBeginsAfterSomeForks/fork_and_join", "P32: ")},
	{"pool/due_invokes_joined_the_short_way", in("pool/fork.go", "Invoke").
		replace("f.seq&(marks|due)", "f.seq&marks"),
		own("TestQueuedBeginsAfterSomeForks/Invoke", "P32: ")},
	{"pool/waits_pass_by_workers", in("pool/handle.go", "waiter.shared").
		replace("n == nil || n.worker == nil", "true"), own("TestOutsideWaitsPassByWorkers", "Cost: ")},
	{"pool/queue_behind_all_deques", in("pool/search.go", "seat.search").
		never("visits > fewVisits && p.view.isPartial() && !p.injector.Empty()"),
		own("TestQueueOfLargePool", "Cost: ")},
	{"pool/rise_does_not_look", in("pool/stack.go", "stack.cutSlots").never("s.high != 0"),
		own("TestQueuedBeginsWithinAList/that_is_forked", "P32: ")},
	{"pool/fall_does_not_look", in("pool/fair.go", "Worker.lookAfter").drop("f.seq |= watched"),
		own("TestQueuedBeginsWithinAList/that_is_joined,_the_newest_first", "P32: ")},
	{"pool/panic_takes_the_look_along", in("pool/stack.go", "Worker.discard").never("w.hasFallen()"),
		own("TestQueuedBeginsWithinAList/that_is_joined_after_a_panic", "P32: ")},
	{"pool/joins_of_a_fall_do_not_count", in("pool/fair.go", "Worker.patient").
		drop("t.forks -= uint64(t.steps)"),
		own("TestQueuedBeginsWithinAList/that_is_joined,_the_newest_first", "P32: ")},
	{"pool/long_ways_do_not_look", in("pool/publish.go", "Worker.answer").replace("|| w.high != 0", ""),
		own("TestQueuedBeginsWithinAList/that_is_joined,_the_newest_first", "P32: ")},
	{"pool/forks_cut_for_ever", in("pool/fair.go", "Worker.look").never("w.high != 0"),
		own("TestQueuedBeginsWithinAList/that_is_forked", "Cost: ")},
	{"pool/steps_without_a_bound", in("pool/fair.go", "Worker.patient").
		replace("min(2*t.steps, uint16(prim.Size(unservedSteps)))", "min(2*t.steps, 1<<14)"),
		own("TestQueuedBeginsAmongLongLeaves", "P32: ")},
	{"pool/looks_no_more_after_the_first", in("pool/fair.go", "Worker.look").never("w.seat.watch.on"),
		own("TestQueuedBeginBesideOneThatForks", "P32: ")},
	{"pool/joins_of_taken_forks_do_not_look", in("pool/fork.go", "typedFrame.finish").drop("w.glance()"),
		own("TestJoinsOfTakenForksLook", "P32: ")},
	{"pool/joins_of_handles_do_not_look", in("pool/handle.go", "Handle.joinAt").drop("w.glance()"),
		own("TestQueuedBeginsBesideHandles/Join", "P32: ")},
	{"pool/nested_runs_do_not_look", in("pool/run.go", "runInside").drop("w.glance()"),
		own("TestQueuedBeginsBesideHandles/Run", "P32: ")},
	{"pool/kept_jobs_do_not_look", in("pool/group.go", "Group.Spawn").drop("w.glance()"),
		own("TestQueuedBeginsBesideHandles/a_group_with_a_limit", "P32: ")},
	{"pool/seat_passes_on_without_its_watch", in("pool/seat.go", "Worker.rise").
		replace("s.watch.leave(w)", "s.watch = watch{}"),
		own("TestQueuedBeginsBesideHandles/Join", "P32: ")},
	{"pool/seat_passes_on_without_its_forks", in("pool/fair.go", "watch.come").
		replace("t.forks += w.forks()", "t.forks = w.forks()"),
		own("TestQueuedBeginsBesideHandles/a_job_that_forks", "P32: ")},
	{"pool/always_due", in("pool/fair.go", "Worker.look").never("w.seq&due != 0"),
		own("TestNothingQueuedNothingDue", "Cost: ")},
	{"pool/left_out_numbers_are_forks", in("pool/fair.go", "Worker.arm").
		replace("w.skipped += next - w.seq", "w.skipped += 0"), own("TestArm", "P32: ")},
	{"pool/bound_left_unsaid", in("pool/fair.go", "Pool.leaveBeside").replace("p.hasQueued()", "false"),
		own("TestRoomBesideCalls", "P32: a job that ran beside")},
	{"pool/look_not_asked_of_occupant", in("pool/seat.go", "Worker.sit").
		replace("w.wanted.Store(wantForks | wantLook)", "w.wanted.Or(wantForks)"),
		explored(0, onPool("called_while_seat_changes"), "livelock")},
	{"pool/resumed_beside_is_not_counted", in("pool/seat.go", "Worker.goLoose").drop("w.goBeside()"),
		own("TestBesideIsBounded", "P32: ")},
	{"pool/taken_along_is_not_queued", in("pool/search.go", "seat.dequeue").drop("s.carry()"),
		own("TestTakenAlongIsQueued", "P32: ")},
	{"pool/stolen_along_is_not_queued", in("pool/search.go", "seat.takeAlong").drop("s.carry()"),
		own("TestTakenAlongIsQueued", "P32: ")},
	{"pool/oldest_of_scope_never_begins", in("pool/scope_jobs.go", "turns.due").
		replace("t.taken > t.most", "false"),
		own("TestOldestJobOfScopeRuns", "P33: 100000 younger jobs")},
	{"pool/lists_do_not_take_turns", in("pool/scope_jobs.go", "Scope.turn").
		replace("at > int(t.list)", "false"),
		own("TestOldestJobOfEachListRuns", "P33: 100000 younger jobs")},
}
