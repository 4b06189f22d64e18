package mutants

// Faults of what large pools, many pools and many jobs need.
var manyRows = []Mutant{
	{"pool/pushed_out_of_view", in("pool/publish.go", "Worker.publish").drop("w.seat.show()").
		and("Worker.publishUpTo").drop("s.show()"), explored(1, onPool("wanted_by_two"), missedWake)},
	{"pool/in_view_before_the_push",
		in("pool/publish.go", "Worker.publishUpTo").drop("if s != nil {\n\t\t\ts.show()\n\t\t}").
			before("s.deque.Push(&f.Job)", "s.show()").and("Worker.publish").drop("w.seat.show()"),
		explored(1, onPool("wanted_while_passed"), missedWake)},
	{"pool/passed_and_not_looked_at_again", in("pool/deque.go", "Pool.pass").drop("p.view.add(n)"),
		explored(2, onPool("wanted_while_passed"), missedWake)},
	{"pool/passed_without_asking", in("pool/deque.go", "Pool.pass").drop("p.want(n)"),
		own("TestSeatsWithoutJobsLeaveView", "S2: ")},
	{"pool/passed_in_view", in("pool/search.go", "seat.visit").replace("p.pass(n)", "p.want(n)"),
		own("TestSeatsWithoutJobsLeaveView", "Cost: ")},
	{"pool/passed_by_who_is_at_work", in("pool/search.go", "seat.visit").
		replace("if want {", "if true {"), own("TestSeatsWithoutJobsLeaveView", "P5: ")},
	{"pool/look_is_not_told", in("pool/deque.go", "Worker.hear").drop("w.pool.looked.add(w.seat.index)"),
		own("TestCallAsksThoseThatHaveLooked", "P32: ")},
	{"pool/look_is_told_before",
		in("pool/deque.go", "Worker.hear").drop("w.pool.looked.add(w.seat.index)").
			before("w.wanted.And(^wantLook)", "w.pool.looked.add(w.seat.index); prim.Yield()"),
		own("TestLookIsToldOf", "P32: ")},
	{"pool/calls_come_to_all", in("pool/deque.go", "Pool.call").drop("p.looked.drop(n)"),
		own("TestCallAsksThoseThatHaveLooked", "Cost: ")},
	{"pool/search_passes_by_a_seat", in("pool/deque.go", "view.scan").
		replace("(from/64 + 1) * 64", "(from/64+1)*64 + 1"), own("TestView", "Seats in view: ")},
	{"pool/told_and_woken_one_by_one", in("pool/close.go", "Pool.end").
		replace("asleep = append(asleep, seat.index)", "p.sleep.Wake(seat.index)"),
		own("TestCloseWakesEachOnce", "Cost: ")},
	{"pool/number_of_panic_given_out_again", in("pool/run.go", "Worker.endRun").
		replace("lost = workerIDs.lose(w.number)", "workerIDs.drop(w.number)"),
		own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ")},
	{"pool/nested_number_of_panic_given_out_again",
		in("pool/run.go", "runInside").replace("lost = workerIDs.lose(number)", "workerIDs.drop(number)"),
		own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ")},
	{"pool/gives_way_to_jobs", in("pool/seat.go", "Pool.patience").
		replace("len(p.seats)-inactive < processors", "true"), own("TestGivesWay", "Seats: ")},
	{"pool/gives_way_never", in("pool/seat.go", "Pool.patience").
		replace("len(p.seats)-inactive < processors", "false"), own("TestGivesWay", "Seats: ")},
	{"pool/list_for_each_of_many_seats", in("pool/scope_jobs.go", "scopeJobs.list").
		replace("min(seats, mostLists)", "seats"),
		own("TestListsOfLargePool", "Cost: ")},
	{"pool/list_of_another_seat_replaced", in("pool/scope_jobs.go", "scopeJobs.list").
		replace("place.CompareAndSwap(nil, made)", "place.Store(made)").replace("if l == nil {", "if true {"),
		own("TestListsOfLargePool", "P1: ")},
	{"pool/stack_does_not_refer_to_number",
		in("pool/spell.go", "spelled").replace("runtime.KeepAlive(b)", "_ = runtime.KeepAlive"),
		own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ").
			harmless("the frame of callAs keeps what is spoken, too, for its deferred call; but nothing promises that")},
	{"pool/number_of_panic_lost_for_good", in("pool/spell.go", "idTable.lose").
		drop("prim.AddCleanup(l, t.find, number)"), own("TestNumberOfPanicComesBack", "P8: ")},
	{"pool/frame_of_panic_used_again", in("pool/run.go", "callAs").
		replace("!v.large && returned", "!v.large"), own("TestNumberOfPanicIsNotGivenOutAgain", "P4: ")},
	{"pool/numbers_not_given_out_again", in("pool/spell.go", "idTable.drop").
		drop("t.free.add(number)"), own("TestNumbersAreGivenOutAgain", "P8: ")},
	{"pool/large_frames_kept", in("pool/stack.go", "Worker.rest").
		replace("w.large {", "false && w.large {"), own("TestLargeValuesAreLetGo", "P8: ")},
	{"pool/large_frame_kept_by_the_deque", in("pool/stack.go", "Worker.rest").drop("w.seat.deque.Pop()"),
		own("TestLargeValuesAreLetGo", "P8: ")},
	{"pool/large_argument_of_run_kept", in("pool/run.go", "callAs").
		replace("!v.large && returned", "returned"), own("TestLargeValuesAreLetGo", "P8: ")},
	{"pool/ended_wait_begins_job", in("pool/handle.go", "Handle.Wait").
		replace("&& ctx.Err() == nil", ""), own("TestWaitWithEndedContextBeginsNothing", "P1: ")},
	{"pool/idle_workers_do_not_count", in("pool/queue.go", "room.take").
		replace("free < n && free+r.idle() < n", "free < n"), own("TestRoomForIdleWorkers", "P23: ")},
	{"pool/room_below_zero_is_handed_on",
		in("pool/queue.go", "room.handOn").replace("first == nil || r.free() <= 0", "first == nil"),
		own("TestRoomBeyondTheLimitIsNotHandedOn", "P23: ")},
	{"sleep/threads_of_all_pools_unbounded", in("sleep/futex/threads.go", "threads.take").
		always("t.held.Add(1) <= limit").never("t.held.Load() >= limit"),
		own("TestThreadsOfAllPools", "S12: ")},
	{"sleep/thread_kept_by_the_count", in("sleep/futex/word.go", "word.Block").drop("w.threads.leave()"),
		own("TestThreadsOfAllPools", "S12: ")},
	{"sleep/released_before_it_waits", in("sleep/futex/word.go", "word.block").
		replace("if w.state.CompareAndSwap(idle, where) {", "w.state.Store(where)\n{"),
		explored(2, "TestSleep/sleep=futex/stop", missedWake)},
	{"sleep/wakes_where_nobody_waits",
		in("sleep/futex/word.go", "word.Release").replace("case inRuntime: w.parker.Unpark()", ""),
		explored(1, "TestSleep/sleep=futex,threads=1,bits=1/two_stops", missedWake)},
}
