package mutants

// onProgram is the name of a program of the model, played on a pool of so many
// seats, as onPool is of a scenario.
func onProgram(program string) string { return "TestPrograms/sleep=futex/" + program }

// What a job does while it waits, and who resumes it. The faults of the model in
// conformance/internal/waiting are among them.
var poolWaitPatches = []Patch{
	{
		Name: "pool/wait_runs_its_own_deque", File: "pool/wait.go",
		Edits: []Edit{runsOwnDeque},
		Kills: onProgram("join_runs_own_forks,seats=2"), Says: "begins on top of", Bound: 2,
	},
	{
		Name: "pool/wait_runs_strangers", File: "pool/wait.go",
		Edits: []Edit{
			{"	if j := s.find(false); j != nil {\n		w.leaveTo(j)\n		return false\n", "	if j := s.find(false); j != nil {\n		w.execute(j)\n		return w.seat != nil && w.lookOut(l)\n"},
			{"			w.leaveTo(j)\n			return false\n", "			w.execute(j)\n			return w.seat != nil && w.lookOut(l)\n"},
		},
		Kills: onProgram("join_runs_strangers,seats=2"), Says: "other begins on top of main", Bound: 2,
	},
	{
		Name: "pool/wait_runs_what_came_along", File: "pool/wait.go",
		Edits: []Edit{runsOwnDeque},
		Kills: onProgram("came_along_wants_lock,seats=2"), Says: "b begins on top of a", Bound: 0,
	},
	{
		Name: "pool/join_runs_what_it_pops", File: "pool/stack.go",
		Edits: []Edit{{"		s.strays++\n		s.putBack(j) // with a post, for the deque was short for a moment\n", "		s.strays++\n		if j.begin() {\n			s.pool.occupants[s.index].Load().execute(j)\n		}\n"}},
		Kills: onProgram("popped_is_pushed_back,seats=2"), Says: "j begins on top of main", Bound: 0,
	},
	{
		Name: "pool/taken_along_without_post", File: "pool/search.go",
		Edits: []Edit{{"	if taken > 0 {\n		s.pool.sleep.Post(1, true)\n	}\n", ""}},
		Kills: onProgram("stolen_along_is_posted,seats=3"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/batch_without_post", File: "pool/search.go",
		Edits: []Edit{{"		s.pool.sleep.Post(1, true)\n		s.pool.recall(", "		s.pool.recall("}},
		Kills: onProgram("batch_is_posted,seats=3"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/rest_of_batch_lost", File: "pool/search.go",
		Edits: []Edit{{"			s.deque.Push(batch[i]) // A1\n", ""}},
		Kills: onProgram("came_along_wants_lock,seats=2"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/batch_longer_than_documented", File: "pool/search.go",
		Edits: []Edit{{"	maxBatch = 16\n", "	maxBatch = 19\n"}},
		Kills: "TestSubmitOrder", Own: true, Says: "P1: job 18 began before job 1,",
	},
	{
		Name: "pool/batch_turned_around", File: "pool/search.go",
		Edits: []Edit{{"for i := n - 1; i >= begun; i--", "for i := begun; i < n; i++"}},
		Kills: "TestSubmitOrder", Own: true, Says: "P1: one worker of two ran submitted jobs in the order [0 15 14",
	},
	{
		Name: "pool/raid_does_not_end", File: "pool/search.go",
		Edits: []Edit{{"		v.raided.Store(0)\n", ""}, {"	if s.passed < maxPassed && (", "	if ("}},
		Kills: onProgram("raid_ends,seats=2"), Says: "livelock", Bound: 0,
	},
	{
		Name: "pool/handle_on_top", File: "pool/submit.go",
		Edits: []Edit{{"			w.publishAll()\n			if w.seat != nil {\n				w.rise().start(&h.job.Job)\n			} else {\n				h.pool().start(&h.job.Job)\n			}\n			w.setAside(&n.latch, &h.job.Job, nil)\n", "			w.execute(&h.job.Job)\n"}},
		Kills: onProgram("handle_on_top,seats=1"), Says: "h begins on top of main", Bound: 0,
	},
	{
		Name: "pool/seatless_leaves_handle", File: "pool/submit.go",
		Edits: []Edit{{"		if h.begin(w) {\n			w.publishAll()\n", "		if w.seat != nil && h.begin(w) {\n			w.publishAll()\n"}},
		Kills: onProgram("seatless_leaves_handle,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/blocked_leaves_handle", File: "pool/submit.go",
		Edits: []Edit{{"		if h.begin(w) {\n			h.pool().start(&h.job.Job)\n		}\n", ""}},
		Kills: onProgram("get_in_block,seats=1"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/run_in_block_asks_for_admission", File: "pool/run.go",
		Edits: []Edit{{"	here := workersHere()\n	if here.in(p) != nil {", "	here := workersHere()\n	if w := here.in(p); w != nil && !w.blocked {"}},
		Kills: onProgram("run_in_block,seats=1"), Says: missedWake, Bound: 1,
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
		Edits: []Edit{{"	s.found(&w.idle)\n	return true\n", "	return true\n"}},
		Kills: onPool("waiter_and_its_seat"), Says: "counters: inactive 2 + 1 of 2 workers", Bound: 3,
	},
	{
		Name: "pool/parks_without_look", File: "pool/wait.go",
		Edits: []Edit{{"	if !l.GetSleepy() || !l.FallAsleep() {\n		w.regain()\n		return\n	}\n", "	if l.GetSleepy() {\n		l.FallAsleep()\n	}\n"}},
		Kills: onPool("waiter_and_its_seat"), Says: missedWake, Bound: 3,
	},
	{
		Name: "pool/two_seats_for_one", File: "pool/wait.go",
		Edits: []Edit{{"		w.resume(s)\n	} else if leaves {\n", "		w.resume(s)\n	}\n	if leaves {\n"}},
		Kills: onPool("waiter_and_a_sleeper"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/heir_forgotten", File: "pool/worker.go",
		Edits: []Edit{{"	if heir != nil {\n", "	if heir != nil && s == nil {\n"}},
		Kills: onProgram("end_resumes_one,seats=1"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/second_heir", File: "pool/wait.go",
		Edits: []Edit{{" && by.heir == nil\n", "\n"}},
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
		Edits: []Edit{{"	if s := w.pool.borrow(); s != nil {\n		w.sit(s)\n	} else {\n		w.goLoose()\n	}\n", "	for w.seat == nil {\n		if s := w.pool.borrow(); s != nil {\n			w.sit(s)\n		}\n		prim.Yield()\n	}\n"}},
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
		Edits: []Edit{{"	defer here.stepAside()()\n", ""}},
		Kills: onPool("close_of_other_pool"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/queued_run_keeps_seats_beneath", File: "pool/run.go",
		Edits: []Edit{{"	defer here.stepAside()()\n", ""}},
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
		Kills: onProgram("frame_reused,seats=2"), Says: "pool: a fork has no function", Bound: 3,
	},
	{
		Name: "pool/tucked_in_twice", File: "pool/wait.go",
		Edits: []Edit{{"	s.idle, s.looking = w.idle, true\n", "	s.idle = w.idle\n"}},
		Kills: onProgram("park_keeps_seat_for_others,seats=1"), Says: "counters: inactive 1 + 1 of 1 workers", Bound: 0,
	},
	{
		Name: "pool/awaited_panic_surfaces", File: "pool/submit.go",
		Edits: []Edit{{"	if h.complete(w) {\n		h.pool().unseen.await(f.panicked)\n	}\n", "	h.complete(w)\n"}},
		Kills: onPool("panic_awaited_while_closing"), Says: "P21: ", Bound: 0,
	},
	{
		Name: "pool/close_waits_for_no_report", File: "pool/unseen.go",
		Edits: []Edit{{"	u.reports.Wait()\n", ""}},
		Kills: onPool("panic_of_go"), Says: "P21: ", Bound: 0,
	},
	{
		Name: "pool/panic_of_go_is_lost", File: "pool/unseen.go",
		Edits: []Edit{{"		w.pool.expose(f.panicked)\n", ""}},
		Kills: onSuite("Unseen/Go"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/told_and_reported", File: "pool/submit.go",
		Edits: []Edit{{"		h.pool().unseen.seen(f.panicked)\n", ""}},
		Kills: onSuite("Unseen/waited"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/close_reports_nothing", File: "pool/unseen.go",
		Edits: []Edit{{"		if !awaited {\n", "		if false && !awaited {\n"}},
		Kills: onSuite("Unseen/kept"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/given_up_counts_as_told", File: "pool/submit.go",
		Edits: []Edit{{"n != nil && n.outside.Wait(ctx) != nil {\n		n.present.Add(-1)\n", "n != nil && n.outside.Wait(ctx) != nil {\n"}},
		Kills: onSuite("Unseen/given_up"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/given_up_in_job_counts_as_told", File: "pool/submit.go",
		Edits: []Edit{{"		if !h.isDone() {\n			n.present.Add(-1)\n		}\n", ""}},
		Kills: onSuite("Unseen/given_up"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/collected_unreported", File: "pool/unseen.go",
		Edits: []Edit{{"	prim.AddCleanup(h, p.surface, e)\n", ""}},
		Kills: onSuite("Unseen/collected"), Suite: true, Says: "P21: ",
	},
	{
		Name: "pool/cancel_forgets_waiters", File: "pool/submit.go",
		Edits: []Edit{{"	h.complete(nil)\n	h.pool().leave(1)\n", "	h.pool().leave(1)\n"}},
		Kills: onPool("canceled_or_run"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/cancel_says_what_it_wants", File: "pool/submit.go",
		Edits: []Edit{{"h.job.claim.Load() == withdrawn\n}\n\n// withdraw", "h.job.isClaimed()\n}\n\n// withdraw"}},
		Kills: onPool("canceled_or_run"), Says: "P20: ", Bound: 0,
	},
	{
		Name: "pool/canceled_without_reason", File: "pool/submit.go",
		Edits: []Edit{{"	h.failed = &failure{reason: reason}\n	h.complete(nil)\n", "	h.complete(nil)\n"}},
		Kills: onSuite("Canceled/queued"), Suite: true, Says: "P20: ",
	},
	{
		Name: "pool/channels_shut_no_more", File: "pool/completion.go",
		Edits: []Edit{{"	case n.closed != nil:\n		close(n.closed)\n", ""}},
		Kills: onPool("done_or_asked"), Says: "P20: ", Bound: 0,
	},
	{
		Name: "pool/two_channels", File: "pool/completion.go",
		Edits: []Edit{{"		func(n *waiter) bool { return n.closed != nil },\n", "		func(n *waiter) bool { return false },\n"}},
		Kills: onSuite("Done/outside"), Suite: true, Says: "P20: ",
	},
	{
		Name: "pool/withdrawn_while_begun", File: "pool/job.go",
		Edits: []Edit{{"{ return j.claim.CompareAndSwap(unclaimed, withdrawn) }", "{\n	free := j.claim.Load() == unclaimed\n	if free {\n		j.claim.Store(withdrawn)\n	}\n	return free\n}"}},
		Kills: onPool("withdrawn_or_run"), Says: missedWake, Bound: 3,
	},
}

// runsOwnDeque has a job that waits run what lies in the deque of its seat.
var runsOwnDeque = Edit{
	"	if j := s.find(false); j != nil {\n",
	"	if j := s.take(); j != nil {\n		w.execute(j)\n		return w.seat != nil && w.lookOut(l)\n	}\n	if j := s.find(false); j != nil {\n",
}
