package covers

import "slices"

// Why a test of others can have no equivalent.
const (
	noAsync       = "jobs are functions that run to their end: nothing is polled, woken or cancelled while it runs"
	noBlocking    = "a job that blocks keeps its worker: there is no block_in_place"
	noBroadcast   = "there is no broadcast: a job runs once, on one worker"
	noBuilder     = "workers are goroutines, and nothing of the user's runs when they start or end"
	noFIFO        = "the order of spawned jobs is not promised, and can not be chosen; that of submitted ones is in SubmitOrder"
	noGlobal      = "there is no global pool"
	noLifetimes   = "it is about lifetimes, which Go does not have"
	noMigrated    = "a job is not told whether it was stolen"
	noPanicHook   = "panics go to those who wait, and to no handler"
	noSpawnOrder  = "the order of spawned jobs is not promised"
	noThreadLocal = "goroutines have no thread-local storage"
	noYield       = "a job cannot yield"
)

// Scenarios are tests that others have.
var Scenarios = slices.Concat(rayon, tokio, saturn, golang)

// rayon has the tests of rayon-core/src, by file, those of rayon-core/tests, and
// the one of tests that is about pools.
var rayon = slices.Concat(
	from("rayon join::", []Cover{
		{Source: "sort", About: "quicksort by joins", By: suite("workers=4/Sort")},
		{Source: "sort_in_pool", About: "the same in a pool of one's own", By: suite("workers=2/Sort")},
		{Source: "panic_propagate_a", About: "the first side panics", By: suite("Panic/first", "Panic/first_stolen")},
		{Source: "panic_propagate_b", About: "the second side panics", By: suite("Panic/second", "Panic/second_stolen")},
		{Source: "panic_propagate_both", About: "both sides panic, and the first one's counts", By: suite("Panic/both", "Panic/both_stolen")},
		{Source: "panic_b_still_executes", About: "the second side runs though the first panics (here it has ended, or will never start)",
			By: slices.Concat(suite("Panic/first"), explored("panic_beside_stolen"))},
		{Source: "join_context_both", About: "outside a pool both sides are told that they were migrated", Reason: noMigrated},
		{Source: "join_context_neither", About: "on one worker neither side is", Reason: noMigrated},
		{Source: "join_context_second", About: "on two workers, with a barrier in both sides, the second is", By: suite("ForkTaken", "EveryVictim")},
		{Source: "join_counter_overflow", About: "half a million joins wrap a narrow jobs event counter",
			By: by("conformance.TestMatrix/deque=chaselev/sleep=jec_1bit/", "workers=2/Fib", "workers=2/ManyForks")},
	}),
	from("rayon scope::", []Cover{
		{Source: "scope_empty", About: "a scope in which nothing is spawned", By: suite("Scope/empty")},
		{Source: "scope_result", About: "a scope returns a value", Reason: "a scope returns nothing; its body can set a variable"},
		{Source: "scope_two", About: "two jobs", By: suite("workers=1/Scope", "workers=4/Scope")},
		{Source: "scope_divide_and_conquer", About: "jobs that spawn jobs", By: slices.Concat(suite("workers=2/Scope"), explored("scope_spawn_from_stolen"))},
		{Source: "update_tree", About: "a job for each node of a tree", By: suite("workers=2/Scope", "workers=2/AnyShape")},
		{Source: "linear_stack_growth", About: "a chain of jobs, each of which spawns the next, needs no deeper stack than one", By: suite("Scope/chain")},
		{Source: "panic_propagate_scope", About: "the body panics", By: suite("Panic/scope_body")},
		{Source: "panic_propagate_spawn", About: "a spawned job panics", By: suite("Panic/scope_spawned")},
		{Source: "panic_propagate_nested_spawn", About: "a job panics that was spawned by one that was spawned", By: suite("Panic/nested_scope_spawn")},
		{Source: "panic_propagate_nested_scope_spawn", About: "a job of a scope within a job of a scope panics", By: suite("Panic/nested_scope_spawn")},
		{Source: "panic_propagate_still_execute_1", About: "a job runs that is spawned after one that panics", By: slices.Concat(suite("Panic/scope_spawned"), explored("panic_in_scope"))},
		{Source: "panic_propagate_still_execute_2", About: "a job runs that is spawned before one that panics", By: slices.Concat(suite("Panic/scope_spawned"), explored("panic_in_scope"))},
		{Source: "panic_propagate_still_execute_3", About: "a job runs that is spawned before the body panics", By: suite("Panic/scope_body")},
		{Source: "panic_propagate_still_execute_4", About: "the body goes on though a job panics", By: suite("Panic/scope_spawned")},
		{Source: "lifo_order", About: "on one worker the newest job runs first", Reason: noSpawnOrder},
		{Source: "fifo_order", About: "on one worker the oldest job runs first", Reason: noFIFO},
		{Source: "nested_lifo_order", About: "the same in nested scopes", Reason: noSpawnOrder},
		{Source: "nested_fifo_order", About: "the same in nested scopes", Reason: noFIFO},
		{Source: "nested_lifo_fifo_order", About: "the same in nested scopes", Reason: noFIFO},
		{Source: "nested_fifo_lifo_order", About: "the same in nested scopes", Reason: noFIFO},
		{Source: "mixed_lifo_order", About: "the same in two scopes at once", Reason: noSpawnOrder},
		{Source: "mixed_fifo_order", About: "the same in two scopes at once", Reason: noFIFO},
		{Source: "mixed_lifo_fifo_order", About: "the same in two scopes at once", Reason: noFIFO},
		{Source: "mixed_fifo_lifo_order", About: "the same in two scopes at once", Reason: noFIFO},
		{Source: "static_scope", About: "a scope of static lifetime", Reason: noLifetimes},
		{Source: "static_scope_fifo", About: "a scope of static lifetime", Reason: noLifetimes},
		{Source: "mixed_lifetime_scope", About: "what is spawned borrows from outside", Reason: noLifetimes},
		{Source: "mixed_lifetime_scope_fifo", About: "what is spawned borrows from outside", Reason: noLifetimes},
		{Source: "scope_spawn_broadcast", About: "a broadcast in a scope", Reason: noBroadcast},
		{Source: "scope_fifo_spawn_broadcast", About: "a broadcast in a scope", Reason: noBroadcast},
		{Source: "scope_spawn_broadcast_nested", About: "a broadcast from a broadcast", Reason: noBroadcast},
		{Source: "scope_spawn_broadcast_barrier", About: "all workers meet in a broadcast", By: suite("FullWidth")},
		{Source: "scope_spawn_broadcast_panic_one", About: "one worker's share of a broadcast panics", Reason: noBroadcast},
		{Source: "scope_spawn_broadcast_panic_many", About: "some workers' shares of a broadcast panic", Reason: noBroadcast},
	}),
	from("rayon spawn::", []Cover{
		{Source: "spawn_then_join_in_worker", About: "a job of the pool hands a job to the pool", By: slices.Concat(suite("workers=1/Submit"), explored("joined_by_job"))},
		{Source: "spawn_then_join_outside_worker", About: "a caller from outside does", By: slices.Concat(suite("workers=1/Submit"), explored("run_and_submit"))},
		{Source: "panic_fwd", About: "the panic of a job without a waiter goes to the handler (here to the handle)", By: suite("Panic/Wait")},
		{Source: "termination_while_things_are_executing", About: "the pool is dropped while a job runs that goes on to use it", By: slices.Concat(suite("ForkWhileClosing", "CloseDrains"), explored("close_races_nested_submit"))},
		{Source: "custom_panic_handler_and_spawn", About: "the handler gets the value of the panic (here the handle does)", By: suite("Panic/Wait")},
		{Source: "custom_panic_handler_and_nested_spawn", About: "the same for jobs that a job has handed over", By: suite("Panic/nested_submit")},
		{Source: "lifo_order", About: "on one worker the newest job runs first", Reason: "submitted jobs run in the order of their submission, see SubmitOrder"},
		{Source: "fifo_order", About: "on one worker the oldest job runs first", By: suite("SubmitOrder")},
		{Source: "lifo_fifo_order", About: "jobs of both kinds spawn jobs of the other", Reason: noFIFO},
		{Source: "fifo_lifo_order", About: "jobs of both kinds spawn jobs of the other", Reason: noFIFO},
		{Source: "mixed_lifo_fifo_order", About: "jobs of both kinds by turns", Reason: noFIFO},
		{Source: "mixed_fifo_lifo_order", About: "jobs of both kinds by turns", Reason: noFIFO},
	}),
	from("rayon thread_pool::", []Cover{
		{Source: "panic_propagate", About: "a panic leaves the pool", By: suite("Panic/edge_of_Run", "Panic/edge_of_Run_stolen")},
		{Source: "workers_stop", About: "workers end with the pool, after work", By: suite("NothingLeftBehind")},
		{Source: "sleeper_stop", About: "workers end with the pool that sleep, or are about to", By: slices.Concat(explored("close_while_falling_asleep"), suite("CloseAtOnce"), by("scenarios.TestSleep/sleep=futex/", "stop"))},
		{Source: "failed_thread_stack", About: "a thread cannot be started", Reason: noBuilder},
		{Source: "panic_thread_name", About: "the function that names threads panics", Reason: noBuilder},
		{Source: "self_install", About: "a job of the only worker runs another in place", By: slices.Concat(suite("NestedRun/context", "NestedRun/no_worker"), explored("nested_run"))},
		{Source: "mutual_install", About: "from pool to pool and back, one worker each", By: slices.Concat(suite("MutualPools"), explored("mutual_pools"))},
		{Source: "mutual_install_sleepy", About: "the same while the other pool falls asleep", By: slices.Concat(suite("MutualPools", "CrossPoolBusy"), explored("mutual_pools"))},
		{Source: "check_thread_pool_new", About: "the pool has as many workers as were asked for", By: suite("FullWidth")},
		{Source: "scope_lifo_order", About: "on one worker the newest job runs first", Reason: noSpawnOrder},
		{Source: "scope_fifo_order", About: "on one worker the oldest job runs first", Reason: noFIFO},
		{Source: "spawn_lifo_order", About: "on one worker the newest job runs first", Reason: "submitted jobs run in the order of their submission, see SubmitOrder"},
		{Source: "spawn_fifo_order", About: "on one worker the oldest job runs first", By: suite("SubmitOrder")},
		{Source: "nested_scopes", About: "one thread inside ten pools of one worker, each of which then gets a job", By: suite("TenPools")},
		{Source: "nested_fifo_scopes", About: "the same in the other order", By: suite("TenPools")},
		{Source: "in_place_scope_no_deadlock", About: "a caller that is no worker blocks, and the only worker runs what it waits for", By: slices.Concat(suite("workers=1/Submit"), explored("two_waiters"))},
		{Source: "in_place_scope_fifo_no_deadlock", About: "the same in the other order", By: suite("workers=1/Submit")},
		{Source: "yield_now_to_spawn", About: "a job yields to one that was spawned", Reason: noYield},
		{Source: "yield_local_to_spawn", About: "a job yields to one that was spawned", Reason: noYield},
	}),
	from("rayon broadcast::", []Cover{
		{Source: "broadcast_global", About: "to all workers of the global pool", Reason: noBroadcast},
		{Source: "spawn_broadcast_global", About: "the same without waiting", Reason: noBroadcast},
		{Source: "broadcast_pool", About: "to all workers of a pool", Reason: noBroadcast},
		{Source: "spawn_broadcast_pool", About: "the same without waiting", Reason: noBroadcast},
		{Source: "broadcast_self", About: "from one of them", Reason: noBroadcast},
		{Source: "spawn_broadcast_self", About: "the same without waiting", Reason: noBroadcast},
		{Source: "broadcast_mutual", About: "from pool to pool and back", By: suite("MutualPools", "CrossPoolBusy")},
		{Source: "spawn_broadcast_mutual", About: "the same without waiting", Reason: noBroadcast},
		{Source: "broadcast_mutual_sleepy", About: "the same while workers fall asleep", By: slices.Concat(suite("CrossPoolBusy"), explored("mutual_pools"))},
		{Source: "spawn_broadcast_mutual_sleepy", About: "the same without waiting", Reason: noBroadcast},
		{Source: "broadcast_panic_one", About: "one worker's share panics", Reason: noBroadcast},
		{Source: "spawn_broadcast_panic_one", About: "the same without waiting", Reason: noPanicHook},
		{Source: "broadcast_panic_many", About: "some workers' shares panic", Reason: noBroadcast},
		{Source: "spawn_broadcast_panic_many", About: "the same without waiting", Reason: noPanicHook},
		{Source: "broadcast_sleep_race", About: "work for a worker that is about to fall asleep", By: slices.Concat(explored("blocked_job_jec_wraps"), by("scenarios.TestSleep/sleep=jec/", "injected_two_workers", "internal"))},
		{Source: "broadcast_after_spawn_broadcast", About: "one comes after the other", Reason: noBroadcast},
		{Source: "broadcast_after_spawn", About: "a broadcast comes after what is in the deques", Reason: noBroadcast},
	}),
	from("rayon test::", []Cover{
		{Source: "worker_thread_index", About: "workers have different numbers", By: suite("EveryVictim")},
		{Source: "start_callback_called", About: "a function is called when a worker starts", Reason: noBuilder},
		{Source: "exit_callback_called", About: "a function is called when a worker ends", Reason: noBuilder},
		{Source: "handler_panics_handled_correctly", About: "such a function panics", Reason: noBuilder},
		{Source: "check_config_build", About: "a pool is built from a configuration", By: suite("CloseAtOnce")},
		{Source: "check_error_send_sync", About: "what an error may be used for, by its type", Reason: noLifetimes},
		{Source: "configuration", About: "a configuration with everything", Reason: noBuilder},
		{Source: "default_pool", About: "a pool by default options", By: suite("workers=4/Fib")},
		{Source: "cleared_current_thread", About: "a thread that has left the pool is none of its workers", By: suite("workers=1/Fib", "CloseInJob")},
	}),
	from("rayon-core ", []Cover{
		{Source: "double_init_fail", About: "the global pool is made twice", Reason: noGlobal},
		{Source: "init_zero_threads", About: "the global pool is made with none", Reason: noGlobal},
		{Source: "scope_join", About: "join by a scope", By: suite("Scope/as_join")},
		{Source: "missing_scoped_tls", About: "thread-local values of the one who makes the pool", Reason: noThreadLocal},
		{Source: "spawn_scoped_tls_threadpool", About: "thread-local values of the one who makes the pool", Reason: noThreadLocal},
		{Source: "build_scoped_tls_threadpool", About: "thread-local values of the one who makes the pool", Reason: noThreadLocal},
		{Source: "simple_panic", About: "the second side panics", By: suite("Panic/second")},
		{Source: "stack_overflow_crash", About: "a stack that is too small ends the process, a larger one does not", By: suite("workers=1/DeepForks")},
		{Source: "use_current_thread_basic", About: "the thread that makes the pool is one of its workers (here whoever calls Run is)", By: slices.Concat(suite("ManyCallers"), explored("two_runs"))},
	}),
	from("rayon ", []Cover{
		{Source: "cross_pool_busy", About: "jobs of one pool each run one of another, which may be done before they wait", By: suite("CrossPoolBusy")},
	}),
)

// tokio has the loom tests of the multi-threaded scheduler and of its queue, in
// tokio/src/runtime/tests/loom_multi_thread.
var tokio = slices.Concat(
	from("tokio ", []Cover{
		{Source: "racy_shutdown", About: "the pool is dropped as two jobs are handed over (there the first one leaves its worker)", By: explored("close_drains", "close_races_submit")},
		{Source: "pool_multi_spawn", About: "of two jobs that jobs have spawned, the last one says so", By: regressed("pool_multi_spawn")},
		{Source: "only_blocking_without_pending", About: "a task leaves its worker to block", Reason: noBlocking},
		{Source: "only_blocking_with_pending", About: "a task leaves its worker to block, and comes back", Reason: noBlocking},
		{Source: "blocking_and_regular", About: "the same with other tasks about", By: slices.Concat(suite("BlockedJobs"), explored("blocked_job"))},
		{Source: "blocking_and_regular_with_pending", About: "the same, and the task comes back", Reason: noBlocking},
		{Source: "join_output", About: "a task is waited for", By: explored("joined_by_job", "run_and_submit")},
		{Source: "poll_drop_handle_then_drop", About: "a handle is dropped whose task runs", By: suite("CloseWithdrawn", "NestedSubmit/no_wait")},
		{Source: "complete_block_on_under_load", About: "a caller's own task ends while another keeps the only worker busy", By: slices.Concat(suite("ManyCallers"), explored("run_and_submit"))},
		{Source: "shutdown_with_notification", About: "a task waits for another one as the pool is dropped", By: slices.Concat(regressed("shutdown_with_notification"), suite("CloseWhileWaiting"))},
		{Source: "pool_shutdown", About: "the pool is dropped while tasks wait for a thread outside, and for each other", By: suite("ManyCloses", "CloseWhileWaiting")},
		{Source: "pool_multi_notify", About: "two tasks are each woken twice", By: by("scenarios.TestSleep/sleep=jec/", "two_stops", "spurious_return")},
		{Source: "join_handle_cancel_on_shutdown", About: "what is spawned after the drop is refused (here what was before runs)", By: slices.Concat(suite("RefusedAfterClose"), explored("close_races_submit"))},
		{Source: "yield_calls_park_before_scheduling_again", About: "a task that yields lets its worker poll", Reason: noAsync},
	}),
	from("tokio queue::", []Cover{
		{Source: "basic", About: "an owner pushes and pops, a thief steals", By: deques("owner_stealer", "any_owner")},
		{Source: "steal_overflow", About: "a thief is at it as the queue becomes too small", By: deques("steal_overflow")},
		{Source: "multi_stealer", About: "two thieves", By: deques("multi_stealer")},
		{Source: "chained_steal", About: "who steals from one is stolen from by another", By: by("scenarios.TestInjector/slots=1/", "chained_steal")},
	}),
)

// saturn has the DSCheck tests of Ws_deque, in test/ws_deque.
var saturn = from("saturn ", []Cover{
	{Source: "owner_stealer", About: "an owner pushes and pops, a thief steals", By: deques("owner_stealer")},
	{Source: "of_list_stealers", About: "an owner pushes one more and pops it, thieves take the oldest", By: deques("multi_stealer")},
	{Source: "popper_stealer", About: "an owner pops, thieves steal", By: deques("popper_stealer")},
	{Source: "popper_stealer_drop", About: "the same without the items", Reason: "there is no operation that takes an item and does not return it"},
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
