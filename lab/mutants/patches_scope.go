package mutants

// How a scope counts what has not ended, and who begins what has not begun.
var poolScopePatches = []Patch{
	// The credit.
	{
		Name: "pool/credit_kept", File: "pool/credit.go",
		Edits: []Edit{{"	if j == nil {\n		w.repay(w)\n	}\n", ""}},
		Kills: onProgram("credit_before_stranger,seats=2"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/credit_lost_at_goexit", File: "pool/worker.go",
		Edits: []Edit{{"	w.repay(w)\n	p, s, heir", "	p, s, heir"}},
		Kills: onPool("goexit_before_spawned_without_seat"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/owner_waits_with_credit", File: "pool/scope.go",
		Edits: []Edit{{"			w.repay(nil)\n			w.wait(", "			w.wait("}},
		Also:  map[string][]Edit{"pool/dump.go": {{"	w.repay(nil)\n", ""}}},
		Kills: onProgram("scope_stops_at_stranger,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/owner_set_aside_with_credit", File: "pool/scope.go",
		Edits:    []Edit{{"			w.repay(nil)\n			w.wait(", "			w.wait("}},
		Harmless: "what it gives back as it is set aside resumes itself, at the price of a search and a seat",
		Kills:    onProgram("scope_stops_at_stranger,seats=1"), Bound: 2,
	},
	{
		Name: "pool/job_waits_with_credit", File: "pool/dump.go",
		Edits:    []Edit{{"	w.repay(nil)\n", ""}},
		Harmless: "a scope does not end before a job that holds credit of it and waits, or is in Block; only Dump is less exact",
		Kills:    onProgram("seatless_end_ignores_list,seats=1"), Bound: 1,
	},
	{
		Name: "pool/credit_given_back_twice", File: "pool/credit.go",
		Edits: []Edit{{"	w.credit, w.carrier = credit{}, nil\n	if n == 0 {", "	if n == 0 {"}},
		Kills: onProgram("scopes_in_turn,seats=1"), Says: "P14: c begins on top of a", Bound: 0,
	},
	{
		Name: "pool/own_unit_given_back_at_nesting", File: "pool/credit.go",
		Edits: []Edit{{"		w.repay(nil)\n		w.credit.scope = s\n", "		if w.credit.scope != nil {\n			w.credit.units++\n		}\n		w.repay(nil)\n		w.credit.scope = s\n"}},
		Kills: onProgram("scopes_in_turn,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/credit_taken_for_another_scope", File: "pool/credit.go",
		Edits: []Edit{{"		w.repay(nil)\n		w.credit.scope = s\n", "		w.credit.scope = s\n"}},
		Kills: onProgram("scopes_in_turn,seats=1"), Says: "latch: count ", Bound: 0,
	},
	{
		Name: "pool/outer_credit_forgotten", File: "pool/scope.go",
		Edits: []Edit{{"	w.repay(nil)\n	w.credit = credit{scope: s, list: &s.own, units: bulk}\n", "	w.credit = credit{scope: s, list: &s.own, units: bulk}\n"}},
		Kills: onProgram("scopes_in_turn,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/credit_of_one", File: "pool/credit.go",
		Edits:    []Edit{{"const bulk = 32\n", "const bulk = 1\n"}},
		Harmless: "a worker takes credit more often than pays",
		Kills:    onProgram("scopes_in_turn,seats=2"), Bound: 1,
	},
	{
		Name: "pool/spawn_counted_after_push", File: "pool/credit.go",
		Edits: []Edit{{"		s.pending.Add(bulk)\n		w.credit.units = bulk\n	}\n", "	}\n"}},
		Also: map[string][]Edit{"pool/scope.go": {
			{"	w.push(&j.Job)\n", "	w.push(&j.Job)\n	if w.credit.units < 0 {\n		s.pending.Add(bulk)\n		w.credit.units += bulk\n	}\n"},
		}},
		Kills: onPool("scope_spawn_from_stolen"), Says: "P1: when its scope is left", Bound: 2,
	},
	// What a worker goes on with.
	{
		Name: "pool/stays_although_heir_waits", File: "pool/credit.go",
		Edits: []Edit{{"w.credit.units > 0 && w.heir == nil {", "w.credit.units > 0 {"}},
		Kills: onProgram("heir_before_scope,seats=2"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/searches_although_heir_waits", File: "pool/worker.go",
		Edits: []Edit{{"	if w.seat == nil || w.heir != nil {\n", "	if w.seat == nil {\n"}},
		Kills: onPool("heir_before_stranger"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/end_ignores_scope", File: "pool/credit.go",
		Edits: []Edit{{"j == nil && s.awaited.Load() {", "false {"}},
		Kills: onProgram("scope_end_ignores_list,seats=2"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/seatless_end_ignores_scope", File: "pool/credit.go",
		Edits: []Edit{{"j == nil && s.awaited.Load() {", "j == nil && w.seat != nil && s.awaited.Load() {"}},
		Kills: onPool("spawned_without_seat"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/goexit_ignores_scope", File: "pool/worker.go",
		Edits: []Edit{{"		next := w.stay()\n", "		var next *Job\n"}},
		Kills: onPool("goexit_before_spawned_without_seat"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/awaited_after_the_list", File: "pool/scope.go",
		Edits: []Edit{
			{"	s.awaited.Store(true)\n	for", "	for"},
			{"			w.repay(nil)\n			w.wait(", "			s.awaited.Store(true)\n			w.repay(nil)\n			w.wait("},
		},
		Kills: onPool("spawned_while_owner_looks"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/next_after_credit", File: "pool/credit.go",
		Edits: []Edit{
			{"	if s := w.credit.scope; w.credit.units > 0 && w.heir == nil {\n", "	s, units, heir := w.credit.scope, w.credit.units, w.heir\n	w.repay(w)\n	if units > 0 && heir == nil && w.heir == nil {\n"},
			{"	if j == nil {\n		w.repay(w)\n	}\n", ""},
		},
		Harmless: "who ends a job takes the next one without anybody's help, so it is as if it had begun; no other ends the scope before",
		Kills:    onProgram("scope_end_ignores_list,seats=2"), Bound: 2,
	},
	// The lists.
	{
		Name: "pool/lists_of_seats_ignored", File: "pool/unbegun.go",
		Edits: []Edit{{"		if all := s.others.Load(); all != nil {\n", "		if all := s.others.Load(); all != nil && false {\n"}},
		Kills: onProgram("scope_end_ignores_list,seats=2"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/own_list_ignored", File: "pool/unbegun.go",
		Edits: []Edit{{"		return s.own.begin()\n", "		return nil\n"}},
		Kills: onProgram("scope_stops_at_stranger,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/list_forgets_what_is_below", File: "pool/unbegun.go",
		Edits: []Edit{{"		l.below, l.depth = top.unclaimed(), 1\n", "		l.below, l.depth = nil, 1\n"}},
		Kills: onPool("scope_of_many"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/prune_always", File: "pool/unbegun.go",
		Edits:    []Edit{{"const fewLinks = 64\n", "const fewLinks = 1\n"}},
		Harmless: "a list is looked at more often than pays",
		Kills:    onPool("scope_of_many"), Bound: 2,
	},
	{
		Name: "pool/prune_loses_job", File: "pool/unbegun.go",
		Edits: []Edit{
			{"const fewLinks = 64\n", "const fewLinks = 1\n"},
			{"			u.add(&link{job: l.job})\n", ""},
		},
		Kills: onPool("scope_of_many"), Says: missedWake, Bound: 2,
	},
	// The deques.
	{
		Name: "pool/scope_takes_any_job", File: "pool/unbegun.go",
		Edits: []Edit{{"	case *plain:\n		return f.scope == s\n", "	case *plain:\n		return true\n"}},
		Kills: onProgram("scope_stops_at_stranger,seats=1"), Says: "begins on top of", Bound: 0,
	},
	{
		Name: "pool/scope_stops_at_stranger", File: "pool/unbegun.go",
		Edits: []Edit{{"		return s.own.begin()\n", "		if w.seat != nil && w.seat.deque.Len() > 0 {\n			return nil\n		}\n		return s.own.begin()\n"}},
		Kills: onProgram("scope_stops_at_stranger,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/stranger_dropped", File: "pool/unbegun.go",
		Edits: []Edit{{"			s.putBack(j) // with a post, for the deque was short for a moment\n", ""}},
		Kills: onProgram("stranger_stays_public,seats=2"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/stranger_back_without_post", File: "pool/unbegun.go",
		Edits: []Edit{{"			s.putBack(j) // with a post, for the deque was short for a moment\n", "			s.deque.Push(j)\n"}},
		Kills: onPool("stranger_put_back"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/moved_stranger_dropped", File: "pool/unbegun.go",
		Edits: []Edit{{"				s.putBack(j)\n				return nil\n", "				return nil\n"}},
		Kills: onProgram("stranger_moves,seats=2"), Says: missedWake, Bound: 1,
	},
}
