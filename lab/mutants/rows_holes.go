package mutants

// Joins out of order: each takes few steps, and moves nothing of a job that waits.
var holeRows = []Mutant{
	{"pool/row_ends_at_its_middle", in("pool/stack.go", "stack.widen").
		drop("first = s.other(s.frameAt(hole - 1))"), own("TestJoinsOfPrograms", "P1: ")},
	{"pool/row_forgets_what_is_above", in("pool/stack.go", "stack.widen").drop("last = s.other(f)"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/takes_off_a_hole_at_a_time", in("pool/stack.go", "stack.pop").
		replace("s.head = first", "s.head--"), own("TestJoinsOfPrograms", "P1: ")},
	{"pool/gap_counts_rows", in("pool/stack.go", "stack.pop").
		replace("top.holes -= s.head - first", "top.holes--"), own("TestJoinsOfPrograms", "P1: ")},
	{"pool/moves_at_each_join", in("pool/stack.go", "stack.remove").always("g.holes*2 >= s.head-g.from"),
		own("TestJoinsAreLinear", "Holes: ")},
	{"pool/moves_too_late", in("pool/stack.go", "stack.remove").replace("g.holes*2", "g.holes"),
		own("TestJoinsAreLinear", "Holes: ")},
	{"pool/moves_forks_of_who_waits",
		in("pool/stack.go", "stack.gapOf").replace("s.gaps[n-1].newest >= number", "true"),
		own("TestJoinsAboveHoles", "what lay beneath was moved")},
	{"pool/each_hole_a_gap", in("pool/stack.go", "stack.gapOf").
		replace("s.gaps[n-1].newest >= number", "false"), own("TestJoinsOfPrograms", "P1: ")},
	{"pool/two_change_places_above_a_hole", in("pool/stack.go", "stack.remove").
		replace("&& !s.overHole(f.position)", ""), own("TestJoinsOfPrograms", "P1: ")},
	{"pool/gap_as_old_as_its_fork", in("pool/stack.go", "stack.gapOf").
		replace("newest: s.seq", "newest: number"), own("TestJoinsOfPrograms", "P1: ")},
	{"pool/moved_fork_stays_guarded", in("pool/stack.go", "stack.compact").drop("f.seq &^= guarded"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/moved_public_fork_is_unguarded", in("pool/stack.go", "stack.compact").always("i >= s.public"),
		own("TestJoinsOfPrograms", "P1: ")},
	{"pool/since_looks_at_each_hole", in("pool/stack.go", "stack.since").
		replace("limit = s.other(f)", "limit--"), own("TestSinceOverHoles", "Holes: ")},
}
