package mutants

// onSuite is the name of a subtest of TestPool, in the public suite, with the
// default backends.
func onSuite(subtest string) string { return "TestMatrix/deque=chaselev/sleep=jec/" + subtest }

// Faults that nobody had thought of when the tests were written, and that these
// did not notice: two kinds of a thing in place of the same twice, seats three deep,
// what comes back with something in it, contexts that outlive the call, results
// that are there already, and order.
var poolOnceUnnoticed = []Patch{
	{
		Name: "pool/panics_taken_for_the_same", File: "pool/panic.go",
		Edits: []Edit{{"	ta := reflect.TypeOf(a)\n", "	if true {\n		return true\n	}\n	ta := reflect.TypeOf(a)\n"}},
		Kills: onSuite("Panic/raised_anew"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/outsider_shares_any_waiter", File: "pool/completion.go",
		Edits: []Edit{{"return n.worker == nil && n.closed == nil && n.stop == nil }", "return n.closed == nil && n.stop == nil }"}},
		Kills: onSuite("Waiters/job_then_outsider"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/one_seat_beneath_given_up", File: "pool/identity.go",
		Edits: []Edit{{"	w.beneath.vacate()\n", "	if len(w.beneath) > 0 {\n		w.beneath[0].vacate()\n	}\n"}},
		Kills: onSuite("SeatsBeneath/workers=2"), Suite: true, Says: "P4: ",
	},
	{
		Name: "pool/one_seat_beneath_known", File: "pool/identity.go",
		Edits: []Edit{{"w.beneath = true, ws[i+1:]", "w.beneath = true, ws[i+1:min(i+2, len(ws))]"}},
		Kills: onSuite("SeatsBeneath/workers=2"), Suite: true, Says: "P4: ",
	},
	{
		Name: "pool/nested_run_knows_nothing_beneath", File: "pool/run.go",
		Edits: []Edit{{"		w.known, w.beneath = true, here.but(w)\n", ""}},
		Kills: onSuite("SeatsBeneath/workers=1"), Suite: true, Says: "P4: ",
	},
	{
		Name: "pool/run_ends_block", File: "pool/run.go",
		Edits: []Edit{{"			w.vacate()\n			w.blocked = true\n			w.waits(nil, nil)\n", ""}},
		Kills: onSuite("Block/for_callers/workers=1"), Suite: true, Says: "P19: ",
	},
	{
		Name: "pool/own_deque_not_searched", File: "pool/seat.go",
		Edits: []Edit{{"		if j := s.find(true); j != nil {", "		if j := s.search(true); j != nil {"}},
		Kills: onSuite("SpawnedInNestedRun"), Suite: true, Says: "P5: ",
	},
	{
		Name: "pool/waiter_does_not_search_own_deque", File: "pool/wait.go",
		Edits:    []Edit{{"		if j := s.find(true); j != nil {", "		if j := s.search(true); j != nil {"}},
		Harmless: "the seat is left to a goroutine that searches its deque before it sleeps",
		Kills:    onPool("private_while_waiting"), Bound: 2,
	},
	{
		Name: "pool/stack_lost_by_job_that_returns", File: "pool/job.go",
		Edits: []Edit{{"	returned = true\n	w.raised = raised\n", "	returned = true\n"}},
		Kills: onSuite("Panic/passes_job_that_returns"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/stack_lost_by_job_that_panics", File: "pool/job.go",
		Edits: []Edit{{"			w.raised = raised\n			w.discard(limit)\n", "			w.discard(limit)\n"}},
		Kills: onSuite("Panic/passes_job_that_panics"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/stack_lost_by_run", File: "pool/run.go",
		Edits: []Edit{{"	w.raised = raised\n	returned = true\n", "	returned = true\n	_ = raised\n"}},
		Kills: onSuite("Panic/passes_run"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/job_has_panic_from_beneath", File: "pool/job.go",
		Edits: []Edit{{"	w.raised = nil\n", ""}},
		Kills: onSuite("Panic/equal_from_job"), Suite: true, Says: "P12: ",
	},
	{
		Name: "pool/run_has_panic_from_beneath", File: "pool/run.go",
		Edits: []Edit{{"	raised := w.raised\n	w.raised = nil\n", "	raised := w.raised\n"}},
		Kills: onSuite("Panic/equal_from_run"), Suite: true, Says: "P12: ",
	},
	{
		Name: "pool/last_failure_of_scope", File: "pool/scope.go",
		Edits: []Edit{{"failed.CompareAndSwap(nil, f)", "failed.Store(f)"}},
		Kills: onSuite("Scope/first_failure"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/slot_of_other_type_keeps_number", File: "pool/fork.go",
		Edits: []Edit{{"	last.header().seq = 0\n", ""}},
		Kills: onSuite("JoinedTwiceAlone"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/waits_without_a_look", File: "pool/wait.go",
		Edits:    []Edit{{"	if l.Probe() {\n		return\n	}\n	w.publishAll()", "	w.publishAll()"}},
		Harmless: "what comes next looks before it gives up the seat; some forks become public in vain",
		Kills:    onPool("waiter_and_its_seat"), Bound: 2,
	},
	{
		Name: "pool/looks_out_without_a_look", File: "pool/wait.go",
		Edits: []Edit{
			{"	for !l.Probe() {\n		if j", "	for {\n		if j"},
			{"	s.found(&w.idle)\n	return true\n}", "}"},
		},
		Harmless: "nothing runs on top of the one that waits, so the look as it blocks is soon enough",
		Kills:    onPool("waiter_and_its_seat"), Bound: 2,
	},
	{
		Name: "pool/context_keeps_run", File: "pool/completion.go",
		Edits: []Edit{{"		n.stop()\n", ""}},
		Kills: onSuite("ContextOutlives/Run"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/context_keeps_waiter", File: "pool/submit.go",
		Edits: []Edit{{"			defer prim.AfterFunc(ctx, func() { n.release(nil) })()\n", "			prim.AfterFunc(ctx, func() { n.release(nil) })\n"}},
		Kills: onSuite("ContextOutlives/Wait"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/withdrawn_keeps_function", File: "pool/submit.go",
		Edits: []Edit{{"		return false\n	}\n	h.fn = nil\n", "		return false\n	}\n"}},
		Kills: onSuite("Forgotten/withdrawn"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/spawned_keeps_failure", File: "pool/scope.go",
		Edits: []Edit{{"	if f != nil {\n		s.failed.Store(nil)\n	}\n", ""}},
		Kills: "TestEndedJobsReferToNothing", Own: true, Says: "P8: panic of a spawned job",
	},
	{
		Name: "pool/spawned_keeps_function", File: "pool/scope.go",
		Edits: []Edit{{"	j.fn = nil\n", ""}},
		Kills: "TestEndedJobsReferToNothing", Own: true, Says: "P8: function of a spawned job",
	},
	{
		Name: "pool/nil_panic_taken_for_exit", File: "pool/panic.go",
		Edits: []Edit{{"if recovered == nil && exits() {", "if recovered == nil {"}},
		Kills: onSuite("Panic/nil"), Suite: true, Says: "P2: ",
	},
	{
		Name: "pool/context_before_result", File: "pool/submit.go",
		Edits: []Edit{{"	if !h.isDone() {\n		var none R\n", "	if ctx.Err() != nil {\n		var none R\n"}},
		Kills: onSuite("Waiters/result_first"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/second_close_returns_at_once", File: "pool/shutdown.go",
		Edits: []Edit{{"	if err := s.ended.Wait(ctx); err != nil {\n", "	if err := ctx.Err(); err != nil {\n"}},
		Kills: onPool("two_closes"), Says: "P6: one of two calls of Close has returned", Bound: 0,
	},
}
