package mutants

// onPar is the name of a subtest of TestPar, on two workers.
func onPar(subtest string) string { return "TestPar/default/workers=2/" + subtest }

// What par and the doors of the pool beneath it promise.
var parPatches = []Patch{
	{
		Name: "par/last_failure", File: "par/loop.go",
		Edits: []Edit{{"	if int64(lo) < l.failed.Load() {\n", "	if l.failed.Load() == math.MaxInt || int64(lo) > l.failed.Load() {\n"}},
		Kills: onPool("lowest_error"), Says: "F2: ", Bound: 1,
	},
	{
		Name: "par/first_failure", File: "par/loop.go",
		Edits: []Edit{{"	if int64(lo) < l.failed.Load() {\n", "	if l.failed.Load() == math.MaxInt {\n"}},
		Kills: onPool("lowest_error"), Says: "F2: ", Bound: 1,
	},
	{
		Name: "par/panic_leaves_no_mark", File: "par/loop.go",
		Edits: []Edit{{"			l.fail(lo, nil)\n", ""}},
		Kills: onPool("panic_below_error"), Says: "F2: ", Bound: 1,
	},
	{
		Name: "par/panic_beats_lower_error", File: "par/loop.go",
		Edits: []Edit{{"		if !returned && l.err != nil {", "		if !returned && l.err != nil && false {"}},
		Kills: onPool("error_below_panic"), Says: "F2: ", Bound: 1,
	},
	{
		Name: "par/all_end_at_first_failure", File: "par/loop.go",
		Edits: []Edit{{"p.lo < p.hi && int64(p.lo) < l.failed.Load()", "p.lo < p.hi && l.failed.Load() == math.MaxInt"}},
		Kills: onPool("lowest_error"), Says: "F2: ", Bound: 1,
	},
	{
		Name: "par/waits_for_a_seat", File: "par/loop.go",
		Edits: []Edit{{"pool.RunHere(l.pool, work, p)", "pool.Run(context.Background(), l.pool, work, p)"}},
		Kills: onPool("loop_under_lock"), Says: missedWake, Bound: 0,
	},
	{
		Name: "par/queue_waits_for_loop", File: "par/loop.go",
		Edits: []Edit{{"			w.Yield()\n", ""}},
		Kills: "TestPar/default/workers=1/Queue", Suite: true, Says: "F6: no end of",
	},
	{
		Name: "par/joined_backwards", File: "par/fold.go",
		Edits: []Edit{{"f.leaf.join(sum, x)", "f.leaf.join(x, sum)"}},
		Kills: onPool("fold"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/leaves_by_workers", File: "par/fold.go",
		Edits: []Edit{{"	size := max(1, n/many)\n", "	size := max(1, n/many)\n	if c.pool != nil && c.pool.Workers() > 1 {\n		size = max(1, size/2)\n	}\n"}},
		Kills: onPar("Bits"), Suite: true, Says: "F1: ",
	},
	{
		Name: "par/scan_without_what_is_before", File: "par/scan.go",
		Edits: []Edit{{"		if block > 0 {\n", "		if block > 1 {\n"}},
		Kills: onPool("scan"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/others_counted_as_chosen", File: "par/filter.go",
		Edits: []Edit{{"			at, end = from-at, to-end\n", "			at, end = from-at, from-at+end\n"}},
		Kills: onPar("Results/Partition"), Suite: true, Says: "F1: ",
	},
	{
		Name: "par/context_error_without_cause", File: "par/ended.go",
		Edits: []Edit{{"	if cause == nil || cause == err {\n", "	if cause != nil {\n"}},
		Kills: onPar("Context"), Suite: true, Says: "F3: ",
	},
	{
		Name: "par/begins_after_the_end", File: "par/loop.go",
		Edits: []Edit{{"	if c.ctx != nil && c.ctx.Err() != nil {\n		return endOf(c.ctx)\n	}\n	p := piece", "	p := piece"}},
		Kills: onPar("Context"), Suite: true, Says: "F3: ",
	},
	{
		Name: "par/never_shared", File: "par/loop.go",
		Edits: []Edit{{"w == nil || left < 2", "true || left < 2"}},
		Kills: onPar("Shared"), Suite: true, Says: "F7: ",
	},
	{
		Name: "par/standing_clock_is_no_time", File: "par/loop.go",
		Edits: []Edit{{"now-begun >= enough || p.still == patience", "now-begun >= enough"}},
		Kills: "TestBubble", Own: true, Says: "published 0 times",
	},
	{
		Name: "par/end_without_clock", File: "par/loop.go",
		Edits: []Edit{{"unread >= enough || n < p.length {", "unread >= enough {"}},
		Kills: "TestLongTail", Own: true, Says: "F7: after 300000 elements",
	},
	{
		Name: "par/wakes_at_once", File: "par/loop.go",
		Edits: []Edit{{"now-begun >= enough ||", "now-begun >= 0*enough ||"}},
		Kills: "TestSmall", Own: true, Says: "F7: ",
	},
	{
		Name: "pool/yield_begins_any_number", File: "pool/here.go",
		Edits: []Edit{{"	if p.beside.Add(1) <= uint32(len(p.seats)) {\n", "	if p.beside.Add(1) > 0 {\n"}},
		Kills: "TestYield", Own: true, Says: "P31: ",
	},
	{
		Name: "pool/yield_counts_for_ever", File: "pool/worker.go",
		Edits: []Edit{{"	w.standAlone()\n", ""}},
		Kills: "TestYield", Own: true, Says: "P31",
	},
	{
		Name: "pool/blocked_job_is_beside", File: "pool/wait.go",
		Edits: []Edit{{"	w.standAlone()\n	w.vacate()\n", "	w.vacate()\n"}},
		Kills: "TestYieldBeside/block", Own: true, Says: "P31",
	},
	{
		Name: "pool/waiting_job_is_beside", File: "pool/wait.go",
		Edits: []Edit{{"	w.standAlone()\n	w.vacateBeneath()\n", "	w.vacateBeneath()\n"}},
		Kills: "TestYieldBeside/wait", Own: true, Says: "P31",
	},
	{
		Name: "pool/seated_job_is_beside", File: "pool/seat.go",
		Edits: []Edit{{"	w.seat, w.last = s, s.index\n	w.standAlone()\n", "	w.seat, w.last = s, s.index\n"}},
		Kills: "TestYieldBeside/seat", Own: true, Says: "P31",
	},
	{
		Name: "pool/loop_in_job_takes_second_seat", File: "pool/here.go",
		Edits: []Edit{{"here.in(p) != nil {\n		if !entered {", "here.in(p) != nil && !entered {\n		if !entered {"}},
		Kills: onPar("Shared/in_a_job"), Suite: true, Says: "F7: ",
	},
	{
		Name: "pool/all_can_share", File: "pool/here.go",
		Edits: []Edit{{"	return w.retake()\n}\n\n// Yield", "	return true\n}\n\n// Yield"}},
		Kills: "TestRunHereWaitsForNoSeat", Own: true, Says: "P31: ",
	},
}
