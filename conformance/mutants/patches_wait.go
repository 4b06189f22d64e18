package mutants

// onProgram is the name of a program of the model, played on a pool of so many
// seats, as onPool is of a scenario.
func onProgram(program string) string { return "TestPrograms/sleep=futex/" + program }

// What a job does while it waits, and who resumes it. The faults of the model in
// conformance/internal/waiting are among them.
var poolWaitPatches = []Patch{
	{
		Name: "pool/wait_runs_its_own_deque", File: "pool/wait.go",
		Edits: []Edit{{"		if j := s.find(true); j != nil {\n", "		if j := s.take(); j != nil {\n			b.Found(&w.idle)\n			w.execute(j)\n			return w.seat != nil && w.lookOut(l)\n		}\n		if j := s.find(true); j != nil {\n"}},
		Kills: onProgram("join_runs_own_forks,seats=2"), Says: "begins on top of", Bound: 2,
	},
	{
		Name: "pool/wait_runs_strangers", File: "pool/wait.go",
		Edits: []Edit{{"			w.rise().start(j)\n			if !w.known {\n				prim.Yield() // the job first, then the look at the stack\n			}\n			return false\n", "			w.execute(j)\n			return w.seat != nil && w.lookOut(l)\n"}},
		Kills: onProgram("join_runs_strangers,seats=2"), Says: "other begins on top of main", Bound: 2,
	},
	{
		Name: "pool/handle_on_top", File: "pool/submit.go",
		Edits: []Edit{{"			w.publishAll()\n			if w.seat != nil {\n				w.rise().start(&h.job)\n			} else {\n				h.pool.start(&h.job)\n			}\n			w.setAside(&n.latch, &h.job, nil)\n", "			w.execute(&h.job)\n"}},
		Kills: onProgram("handle_on_top,seats=1"), Says: "h begins on top of main", Bound: 0,
	},
	{
		Name: "pool/seatless_leaves_handle", File: "pool/submit.go",
		Edits: []Edit{{"		if h.begin(w) {\n			w.publishAll()\n", "		if w.seat != nil && h.begin(w) {\n			w.publishAll()\n"}},
		Kills: onProgram("seatless_leaves_handle,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/blocked_leaves_handle", File: "pool/submit.go",
		Edits: []Edit{{"		if h.begin(w) {\n			h.pool.start(&h.job)\n		}\n", ""}},
		Kills: onProgram("get_in_block,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/run_in_block_asks_for_admission", File: "pool/run.go",
		Edits: []Edit{{"	here := workersHere()\n	if here.in(p) != nil {", "	here := workersHere()\n	if w := here.in(p); w != nil && !w.blocked {"}},
		Kills: onProgram("run_in_block,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/scope_looks_at_its_own_deque", File: "pool/scope.go",
		Edits: []Edit{{"		j := s.next()\n		if j == nil {\n", "		var j *Job\n		if w.seat != nil {\n			j = w.seat.pop()\n		}\n		if j != nil {\n			if f, ok := j.task.(*spawned); !ok || f.scope != s || !j.begin() {\n				w.seat.push(j)\n				j = nil\n			}\n		}\n		if j == nil {\n"}},
		Kills: onProgram("scope_stops_at_stranger,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/end_ignores_scope", File: "pool/scope.go",
		Edits: []Edit{{"w != owner && s.awaited.Load()", "false"}},
		Kills: onProgram("scope_end_ignores_list,seats=2"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/seatless_end_ignores_scope", File: "pool/scope.go",
		Edits: []Edit{{"w != owner && s.awaited.Load()", "w != owner && w.seat != nil && s.awaited.Load()"}},
		Kills: onPool("spawned_without_seat"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/awaited_after_the_list", File: "pool/scope.go",
		Edits: []Edit{
			{"	s.awaited.Store(true)\n	for", "	for"},
			{"			w.wait(&s.pending, nil, s)\n", "			s.awaited.Store(true)\n			w.wait(&s.pending, nil, s)\n"},
		},
		Kills: onPool("spawned_while_owner_looks"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/next_after_pending", File: "pool/scope.go",
		Edits: []Edit{
			{"	if w != owner && s.awaited.Load() {\n		w.next = s.next()\n	}\n", ""},
			{"	if s.pending.Set() {\n		owner.rouse(w)\n	}\n}", "	if s.pending.Set() {\n		owner.rouse(w)\n	} else if w != owner && s.awaited.Load() {\n		w.next = s.next()\n	}\n}"},
		},
		Harmless: "who ends a job takes the next one without anybody's help, so it is as if it had begun; no other ends the scope before",
		Kills:    onProgram("scope_end_ignores_list,seats=2"), Bound: 2,
	},
	{
		Name: "pool/prune_always", File: "pool/scope.go",
		Edits:    []Edit{{"const fewLinks = 64\n", "const fewLinks = 1\n"}},
		Harmless: "a list is looked at more often than pays",
		Kills:    onPool("scope_of_many"), Bound: 2,
	},
	{
		Name: "pool/prune_loses_job", File: "pool/scope.go",
		Edits: []Edit{
			{"const fewLinks = 64\n", "const fewLinks = 1\n"},
			{"			s.list(&link{job: l.job})\n", ""},
		},
		Kills: onPool("scope_of_many"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/parks_on_its_own_latch", File: "pool/wait.go",
		Edits: []Edit{{"			w.tuckIn()\n", "			b.Park(&w.idle, l, func() bool { return true })\n			w.tuckIn()\n"}},
		Kills: onProgram("park_keeps_seat_for_others,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/waiter_counted_as_sleeping", File: "pool/wait.go",
		Edits: []Edit{
			{"	\"github.com/rouse-go/rouse/api/prim\"\n", "	\"github.com/rouse-go/rouse/api/prim\"\n	\"github.com/rouse-go/rouse/latch\"\n"},
			{"			w.tuckIn()\n", "			b.Park(&w.idle, new(latch.Core), func() bool { return true })\n			w.tuckIn()\n"},
		},
		Kills: onProgram("park_keeps_seat_for_others,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/waiter_stays_counted", File: "pool/wait.go",
		Edits: []Edit{{"	b.Found(&w.idle)\n	return true\n", "	return true\n"}},
		Kills: onPool("waiter_and_its_seat"), Says: "counters: inactive 2 + 1 of 2 workers", Bound: 3,
	},
	{
		Name: "pool/parks_without_look", File: "pool/wait.go",
		Edits: []Edit{{"	if !l.GetSleepy() || !l.FallAsleep() {\n		w.regain()\n		return\n	}\n", "	if l.GetSleepy() {\n		l.FallAsleep()\n	}\n"}},
		Kills: onPool("waiter_and_its_seat"), Says: missedWake, Bound: 3,
	},
	{
		Name: "pool/two_seats_for_one", File: "pool/wait.go",
		Edits: []Edit{{"		w.resume(s)\n		return\n	}\n	if by", "		w.resume(s)\n	}\n	if by"}},
		Kills: onPool("waiter_and_its_seat"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/heir_forgotten", File: "pool/worker.go",
		Edits: []Edit{{"	if heir != nil {\n", "	if heir != nil && s == nil {\n"}},
		Kills: onProgram("end_resumes_one,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/second_heir", File: "pool/wait.go",
		Edits: []Edit{{" && by.heir == nil {", " {"}},
		Kills: onProgram("park_keeps_seat_for_others,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/heir_of_other_pool", File: "pool/wait.go",
		Edits: []Edit{{"by.pool == w.pool && ", ""}},
		Kills: onPool("handle_of_other_pool"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/one_waiter_resumed", File: "pool/completion.go",
		Edits: []Edit{{"		n.release(by)\n		n = next\n", "		n.release(by)\n		if n = nil; next != nil && next.worker == nil {\n			n = next\n		}\n"}},
		Kills: onProgram("end_resumes_one,seats=2"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/ready_waits_for_seat", File: "pool/seat.go",
		Edits: []Edit{{"	if s := w.pool.borrow(); s != nil {\n		w.sit(s)\n	} else {\n		w.pool.loose.seatless.Add(1)\n	}\n", "	for w.seat == nil {\n		if s := w.pool.borrow(); s != nil {\n			w.sit(s)\n		}\n		prim.Yield()\n	}\n"}},
		Kills: onProgram("ready_waits_for_no_seat,seats=1"), Says: "livelock", Bound: 1,
	},
	{
		Name: "pool/block_publishes_nothing", File: "pool/seat.go",
		Edits: []Edit{{"	w.publishAll()\n	if w.seat != nil {\n		w.rise().dispose()\n", "	if w.seat != nil {\n		w.rise().dispose()\n"}},
		Kills: onProgram("block_publishes_all,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/block_keeps_seat", File: "pool/wait.go",
		Edits: []Edit{{"	w.vacate()\n	// fn", "	w.publishAll()\n	// fn"}},
		Kills: onProgram("block_gives_seat_away,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/block_keeps_seats_beneath", File: "pool/wait.go",
		Edits: []Edit{{"	w.vacateBeneath()\n	w.blocked", "	w.blocked"}},
		Kills: onPool("block_over_two_pools"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/close_keeps_seats_beneath", File: "pool/shutdown.go",
		Edits: []Edit{{"		here.vacate()\n", ""}},
		Kills: onPool("close_of_other_pool"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/queued_run_keeps_seats_beneath", File: "pool/run.go",
		Edits: []Edit{{"	here.vacate()\n", ""}},
		Kills: onPool("mutual_pools"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/departs_without_seat_beneath", File: "pool/run.go",
		Edits:    []Edit{{"	if len(beneath) > 0 {\n		beneath[0].regain()\n	}\n", "	_ = beneath\n"}},
		Harmless: "the job beneath goes on without a seat, as any may, and takes one at its next fork",
		Kills:    onPool("seat_held_by_waiter"), Bound: 1,
	},
	{
		Name: "pool/goexit_loses_next", File: "pool/worker.go",
		Edits: []Edit{{"			s.start(next)\n", "			s.dispose()\n"}},
		Kills: onPool("goexit_before_spawned"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/goexit_loses_next_without_seat", File: "pool/worker.go",
		Edits: []Edit{{"			w.pool.start(next)\n", ""}},
		Kills: onPool("goexit_before_spawned_without_seat"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/flag_not_raised_for_occupant", File: "pool/seat.go",
		Edits: []Edit{{"		o.Store(w)\n		w.wanted.Store(1)\n", "		o.Store(w)\n"}},
		Kills: onPool("wanted_of_kept_worker"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/flag_raised_before_occupant", File: "pool/seat.go",
		Edits:    []Edit{{"		o.Store(w)\n		w.wanted.Store(1)\n", "		w.wanted.Store(1)\n		o.Store(w)\n"}},
		Harmless: "only the worker itself lowers its flag, and it does not before it sits",
		Kills:    onPool("wanted_of_kept_worker"), Bound: 2,
	},
	{
		Name: "pool/occupant_not_stored", File: "pool/seat.go",
		Edits: []Edit{{"		o.Store(w)\n		w.wanted.Store(1)\n", "		w.wanted.Store(1)\n"}},
		Kills: onPool("wanted_of_kept_worker"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/private_fork_unclaimed", File: "pool/fork.go",
		Edits: []Edit{{"	w.head++\n	prim.Touch(&w.head, true)\n", "	f.claim.Store(unclaimed)\n	w.head++\n	prim.Touch(&w.head, true)\n"}},
		Kills: onProgram("frame_reused,seats=2"), Says: "nil pointer dereference", Bound: 3,
	},
	{
		Name: "pool/tucked_in_twice", File: "pool/wait.go",
		Edits: []Edit{{"	s.idle, s.looking = w.idle, true\n", "	s.idle = w.idle\n"}},
		Kills: onProgram("park_keeps_seat_for_others,seats=1"), Says: "counters: inactive 1 + 1 of 1 workers", Bound: 0,
	},
	{
		Name: "pool/withdrawn_while_begun", File: "pool/job.go",
		Edits: []Edit{{"{ return j.claim.CompareAndSwap(unclaimed, withdrawn) }", "{\n	free := j.claim.Load() == unclaimed\n	if free {\n		j.claim.Store(withdrawn)\n	}\n	return free\n}"}},
		Kills: onPool("withdrawn_or_run"), Says: missedWake, Bound: 3,
	},
}
