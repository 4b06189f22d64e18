package scenarios

// programs are those of package waiting that are played on pools, by the bounds for one seat, two
// and three. A negative bound says that they are not played on as many.
var programs = []struct {
	bounds [3]int
	names  string
}{
	{[3]int{2, 2, 1}, "one_seat_for_one_waiter"},
	{[3]int{2, 2, -1}, "block_gives_seat_away"},
	{[3]int{2, 2, 1}, "join_runs_own_forks"},
	{[3]int{2, 1, 1}, "leftovers_want_lock"},
	{[3]int{2, 1, 0}, "end_resumes_one"},
	{[3]int{2, 1, -1}, `
		scope_stops_at_stranger join_leapfrogs handle_on_top frame_reused block_publishes_all
		once_cells two_locks_in_order scope_from_beneath scope_in_scope scopes_in_turn
		popped_is_pushed_back`},
	{[3]int{1, 2, 1}, "deadline_beside_work"},
	{[3]int{1, 2, -1}, "ready_waits_for_no_seat"},
	{[3]int{1, 1, -1}, `
		scope_end_ignores_list join_claims_only_its_deque seatless_leaves_handle
		run_in_block get_in_block takes_no_woken_seat lock_over_join seatless_forks seatless_scope
		all_in_block run_in_job_and_in_block credit_before_stranger
		join_runs_strangers`},
	{[3]int{1, 0, 0}, "handle_of_several"},
	{[3]int{1, 0, -1}, `
		seatless_end_ignores_list handle_ends_without_seat two_deadlines block_over_private_forks
		block_for_run_from_outside lock_from_block`},
	{[3]int{1, -1, -1}, "park_keeps_seat_for_others"},
	{[3]int{-1, 1, -1}, "heir_before_scope stolen_along_wants_lock raid_ends stranger_stays_public stranger_moves"},
	{[3]int{-1, -1, 1}, "stolen_along_is_posted"},
}
