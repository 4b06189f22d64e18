package mutants

// How a scope counts the jobs that have not ended, and which worker begins those that have not begun.
var poolScopeRows = []Mutant{
	// The credit.
	{"pool/credit_kept", at("Worker.nextOfScope").drop("if j == nil {"),
		explored(1, onProgram("credit_before_stranger,seats=2"), missedWake)},
	{"pool/owner_waits_with_credit", at("Scope.awaitJobs").drop("w.repayCredit(nil)").and("Worker.showWait").
		drop("w.repayCredit(nil)"), explored(0, onProgram("scope_stops_at_stranger,seats=1"), missedWake)},
	{"pool/credit_given_back_twice", at("Worker.repayCredit").drop("w.credit = credit{}"),
		explored(0, onProgram("scopes_in_turn,seats=1"), "P14: c begins on top of a")},
	{"pool/own_unit_given_back_at_nesting",
		at("Worker.holdCreditOf").before("w.repayCredit(nil)", "if w.credit.scope != nil { w.credit.units++ }"),
		explored(0, onProgram("scopes_in_turn,seats=1"), missedWake)},
	{"pool/credit_taken_for_another_scope", at("Worker.holdCreditOf").drop("w.repayCredit(nil)"),
		explored(0, onProgram("scopes_in_turn,seats=1"), "P14: ")},
	{"pool/outer_credit_forgotten", at("Worker.Scope").drop("w.repayCredit(nil)"),
		explored(0, onProgram("scopes_in_turn,seats=1"), missedWake)},
	{"pool/spawn_counted_after_push",
		at("Worker.spendCredit").replace("s.pending.Add(bulk) w.credit.units = bulk", "").and("Scope.offerJob").
			after("w.push(&j.Job)", "if w.credit.units < 0 { s.pending.Add(bulk); w.credit.units += bulk }"),
		pooled(2, "scope_spawn_from_stolen", "P1: when its scope is left")},
	// What a worker goes on with.
	{"pool/stays_although_heir_waits", at("Worker.nextOfScope").replace("&& w.successor == nil", ""),
		explored(2, onProgram("heir_before_scope,seats=2"), missedWake).shallow(tooMany)},
	{"pool/searches_although_heir_waits", at("Worker.nextJob").
		replace("w.successor != nil", "w.successor != nil && false"), hangs(0, "heir_before_stranger")},
	{"pool/end_ignores_scope", at("Worker.nextOfScope").never("j == nil && s.awaited.Load()"),
		hangs(0, "spawned_while_owner_waits")},
	{"pool/goexit_ignores_scope",
		at("Worker.work").replace("next, wasBeside := w.nextOfScope(), w", "var next *Job; wasBeside := w"),
		hangs(0, "exited_while_owner_waits")},
	{"pool/awaited_after_the_list", at("Scope.awaitJobs").drop("s.awaited.Store(true)").
		before("w.repayCredit(nil)", "s.awaited.Store(true)"), hangs(1, "spawned_while_owner_looks")},
	// The lists.
	{"pool/lists_of_seats_ignored", at("scopeJobs.each").replace("all != nil", "all != nil && false"),
		hangs(0, "spawned_while_owner_waits")},
	{"pool/own_list_ignored", at("scopeJobs.each").drop("if !yield(&s.own) {"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), missedWake)},
	{"pool/list_forgets_what_is_below", at("jobList.add").replace("top.unclaimed(),", "nil,"),
		hangs(0, "scope_of_many")},
	{"pool/prune_loses_job", at("jobList.prune").drop("u.add(&link{job: l.job})"), hangs(1, "scope_of_many")},
	// The deques.
	{"pool/scope_takes_any_job",
		at("Job.isOf").replace("*plain: return f.scope == s", "*plain: return true"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), "begins on top of")},
	{"pool/scope_stops_at_stranger", at("Scope.next").
		before("return s.jobs.begin()", "if w.seat != nil && w.seat.deque.Len() > 0 { return nil }"),
		explored(0, onProgram("scope_stops_at_stranger,seats=1"), missedWake)},
	{"pool/stranger_dropped", at("seat.takeLocalOf").drop("s.push(j)"),
		explored(0, onProgram("stranger_stays_public,seats=2"), missedWake)},
	{"pool/stranger_back_without_post", at("seat.takeLocalOf").
		replace("s.push(j) // with a post, for the deque was short for a moment", "s.deque.Push(j)"),
		hangs(1, "stranger_put_back")},
	{"pool/links_made_for_nothing", at("jobList.prune").drop("if 2*left > top.depth {"),
		own("TestAllocations", "Allocations: Scope.Spawn")},
	{"pool/context_for_each_job", at("Group.contextFor").replace("if w.credit.ctx == nil {", "{"),
		own("TestAllocations", "Allocations: Group.Spawn")},
	{"pool/moved_stranger_dropped", at("seat.stealOf").drop("s.push(j)"),
		explored(1, onProgram("stranger_moves,seats=2"), missedWake)},
}
