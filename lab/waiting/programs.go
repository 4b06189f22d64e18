package waiting

// Programs must end on any pool, since they do with a goroutine for each job. Some need a
// rule of the design each.
var Programs = map[string]string{
	// Five programs that hang on an earlier draft.
	"join_runs_own_forks": `
		main: fork f; fork g; lock L; join f; unlock L; join g
		g: lock L; unlock L`,
	"scope_stops_at_stranger": `
		main: lock L; spawn j inner; spawn x outer; wait inner; unlock L; wait outer
		x: lock L; unlock L`,
	"scope_end_ignores_list": `
		main: lock L; spawn k inner; wait inner; unlock L; wait outer
		k: spawn j inner; spawn x outer
		x: lock L; unlock L
		other: lock L; unlock L`,
	"join_leapfrogs": `
		main: lock L; fork c; join c; unlock L; wait outer
		c: spawn j outer
		j: lock L; unlock L`,
	"handle_on_top": `
		main: submit h; lock L; get-before h; unlock L
		h: lock L; unlock L`,
	// rayon#592: the join takes up a job from outside that wants the same lock.
	"join_runs_strangers": `
		main: fork f; lock L; join f; unlock L
		other: lock L; unlock L`,
	"join_claims_only_its_deque": `
		main: fork a; fork b; lock L; join b; unlock L; join a
		a: lock L; unlock L
		other: lock L; unlock L`,
	"frame_reused": `main: fork f; join f; fork g; join g`,
	"seatless_end_ignores_list": `
		main: lock L; spawn k inner; wait inner; unlock L
		k: block; unblock; spawn j inner
		other: lock L; unlock L
		another: lock L; unlock L`,
	"seatless_leaves_handle": `
		main: submit h; lock L; block; unblock; get h; unlock L
		other: lock L; unlock L`,
	"end_resumes_one": `
		main: submit h; fork f; get h; join f
		f: get h`,
	// Beyond the promise: the pool has to keep its seats busy.
	"block_publishes_all": `
		main: fork g; fork f; block; await e; unblock; join f; join g
		f: signal e`,
	"block_gives_seat_away": `
		main: block; await e; unblock
		outside G: run c; signal e`,
	"run_in_block": `
		main: lock L; block; run c; unblock; unlock L
		other: lock L; unlock L`,
	"get_in_block": `
		main: submit h; lock L; block; get h; unblock; unlock L
		other: lock L; unlock L`,
	"ready_waits_for_no_seat": `
		main: lock L; block; unblock; unlock L
		other: lock L; unlock L`,
	"takes_no_woken_seat": `
		main: block; unblock; submit h; get h
		outside G: submit x`,
	"one_seat_for_one_waiter": `main: fork f; join f`,
	"park_keeps_seat_for_others": `
		main: submit h; submit k; get h
		k: get h
		h: block; await e; unblock
		outside G: run c; signal e`,
	"deadline_beside_work": `
		main: submit h; get-before h
		h: submit x`,
	"lock_over_join": `
		main: lock L; fork f; join f; unlock L
		f: fork g; join g
		other: lock L; unlock L; fork x; join x
		x: lock L; unlock L`,
	"once_cells": `
		main: fork a; fork b; join b; join a
		a: lock A; fork c; lock C; unlock C; join c; unlock A
		b: lock A; unlock A; lock C; unlock C
		c: lock C; unlock C`,
	"two_locks_in_order": `
		main: fork a; lock K; fork b; lock L; join b; unlock L; unlock K; join a
		a: lock K; fork c; lock L; unlock L; join c; unlock K`,
	"leftovers_want_lock": `
		main: fork f; fork x; fork y; lock L; join f; unlock L
		f: fork g; join g
		x: lock L; unlock L
		y: lock L; unlock L`,
	"handle_of_several": `
		main: submit h; fork a; fork b; lock L; get h; unlock L; join b; join a
		a: get h; lock L; unlock L
		b: get-before h
		h: fork c; join c`,
	"handle_ends_without_seat": `
		main: submit h; fork a; lock L; get h; unlock L; join a
		a: get h; lock L; unlock L
		h: block; unblock; fork c; join c`,
	"two_deadlines": `
		main: submit h; submit k; lock L; get-before h; get-before k; unlock L; get k
		h: lock L; unlock L
		k: lock L; unlock L; get h`,
	"scope_from_beneath": `
		main: lock L; spawn a inner; spawn b inner; wait inner; unlock L; wait outer
		a: block; lock K; unlock K; unblock; spawn x outer
		b: lock K; spawn y outer; unlock K
		x: lock L; unlock L
		y: lock K; unlock K`,
	"scope_in_scope": `
		main: spawn a S; lock L; wait S; unlock L; wait T
		a: spawn b U; spawn c T; wait U
		b: spawn d S
		c: lock L; unlock L`,
	"block_over_private_forks": `
		main: fork f; spawn a S; lock L; wait S; unlock L; join f
		f: lock L; unlock L
		a: fork g; block; await e; unblock; join g
		outside G: signal e`,
	"seatless_forks": `
		main: lock L; block; unblock; fork a; fork b; join a; unlock L; join b
		b: lock L; unlock L
		other: lock L; unlock L`,
	"seatless_scope": `
		main: lock L; block; unblock; spawn a S; wait S; unlock L
		a: spawn b S
		other: lock L; unlock L`,
	"block_for_run_from_outside": `
		main: fork f; block; await e; unblock; join f
		outside G: run c; signal e
		c: fork d; join d`,
	"all_in_block": `
		a: block; await e; unblock
		b: block; await d; unblock
		outside G: run c; signal e; signal d`,
	"run_in_job_and_in_block": `
		main: lock L; run c; block; run d; unblock; unlock L
		c: fork f; join f
		d: fork g; join g
		other: lock L; unlock L`,
	"lock_from_block": `
		main: fork f; block; lock L; unblock; join f; unlock L
		other: lock L; fork g; join g; unlock L`,
	// A worker holds credit of a scope, and comes to a job of another one that waits
	// for what follows that scope.
	"credit_before_stranger": `
		main: spawn a inner; spawn x outer; wait inner; signal e; wait outer
		x: await e`,
	// The end of a fork leaves its seat to the one that waited for it, although there
	// is credit, and a job of the scope.
	"heir_before_scope": `
		main: lock L; fork f; join f; unlock L; wait S
		f: spawn x S
		x: lock L; unlock L
		other: lock L; unlock L`,
	"scopes_in_turn": `
		main: spawn a S; wait S
		a: spawn b T; spawn c S; spawn d T; wait T; spawn e S
		b: spawn f S; spawn g T`,
	// What a seat takes along with a job never ends up above that one.
	"stolen_along_wants_lock": `
		main: spawn a S; spawn b S; spawn c S; wait S
		a: lock L; fork x; join x; unlock L
		b: lock L; unlock L
		c: lock L; unlock L`,
	"popped_is_pushed_back": `main: fork f; fork g; spawn j S; join f; wait S`,
	// Those that follow are for the model alone.
	"two_forks_in_order": `main: fork f; fork g; join f; join g`,
	"block_for_a_fork": `
		main: fork f; block; await e; unblock; join f
		f: signal e`,
	"two_forks_joined_newest_first": `main: fork f; fork g; join g; join f`,
}

// Beyond end with a goroutine for each job, and may hang on a pool: each waits, in another way
// than by a join, for a job that need not have begun, or for what waits for admission. Where
// there are seats enough a pool ends them, beyond the promise: it keeps its seats busy.
var Beyond = map[string]string{
	// A job of another scope is for any seat without work.
	"stranger_stays_public": `
		main: spawn j inner; spawn x outer; wait inner; await e; wait outer
		x: signal e`,
	"stranger_moves": `
		main: spawn a inner; spawn x outer; spawn b inner; wait inner; wait outer
		x: signal e
		b: await e`,
	// So is what was taken along.
	"stolen_along_is_posted": `
		main: spawn z S; await g; spawn a S; spawn b S; spawn c S; signal d; await f; wait S
		z: signal g; await d
		a: await e
		b: signal e; signal f`,
	"raid_ends": `
		main: spawn a S; spawn b S; spawn c S; spawn d S; await e; wait S
		d: signal e`,
	// Admission is a lock: what ends a wait waits for a seat itself.
	"run_under_lock_from_outside": `
		outside G: lock L; run c; unlock L
		other: lock L; unlock L`,
	"get_under_lock_from_outside": `
		outside G: submit h; lock L; get h; unlock L
		other: lock L; unlock L`,
	"block_under_lock_for_run": `
		main: lock L; block; await e; unblock; unlock L
		outside G: run c; signal e
		other: lock L; unlock L`,
	"wait_for_run": `
		main: await e
		outside G: run c; signal e`,
	"wait_for_job_in_block": `
		main: submit h; block; await e; unblock; signal d; get h
		h: await d
		outside G: run c; signal e`,
}
