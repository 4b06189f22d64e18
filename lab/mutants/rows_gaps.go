package mutants

// Faults that an outsider invented from the code of par alone, and some in the pool, that
// no check reported, or only by a panic without a rule.
var gapRows = []Mutant{
	{"par/progress_forgets_alone",
		in("par/loop.go", "config.alone").replace("c.did(m, now)", "c.did(0, now)"),
		own("TestProgressOfMispredicted", "WithProgress: one of ten")},
	{"par/alone_past_the_end",
		in("par/loop.go", "config.alone").replace("if c.ctx != nil && c.ctx.Err() != nil {",
			"if c.ctx != nil && c.ctx.Err() != nil && false {"), own("TestContextOfMispredicted", "F3: ")},
	{"par/each_err_without_context",
		in("par/for.go", "EachErr").replace("c.within(ctx, opts)", "c.heeds(opts)"),
		own("TestContextEndsEach", "F3: the context of EachErr")},
	{"par/brackets_by_processors", in("par/reduce.go", "denseRangeOf").
		replace("1<<12", "4*prim.Processors()"), own("TestSameBitsOnProcessors", "F1: Sum of")},
	{"par/scan_keeps_all_sums",
		in("par/scan.go", "scan").replace("make([]E, blocks-1)", "make([]E, len(from))[:blocks-1]"),
		own("TestAllocatedBytes", "package par: Scan")},
	{"par/flat_map_uncleared_ends",
		in("par/map.go", "FlatMap").replace("make([]int, len(s)+1)", "uncleared[int](len(s)+1)"),
		own("TestUnclearedIsWritten", "F1: FlatMap panics where memory is not clear")},
	{"par/groups_grow_into_next", in("par/group.go", "GroupBy").
		replace("g.elements[lo:hi:hi]", "g.elements[lo:hi]"), own("TestGroupBy", "GroupBy: a group of")},
	{"par/counts_not_given_back", in("par/group.go", "histogram.run").
		replace("h.busy.Store(false)", "_ = h"), own("TestAllocations", "package par: CountInto of")},
	{"par/scratch_not_given_back", in("par/scratch.go", "Scratch.Do").
		replace("i.value, i.valid = *new(T), false", `i.value, i.valid = *new(T), false
return`), own("TestScratchFailures", "Scratch: one is used at a time")},
	{"par/top_k_takes_equal", in("par/select.go", "tops.of").
		replace("t.cmp(x, best[t.k-1]) >= 0", "t.cmp(x, best[t.k-1]) > 0"),
		own("TestTopKComparisons", "TopKFunc: 20 of")},
	{"par/index_at_bound", in("par/classes.go", "classes.index").
		replace("k.before[b][class] > n", "k.before[b][class] >= n"),
		own("TestNthOfEqual", "F1: NthFunc(")},
	{"par/blocks_in_reverse_are_all",
		in("par/radix.go", "survey.and").replace("v.down && w.down && seam.down", "v.down && w.down"),
		own("TestSortBlocks", "F1: SortKey of")},
	{"par/settled_in_wrong_memory", in("par/radix.go", "radix.settle").
		replace("if to != d.in {", "if to != d.in && false {"), own("TestSortBlocks", "F1: Sort of")},
	{"par/equal_floats_reversed", in("par/numbers.go", "numberKernel.descending").
		replace("next >= last", "next > last"), own("TestSortZeros", "F1: Sort of")},
	{"par/equal_ones_reversed_by_all", in("par/ordered.go", "descendsFunc").replace(">= 0", "> 0"),
		own("TestSortReversedWithEqualNeighbours", "F1: SortFunc of")},
	{"par/break_begins_more", in("par/stream.go", "stream.end").replace("s.failed.Store(-1)", "_ = s"),
		own("TestMapSeqBeginsNothingMore", "F2: MapSeq's loop ends by break")},
	{"par/reports_too_often",
		in("par/gauge.go", "gauge.did").replace("g.last.Store(int64(now))", "_ = now"),
		own("TestProgressSeldom", "WithProgress: For reports after")},
	{"par/ring_grows_with_elements",
		in("par/ring.go", "ring.grown").replace("to[i&int64(n-1)] = r.at(i)", "to[i&int64(n-1)] = nil"),
		own("TestMapSeqRingGrows", "F1: MapSeq of")},
	{"par/element_kept_in_ring", in("par/stream.go", "stream.do").replace("c.x = *new(T)", "_ = x"),
		own("TestMapSeqKeepsNoElements", "F4: f has returned for")},
	{"par/stays_uncounted",
		in("par/helper.go", "helper.stay").replace("h.stream.enlist() && h.join()", "h.join()"),
		own("TestHelperStays", "F7: an element is left")},
	{"par/compares_before_sorted", in("par/guess.go", "proof.holds").
		replace("if end-at > 1 && !p.sort(block[at:end], buf) || at > 0 && p.cmp(block[at-1].of, block[at].of) >= 0 {",
			"if at > 0 && p.cmp(block[at-1].of, block[at].of) >= 0 || end-at > 1 && !p.sort(block[at:end], buf) {"),
		own("TestSortFieldWithOneMoved", "F1: SortFunc where")},
	{"par/equal_ones_by_field_at_bound", in("par/guess.go", "prove").
		replace("cmp(all[at-1].of, all[at].of) >= 0", "cmp(all[at-1].of, all[at].of) > 0"),
		own("TestSortFieldWithEqualNeighbours", "F1: SortFunc where")},
	{"par/longest_of_last_block",
		in("par/radix.go", "extent.and").replace("max(e.longest, f.longest)", "f.longest"),
		own("TestSortStringsShortInLastBlock", "F1: Sort of")},
	{"par/silent_within_ranges",
		in("par/crew.go", "loop.singly").replace("l.gauge != nil && l.elements != nil", "false"),
		own("TestProgressWhereElementsGetLong", "WithProgress: ")},
	{"par/silent_while_alone", in("par/loop.go", "config.alone").drop("c.did(m, now)"),
		own("TestProgressOfMispredicted", "WithProgress: one of ten")},
	{"par/silent_calls", in("par/gauge.go", "gauge.called").replace("g.did(n, prim.Now())", "_ = n"),
		own("TestProgressOfSlowFunctions", "WithProgress: ")},
	{"par/calls_pass_the_end",
		in("par/gauge.go", "gauge.reached").replace("min(done, int(g.to), g.total-1)", "done"),
		own("TestProgressOfSlowFunctions", "WithProgress: ")},
	{"par/progress_goes_back", in("par/gauge.go", "gauge.did").
		replace("max(g.told, g.reached())", "g.reached()"), own("TestProgressAscends", "WithProgress: ")},
	{"par/gauge_not_given_back", in("par/gauge.go", "gauge.release").drop("spareGauge.Store(g)"),
		own("TestOptionsAllocateNothingMore", "package par: Cost: ")},
	{"par/gauge_keeps_functions", in("par/gauge.go", "gauge.release").replace("w.forget()", "_ = w"),
		own("TestOptionsAllocateNothingMore", "package par: Cost: ")},
	{"par/report_panics_unnoted", in("par/loop.go", "loop.call").replace("lo = -1", "lo = l.n"),
		own("TestReportPanicsBeforeError", "F2: the report panics")},
	{"par/looks_before_it_leaves", in("par/helper.go", "helper.run").
		replace("h.leave() if !s.left() || !h.stay() {", `left := s.left()
if h.leave(); !left || !h.stay() {`),
		explored(1, "TestPool/sleep=jec/deque=chaselev/stream_source_waits", missedWake)},
	{"par/own_error_stops_nobody", in("par/stream.go", "stream.do").replace("s.lower(i)", "_ = s"),
		explored(1,
			"TestPool/sleep=jec/deque=chaselev/stream_own_error", "F2: MapSeq has yielded an error")},
	{"pool/inside_block_still_waits", in("pool/run.go", "runInside").replace("w.waitsNoMore()", "_ = w"),
		own("TestDumpOfRunInBlock", "P30: in a Run in Block")},
	{"pool/yield_in_vain_counts", in("pool/fair.go", "Worker.letBegin").drop("p.leaveBeside()"),
		own("TestYieldInVain", "P31: Yield has found nothing")},
	{"par/seam_not_compared",
		in("par/ordered.go", "ascending").replace("c.do(len(s)-few, &ascendsBy[E]{s[few-1:], cmp})",
			"c.do(len(s)-few-1, &ascendsBy[E]{s[few:], cmp})"),
		own("TestIsSortedAnywhere", "F1: IsSortedFunc of")},
	{"par/range_seams_not_compared", in("par/ordered.go", "ascendsBy.run").
		replace("a.s[lo:hi+1], a.cmp); n <= hi-lo", "a.s[lo:hi], a.cmp); n < hi-lo"),
		own("TestIsSortedAnywhere", "F1: IsSortedFunc of")},
	{"pool/along_counted_as_steals",
		in("pool/search.go", "seat.takeAlong").replace("s.deque.Push(j)", `s.deque.Push(j)
s.stats.steals.Add(1)`), own("TestStatsOfStealsOfSeveral", "P26: a worker has taken")},
	{"par/seam_has_all_in_common", in("par/radix.go", "radix.extent").
		replace("k.extent(d.depth, d.in, at-1, at+1)", "k.extent(d.depth, d.in, at, at+1)"),
		own("TestSortStringsCommonInBlocks", "F1: Sort of")},
	{"par/more_than_common_is_skipped",
		in("par/strings.go", "prefixes.next").replace("max(d.at+8, e.common)", "d.at+8+e.common"),
		own("TestSortStringsCommonInBlocks", "F1: Sort of")},
	{"par/common_ends_at_word",
		in("par/strings.go", "prefixes.common").replace("n + bits.LeadingZeros64(diff)/8", "n + 8"),
		own("TestSortStringsCommonInBlocks", "F1: Sort of")},
	{"par/strings_part_for_ever", in("par/strings.go", "prefixes.next").
		replace("d.steps < stepsMost && (d.steps == 0 || n <= d.of-d.of/8)", "true"),
		own("TestSortSuffixes", "Sort: Cost: ")},
	{"par/sample_in_reverse", in("par/strings.go", "sample.key").
		replace("return 2 * uint64(at)", "return 2 * uint64(len(some)-at)"),
		own("TestSortSuffixes", "F1: Sort of")},
	{"par/kinds_not_looked_for", in("par/mergesort.go", "mergeSort.sort").
		replace("kindsOf(m.s, kindsWanted[E](), m.cmp); kinds != nil",
			"kindsOf(m.s, kindsWanted[E](), m.cmp); kinds != nil && false"),
		own("TestSortFewKinds", "SortFunc: ")},
	{"par/between_kinds_as_kind",
		in("par/kinds.go", "classOf").replace("return 2 * lo", "return 2*lo + 1"),
		own("TestSortPatterns", "is not what a stable sort gives")},
	{"par/nothing_is_left_out", in("par/loop.go", "config.run").
		replace("case n == 0:", "case n == 0 && (c.ctx == nil || c.ctx.Err() == nil):"),
		own("TestNothingIsLeftOut", "F3: ")},
	{"par/filter_goes_on_after_error", in("par/filter.go", "filterAttempts.run").
		replace("err != nil ||", ""), own("TestErrForms", "F2: FilterErr with")},
}
