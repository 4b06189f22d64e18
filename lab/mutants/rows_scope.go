package mutants

// How a scope counts what has not ended, and who begins what has not begun.
var poolScopeRows = []Mutant{
	// The credit.
	{"pool/credit_kept", in("pool/scope.go", "Worker.stay").drop("if j == nil {"),
		explored(1, onProgram("credit_before_stranger,seats=2"), missedWake)},
	{"pool/credit_lost_at_goexit", in("pool/work.go", "Worker.retire").drop("w.repay(w)"),
		explored(0, onPool("goexit_before_spawned_without_seat"), missedWake)},
	{"pool/owner_waits_with_credit", in("pool/scope.go", "Scope.await").
		drop("w.repay(nil)").andIn("pool/wait.go", "Worker.waits").drop("w.repay(nil)"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), missedWake)},
	{"pool/owner_set_aside_with_credit", in("pool/scope.go", "Scope.await").drop("w.repay(nil)"),
		explored(2, onProgram("scope_stops_at_stranger,seats=1"), "").
			harmless("what it gives back as it is set aside resumes itself, at the price of a search and a seat")},
	{"pool/job_waits_with_credit", in("pool/wait.go", "Worker.waits").drop("w.repay(nil)"),
		explored(1, onProgram("seatless_end_ignores_list,seats=1"), "").
			harmless("a scope does not end before a job that holds credit of it and waits, or is in Block; only Dump is less exact")},
	{"pool/credit_given_back_twice",
		in("pool/scope.go", "Worker.repay").drop("w.credit, w.carrier = credit{}, nil"),
		explored(0, onProgram("scopes_in_turn,seats=1"), "P14: c begins on top of a")},
	{"pool/own_unit_given_back_at_nesting", in("pool/scope.go", "Worker.hold").
		before("w.repay(nil)", "if w.credit.scope != nil { w.credit.units++ }"),
		explored(0, onProgram("scopes_in_turn,seats=1"), missedWake)},
	{"pool/credit_taken_for_another_scope", in("pool/scope.go", "Worker.hold").drop("w.repay(nil)"),
		explored(0, onProgram("scopes_in_turn,seats=1"), "latch: count ")},
	{"pool/outer_credit_forgotten", in("pool/scope.go", "Worker.Scope").drop("w.repay(nil)"),
		explored(0, onProgram("scopes_in_turn,seats=1"), missedWake)},
	{"pool/credit_of_one", in("pool/scope.go", "Worker.spend").
		replace("s.pending.Add(bulk) w.credit.units = bulk", "s.pending.Add(1); w.credit.units = 1").
		andIn("pool/scope.go", "Worker.Scope").replace("units: bulk", "units: 1").
		replace("1 + bulk", "1 + 1"), explored(1, onProgram("scopes_in_turn,seats=2"), "").
		harmless("a worker takes credit more often than pays")},
	{"pool/spawn_counted_after_push", in("pool/scope.go", "Worker.spend").
		replace("s.pending.Add(bulk) w.credit.units = bulk", "").andIn("pool/scope.go", "Scope.spawn").
		after("w.push(&j.Job)", "if w.credit.units < 0 { s.pending.Add(bulk); w.credit.units += bulk }"),
		explored(2, onPool("scope_spawn_from_stolen"), "P1: when its scope is left")},
	// What a worker goes on with.
	{"pool/stays_although_heir_waits", in("pool/scope.go", "Worker.stay").
		replace("&& w.successor == nil", ""), explored(2, onProgram("heir_before_scope,seats=2"), missedWake)},
	{"pool/searches_although_heir_waits",
		in("pool/work.go", "Worker.following").replace("w.successor != nil", "w.successor != nil && false"),
		explored(0, onPool("heir_before_stranger"), missedWake)},
	{"pool/end_ignores_scope", in("pool/scope.go", "Worker.stay").never("j == nil && s.awaited.Load()"),
		explored(2, onProgram("scope_end_ignores_list,seats=2"), missedWake)},
	{"pool/seatless_end_ignores_scope", in("pool/scope.go", "Worker.stay").
		replace("j == nil && s.awaited", "j == nil && w.seat != nil && s.awaited"),
		explored(0, onPool("spawned_without_seat"), missedWake)},
	{"pool/goexit_ignores_scope", in("pool/work.go", "Worker.work").
		replace("next, beside := w.stay(), w.origin == fromQueue", "var next *Job; beside := w.origin == fromQueue"),
		explored(0, onPool("goexit_before_spawned_without_seat"), missedWake)},
	{"pool/awaited_after_the_list", in("pool/scope.go", "Scope.await").
		drop("s.awaited.Store(true)").before("w.repay(nil)", "s.awaited.Store(true)"),
		explored(2, onPool("spawned_while_owner_looks"), missedWake)},
	{"pool/next_after_credit",
		in("pool/scope.go", "Worker.stay").replace("if s := w.credit.scope; w.credit.units > 0",
			`s, units, successor := w.credit.scope, w.credit.units, w.successor
w.repay(w)
if units > 0 && successor == nil`).drop("if j == nil {"),
		explored(2, onProgram("scope_end_ignores_list,seats=2"), "").
			harmless("who ends a job takes the next one without anybody's help, so it is as if it had begun; no other ends the scope before").
			long()},
	// The lists.
	{"pool/lists_of_seats_ignored",
		in("pool/scope_jobs.go", "scopeJobs.lists").replace("all != nil", "all != nil && false"),
		explored(2, onProgram("scope_end_ignores_list,seats=2"), missedWake)},
	{"pool/own_list_ignored", in("pool/scope_jobs.go", "scopeJobs.begin").replace("return s.own.begin()", "return nil"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), missedWake)},
	{"pool/list_forgets_what_is_below", in("pool/scope_jobs.go", "jobList.add").
		replace("top.unclaimed(),", "nil,"), explored(0, onPool("scope_of_many"), missedWake)},
	{"pool/prune_always", in("pool/scope_jobs.go", "jobList.add").replace("max(fewLinks", "max(1"),
		explored(2, onPool("scope_of_many"), "").
			harmless("a list is looked at more often than pays").long()},
	{"pool/prune_loses_job", in("pool/scope_jobs.go", "jobList.add").
		replace("max(fewLinks", "max(1").and("jobList.prune").drop("u.add(&link{job: l.job})"),
		explored(2, onPool("scope_of_many"), missedWake)},
	// The deques.
	{"pool/scope_takes_any_job",
		in("pool/scope.go", "Job.isOf").replace("*plain: return f.scope == s", "*plain: return true"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), "begins on top of")},
	{"pool/scope_stops_at_stranger", in("pool/scope.go", "Scope.next").
		before("return s.jobs.begin(from)", "if w.seat != nil && w.seat.deque.Len() > 0 { return nil }"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), missedWake)},
	{"pool/stranger_dropped", in("pool/scope.go", "seat.takeOf").drop("s.putBack(j)"),
		explored(0, onProgram("stranger_stays_public,seats=2"), missedWake)},
	{"pool/stranger_back_without_post", in("pool/scope.go", "seat.takeOf").
		replace("s.putBack(j) // with a post, for the deque was short for a moment", "s.deque.Push(j)"),
		explored(1, onPool("stranger_put_back"), missedWake)},
	{"pool/moved_stranger_dropped", in("pool/scope.go", "seat.visitFor").drop("s.putBack(j)"),
		explored(1, onProgram("stranger_moves,seats=2"), missedWake)},
}
