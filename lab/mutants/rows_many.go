package mutants

// Faults of what large pools, many pools and many jobs need.
var manyRows = []Mutant{
	{"pool/pushed_out_of_view", at("Worker.publish").
		drop("w.seat.show()").and("Worker.publishUpTo").drop("s.show()"), hangs(1, "wanted_by_two")},
	{"pool/in_view_before_the_push", at("Worker.publishUpTo").
		drop("s.show()").before("s.deque.Push(&f.Job)", "s.show()").
		and("Worker.publish").drop("w.seat.show()"), hangs(1, "wanted_while_passed")},
	{"pool/passed_and_not_looked_at_again", at("Pool.pass").drop("p.view.add(n)"),
		hangs(2, "wanted_while_passed")},
	{"pool/passed_without_asking", at("Pool.pass").drop("p.want(n)"),
		own("TestSeatsWithoutJobsLeaveView", "S2: ")},
	{"pool/passed_by_who_is_at_work", at("seat.visit").replace("if want {", "if true {"),
		own("TestSeatsWithoutJobsLeaveView", "P5: ")},
	{"pool/search_passes_by_a_seat", at("view.scan").replace("(from/64 + 1) * 64", "(from/64+1)*64 + 1"),
		own("TestView", "Seats in view: ")},
	{"pool/number_of_panic_given_out_again",
		at("Worker.endRun").replace("lost = workerIDs.lose(w.number)", "workerIDs.drop(w.number)"),
		own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ")},
	{"pool/nested_number_of_panic_given_out_again",
		at("runInside").replace("lost = workerIDs.lose(number)", "workerIDs.drop(number)"),
		own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ")},
	{"pool/gives_way_to_jobs", at("Pool.patience").replace("len(p.seats)-inactive < processors", "true"),
		own("TestGivesWay", "Seats: ")},
	{"pool/gives_way_never", at("Pool.patience").replace("len(p.seats)-inactive < processors", "false"),
		own("TestGivesWay", "Seats: ")},
	{"pool/list_of_another_seat_replaced",
		at("scopeJobs.list").replace("place.CompareAndSwap(nil, made)", "place.Store(made)").
			replace("if l == nil {", "if true {"), own("TestListsOfLargePool", "P1: ")},
	{"pool/number_of_panic_lost_for_good", at("idTable.lose").drop("prim.AddCleanup(l, t.find, number)"),
		own("TestNumberOfPanicComesBack", "P8: ")},
	{"pool/frame_of_panic_used_again", at("callAs").replace("!v.large && returned", "!v.large"),
		own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ")},
	{"pool/numbers_not_given_out_again", at("idTable.drop").drop("t.free.add(number)"),
		own("TestNumbersAreGivenOutAgain", "P8: ")},
	{"pool/large_frames_kept", at("Worker.rest").replace("w.large {", "false && w.large {"),
		own("TestLargeValuesAreLetGo", "P8: ")},
	{"pool/large_frame_kept_by_the_deque", at("Worker.rest").drop("w.seat.deque.Pop()"),
		own("TestLargeValuesAreLetGo", "P8: ")},
	{"pool/large_argument_of_run_kept", at("callAs").replace("!v.large && returned", "returned"),
		own("TestLargeValuesAreLetGo", "P8: ")},
	{"pool/ended_wait_begins_job", at("Handle.Wait").replace("&& ctx.Err() == nil", ""),
		own("TestWaitWithEndedContextBeginsNothing", "P1: ")},
	{"pool/idle_workers_do_not_count", at("room.take").
		replace("r.free()+r.idle()", "r.free()"), own("TestRoomForIdleWorkers", "P23: ")},
	{"pool/room_below_zero_is_handed_on", at("room.handOn").replace("nil || r.free() <= 0", "nil"),
		own("TestRoomIsHandedOn", "P23: ")},
	{"sleep/threads_of_all_pools_unbounded", in("sleep/futex", "threads.take").
		always("t.held.Add(1) <= limit").never("t.held.Load() >= limit"),
		own("TestThreadsOfAllPools", "S12: ")},
	{"sleep/thread_kept_by_the_count", in("sleep/futex", "word.Block").drop("w.threads.leave()"),
		own("TestThreadsOfAllPools", "S12: ")},
	{"sleep/released_before_it_waits", in("sleep/futex", "word.block").
		replace("if w.state.CompareAndSwap(idle, where) {", "w.state.Store(where)\n{"),
		explored(2, onFutex("stop"), missedWake)},
	{"sleep/wakes_where_nobody_waits",
		in("sleep/futex", "word.Release").replace("case inRuntime: w.parker.Unpark()", ""),
		explored(1, "TestSleep/sleep=futex,threads=1/two_stops", missedWake)},
}
