package mutants

// Faults in groups, in the queue's limit and in the end by a deadline.
var practicalRows = []Mutant{
	{"pool/room_kept_by_withdrawn", in("pool/handle.go", "Handle.withdraw").drop("h.job.isWithdrawn()"),
		own("TestQueueLimit/freed_by_Cancel", "P23: ")},
	{"pool/room_kept_by_begun", in("pool/handle.go", "submission.starts").drop("o.room.leave()"),
		own("TestQueueLimit/taken_with_others", "P23: ")},
	{"pool/swept_what_waits", in("pool/queue.go", "queue.sweep").
		replace("!j.isClaimed()", "j.isClaimed()"), own("TestQueueAgainstSlice", "I")},
	{"pool/never_swept", in("pool/queue.go", "room.push").never("r.queue.n > 2*r.taken()"),
		own("TestQueueOfGivenUp", "P23: ")},
	{"pool/filled_queue_looks_empty", in("pool/queue.go", "room.StealBatch").
		replace("if r.queue.n == 0 { r.filled.Store(false) }", "r.filled.Store(false)"),
		own("TestQueueAgainstSlice", "I4: ")},
	{"pool/empty_queue_looks_filled", in("pool/queue.go", "room.StealBatch").drop("if r.queue.n == 0 {"),
		own("TestQueueAgainstSlice", "I4: ")},
	{"pool/long_queue_stays", in("pool/queue.go", "queue.pop").
		replace("q.ring, q.first = nil, 0", "q.first = 0"), own("TestQueueShrinks", "P8: ")},
	{"pool/ended_group_keeps", in("pool/group.go", "Group.Spawn").replace("g.ctx.Err() != nil", "false"),
		own("TestEndedGroupKeepsNothing", "P24: ")},
	{"pool/room_for_one_is_for_all", in("pool/queue.go", "room.offer").
		replace("r.take(len(jobs))", "r.take(1)"), own("TestQueueLimit/full", "P23: ")},
	{"pool/room_for_hosted", in("pool/submit.go", "Pool.accept").drop("if p.host(&j.Job) {").
		andIn("pool/submit.go", "Pool.queue").replace("if !room.offer(&j.Job) { return ErrFull }",
		"if !room.try(1) { return ErrFull }; if p.host(&j.Job) { return nil }; room.Push(&j.Job)"),
		own("TestJobsOfSleepersTakeNoRoom", "P23: ")},
	{"pool/room_awaited_after_close", in("pool/queue.go", "room.wait").drop("if r.closed {"),
		explored(1, onPool("room_closes"), missedWake)},
	{"pool/close_leaves_waiters_for_room", in("pool/queue.go", "room.close").
		replace("_, c := range turnedAway { c.parker.Unpark()", "range turnedAway {"),
		explored(0, onPool("room_closes"), missedWake)},
	{"pool/room_lost_as_context_ends",
		in("pool/queue.go", "room.wait").replace("case c.in:", "case c.in && err == nil:"),
		explored(0, onPool("room_given_up"), missedWake)},
	{"pool/room_left_without_wake", in("pool/queue.go", "room.leave").drop("c.parker.Unpark()"),
		explored(0, onPool("room_left_or_waited_for"), missedWake)},
	{"pool/room_left_unseen",
		in("pool/queue.go", "room.wait").drop("if first := r.handOn(); first != nil {"),
		explored(3, onPool("room_left_or_waited_for"), missedWake)},
	{"pool/crowd_looked_for_before_leaving",
		in("pool/queue.go", "room.leave").replace("r.left.Add(1) if !r.crowded.Load() {",
			"crowded := r.crowded.Load(); r.left.Add(1); if !crowded {"),
		explored(2, onPool("room_left_or_waited_for"), missedWake)},
	{"pool/room_left_is_anybodys", in("pool/queue.go", "room.take").drop("if r.waiting.Len() > 0 {"),
		own("TestRoomLeftIsNotForNewcomers", "P23: ")},
	{"pool/seat_kept_after_block_in_block_here",
		in("pool/wait.go", "Worker.beginBlock").drop("w.state = blocked"), own("TestBlockHere", "P31: ")},
	{"pool/block_here_in_itself", in("pool/wait.go", "Worker.block").replace("|| w.state == blocked", ""),
		own("TestBlockHere", "P31: ")},
	{"pool/block_of_a_job_that_waits", in("pool/wait.go", "Worker.Block").drop("w.checkJob()"),
		own("TestAstray", "P29: ")},
	{"pool/nil_in_block", in("pool/wait.go", "Worker.Block").never("fn == nil"), own("TestHandedNil", "P29: ")},
	{"pool/nil_in_block_here", in("pool/wait.go", "BlockHere").never("fn == nil"), own("TestHandedNil", "P29: ")},
	{"pool/nil_in_both", in("pool/fork.go", "Both").never("a == nil || b == nil"), own("TestHandedNil", "P29: ")},
	{"pool/scope_of_a_job_that_waits", in("pool/scope.go", "Worker.Scope").drop("w.checkJob()"),
		own("TestAstray", "P29: ")},
	{"pool/join_of_a_job_that_waits", in("pool/handle.go", "Handle.Join").drop("w.checkJob()"),
		own("TestAstray", "P6: ")},
	{"pool/room_for_the_last",
		in("pool/queue.go", "room.wait").replace("r.waiting.PushBack(c)", "r.waiting.PushFront(c)"),
		explored(0, onPool("room_in_order"), "P23: caller")},
	{"pool/room_awaited_with_seat", in("pool/submit.go", "admit").
		drop("defer workerHere().block()()"), explored(0, onPool("room_for_job"), missedWake)},
	{"pool/seat_regained_with_room", in("pool/wait.go", "Worker.block").
		replace("w.seat != nil", "true"), own("TestBlockHereTakesNoSeat", "P31: ")},
	{"pool/submitted_begins_after_context",
		in("pool/handle.go", "Handle.under").drop("if err := ctx.Err(); err != nil {"),
		explored(0, onPool("submit_context_or_run"), "P20: a job began whose context had ended")},
	{"pool/error_lost_with_result",
		in("pool/submit.go", "SubmitErr").replace("if err != nil", "if err != nil && err != ErrClosed"),
		own("TestErrorsComeBack/Wait", "P1: ")},
	{"pool/batch_not_recalled",
		in("pool/search.go", "seat.dequeue").drop("s.pool.recall(batch[begun:n]...)"),
		explored(1, onPool("shutdown_beside_batch_and_heir"), missedWake)},
	{"pool/taken_along_not_recalled", in("pool/search.go", "seat.takeAlong").drop("s.pool.recall(j)"),
		explored(1, onPool("shutdown_beside_thief_and_heir"), missedWake)},
	{"pool/submit_all_without_post", in("pool/submit.go", "SubmitAll").
		replace("p.post(len(fns))", "p.injected.Add(uint64(len(fns))); p.call()"),
		explored(0, onPool("submit_all_meet"), missedWake)},
	{"pool/group_returns_last_error", in("pool/group.go", "Group.fail").
		replace("g.first.CompareAndSwap(nil, &err)", "g.first.Swap(&err) == nil"),
		explored(1, onPool("group_two_fail"), "P24: of two jobs that fail")},
	{"pool/group_error_ends_nothing", in("pool/group.go", "Group.fail").drop("g.end(err)"),
		explored(0, onPool("group_two_fail"), "P24: of two jobs that fail")},
	{"pool/group_error_is_no_cause",
		in("pool/group.go", "Group.fail").replace("g.end(err)", "g.end(nil)"),
		explored(0, onPool("group_two_fail"), "P24: of two jobs that fail")},
	{"pool/group_runs_all", in("pool/group.go", "member.run").never("g.ctx.Err() != nil"),
		explored(0, onPool("group_skips"), "P24: a job of a group has begun, and")},
	{"pool/group_skips_in_silence", in("pool/group.go", "member.run").drop("g.skipped.Store(true)"),
		explored(1, onPool("group_context_ends"), "P24: the context has ended")},
	{"pool/group_panic_ends_nothing",
		in("pool/group.go", "Group.try").replace("if !returned { g.end(nil) }", "_ = returned"),
		own("TestGroup/fails/workers=1", "P24: ")},
	{"pool/group_ignores_fork_left_behind", in("pool/group.go", "member.done").drop("if f != nil {"),
		explored(0, onPool("group_fork_left_behind"), "P24: a job of a group has begun, and a fork")},
	{"pool/group_context_stays_with_worker", in("pool/scope.go", "Worker.repay").
		replace("w.credit, w.carrier = credit{}, nil", "w.credit = credit{}"),
		own("TestForgotten/group", "P8: ")},
	{"pool/spawned_after_end", in("pool/scope.go", "Worker.spend").never("s.pending.Probe()"),
		own("TestGroup/misuse/workers=1", "P24: ")},
	// Groups with a limit.
	{"pool/kept_after_the_lock", in("pool/group.go", "limit.enter").
		replace("l.mu.Lock() defer l.mu.Unlock() switch { case l.free > 0:", `l.mu.Lock()
full := l.free == 0
l.mu.Unlock() // the place may become free here, and nobody look at what is kept
l.mu.Lock()
defer l.mu.Unlock()
switch {
case !full:`), explored(1, onPool("group_limit"), missedWake)},
	{"pool/place_given_to_nobody", in("pool/group.go", "member.done").drop("g.passOn(l, w)"),
		explored(0, onPool("group_limit"), missedWake)},
	{"pool/place_taken_twice", in("pool/group.go", "limit.enter").drop("l.free--"),
		own("TestGroup/limit/bound", "P24: ")},
	{"pool/place_of_the_kept_is_free",
		in("pool/group.go", "limit.leave").after("l.first, j.next = j.next, nil", "l.free++"),
		explored(1, onPool("group_limit_spawners"), "P24: two jobs run at once")},
	{"pool/newest_kept_first", in("pool/group.go", "limit.enter").
		replace("l.last.next = j", "j.next, l.first = l.first, j\nreturn false"),
		own("TestGroup/limit/order", "P24: ")},
	{"pool/kept_skipped_in_silence", in("pool/group.go", "Group.skip").drop("g.skipped.Store(true)"),
		own("TestGroup/limit/context_ends", "P24: ")},
	{"pool/kept_skipped_counts_for_ever", in("pool/group.go", "Group.skip").drop("w.earn(g.scope)"),
		own("TestGroup/limit/context_ends", "P24: ")},
	{"pool/kept_offered_to_nobody", in("pool/group.go", "Group.passOn").
		drop("g.scope.offer(w, &j.spawned)"), own("TestGroup/limit/order", "P24: ")},
	{"pool/late_limit", in("pool/group.go", "Group.noLimit").
		replace("g.limit.CompareAndSwap(nil, &unlimited) return g.limit.Load()", "return &unlimited"),
		own("TestGroup/limit/misuse", "P29: ")},
	{"pool/kept_in_Block", in("pool/scope.go", "Worker.spend").drop("if w.state == blocked {"),
		own("TestGroup/limit/misuse", "P29: ")},
	{"pool/spawned_in_Block",
		in("pool/scope.go", "Worker.spend").drop("if w.state == blocked {").andIn("pool/publish.go", "Worker.push").
			before("if !w.tryAcquire() {", "if w.state == blocked {\npanic(inBlock)\n}"),
		own("TestInsideBlock/spawn", "P29: ")},
	{"pool/publish_does_nothing", in("pool/loops.go", "Loops.Publish").drop("w.publishAll()"),
		explored(0, onPool("published_before_leaf"), missedWake)},
	{"pool/shutdown_waits_for_jobs", in("pool/close.go", "Pool.close").
		replace("prim.Go(p.end)", "p.end()"), explored(0, onPool("shutdown_races_submit"), missedWake)},
	{"pool/shutdown_leaves_deques",
		in("pool/close.go", "Pool.abandon").replace("p.victims {", "p.victims[:0] {"),
		explored(0, onPool("shutdown_beside_batch"), missedWake)},
	{"pool/shutdown_drops_forks", in("pool/close.go", "Pool.abandon").
		replace("others {", "others[:0] {"), explored(1, onPool("shutdown_beside_fork"), missedWake)},
	{"pool/accepted_behind_shutdown", in("pool/submit.go", "Pool.accept").drop("p.recall(&j.Job)"),
		explored(1, onPool("shutdown_races_submit"), missedWake)},
}
