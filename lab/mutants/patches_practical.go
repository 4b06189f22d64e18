package mutants

// Faults in groups, in the queue's limit and in the end by a deadline.
var practicalPatches = []Patch{
	{
		Name: "pool/room_kept_by_withdrawn", File: "pool/submit.go",
		Edits: []Edit{{"	h.fn = nil\n	h.job.leaveRoom()\n", "	h.fn = nil\n"}},
		Kills: onSuite("QueueLimit/freed_by_Cancel"), Suite: true, Says: "P23: ",
	},
	{
		Name: "pool/room_kept_by_begun", File: "pool/submit.go",
		Edits: []Edit{{"	j.leaveRoom()\n	return !j", "	return !j"}},
		Kills: onSuite("QueueLimit/taken_with_others"), Suite: true, Says: "P23: ",
	},
	{
		Name: "pool/room_for_one_is_for_all", File: "pool/submit.go",
		Edits: []Edit{{"!room.try(len(fns))", "!room.try(1)"}},
		Kills: onSuite("QueueLimit/full"), Suite: true, Says: "P23: ",
	},
	{
		Name: "pool/room_for_hosted", File: "pool/submit.go",
		Edits: []Edit{
			{"	if p.host(&j.Job) {\n		return nil\n	}\n	if room", "	if room"},
			{"		j.from = &p.queued\n	}\n", "		j.from = &p.queued\n	}\n	if p.host(&j.Job) {\n		return nil\n	}\n"},
		},
		Kills: "TestJobsOfSleepersTakeNoRoom", Own: true, Says: "P23: ",
	},
	{
		Name: "pool/room_awaited_after_close", File: "pool/room.go",
		Edits: []Edit{{"	if r.closed {\n		r.mu.Unlock()\n		return ErrClosed\n	}\n", ""}},
		Kills: onPool("room_closes"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/close_leaves_waiters_for_room", File: "pool/room.go",
		Edits: []Edit{{"	for _, c := range turnedAway {\n		c.parker.Unpark()\n", "	for range turnedAway {\n"}},
		Kills: onPool("room_closes"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/room_lost_as_context_ends", File: "pool/room.go",
		Edits: []Edit{{"	case c.in:\n", "	case c.in && err == nil:\n"}},
		Kills: onPool("room_given_up"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/room_left_without_wake", File: "pool/room.go",
		Edits: []Edit{{"	r.mu.Unlock()\n	c.parker.Unpark()\n", "	r.mu.Unlock()\n"}},
		Kills: onPool("room_left_or_waited_for"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/room_for_the_last", File: "pool/room.go",
		Edits: []Edit{{"r.waiting.PushBack(c)", "r.waiting.PushFront(c)"}},
		Kills: onPool("room_in_order"), Says: "P23: caller", Bound: 0,
	},
	{
		Name: "pool/room_awaited_with_seat", File: "pool/submit.go",
		Edits: []Edit{{"	defer workersHere().stepAside()()\n", ""}},
		Kills: onPool("room_for_job"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/seat_regained_with_room", File: "pool/identity.go",
		Edits: []Edit{{"	had := ws[0].seat != nil\n", "	had := true\n"}},
		Kills: onPool("room_of_mutual_pools"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/submitted_begins_after_context", File: "pool/submit.go",
		Edits: []Edit{{"		if err := ctx.Err(); err != nil {\n			h.refuse(err)\n			return\n		}\n", ""}},
		Kills: onPool("submit_context_or_run"), Says: "P20: a job began whose context had ended", Bound: 0,
	},
	{
		Name: "pool/error_lost_with_result", File: "pool/submit.go",
		Edits: []Edit{{"		if err != nil {\n			h.failed = &failure{reason: err}\n", "		if err != nil && err != ErrClosed {\n			h.failed = &failure{reason: err}\n"}},
		Kills: onSuite("SubmitContext/results"), Suite: true, Says: "P1: ",
	},
	{
		Name: "pool/batch_not_recalled", File: "pool/search.go",
		Edits: []Edit{{"		s.pool.recall(batch[begun:n]...)\n", ""}},
		Kills: onPool("shutdown_beside_fork_in_batch"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/taken_along_not_recalled", File: "pool/search.go",
		Edits: []Edit{{"		s.deque.Push(j) // A1\n		s.pool.recall(j)\n", "		s.deque.Push(j) // A1\n"}},
		Kills: onPool("shutdown_beside_thief"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/submit_all_without_post", File: "pool/submit.go",
		Edits: []Edit{{"	p.sleep.Post(len(fns), true)\n", ""}},
		Kills: onPool("submit_all_meet"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/group_returns_last_error", File: "pool/group.go",
		Edits: []Edit{{"	if g.first.CompareAndSwap(nil, &err) {\n", "	if g.first.Swap(&err) == nil {\n"}},
		Kills: onPool("group_two_fail"), Says: "P24: of two jobs that fail", Bound: 1,
	},
	{
		Name: "pool/group_error_ends_nothing", File: "pool/group.go",
		Edits: []Edit{{"		g.end(err)\n", ""}},
		Kills: onPool("group_two_fail"), Says: "P24: of two jobs that fail", Bound: 0,
	},
	{
		Name: "pool/group_error_is_no_cause", File: "pool/group.go",
		Edits: []Edit{{"		g.end(err)\n", "		g.end(nil)\n"}},
		Kills: onPool("group_two_fail"), Says: "P24: of two jobs that fail", Bound: 0,
	},
	{
		Name: "pool/group_runs_all", File: "pool/group.go",
		Edits: []Edit{{"	if g.ctx.Err() != nil {\n", "	if false {\n"}},
		Kills: onPool("group_skips"), Says: "P24: a job of a group has begun, and", Bound: 0,
	},
	{
		Name: "pool/group_skips_in_silence", File: "pool/group.go",
		Edits: []Edit{{"		g.skipped.Store(true)\n", ""}},
		Kills: onPool("group_context_ends"), Says: "P24: the context has ended", Bound: 1,
	},
	{
		Name: "pool/group_panic_ends_nothing", File: "pool/group.go",
		Edits: []Edit{{"		if !returned {\n			g.end(nil)\n		}\n", "		_ = returned\n"}},
		Kills: onSuite("Group/panic/workers=1"), Suite: true, Says: "P24: ",
	},
	{
		Name: "pool/group_ignores_fork_left_behind", File: "pool/group.go",
		Edits: []Edit{{"	if f != nil {\n		j.group.end(nil)\n	}\n", ""}},
		Kills: onPool("group_fork_left_behind"), Says: "P24: a job of a group has begun, and a fork", Bound: 0,
	},
	{
		Name: "pool/group_context_stays_with_worker", File: "pool/credit.go",
		Edits: []Edit{{"	w.credit, w.carrier = credit{}, nil\n", "	w.credit = credit{}\n"}},
		Kills: onSuite("Forgotten/group"), Suite: true, Says: "P8: ",
	},
	{
		Name: "pool/spawned_after_end", File: "pool/credit.go",
		Edits: []Edit{{"		if s.pending.Probe() {\n", "		if false {\n"}},
		Kills: onSuite("Group/misuse/workers=1"), Suite: true, Says: "P24: ",
	},
	{
		Name: "pool/publish_does_nothing", File: "pool/publish.go",
		Edits: []Edit{{"		panic(inBlock)\n	}\n	w.publishAll()\n", "		panic(inBlock)\n	}\n"}},
		Kills: onPool("published_before_leaf"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/shutdown_waits_for_jobs", File: "pool/shutdown.go",
		Edits: []Edit{{"			prim.Go(p.end)\n", "			p.end()\n"}},
		Kills: onPool("shutdown_races_submit"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/shutdown_leaves_deques", File: "pool/shutdown.go",
		Edits: []Edit{{"	for i := range p.victims {\n		d := p.victims[i].deque\n		for n", "	for i := range p.victims[:0] {\n		d := p.victims[i].deque\n		for n"}},
		Kills: onPool("shutdown_beside_batch"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/shutdown_drops_forks", File: "pool/shutdown.go",
		Edits: []Edit{{"	for _, j := range others {\n", "	for _, j := range others[:0] {\n"}},
		Kills: onPool("shutdown_beside_fork"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/accepted_behind_shutdown", File: "pool/submit.go",
		Edits: []Edit{{"	p.inject(&j.Job)\n	p.recall(&j.Job)\n", "	p.inject(&j.Job)\n"}},
		Kills: onPool("shutdown_races_submit"), Says: missedWake, Bound: 1,
	},
}
