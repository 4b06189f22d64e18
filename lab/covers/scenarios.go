package covers

import (
	"slices"
	"strings"
)

// Scenarios are tests that others have.
var Scenarios = slices.Concat(rayon, tokio, saturn, golang, without)

// rayon has the tests of rayon-core/src, by file, those of rayon-core/tests, and
// the one of tests that is about pools.
var rayon = slices.Concat(
	from("rayon join::", []Cover{
		{Source: "sort", About: "quicksort by joins", By: own("TestScope/join_of_sort/workers=2")},
		{Source: "sort_in_pool", About: "the same in a pool of one's own", By: own("TestScope/join_of_sort/workers=1")},
		{Source: "panic_propagate_a", About: "the first side panics", By: own("TestPanicOfBoth")},
		{Source: "panic_propagate_b", About: "the second side panics", By: own("TestPanicOfBoth")},
		{Source: "panic_propagate_both", About: "both sides panic, and the first one's counts", By: own("TestPanicOfBoth")},
		{Source: "panic_b_still_executes", About: "the second side runs though the first panics (here it has ended, or will never start)",
			By: slices.Concat(own("TestPanicOfBoth"), explored("panic_beside_stolen"))},
		{Source: "join_context_second", About: "on two workers, with a barrier in both sides, the second is", By: suite("ForkTaken", "EveryVictim")},
		{Source: "join_counter_overflow", About: "half a million joins wrap a narrow jobs event counter",
			By: by("conformance.TestMatrix/deque=chaselev/sleep=jec_1bit/", "workers=2/Fib", "workers=2/ManyForks")},
	}),
	from("rayon scope::", []Cover{
		{Source: "scope_empty", About: "a scope in which nothing is spawned", By: own("TestScope/empty")},
		{Source: "scope_two", About: "two jobs", By: suite("workers=1/Scope", "workers=4/Scope")},
		{Source: "scope_divide_and_conquer", About: "jobs that spawn jobs", By: slices.Concat(suite("workers=2/Scope"), explored("scope_spawn_from_stolen"))},
		{Source: "update_tree", About: "a job for each node of a tree", By: suite("workers=2/Scope")},
		{Source: "linear_stack_growth", About: "a chain of jobs, each of which spawns the next, needs no deeper stack than one", By: own("TestScope/chain")},
		{Source: "panic_propagate_scope", About: "the body panics", By: own("TestPanicOfScope")},
		{Source: "panic_propagate_spawn", About: "a spawned job panics", By: own("TestPanicOfScope")},
		{Source: "panic_propagate_nested_spawn", About: "a job panics that was spawned by one that was spawned", By: own("TestPanicTravels")},
		{Source: "panic_propagate_nested_scope_spawn", About: "a job of a scope within a job of a scope panics", By: own("TestPanicTravels")},
		{Source: "panic_propagate_still_execute_1", About: "a job runs that is spawned after one that panics", By: slices.Concat(own("TestPanicOfScope"), explored("panic_in_scope"))},
		{Source: "panic_propagate_still_execute_2", About: "a job runs that is spawned before one that panics", By: slices.Concat(own("TestPanicOfScope"), explored("panic_in_scope"))},
		{Source: "panic_propagate_still_execute_3", About: "a job runs that is spawned before the body panics", By: own("TestPanicOfScope")},
		{Source: "panic_propagate_still_execute_4", About: "the body goes on though a job panics", By: own("TestPanicOfScope")},
		{Source: "scope_spawn_broadcast_barrier", About: "all workers meet in a broadcast", By: suite("FullWidth")},
	}),
	from("rayon spawn::", []Cover{
		{Source: "spawn_then_join_in_worker", About: "a job of the pool hands a job to the pool", By: slices.Concat(suite("workers=1/Submit"), explored("joined_by_job"))},
		{Source: "spawn_then_join_outside_worker", About: "a caller from outside does", By: slices.Concat(suite("workers=1/Submit"), explored("run_and_submit"))},
		{Source: "panic_fwd", About: "the panic of a job without a waiter goes to the handler (here to the handle, and to the handler)", By: own("TestPanicTravels", "TestPanicHandler")},
		{Source: "termination_while_things_are_executing", About: "the pool is dropped while a job runs that goes on to use it", By: slices.Concat(suite("CloseDrains"), own("TestClosing/working"), explored("close_races_nested_submit"))},
		{Source: "custom_panic_handler_and_spawn", About: "the handler gets the value of the panic", By: own("TestPanicHandler", "TestPanicHandlerOfOuterPool")},
		{Source: "custom_panic_handler_and_nested_spawn", About: "the same for jobs that a job has handed over", By: own("TestPanicTravels")},
		{Source: "fifo_order", About: "on one worker the oldest job runs first", By: own("TestSubmitOrder")},
	}),
	from("rayon thread_pool::", []Cover{
		{Source: "panic_propagate", About: "a panic leaves the pool", By: own("TestRunPanicsWithOriginalValue")},
		{Source: "workers_stop", About: "workers end with the pool, after work", By: suite("NothingLeftBehind")},
		{Source: "sleeper_stop", About: "workers end with the pool that sleep, or are about to", By: slices.Concat(explored("close_while_falling_asleep"), suite("CloseAtOnce"), by("conformance/scenarios.TestSleep/sleep=futex/", "stop"))},
		{Source: "self_install", About: "a job of the only worker runs another in place", By: slices.Concat(own("TestNested/run"), explored("nested_run"))},
		{Source: "mutual_install", About: "from pool to pool and back, one worker each", By: slices.Concat(own("TestMutualPools"), explored("mutual_pools"))},
		{Source: "mutual_install_sleepy", About: "the same while the other pool falls asleep", By: slices.Concat(own("TestMutualPools", "TestPoolInForks"), explored("mutual_pools"))},
		{Source: "check_thread_pool_new", About: "the pool has as many workers as were asked for", By: suite("FullWidth")},
		{Source: "spawn_fifo_order", About: "on one worker the oldest job runs first", By: own("TestSubmitOrder")},
		{Source: "nested_scopes", About: "one thread inside ten pools of one worker, each of which then gets a job", By: own("TestWorkersBeneath")},
		{Source: "nested_fifo_scopes", About: "the same in the other order", By: own("TestWorkersBeneath")},
		{Source: "in_place_scope_no_deadlock", About: "a caller that is no worker blocks, and the only worker runs what it waits for", By: slices.Concat(suite("workers=1/Submit"), explored("two_waiters"))},
		{Source: "in_place_scope_fifo_no_deadlock", About: "the same in the other order", By: suite("workers=1/Submit")},
	}),
	from("rayon broadcast::", []Cover{
		{Source: "broadcast_mutual", About: "from pool to pool and back", By: own("TestMutualPools", "TestPoolInForks")},
		{Source: "broadcast_mutual_sleepy", About: "the same while workers fall asleep", By: slices.Concat(own("TestPoolInForks"), explored("mutual_pools"))},
		{Source: "broadcast_sleep_race", About: "work for a worker that is about to fall asleep", By: slices.Concat(explored("blocked_job_jec_wraps"), by("conformance/scenarios.TestSleep/sleep=jec/", "injected_two_workers", "internal"))},
	}),
	from("rayon test::", []Cover{
		{Source: "worker_thread_index", About: "workers have different numbers", By: suite("EveryVictim")},
		{Source: "check_config_build", About: "a pool is built from a configuration", By: suite("CloseAtOnce")},
		{Source: "default_pool", About: "a pool by default options", By: suite("workers=4/Fib")},
		{Source: "cleared_current_thread", About: "a thread that has left the pool is none of its workers", By: slices.Concat(suite("workers=1/Fib"), own("TestCloseInDeferred"))},
	}),
	from("rayon-core ", []Cover{
		{Source: "scope_join", About: "join by a scope", By: own("TestScope/as_join")},
		{Source: "simple_panic", About: "the second side panics", By: own("TestPanicOfBoth")},
		{Source: "stack_overflow_crash", About: "a stack that is too small ends the process, a larger one does not", By: suite("workers=1/DeepForks")},
		{Source: "use_current_thread_basic", About: "the thread that makes the pool is one of its workers (here each that calls Run is)", By: slices.Concat(own("TestManyCallers"), explored("two_runs"))},
	}),
	from("rayon ", []Cover{
		{Source: "cross_pool_busy", About: "jobs of one pool each run one of another, which may be done before they wait", By: own("TestPoolInForks")},
	}),
)

// tokio has the loom tests of the multi-threaded scheduler and of its queue, in
// tokio/src/runtime/tests/loom_multi_thread.
var tokio = slices.Concat(
	from("tokio ", []Cover{
		{Source: "racy_shutdown", About: "the pool is dropped as two jobs are handed over (there the first one leaves its worker)", By: explored("close_drains", "close_races_submit")},
		{Source: "pool_multi_spawn", About: "of two jobs that jobs have spawned, the last one says so", By: explored("pool_multi_spawn")},
		{Source: "only_blocking_without_pending", About: "a task leaves its worker to block", By: own("TestBlockLeaves/many")},
		{Source: "only_blocking_with_pending", About: "a task leaves its worker to block, and comes back", By: own("TestBlockLeaves/takes_a_worker_again")},
		{Source: "blocking_and_regular_with_pending", About: "the same with other tasks about", By: own("TestBlockLeaves/takes_a_worker_later", "TestBlockLeaves/for_forks")},
		{Source: "blocking_and_regular", About: "the same, and the task does not come back", By: slices.Concat(suite("BlockedJobs"), explored("blocked_job"))},
		{Source: "join_output", About: "a task is waited for", By: explored("joined_by_job", "run_and_submit")},
		{Source: "poll_drop_handle_then_drop", About: "a handle is dropped whose task runs", By: slices.Concat(own("TestClosing/queued"), own("TestNested/submit"))},
		{Source: "complete_block_on_under_load", About: "a caller's own task ends while another keeps the only worker busy", By: slices.Concat(own("TestManyCallers"), explored("run_and_submit"))},
		{Source: "shutdown_with_notification", About: "a task waits for another one as the pool is dropped", By: slices.Concat(explored("shutdown_with_notification"), own("TestClosing/working"))},
		{Source: "pool_shutdown", About: "the pool is dropped while tasks wait for a thread outside, and for each other", By: own("TestClosing/by_many", "TestClosing/working")},
		{Source: "pool_multi_notify", About: "two tasks are each woken twice", By: by("conformance/scenarios.TestSleep/sleep=jec/", "two_stops", "spurious_return")},
		{Source: "join_handle_cancel_on_shutdown", About: "what is spawned after the drop is refused (here what was before runs)", By: slices.Concat(own("TestShutdown"), explored("close_races_submit"))},
	}),
	from("tokio queue::", []Cover{
		{Source: "basic", About: "an owner pushes and pops, a thief steals", By: deques("owner_stealer", "any_owner")},
		{Source: "steal_overflow", About: "a thief is at it as the queue becomes too small", By: deques("steal_overflow")},
		{Source: "multi_stealer", About: "two thieves", By: deques("multi_stealer")},
		{Source: "chained_steal", About: "a thief steals from one queue, and another thief from the first thief's", By: by("conformance/scenarios.TestInjector/slots=1/", "chained_steal")},
	}),
)

// saturn has the DSCheck tests of Ws_deque, in test/ws_deque.
var saturn = from("saturn ", []Cover{
	{Source: "owner_stealer", About: "an owner pushes and pops, a thief steals", By: deques("owner_stealer")},
	{Source: "of_list_stealers", About: "an owner pushes one more and pops it, thieves take the oldest", By: deques("multi_stealer")},
	{Source: "popper_stealer", About: "an owner pops, thieves steal", By: deques("popper_stealer")},
	{Source: "owner_2_stealers", About: "an owner pushes and pops, two thieves steal", By: deques("owner_2_stealers")},
})

// golang has the test of the scheduler's order of stealing, in runtime.
var golang = from("Go ", []Cover{
	{Source: "TestStealOrder", About: "from wherever a thief begins, it comes to every processor (there once each, by steps coprime to their number)", By: suite("EveryVictim")},
})

// from puts the name of the project before those of its tests.
func from(project string, tests []Cover) []Cover {
	for i := range tests {
		tests[i].Source = project + tests[i].Source
	}
	return tests
}

// without has those that can have no equivalent here, with the reason.
var without = slices.Concat(
	none("a job is not told whether it was stolen", "rayon join::|join_context_both join_context_neither"),
	none("a scope returns nothing; its body can set a variable", "rayon scope::|scope_result"),
	none("the order of spawned jobs is not promised",
		"rayon scope::|lifo_order nested_lifo_order mixed_lifo_order", "rayon thread_pool::|scope_lifo_order"),
	none("the order of spawned jobs is not promised, and can not be chosen; that of submitted ones is in SubmitOrder",
		"rayon scope::|fifo_order nested_fifo_order nested_lifo_fifo_order nested_fifo_lifo_order mixed_fifo_order "+
			"mixed_lifo_fifo_order mixed_fifo_lifo_order",
		"rayon spawn::|lifo_fifo_order fifo_lifo_order mixed_lifo_fifo_order mixed_fifo_lifo_order",
		"rayon thread_pool::|scope_fifo_order"),
	none("it is about lifetimes, which Go does not have",
		"rayon scope::|static_scope static_scope_fifo mixed_lifetime_scope mixed_lifetime_scope_fifo", "rayon test::|check_error_send_sync"),
	none("there is no broadcast: a job runs once, on one worker",
		"rayon scope::|scope_spawn_broadcast scope_fifo_spawn_broadcast scope_spawn_broadcast_nested "+
			"scope_spawn_broadcast_panic_one scope_spawn_broadcast_panic_many",
		"rayon broadcast::|broadcast_global spawn_broadcast_global broadcast_pool spawn_broadcast_pool broadcast_self "+
			"spawn_broadcast_self spawn_broadcast_mutual spawn_broadcast_mutual_sleepy broadcast_panic_one "+
			"broadcast_panic_many broadcast_after_spawn_broadcast broadcast_after_spawn spawn_broadcast_panic_one "+
			"spawn_broadcast_panic_many"),
	none("submitted jobs run in the order of their submission, see SubmitOrder",
		"rayon spawn::|lifo_order", "rayon thread_pool::|spawn_lifo_order"),
	none("workers are goroutines, and nothing of the user's runs when they start or end",
		"rayon thread_pool::|failed_thread_stack panic_thread_name",
		"rayon test::|start_callback_called exit_callback_called handler_panics_handled_correctly configuration"),
	none("a job cannot yield; what is queued begins beside it", "rayon thread_pool::|yield_now_to_spawn yield_local_to_spawn"),
	none("the default pool is made when it is first asked for, by pool.Default; pool.SetDefault may replace it at any time",
		"rayon-core |double_init_fail init_zero_threads"),
	none("goroutines have no thread-local storage",
		"rayon-core |missing_scoped_tls spawn_scoped_tls_threadpool build_scoped_tls_threadpool"),
	none("jobs are functions that run to their end: nothing is polled, woken or cancelled while it runs",
		"tokio |yield_calls_park_before_scheduling_again"),
	none("there is no operation that takes an item and does not return it", "saturn |popper_stealer_drop"),
)

// none are tests of projects: each list has the name of one, and words that are the names of its tests.
func none(reason string, lists ...string) (all []Cover) {
	for _, list := range lists {
		project, names, _ := strings.Cut(list, "|")
		for _, name := range strings.Fields(names) {
			all = append(all, Cover{Source: project + name, Reason: reason})
		}
	}
	return all
}
