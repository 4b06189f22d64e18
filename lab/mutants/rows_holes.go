package mutants

// Joins out of order: each takes few steps, and moves nothing of a job that waits.
var holeRows = []Mutant{
	{"pool/row_ends_at_its_middle", at("stack.widen").drop("first = s.otherEnd(s.frameAt(hole - 1))"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/row_forgets_what_is_above", at("stack.widen").drop("last = s.otherEnd(f)"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/takes_off_a_hole_at_a_time", at("stack.pop").replace("s.head = s.otherEnd(s.frameAt(s.head - 1))", "s.head--"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/moves_at_each_join", at("stack.remove").always("2*(last+1-first) >= s.head-first"),
		own("TestJoinsAreLinear", "Holes: ")},
	{"pool/moves_too_late", at("stack.remove").replace("2*(last+1-first)", "(last+1-first)"),
		own("TestHolesAreFew", "Holes: ")},
	{"pool/moves_forks_of_who_waits", at("stack.remove").replace("s.compact(first)", "s.compact(s.bottom())"),
		own("TestJoinsOfPrograms", "what lay beneath was moved")},
	{"pool/moved_fork_stays_guarded", at("stack.compact").drop("f.seq &^= guarded"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/moved_public_fork_is_unguarded", at("stack.compact").always("i >= s.public"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/since_looks_at_each_hole", at("stack.since").replace("limit = s.otherEnd(f)", "limit--"),
		own("TestSinceOverHoles", "Holes: ")},
}
