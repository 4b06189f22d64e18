package mutants

// What par's sorts, selections, groups, streams and Scratch promise.
var parListRows = []Mutant{
	{"par/merge_takes_right_first", in("par/merge.go", "mergeEven").
		replace("cmp(y, a[i]) >= 0", "cmp(y, a[i]) > 0"),
		own("TestMerge", "is not what a stable sort gives")},
	{"par/streak_takes_right_first", in("par/merge.go", "mergeEven").
		replace("cmp(y, x) >= 0 {", "cmp(y, x) > 0 {"),
		own("TestMerge", "F1: MergeFunc of")},
	{"par/gallop_passes_equal", in("par/merge.go", "mergeEven").replace("x) < 0 })", "x) <= 0 })"),
		own("TestStable", "F1: ")},
	{"par/short_side_passes_equal", in("par/merge.go", "mergeTo").replace("x) < 0 })", "x) <= 0 })"),
		own("TestMerge", "F1: MergeFunc of")},
	{"par/cut_between_equal", in("par/merge.go", "cut").replace("a[mid]) <", "a[mid]) <="),
		explored(0, onPool("merge"), "F1: ")},
	{"par/cuts_may_fall", in("par/merge.go", "merging.merge").replace("m.ascend(i)", "_ = i"),
		own("TestLiars", "slice bounds out of range")},
	{"par/insertion_passes_equal", in("par/mergesort.go", "insertion").
		replace("s[j-1]) <", "s[j-1]) <="), own("TestStable", "F1: ")},
	{"par/equal_ones_reversed",
		in("par/natural.go", "runFunc").replace("slices.Reverse(s[equal:n]) for n++", "for n++"),
		explored(0, onPool("sort_func_falling"), "F1: ")},
	{"par/runs_inserted_before_equal",
		in("par/natural.go", "insertLast").replace("cmp(x, s[from+i]) < 0", "cmp(x, s[from+i]) <= 0"),
		own("TestSortPatterns", "is not what a stable sort gives")},
	{"par/run_lost_in_panic", in("par/natural.go", "insertLast").
		drop("defer func() { copy(s[at:], some) }()"), own("TestSortPatternPanics", "loses elements")},
	{"par/strays_before_equal",
		in("par/natural.go", "insertFirst").replace("cmp(y, x) < 0", "cmp(y, x) <= 0"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/strays_lost_in_panic", in("par/natural.go", "insertFirst").
		drop("defer func() { copy(s, some) }()"), own("TestSortPatternPanics", "loses elements")},
	{"par/strays_not_fixed", in("par/strays.go", "strays.pass").drop("a.fixed = kept"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/high_strays_put_back_backwards", in("par/strays.go", "strays.putBack").
		replace("a.buf[len(a.buf)-1-i]", "a.buf[len(a.buf)-a.high+i]"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/strays_left", in("par/strays.go", "butForStrays").drop("sort(s[hi:])"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/strays_not_set_apart", in("par/natural.go", "natural").
		replace("return butForStrays(s, ends[0], by, sort)", "return false"),
		own("TestSortStraysComparisons", "SortFunc: ")},
	{"par/equal_ones_not_gathered", in("par/natural.go", "natural").replace("room > 0 {", "room < 0 {"),
		own("TestSortStraysComparisons", "SortFunc: ")},
	{"par/first_ones_are_candidates", in("par/majority.go", "mostOf").
		replace("count[0]-- count[1]--", "_ = count"), own("TestMostOf", "Sort: Cost: ")},
	{"par/sample_in_steps", in("par/majority.go", "mostOf").
		replace("random = random*6364136223846793005 + 1442695040888963407",
			"random += 0x9e3779b97f4a7c15"), own("TestMostOf", "Sort: Cost: ")},
	{"par/two_kinds_not_gathered", in("par/majority.go", "mostOf").
		replace("count[most] < mostLeast && count[0]+count[1] < mostSample", "count[most] < mostLeast"),
		own("TestMostOf", "Sort: Cost: ")},
	{"par/greater_ones_gathered", in("par/majority.go", "mostly").
		replace("by.cmp(x, s[equal]) <= 0", "by.cmp(x, s[equal]) < 0"), own("TestSortByLess", "F1: ")},
	{"par/all_gathered", in("par/majority.go", "mostly").replace("|| equal == len(s) ||", "||"),
		own("TestSortByLess", "index out of range")},
	{"par/kinds_without_greater_ones", in("par/kinds.go", "sampleKinds").
		replace("cmp(next, last) <= 0", "cmp(last, next) >= 0"),
		own("TestSortByLess", "F1: ")},
	{"par/one_kind_told_apart", in("par/kinds.go", "kindsOf").
		replace("|| all < 2", ""), own("TestSortByLess", "F1: ")},
	{"par/falling_not_reversed", in("par/natural.go", "mostlyFalls").
		replace("return falls >= fallsLeast", "return false"), own("TestNearlyInOrder", "Sort: Cost: ")},
	{"par/half_falling_reversed",
		in("par/natural.go", "mostlyFalls").replace("falls >= fallsLeast", "falls >= fallsLeast/2"),
		own("TestNearlyInOrder", "Sort: Cost: ")},
	{"par/zeros_left_to_package_slices", in("par/natural.go", "naturalOrdered").
		replace("case reflect.Float32, reflect.Float64: default:", "default:"),
		own("TestSortZerosNearlyInOrder", "F1: Sort of")},
	{"par/crossed_ones_set_apart", in("par/natural.go", "crossed").
		replace("return n >= crossedLeast", "return false"), own("TestNearlyInOrder", "Sort: Cost: ")},
	{"par/saw_taken_for_crossed", in("par/natural.go", "crossed").
		replace("by.cmp(s[at], s[at-2]) < 0 ||", ""), own("TestCrossed", "Sort: Cost: ")},
	{"par/near_ones_taken_for_crossed", in("par/natural.go", "crossed").
		replace("|| by.cmp(middle, s[at-1]) >= 0", ""), own("TestCrossed", "Sort: Cost: ")},
	{"par/upper_half_taken_for_crossed", in("par/natural.go", "crossed").
		replace("|| by.cmp(middle, s[at]) < 0", ""), own("TestCrossed", "Sort: Cost: ")},
	{"par/uncrossed_not_looked_at", in("par/natural.go", "natural").
		replace("known = by.uncross(s); known == len(s)", "known = by.uncross(s); known > 0"),
		own("TestCrossed", "F1: ")},
	{"par/known_before_uncrossed", in("par/natural.go", "natural").
		replace("if known = by.uncross(s); known == len(s)", "if by.uncross(s) == len(s)"),
		own("TestCrossed", "F1: ")},
	{"par/equal_ones_put_first", in("par/majority.go", "mostly").
		replace("copy(s[less:], s[:equal])", "_ = less"), own("TestSortPatterns", "F1: ")},
	{"par/others_lost_in_panic",
		in("par/majority.go", "gatherFunc").drop("defer func() { copy(s[equal:], buf[:others]) }()").
			replace("return equal, at", "copy(s[equal:], buf[:others])\nreturn equal, at"),
		own("TestSortPatternPanics", "loses elements")},
	{"par/pointers_merged", in("par/mergesort.go", "mergeSort.sort").
		replace("kindsWanted[E](len(m.s))", "kindsSample"), own("TestSortOfPointersByKinds", "SortFunc: ")},
	{"par/late_strings_by_keys",
		in("par/strings.go", "partsSlowly").replace("return slowly > len(some)/2", "return false"),
		own("TestSortStringsThatPartLate", "Sort: Cost: ")},
	{"par/kinds_placed_backwards", in("par/kinds.go", "kindSort.place").
		replace("for b := range k.at {", "for b := len(k.at) - 1; b >= 0; b-- {"),
		own("TestSortPatterns", "F1: ")},
	{"par/gaps_left",
		in("par/kinds.go", "sortKindsAlone").replace("sortAlone(k.gap(2*i), cmp, true)", "_ = i"),
		own("TestSortPatterns", "is not what a stable sort gives")},
	{"par/counted_with_high_bits_lost", in("par/radix.go", "radix.fill").
		replace("v.first &^ d.digit.mask()", "0"), own("TestSortPatterns", "does not sort")},
	{"par/counted_alone_with_high_bits_lost", in("par/desk.go", "desk.fill").
		replace("first &^ g.mask()", "first &^ ^uint64(0)"), own("TestSort", "F1: Sort of")},
	{"par/bucket_left_alone", in("par/desk.go", "desk.finish").
		replace("d.sort(k, at, in, lo, hi, in)", "_ = hi"), own("TestSort", "F1: Sort of")},
	{"par/buffer_kept_with_pointers", in("par/lent.go", "giveBack").drop("clear(buf)"),
		own("TestSortKeepsNothing", "F4: ")},
	{"par/field_not_proved",
		in("par/sort.go", "sortItems").replace("2, 2, len(s))) {", "2, 2, len(s))) && false {"),
		explored(0, onPool("sort_func_wrong_field"), "F1: ")},
	{"par/field_proved_within_blocks", in("par/guess.go", "prove").replace("if at > 0", "if at < 0"),
		explored(0, onPool("sort_func_wrong_field"), "F1: ")},
	{"par/equal_ones_by_field", in("par/guess.go", "proof.holds").
		replace("block[at].of) >=", "block[at].of) >"), explored(0, onPool("sort_func_rounds"), "F1: ")},
	{"par/refuted_before_panic", in("par/guess.go", "proof.run").
		after("p.refuted.Store(true)", "return errRefuted").add(`type refuted struct{}

func (refuted) Error() string { return "" }

var errRefuted error = refuted{}`), own("TestSortProofPanics", "F2: ")},
	{"par/first_field_alone", in("par/guess.go", "proof.sort").replace("ordered:", "ordered || true:"),
		explored(0, onPool("sort_func_by_fields"), "F1: ")},
	{"par/field_ends_with_block", in("par/guess.go", "prove").
		replace("append(p.bounds, first)", "append(p.bounds, max(first, at))"),
		explored(0, onPool("sort_func_by_fields"), "F1: ")},
	{"par/sort_panics_in_buffer", in("par/mergesort.go", "mergeSort.merge").drop("defer m.restore()"),
		own("TestSortPanics", "loses elements")},
	{"par/blocks_placed_backwards", in("par/radix.go", "distribution.place").
		replace(":= d.at(b)", ":= d.at(d.blocks - 1 - b)"), explored(0, onPool("sort_key"), "F1: ")},
	{"par/bucket_of_nobody", in("par/radix.go", "sorting.run").replace("hi-lo <=", "hi-lo <"),
		explored(0, onPool("sort"), "F1: ")},
	{"par/blocks_in_order_are_all", in("par/radix.go", "survey.and").
		replace("w.up && seam.up,", "w.up,"), explored(0, onPool("sort_rotated"), "F1: ")},
	{"par/is_sorted_within_ranges", in("par/ordered.go", "ascendsOrdered.run").
		replace("ascends(s[lo : hi+1]); n <= hi-lo", "ascends(s[lo:hi]); n < hi-lo"),
		explored(0, onPool("is_not_sorted"), "F1: ")},
	{"par/chosen_of_own_block_alone", in("par/filter.go", "selection.add").
		replace("m.before[i+1] += m.before[i]", "_ = i"), explored(0, onPool("partition"), "F1: ")},
	{"par/compact_begins_each_block", in("par/compact.go", "changes.markRange").
		replace("lo == 0 {", "true {").replace("f.marks[0], lo = 1, 1", "f.marks[lo], lo = 1, lo+1"),
		explored(0, onPool("compact"), "F1: ")},
	{"par/parts_merged_backwards", in("par/foldby.go", "keyFold.join").
		replace("f.merge(*sum, b.sums[i])", "f.merge(b.sums[i], *sum)"),
		explored(0, onPool("fold_by"), "F1: ")},
	{"par/ids_of_another_room", in("par/foldby.go", "keyRoom.adopt").
		replace("s.room == r", "s.room != nil"), explored(1, onPool("fold_by"), "F1: ")},
	{"par/part_kept_in_spare", in("par/foldby.go", "keyRoom.drop").
		replace("keys: s.keys[:0], sums: s.sums[:0], ids: s.ids[:0],",
			"keys: s.keys, sums: s.sums, ids: s.ids,"), explored(1, onPool("fold_by"), "F1: ")},
	{"par/column_never_lost", in("par/foldby.go", "keyRoom.has").
		replace("s.stamp != 0 && r.columns[s.column].stamp == s.stamp", "s.stamp != 0"),
		own("TestColumnsByTurns", "F1: sum")},
	{"par/every_key_is_new", in("par/keys.go", "keyIndex.note").
		after("first, ok := seen[k]", "ok = false"), explored(0, onPool("group_by"), "F1: ")},
	{"par/groups_begin_at_zero", in("par/keys.go", "keyIndex.layOut").
		replace("places[i] +=", "places[i] += 0 *"), explored(0, onPool("group_by"), "F1: ")},
	{"par/counts_of_others_forgotten", in("par/group.go", "CountInto").
		replace("parts = append(parts, *part)", "_ = part"), explored(1, onPool("count_into"), "F1: ")},
	{"par/counts_shared", in("par/group.go", "histogram.run").
		replace("h.busy.CompareAndSwap(false, true)", "h.busy.Store(true); true"),
		race(1, onPool("count_into"))},
	{"par/scratch_put_back_before_use", in("par/scratch.go", "Scratch.Do").drop("s.put(i)").
		after("if !i.valid {", "s.put(i)"), explored(0, onPool("scratch_nested"), "F1: ")},
	{"par/scratch_taken_by_two", in("par/scratch.go", "Scratch.take").
		replace("s.free.CompareAndSwap(top, changed(top, i.below.Load()))",
			"s.free.Store(changed(top, i.below.Load())); true"), explored(2, onPool("scratch"), "F1: ")},
	{"par/scratch_changes_uncounted", in("par/scratch.go", "changed").
		replace("(free>>32+1)<<32", "free>>32<<32"), explored(1, onPool("scratch_put_back"), "F1: ")},
	{"par/scratch_keeps_after_panic", in("par/scratch.go", "Scratch.Do").
		drop("i.value, i.valid = *new(T), false"), own("TestScratchFailures", "Scratch: ")},
	{"par/scan_of_last_block_alone", in("par/scan.go", "scan").
		replace("s.sums[i] = op(s.sums[i-1], s.sums[i])", "_ = i"), explored(0, onPool("scan"), "F1: ")},
	// What a worker does between two splits is folded as one.
	{"par/splits_off_the_nodes", in("par/fold.go", "folding.row").
		after("begin, end := part(lo, f.size, f.n)", `if last := hi - 1; lo&(fan-1) != 0 && last > lo {
	_, end = part(last, f.size, f.n)
	lo = last
}`), own("TestRangesOfFoldAreAlike", "F1: ")},
	{"par/found_where_range_begins", in("par/find.go", "search.run").
		replace("foundAt(hi - len(s) + 2)", "foundAt(hi - len(s) + 1)"), own("TestIndexOfEach", "F1: ")},
	{"par/ended_without_error", in("par/slot.go", "loop.piece").
		replace("l.fail(l.base+lo, failure{err: endOf(l.ctx)})", "s.left.Store(0)"),
		explored(1, onPool("context_ends"), "F3: ")},
	{"par/reports_at_once",
		in("par/gauge.go", "gauge.did").replace("|| !g.busy.CompareAndSwap(false, true)", ""),
		explored(1, onPool("progress"), "WithProgress: ")},
	{"par/last_report_missing", in("par/loop.go", "loop.err").drop("l.finished(l.n)"),
		explored(0, onPool("progress"), "WithProgress: ")},
	{"par/end_reported_twice", in("par/gauge.go", "gauge.did").replace("done < g.total", "true"),
		explored(0, onPool("progress"), "WithProgress: ")},
	{"par/window_exceeded", in("par/stream.go", "stream.ahead").
		replace("return int64(s.window)", "return int64(s.window) + 1"), own("TestStreams", "F1: ")},
	{"par/break_does_not_wait", in("par/stream.go", "stream.end").never("s.active.Load() != closed"),
		explored(2, onPool("stream_break"), "F4: ")},
	{"par/panicking_source_does_not_wait", in("par/seq.go", "MapSeq").
		drop("defer s.end()").replace("return } } if s.settle(true) { s.finish() }",
		"s.end(); return } }; s.settle(true); s.end()"),
		explored(1, onPool("stream_of_failing_source"), "F4: ")},
	{"par/error_comes_early", in("par/stream.go", "stream.drain").
		before("c, done := s.due(head)", "if f := s.failed.Load(); f >= 0 && f < s.tail { head = f }"),
		explored(1, onPool("stream_error"), "F2: ")},
	{"par/stream_goes_on_after_error", in("par/stream.go", "stream.fail").
		replace("s.yield(none, err) return none, false", "return none, s.yield(none, err)"),
		explored(0, onPool("stream_error"), "F2: ")},
	{"par/stream_forgets_cause", in("par/stream.go", "stream.do").replace("endOf(s.ctx)", "s.ctx.Err()"),
		explored(0, onPool("stream_context_ends"), "F3: ")},
	{"par/element_begun_by_two", in("par/helper.go", "helper.round").
		replace("|| !c.state.CompareAndSwap(cellReady, cellOwned) { continue }",
			"{ continue }; c.state.Store(cellOwned)"), explored(2, onPool("stream"), "F1: ")},
}
