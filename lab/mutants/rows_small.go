package mutants

// smallPool is the pool that others read and begin with. If one of these mutants survives,
// the programs beside it would not notice the same mistake in a pool of theirs.
const smallPool = "conformance/own/pool_test.go"

var smallRows = []Mutant{
	{"small/post_before_push", in(smallPool, "Worker.Join2").swap("w.seat.deque.Push(fork)"),
		explored(1, onSmall("jec/fork_taken"), missedWake)},
	{"small/no_post",
		in(smallPool, "Worker.Join2").replace("w.seat.pool.sleep.Post(1, wasEmpty)", "_ = wasEmpty"),
		explored(1, onSmall("jec/fork_taken"), missedWake)},
	{"small/deques_not_looked_at", in(smallPool, "Pool.hasWork").never("s.deque.Len() > 0"),
		explored(2, onSmall("futex/fork_taken"), missedWake)},
	{"small/injector_not_looked_at", in(smallPool, "Pool.hasWork").
		replace("!p.injector.Empty()", "false"), explored(2, onSmall("futex/two_submitted"), missedWake)},
	{"small/seat_lost_by_a_job_that_waits", in(smallPool, "Worker.wait").
		replace("seat.start()", "_ = seat"), explored(1, onSmall("jec/forks_after_join"), missedWake)},
	{"small/seat_with_two_goroutines",
		in(smallPool, "Worker.end").replace("return false", "return true"),
		explored(1, onSmall("futex/fork_taken"), "a latch has one waiter")},
	{"small/joiner_that_nobody_resumes", in(smallPool, "Worker.end").drop("joiner.parker.Unpark()"),
		explored(1, onSmall("jec/fork_taken"), missedWake)},
	{"small/join_that_does_not_wait", in(smallPool, "Worker.wait").always("fork.done.GetSleepy()"),
		explored(2, onSmall("jec/forks_in_forks"), "P1: fib(3)")},
	{"small/joiner_asleep_after_the_fork",
		in(smallPool, "Worker.wait").replace("!fork.done.GetSleepy() || !fork.done.FallAsleep()",
			"fork.done.GetSleepy() && !fork.done.FallAsleep() && false"),
		explored(0, onSmall("jec/fork_taken"), missedWake)},
	{"small/jobs_on_top_of_one_that_waits", in(smallPool, "Worker.wait").before("seat := w.seat",
		"for j := w.seat.search(); j != nil; j = w.seat.search() { j.run(w); j.done.Set() }"),
		explored(2, onSmall("jec/lock_across_join"), missedWake)},
	{"small/seat_not_woken_to_end", in(smallPool, "Pool.Close").drop("p.sleep.Wake(s.index)"),
		explored(0, onSmall("jec/close_races_submit"), missedWake)},
	{"small/close_does_not_wait", in(smallPool, "Pool.Close").drop("p.accepted.Wait()"),
		explored(1, onSmall("jec/close_races_submit"), missedWake)},
}

// onSmall is a program on that pool, with a sleep backend before its name.
func onSmall(program string) string { return "TestEverySchedule/sleep=" + program }
