package scenarios

// bounds are how many preemptions a program is explored with on a pool of one worker, of two and of
// three. With a negative one it is not played there: it takes too long, or needs more workers to end.
type bounds [3]int

// programs end if a Run begins when it is called, and each other job is a goroutine: so they must end on
// any pool, if each of their waits is for a join or for something that has begun. Many are named after
// the fault of a pool that would make them hang, and some hung on earlier ones.
var programs = []struct {
	name   string
	bounds bounds
	text   string
}{
	{"join_runs_own_forks", bounds{2, 2, 1}, `
		main: fork f; fork g; lock L; join f; unlock L; join g
		g: lock L; unlock L`},
	{"scope_stops_at_stranger", bounds{2, 1, -1}, `
		main: lock L; spawn j inner; spawn x outer; wait inner; unlock L; wait outer
		x: lock L; unlock L`},
	{"scope_end_ignores_list", bounds{1, 1, -1}, `
		main: lock L; spawn k inner; wait inner; unlock L; wait outer
		k: spawn j inner; spawn x outer
		x: lock L; unlock L
		other: lock L; unlock L`},
	{"join_leapfrogs", bounds{2, 1, -1}, `
		main: lock L; fork c; join c; unlock L; wait outer
		c: spawn j outer
		j: lock L; unlock L`},
	{"handle_on_top", bounds{2, 1, -1}, `
		main: submit h; lock L; get-before h; unlock L
		h: lock L; unlock L`},
	// rayon#592: the join takes up a job from outside that wants the same lock.
	{"join_runs_strangers", bounds{1, 1, -1}, `
		main: fork f; lock L; join f; unlock L
		other: lock L; unlock L`},
	{"join_claims_only_its_deque", bounds{1, 1, -1}, `
		main: fork a; fork b; lock L; join b; unlock L; join a
		a: lock L; unlock L
		other: lock L; unlock L`},
	{"frame_reused", bounds{2, 1, -1}, `main: fork f; join f; fork g; join g`},
	{"guest_end_ignores_list", bounds{1, 0, -1}, `
		main: lock L; spawn k inner; wait inner; unlock L
		k: block; unblock; spawn j inner
		other: lock L; unlock L
		another: lock L; unlock L`},
	{"guest_leaves_handle", bounds{1, 1, -1}, `
		main: submit h; lock L; block; unblock; get h; unlock L
		other: lock L; unlock L`},
	{"end_resumes_one", bounds{2, 1, 0}, `
		main: submit h; fork f; get h; join f
		f: get h`},
	// Beyond the promise: the pool has to keep its seats busy.
	{"block_publishes_all", bounds{2, 1, -1}, `
		main: fork g; fork f; block; await e; unblock; join f; join g
		f: signal e`},
	{"block_gives_seat_away", bounds{2, 2, -1}, `
		main: block; await e; unblock
		outside G: submit c; get c; signal e`},
	{"get_in_block", bounds{1, 1, -1}, `
		main: submit h; lock L; block; get h; unblock; unlock L
		other: lock L; unlock L`},
	{"ready_waits_for_no_seat", bounds{1, 2, -1}, `
		main: lock L; block; unblock; unlock L
		other: lock L; unlock L`},
	{"takes_no_woken_seat", bounds{1, 1, -1}, `
		main: block; unblock; submit h; get h
		outside G: submit x`},
	{"one_seat_for_one_waiter", bounds{2, 2, 1}, `main: fork f; join f`},
	{"park_keeps_seat_for_others", bounds{1, -1, -1}, `
		main: submit h; submit k; get h
		k: get h
		h: block; await e; unblock
		outside G: submit c; get c; signal e`},
	{"deadline_beside_work", bounds{1, 2, 1}, `
		main: submit h; get-before h
		h: submit x`},
	{"lock_over_join", bounds{1, 1, -1}, `
		main: lock L; fork f; join f; unlock L
		f: fork g; join g
		other: lock L; unlock L; fork x; join x
		x: lock L; unlock L`},
	{"once_cells", bounds{2, 1, -1}, `
		main: fork a; fork b; join b; join a
		a: lock A; fork c; lock C; unlock C; join c; unlock A
		b: lock A; unlock A; lock C; unlock C
		c: lock C; unlock C`},
	{"two_locks_in_order", bounds{2, 1, -1}, `
		main: fork a; lock K; fork b; lock L; join b; unlock L; unlock K; join a
		a: lock K; fork c; lock L; unlock L; join c; unlock K`},
	{"leftovers_want_lock", bounds{2, 1, 1}, `
		main: fork f; fork x; fork y; lock L; join f; unlock L
		f: fork g; join g
		x: lock L; unlock L
		y: lock L; unlock L`},
	{"handle_of_several", bounds{1, 0, 0}, `
		main: submit h; fork a; fork b; lock L; get h; unlock L; join b; join a
		a: get h; lock L; unlock L
		b: get-before h
		h: fork c; join c`},
	{"handle_ends_as_guest", bounds{1, 0, -1}, `
		main: submit h; fork a; lock L; get h; unlock L; join a
		a: get h; lock L; unlock L
		h: block; unblock; fork c; join c`},
	{"two_deadlines", bounds{1, 0, -1}, `
		main: submit h; submit k; lock L; get-before h; get-before k; unlock L; get k
		h: lock L; unlock L
		k: lock L; unlock L; get h`},
	{"scope_from_beneath", bounds{2, 1, -1}, `
		main: lock L; spawn a inner; spawn b inner; wait inner; unlock L; wait outer
		a: block; lock K; unlock K; unblock; spawn x outer
		b: lock K; spawn y outer; unlock K
		x: lock L; unlock L
		y: lock K; unlock K`},
	{"scope_in_scope", bounds{2, 1, -1}, `
		main: spawn a S; lock L; wait S; unlock L; wait T
		a: spawn b U; spawn c T; wait U
		b: spawn d S
		c: lock L; unlock L`},
	{"block_over_private_forks", bounds{1, 0, -1}, `
		main: fork f; spawn a S; lock L; wait S; unlock L; join f
		f: lock L; unlock L
		a: fork g; block; await e; unblock; join g
		outside G: signal e`},
	{"guest_forks", bounds{1, 1, -1}, `
		main: lock L; block; unblock; fork a; fork b; join a; unlock L; join b
		b: lock L; unlock L
		other: lock L; unlock L`},
	{"guest_scope", bounds{1, 1, -1}, `
		main: lock L; block; unblock; spawn a S; wait S; unlock L
		a: spawn b S
		other: lock L; unlock L`},
	{"all_in_block", bounds{1, 1, -1}, `
		a: block; await e; unblock
		b: block; await d; unblock
		outside G: submit c; get c; signal e; signal d`},
	{"run_in_job_and_in_block", bounds{1, 1, -1}, `
		main: lock L; run c; block; run d; unblock; unlock L
		c: fork f; join f
		d: fork g; join g
		other: lock L; unlock L`},
	{"lock_from_block", bounds{1, 0, -1}, `
		main: fork f; block; lock L; unblock; join f; unlock L
		other: lock L; fork g; join g; unlock L`},
	// A worker holds credit of a scope, and comes to a job of another one that waits
	// for what follows that scope.
	{"credit_before_stranger", bounds{1, 1, -1}, `
		main: spawn a inner; spawn x outer; wait inner; signal e; wait outer
		x: await e`},
	// The end of a fork leaves its seat to the one that waited for it, although there
	// is credit, and a job of the scope.
	{"heir_before_scope", bounds{-1, 1, -1}, `
		main: lock L; fork f; join f; unlock L; wait S
		f: spawn x S
		x: lock L; unlock L
		other: lock L; unlock L`},
	{"scopes_in_turn", bounds{2, 1, -1}, `
		main: spawn a S; wait S
		a: spawn b T; spawn c S; spawn d T; wait T; spawn e S
		b: spawn f S; spawn g T`},
	// What a seat takes along with a job never ends up above that one.
	{"stolen_along_wants_lock", bounds{-1, 1, -1}, `
		main: spawn a S; spawn b S; spawn c S; wait S
		a: lock L; fork x; join x; unlock L
		b: lock L; unlock L
		c: lock L; unlock L`},
	{"popped_is_pushed_back", bounds{2, 1, -1}, `main: fork f; fork g; spawn j S; join f; wait S`},
	{"two_forks_joined_newest_first", bounds{2, 1, 1}, `main: fork f; fork g; join g; join f`},
	// A Run waits for no seat, and so for nothing that its caller may hold.
	{"run_under_lock_from_outside", bounds{2, 2, -1}, `
		outside G: lock L; run c; unlock L
		other: lock L; unlock L`},
	{"block_under_lock_for_run", bounds{1, 1, -1}, `
		main: lock L; block; await e; unblock; unlock L
		outside G: run c; signal e
		other: lock L; unlock L`},
	{"wait_for_job_in_block", bounds{1, 1, -1}, `
		main: submit h; block; await e; unblock; signal d; get h
		h: await d
		outside G: run c; signal e`},
	{"block_for_run_from_outside", bounds{1, 0, -1}, `
		main: fork f; block; await e; unblock; join f
		outside G: run c; signal e
		c: fork d; join d`},
	// These wait, in another way than by a join, for a job that need not have begun. No promise is made for
	// them, but where there are seats enough the pool ends them, since it keeps its seats busy.
	{"get_under_lock_from_outside", bounds{-1, 1, -1}, `
		outside G: submit h; lock L; get h; unlock L
		other: lock L; unlock L`},
	// A job of another scope is for any seat without work.
	{"stranger_stays_public", bounds{-1, 1, -1}, `
		main: spawn j inner; spawn x outer; wait inner; await e; wait outer
		x: signal e`},
	{"stranger_moves", bounds{-1, 1, -1}, `
		main: spawn a inner; spawn x outer; spawn b inner; wait inner; wait outer
		x: signal e
		b: await e`},
	// So is what was taken along.
	{"stolen_along_is_posted", bounds{-1, -1, 1}, `
		main: spawn z S; await g; spawn a S; spawn b S; spawn c S; signal d; await f; wait S
		z: signal g; await d
		a: await e
		b: signal e; signal f`},
	{"raid_ends", bounds{-1, 1, -1}, `
		main: spawn a S; spawn b S; spawn c S; spawn d S; await e; wait S
		d: signal e`},
}
