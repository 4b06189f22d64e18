package mutants

import (
	"slices"

	"github.com/rouse-go/rouse/conformance/explore"
)

// onPool is the name of a scenario of pools, with the default backends.
func onPool(scenario string) string { return "TestPool/sleep=futex/deque=chaselev/" + scenario }

// missedWake is what is said of a job, or a worker, that waits for ever.
const missedWake = string(explore.Deadlock)

var poolPatches = slices.Concat(poolForkPatches, poolEndPatches, poolWaitPatches, poolScopePatches, poolOnceUnnoticed)

// What becomes public, and who waits for whom.
var poolForkPatches = []Patch{
	{
		Name: "pool/3_injector_not_looked_at", Numbers: []int{3}, File: "pool/pool.go",
		Edits: []Edit{{"found := !p.injector.Empty()", "found := false"}},
		Kills: onPool("blocked_job_jec_wraps"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/26_deques_not_looked_at", Numbers: []int{26}, File: "pool/pool.go",
		Edits: []Edit{{"			found = true\n", ""}},
		Kills: onPool("seat_returned_to_fork"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/29_wanted_lowered_after_push", Numbers: []int{29}, File: "pool/publish.go",
		Edits: []Edit{
			{"		w.wanted.Store(0)\n	}\n	inactive", "	}\n	inactive"},
			{"	if jobs := max(inactive-n, w.demand.unmet); jobs > 0 {\n", "	if seated {\n		w.wanted.Store(0)\n	}\n	if jobs := max(inactive-n, w.demand.unmet); jobs > 0 {\n"},
		},
		Kills: onPool("wanted_again"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/30_wanted_not_raised_by_thief", Numbers: []int{30}, File: "pool/search.go",
		Edits: []Edit{{"	if outcome == api.Stolen {\n		p.want(n)", "	if false {\n		p.want(n)"}},
		Kills: onPool("wanted_again"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/30_wanted_not_raised_by_pop", Numbers: []int{30}, File: "pool/search.go",
		Edits: []Edit{{"inactive, _ := s.pool.sleep.Counts(); inactive > s.jobs() {", "false {"}},
		Kills: onPool("wanted_after_pop"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/raised_only_for_sleepers", File: "pool/search.go",
		Edits: []Edit{{"inactive, _ := s.pool.sleep.Counts(); inactive >", "_, sleeping := s.pool.sleep.Counts(); sleeping >"}},
		Kills: onPool("wanted_after_pop"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/lowered_after_the_look", File: "pool/publish.go",
		Edits: []Edit{
			{"		w.wanted.Store(0)\n	}\n	inactive", "	}\n	inactive"},
			{"	n := w.queued()\n", "	n := w.queued()\n	if seated {\n		w.wanted.Store(0)\n	}\n"},
		},
		Harmless: "what the look finds lacking is marked, and later forks meet a mark whatever the flag says",
		Kills:    onPool("wanted_beside_spawned"), Bound: 2,
	},
	{
		Name: "pool/31_latch_set_before_job", Numbers: []int{31}, File: "pool/fork.go",
		Edits: []Edit{
			{"	f.result = fn(w, arg)\n", "	if f.latch.Set() {\n		f.worker.rouse(nil)\n	}\n	f.result = fn(w, arg)\n"},
			{"	owner := f.worker\n	if f.latch.Set() {\n		owner.rouse(w)\n	}\n", ""},
		},
		Kills: onPool("fork_stolen"), Says: "P1: the result of the fork is 0", Bound: 2,
	},
	{
		Name: "pool/36_returned_without_flags", Numbers: []int{36}, File: "pool/pool.go",
		Edits: []Edit{{"	p.look = p.hasWork\n", `	p.look = func() bool {
		found := !p.injector.Empty()
		for i := range p.victims {
			found = found || p.victims[i].deque.Len() > 0
		}
		return found
	}
`}},
		Kills: onPool("seat_returned_beside_forks"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/stop_not_seen_at_return", File: "pool/seat.go",
		Edits: []Edit{{"	if s.stop.Probe() { // Close has met the seat lent\n		s.pool.sleep.Wake(s.index)\n	}\n", ""}},
		Kills: onPool("close_races_submit"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/published_not_guarded", File: "pool/publish.go",
		Edits: []Edit{{"	f.seq |= guarded // its join must take the long way\n", ""}},
		Kills: onPool("fork_stolen"), Says: "nil pointer dereference", Bound: 0,
	},
	{
		Name: "pool/invoke_takes_published", File: "pool/invoke.go",
		Edits: []Edit{{"|f.seq&guarded|", "|"}},
		Kills: onPool("invoke_stolen"), Says: "nil pointer dereference", Bound: 3,
	},
	{
		Name: "pool/join_ignores_flag", File: "pool/fork.go",
		Edits: []Edit{{" || w.wanted.Load() != 0 {", " {"}},
		Kills: "TestMatrix/deque=chaselev/sleep=jec/HandedOver/by=join", Suite: true, Says: "P5: ",
	},
	{
		Name: "pool/invoke_ignores_flag", File: "pool/invoke.go",
		Edits: []Edit{{"|uint64(w.wanted.Load()) != 0 {", " != 0 {"}},
		Kills: "TestMatrix/deque=chaselev/sleep=jec/HandedOver/by=invoke", Suite: true, Says: "P5: ",
	},
	{
		Name: "pool/one_at_a_time", File: "pool/demand.go",
		Edits: []Edit{
			{"	return max(n, inactive, 1)\n", "	return min(1, max(n, inactive, 1))\n"},
			{"	d.unmet, d.base = jobs, s.head\n", "	d.unmet, d.base = 0*jobs, s.head\n"},
		},
		Kills: "TestFill/default/flat_newest_first/workers=8", Suite: true, Says: "P13: ",
	},
	{
		Name: "pool/no_marks", File: "pool/demand.go",
		Edits: []Edit{{"	d.unmet, d.base = jobs, s.head\n", "	d.unmet, d.base = 0*jobs, s.head\n"}},
		Kills: "TestFill/default/long_leaf_last/workers=8", Suite: true, Says: "P13: ",
	},
	{
		Name: "pool/seatless_publishes_one", File: "pool/publish.go",
		Edits: []Edit{{"	n := w.queued()\n", "	n := w.queued()\n	if !seated {\n		if n == 0 {\n			w.publishUpTo(1)\n		}\n		return\n	}\n"}},
		Kills: "TestFill/sleep=no_lender/flat_after_block/workers=8", Suite: true, Says: "P13: ",
	},
	{
		Name: "pool/any_mark_will_do", File: "pool/publish.go",
		Edits: []Edit{{"w.demand.unmet > 0 && w.demand.unmet >= lacking", "w.demand.unmet > 0"}},
		Kills: "TestMarkIsForAsManyAsWait", Own: true, Says: "P13: ",
	},
	{
		Name: "pool/taken_back_is_not_replaced", File: "pool/stack.go",
		Edits: []Edit{{"with a post, for the deque was short for a moment\n		s.wantOnBehalf()\n", "with a post, for the deque was short for a moment\n"}},
		Kills: "TestForkTakenBackIsReplaced", Own: true, Says: "P13: ",
	},
	{
		Name: "pool/strays_are_jobs", File: "pool/search.go",
		Edits: []Edit{{"max(s.deque.Len()-s.strays, 0)", "s.deque.Len()"}},
		Kills: "TestForkTakenBackIsReplaced", Own: true, Says: "P13: ",
	},
	{
		Name: "pool/few_are_not_all", File: "pool/demand.go",
		Edits: []Edit{{"uint64(bits.Len(uint(d.unmet))) + 1", "uint64(bits.Len(uint(d.unmet)))"}},
		Kills: "TestStolenJobPublishesItsFirstForks", Own: true, Says: "P13: ",
	},
	{
		Name: "pool/demand_forgotten", File: "pool/demand.go",
		Edits: []Edit{{"		n = max(2*d.published, workers)\n", ""}},
		Kills: "TestFill/default/flat_in_a_taken_fork/workers=8", Suite: true, Says: "P13: ",
	},
	{
		Name: "pool/burst_not_posted", File: "pool/publish.go",
		Edits: []Edit{{"		p.sleep.Post(1, wasEmpty) // A2 to A4\n", "		_ = wasEmpty\n"}},
		Kills: onPool("wanted_by_two"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/latch_reset_after_push", File: "pool/publish.go",
		Edits: []Edit{
			{"		f.latch.Reset()\n", ""},
			{"	for w.skipHoles(); w.public < w.head && p", "	var f *fork\n	for w.skipHoles(); w.public < w.head && p"},
			{"		f := w.frameAt(w.public)\n", "		f = w.frameAt(w.public)\n"},
			{"		p.sleep.Post(1, wasEmpty) // A2 to A4\n", "		p.sleep.Post(1, wasEmpty) // A2 to A4\n		f.latch.Reset()\n"},
		},
		Kills: onPool("fork_stolen"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/popped_not_pushed_back", File: "pool/stack.go",
		Edits: []Edit{{"		s.putBack(j) // with a post, for the deque was short for a moment\n", ""}},
		Kills: onPool("pushed_back"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/thief_comes_for_nothing", File: "pool/stack.go",
		Edits: []Edit{{"		s.wantOnBehalf() // of the thief that comes for nothing\n", ""}},
		Kills: onPool("wanted_after_pop"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/pushed_back_without_post", File: "pool/stack.go",
		Edits: []Edit{{"		s.putBack(j) // with a post, for the deque was short for a moment\n", "		s.deque.Push(j)\n"}},
		Kills: onPool("pushed_back"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/thief_does_not_claim", File: "pool/search.go",
		Edits: []Edit{{"	if outcome == api.Stolen && !j.begin() {\n		j = nil\n	}\n", "	if outcome == api.Stolen {\n		j.claim.Store(begun)\n	}\n"}},
		Kills: onPool("fork_stolen"), Says: "pool: a fork has no function", Bound: 1,
	},
	{
		Name: "pool/forks_not_settled", File: "pool/job.go",
		Edits: []Edit{{"	if w.head > limit {\n		w.settle(limit)\n	}\n", ""}},
		Kills: onPool("fork_not_joined_by_submitted"), Says: "P1: when its job has returned, a fork that was not joined was run 0 times", Bound: 2,
	},
	{
		Name: "pool/run_does_not_settle", File: "pool/run.go",
		Edits: []Edit{{"	if w.head > limit {\n		w.settle(limit)\n	}\n", ""}},
		Kills: onPool("fork_not_joined"), Says: "P1: when its job has returned, a fork that was not joined was run 0 times", Bound: 0,
	},
	{
		Name: "pool/nothing_published_before_waiting", File: "pool/wait.go",
		Edits: []Edit{{"	w.publishAll() // what stays private would wait for this worker\n", ""}},
		Kills: onPool("private_while_waiting"), Says: missedWake, Bound: 0,
	},
}

// Panics, callers from outside, and the end.
var poolEndPatches = []Patch{
	{
		Name: "pool/23_panic_skips_latch", Numbers: []int{23}, File: "pool/fork.go",
		Edits: []Edit{{"	f.failed = failed\n	owner", "	f.failed = failed\n	if failed != nil && failed.panicked != nil {\n		return\n	}\n	owner"}},
		Kills: onPool("panic_of_stolen"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/24_goexit_skips_latch", Numbers: []int{24}, File: "pool/fork.go",
		Edits: []Edit{{"	f.failed = failed\n	owner", "	f.failed = failed\n	if failed != nil && failed.panicked == nil {\n		return\n	}\n	owner"}},
		Kills: onPool("goexit_of_stolen"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/goexit_loses_worker", File: "pool/worker.go",
		Edits: []Edit{{"		case s != nil:\n			s.part()\n", ""}},
		Kills: onPool("goexit_of_queued"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/borrowed_seat_kept", File: "pool/seat.go",
		Edits: []Edit{{"			if s.lent {\n				s.part()\n", "			if s.lent {\n"}},
		Kills: onPool("goexit_of_submitted"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/goexit_keeps_borrowed_seat", File: "pool/worker.go",
		Edits: []Edit{{"		case s != nil:\n			s.part()\n", "		case s != nil && !s.lent:\n			s.part()\n"}},
		Kills: onPool("goexit_of_submitted"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/hosted_overtakes_queue", File: "pool/submit.go",
		Edits: []Edit{{"	if !p.injector.Empty() {\n		return false\n	}\n", ""}},
		Kills: onPool("submitted_in_order"), Says: "P1: job 2 of one submitter runs after job 0", Bound: 3,
	},
	{
		Name: "pool/context_believed", File: "pool/run.go",
		Edits: []Edit{{"		// The context does not prove it:", "		if entered && ok {\n			return runInside(workers{carried}, p, fn, arg), nil\n		}\n		// The context does not prove it:"}},
		Kills: "TestMatrix/deque=chaselev/sleep=jec/NestedRun/context_elsewhere", Suite: true, Says: "P11: ",
	},
	{
		Name: "pool/exited_run_keeps_number", File: "pool/run.go",
		Edits: []Edit{{"		enlisted.drop(w.number)\n		w.number = enlisted.add(w)\n", ""}},
		Kills: onPool("close_after_goexit"), Says: "Close called by a job of the pool", Bound: 0,
	},
	{
		Name: "pool/taken_fork_not_awaited", File: "pool/stack.go",
		Edits: []Edit{{"		if f.position < w.public && !w.reclaim(f) {\n			w.wait(&f.latch, &f.Job, nil)\n		}\n", "		if f.position < w.public {\n			w.reclaim(f)\n		}\n"}},
		Kills: onPool("panic_beside_stolen"), Says: "P2: a panic has left Run, and the sibling runs still", Bound: 2,
	},
	{
		Name: "pool/panicking_run_forgets_forks", File: "pool/run.go",
		Edits: []Edit{{"			w.discard(limit)\n", "			_ = limit\n"}},
		Kills: onPool("panic_over_forks"), Says: "P2: a panic has left Run, and a fork", Bound: 0,
	},
	{
		Name: "pool/stolen_panic_not_original", File: "pool/panic.go",
		Edits: []Edit{{"	defer func() { panic(e.Value) }()\n", ""}},
		Kills: onPool("panic_of_stolen"), Says: "P2: Run ends with", Bound: 1,
	},
	{
		Name: "pool/queued_panic_not_original", File: "pool/panic.go",
		Edits: []Edit{{"	p.report(f.panicked)\n	f.panicked.raise()\n", "	p.report(f.panicked)\n	panic(f.panicked)\n"}},
		Kills: onPool("panic_on_borrowed_seat"), Says: "P2: Run ends with", Bound: 1,
	},
	{
		Name: "pool/panic_keeps_seat", File: "pool/run.go",
		Edits: []Edit{{"	w.raised = nil\n	end(w, false)\n", "	w.raised = nil\n"}},
		Kills: onPool("panic_on_borrowed_seat"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/displaced_frame_keeps_number", File: "pool/stack.go",
		Edits: []Edit{{"			f.header().seq = 0 // a handle may be left\n", "			_ = f\n"}},
		Kills: onPool("handle_after_rest"), Says: "a fork is joined twice", Bound: 0,
	},
	{
		Name: "pool/waiter_lost", File: "pool/completion.go",
		Edits: []Edit{{"		if c.waiters.CompareAndSwap(top, own) {\n			return own\n		}\n", "		c.waiters.Store(own)\n		return own\n"}},
		Kills: onPool("two_waiters"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/withdrawn_and_run", File: "pool/job.go",
		Edits: []Edit{{"{ return j.claim.CompareAndSwap(unclaimed, begun) }", "{\n	free := j.claim.Load() == unclaimed\n	if free {\n		j.claim.Store(begun)\n	}\n	return free\n}"}},
		Kills: onPool("withdrawn_or_run"), Says: missedWake, Bound: 3,
	},
	{
		Name: "pool/seats_beneath_kept", File: "pool/wait.go",
		Edits: []Edit{{"	w.vacateBeneath()\n	if", "	if"}},
		Kills: onPool("seat_held_by_waiter"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/job_waits_like_an_outsider", File: "pool/submit.go",
		Edits: []Edit{{"len(here) > 0 {", "len(here) < 0 {"}},
		Kills: onPool("wait_in_job"), Says: missedWake, Bound: 0,
	},
	{
		Name: "pool/25_close_drops_queue", Numbers: []int{25}, File: "pool/shutdown.go",
		Edits: []Edit{{"	if !p.allLeft() {", "	if false {"}},
		Kills: onPool("close_drains"), Says: "P6: Close has returned, and 1 jobs of 2 were run", Bound: 1,
	},
	{
		Name: "pool/close_wakes_nobody", File: "pool/shutdown.go",
		Edits: []Edit{{"		if seat.stop.Set() {\n			p.sleep.Wake(seat.index)\n		}\n", "		seat.stop.Set()\n"}},
		Kills: onPool("close_while_falling_asleep"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/let_in_after_closing", File: "pool/shutdown.go",
		Edits: []Edit{{"	if p.shutdown.entered.Add(int64(n))&closing == 0 {\n		return true\n	}\n	p.leave(n)\n	return false\n", "	p.shutdown.entered.Add(int64(n))\n	return true\n"}},
		Kills: onPool("close_races_submit"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/closing_flagged_late", File: "pool/shutdown.go",
		Edits: []Edit{
			{"	s.closing.Store(true)\n", ""},
			{"	if !p.allLeft() {\n", "	if !p.allLeft() {\n		s.closing.Store(true)\n"},
		},
		Kills: onPool("close_races_submit"), Says: missedWake, Bound: 1,
	},
	{
		Name: "pool/entered_read_first", File: "pool/shutdown.go",
		Edits: []Edit{
			{"	left := p.shutdown.left.Load()\n", "	entered := p.shutdown.entered.Load() &^ closing\n	left := p.shutdown.left.Load()\n"},
			{"left == p.shutdown.entered.Load()&^closing", "left == entered"},
		},
		Kills: onPool("close_races_refused"), Says: missedWake, Bound: 2,
	},
	{
		Name: "pool/random_schedule_hesitates_never", File: "pool/random.go",
		Edits: []Edit{{"w.dice == nil || w.dice.IntN(2) == 0", "w.dice != nil"}},
		Kills: "TestRandomScheduleHasForksTaken", Own: true, Says: "WithRandomSchedule: ",
	},
}
