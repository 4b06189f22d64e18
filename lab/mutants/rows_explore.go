package mutants

// The explorer finds what it is made to find as long as its twins do what the originals do, and
// know what is before what. If one of these mutants survived, a fault could pass for none.
const (
	twinLang    = "explore/twin/lang"
	twinSync    = "explore/twin/sync"
	twinAtomic  = "explore/twin/atomic"
	twinTime    = "explore/twin/time"
	twinContext = "explore/twin/context"
)

const (
	noRaceFound = `executions pass, want "data race"`
	raceFound   = "executions: data race"
)

var exploreRows = []Mutant{
	{"explore/hand_over_wakes_nobody", in(twinLang, "take").drop("w.done = true"), own("TestHandOver", missedWake)},
	{"explore/select_takes_the_first", in(twinLang, "choose").replace("possible[drive.Choose(n)]", "possible[0]"),
		own("TestSelectChooses", `["1"]`)},
	{"explore/select_waits_in_spite_of_default", in(twinLang, "choose").replace("if hasDefault", "if false"),
		own("TestDefaultMeetsPartner", `["sent true"]`)},
	{"explore/gives_way_to_the_end", in(twinLang, "Gosched").never("times < drive.Rounds()"), own("TestGosched", "executions")},
	{"explore/send_not_before_its_receive", in(twinLang, "channel.receive").drop("acquire(w.mark)"),
		own("TestOrders", raceFound)},
	{"explore/buffered_send_not_before_its_receive", in(twinLang, "channel.receive").drop("acquire(c.values[0])"),
		own("TestOrders", raceFound)},
	{"explore/receive_not_before_the_next_send", in(twinLang, "channel.fill").drop("acquire(c.places[0])"),
		own("TestOrders", raceFound)},
	{"explore/close_not_before_its_receive", in(twinLang, "channel.receive").drop("acquire(c.closed)"),
		own("TestOrders", raceFound)},
	{"explore/close_wakes_no_receiver", in(twinLang, "closed").replace("len(c.receivers) > 0", "false"),
		own("TestOrders", raceFound)},
	{"explore/close_wakes_no_sender", in(twinLang, "closed").replace("len(c.senders) > 0", "len(c.senders) > 1"),
		own("TestClosed", "send on closed channel")},
	{"explore/copy_reads_nothing", in(twinLang, "Copy").drop("Looked(AtSlice(from[:n], fromName))"),
		own("TestPlain/copy_from", noRaceFound)},
	{"explore/append_reads_nothing", in(twinLang, "grow").drop("Looked(AtSlice(s, name))"),
		own("TestPlain/append,_grown", noRaceFound)},
	{"explore/append_writes_all", in(twinLang, "grow").replace("s[len(s):len(s)+n]", "s[:len(s)+n]"),
		own("TestPlain/append_beyond", raceFound)},
	{"explore/delete_when_it_is_deferred", in(twinLang, "Delete").before("return", "m = WriteMap(m, name)"),
		own("TestPlain/not_deleted", raceFound)},
	{"explore/range_reads_all_at_once", in(twinLang, "RangeSlice").before("return", "ReadSlice(s, name)"),
		own("TestPlain/range,_begun", raceFound)},
	{"explore/outsiders_come_between", in(twinLang, "Recv2").replace("drive.Wait(func() { v, ok = <-ch })", "v, ok = <-ch"),
		own("TestOutsider", "woken beside the execution")},
	{"explore/random_of_the_runtime", in(twinLang, "Random").replace("!drive.Driven()", "true"),
		own("TestRandom", "-1 -1 -1")},
	{"explore/assignment_not_seen", in(twinLang, "Then").replace("access(places, true)", "_ = places"),
		own("TestPlain/then", noRaceFound)},

	{"explore/pulled_by_two_at_once", in(twinLang, "puller.call").drop("drive.Access("),
		own("TestPullInTurns", `it fails without "data race: the iterator`)},
	{"explore/pulled_while_it_runs", in(twinLang, "puller.call").replace("if p.running", "if false"), own("TestPullInTurns", "called again before yield")},
	{"explore/coroutine_is_a_stranger", in(twinLang, "puller.yield").drop("drive.Resumed()"), own("TestPull", "foreign goroutine")},
	{"explore/sequence_goes_on_at_the_end", in(twinLang, "puller.yield").never("p.left"), own("TestPullLeft", "and 3 go on")},

	{"explore/unlock_not_before_lock", in(twinSync, "Mutex.Unlock").drop("drive.Release(p)"), own("TestMutex", raceFound)},
	{"explore/two_have_the_mutex", in(twinSync, "Mutex.Lock").drop("m.in().locked = true"), own("TestMutex", "it fails")},
	{"explore/try_lock_always_succeeds", in(twinSync, "Mutex.TryLock").replace("got := !s.locked", "got := true"),
		own("TestMutex", "it fails")},
	{"explore/readers_pass_a_writer_that_waits", in(twinSync, "RWMutex.RLock").replace("if s.writer", "if s.writer && s.readers == 0"),
		own("TestRWMutex", `executions pass, want "deadlock"`)},
	{"explore/reader_not_before_the_next_writer", in(twinSync, "RWMutex.RUnlock").drop("drive.Release(m.read())"),
		own("TestRWMutexOrders", raceFound)},
	{"explore/readers_that_wait_are_forgotten", in(twinSync, "RWMutex.Unlock").replace("w.release()", "_ = w"), own("TestRWMutex", "it fails")},
	{"explore/broadcast_wakes_one", in(twinSync, "Cond.Broadcast").replace("range queues[p]", "range queues[p][:min(1, len(queues[p]))]"),
		own("TestCond", missedWake)},
	{"explore/signal_wakes_all", in(twinSync, "Cond.Signal").replace("w.release()", "for _, w := range append(queues[p], w) { w.release() }"),
		own("TestCond", `executions pass, want "deadlock"`)},
	{"explore/used_before_the_execution", in(twinSync, "check").replace("*real != *new(R)", "false"), own("TestUsedBefore", "before the execution")},
	{"explore/nil_mutex_is_found_by_others", in(twinSync, "Mutex.Lock").drop("m.check()"), own("TestNil", "nil pointer")},
	{"explore/used_lock_is_not_as_new", in(twinSync, "Mutex.Unlock").drop("rest(s)"), own("TestEqual", "not as new")},
	{"explore/used_group_is_not_as_new", in(twinSync, "WaitGroup.Add").drop("rest(s)"), own("TestEqual", "not as new")},
	{"explore/lock_stays_locked", in(twinSync, "end").replace("i.forget()", "_ = i"), own("TestEqual", "is not as it was")},
	{"explore/done_not_before_wait", in(twinSync, "WaitGroup.Wait").drop("drive.Acquire(p)"), own("TestMutex", raceFound)},
	{"explore/group_below_zero", in(twinSync, "WaitGroup.Add").never("s.n < 0"), own("TestWaitGroup", "negative WaitGroup counter")},
	{"explore/group_added_to_beside_a_wait", in(twinSync, "WaitGroup.Add").drop("drive.AccessInStep(p, 1, true, true)"), own("TestWaitGroup", noRaceFound)},
	{"explore/group_used_again_beside_a_wait", in(twinSync, "WaitGroup.Wait").drop("drive.AccessInStep(p, 1, false, false)"), own("TestWaitGroup", noRaceFound)},
	{"explore/groups_are_added_to_in_turns", in(twinSync, "WaitGroup.Add").replace("1, true, true", "1, true, false"), own("TestWaitGroup", raceFound)},
	{"explore/once_does_not_wait", in(twinSync, "Once.passes").replace("!s.begun || s.done", "s == s"), own("TestOnce", "executions")},
	{"explore/once_not_before_the_others", in(twinSync, "Once.driven").drop("drive.Acquire(p)"), own("TestOnce", raceFound)},
	{"explore/pool_does_not_order", in(twinSync, "Pool.Get").drop("drive.Acquire(unsafe.Pointer(p))"), own("TestPoolOrders", raceFound)},
	{"explore/map_shows_all_that_comes", in(twinSync, "walk.next").replace("drive.Choose(len(may) + 1)", "1"), own("TestMapRange/two_come", "want")},
	{"explore/map_shows_nothing_that_comes", in(twinSync, "walk.next").replace("drive.Choose(len(may) + 1)", "0"), own("TestMapRange/two_come", "want")},
	{"explore/map_shows_a_key_twice", in(twinSync, "walk.left").replace("w.seen[it.key]", "false"), own("TestMapRange/each_comes_again", "want")},
	{"explore/map_range_notices_clear", in(twinSync, "walk.left").before("w.table.after(w.at)", "w.table = t"),
		own("TestMapRange/cleared_by_the_first", "want")},

	{"explore/atomic_store_not_before_its_load", in(twinAtomic, "step").drop("drive.Release(p)"), own("TestOrders", raceFound)},
	{"explore/swap_not_before_the_next", in(twinAtomic, "swapped").drop("drive.Release(p)"), own("TestOrders", raceFound)},
	{"explore/atomic_races_with_nothing", in(twinAtomic, "stepOn").drop("drive.AccessInStep("), own("TestOrders/load", noRaceFound)},
	{"explore/swap_races_with_nothing", in(twinAtomic, "compareAndSwap").drop("drive.AccessInStep("), own("TestOrders/swap", noRaceFound)},

	{"explore/stop_says_no", in(twinTime, "clock.stop").replace("c.remove(e) || e.due", "c.remove(e) && false"), own("TestStop", "false")},
	{"explore/stop_leaves_the_value", in(twinTime, "clock.stop").drop("lang.Drain(e.c)"), own("TestStop", "executions")},
	{"explore/timer_has_a_buffer", in(twinTime, "NewTimer").replace("lang.OfTimer(make(chan Time, 1))", "make(chan Time, 1)"), own("TestTimerLen", "executions")},
	{"explore/sleeps_end_in_any_order", in(twinTime, "clock.first").never("x.at < e.at"), own("TestAfter", "executions")},
	{"explore/loop_sleeps_for_ever", in(twinTime, "Sleep").drop("e.patient = often()"), own("TestLoops", "executions, want")},
	{"explore/short_sleeps_hold_up_long_ones", in(twinTime, "clock.first").replace("!x.patient", "true"), own("TestLoops", "executions, want")},
	{"explore/time_waits_for_ever", in(twinTime, "Now").drop("c.leap()"), own("TestSpin", "livelock")},
	{"explore/sleep_takes_no_time", in(twinTime, "clock.pass").drop("c.now = max(c.now, e.at)"), own("TestSleep", "executions")},
	{"explore/reset_does_not_begin_anew", in(twinTime, "Timer.Reset").drop("c.add(t.e, d)"), own("TestStop", missedWake)},

	{"explore/child_not_canceled", in(twinContext, "node.end").replace("c.end(err, cause)", "_ = c"), own("TestCancel", missedWake)},
	{"explore/cause_is_lost", in(twinContext, "WithCancelCause").replace("n.cancel(Canceled, cause)", "n.cancel(Canceled, nil)"),
		own("TestCancel", "executions")},
	{"explore/child_of_one_that_has_ended", in(twinContext, "follow").replace("c.end(err, cause)", "_ = cause"), own("TestCancel", missedWake)},
	{"explore/function_runs_though_stopped", in(twinContext, "after.begin").replace("first := !a.begun", "first := true"),
		own("TestAfterFunc", "executions")},

	{"explore/races_of_atomics", in("explore", "engine.access").replace("!(a.atomic && b.atomic)", "true"), own("TestDataRaces", "atomics: ")},
	{"explore/release_does_nothing", in("explore", "twins.Release").drop("join(c.hb, t.hb)"), own("TestDataRaces", "ordered: ")},
	{"explore/cleaned_up_in_the_wrong_order", in("explore", "inner.next").replace("n.cleanups[last]", "n.cleanups[0]"), own("TestCleanup", "order")},
	{"explore/failure_is_not_cleaned_up", in("explore", "inner.finish").never("len(n.cleanups) > 0"), own("TestCleanup", "fatal")},
	{"explore/held_up_without_a_word", in("explore", "engine.hold").replace("t.noted, h.any = true, true", "t.noted = true"),
		own("TestUpTo", "is held up, and it says")},
	{"explore/spins_forever", in("explore", "engine.comesTo").replace("p.idle >= rounds && p.acts == t.done() || p.times >= most", "p.idle > 1000"), own("TestSpins", "livelock")},
	{"explore/late_log_is_not_tried", in("explore", "inner.ends").never("n.e.ending"), own("TestTellsLate", "want Log in goroutine")},
	{"explore/skipped_part_skips_the_test", in("explore", "inner.call").drop("recover()"), own("TestParts", "part")},
	{"explore/output_of_all_executions", in("explore", "engine.execute").drop("e.quiet.begin()"), own("TestOutput", "lines, want")},
	{"explore/no_more_rounds", in("explore", "engine.deepen").replace("e.config.deeper <= e.config.rounds", "e.config.rounds >= 0"), own("TestUpTo", "it is not found")},
	{"explore/other_steps_not_noticed", in("explore", "engine.unsteady").replace("e.steps != r.steps", "e.steps < 0"), own("TestLastStepsDiffer", "steps")},
	{"explore/others_not_compared", in("explore", "engine.keep").never("len(e.kept) < comparisons-1"), own("TestExecutionsDiffer", "some: ")},
}
