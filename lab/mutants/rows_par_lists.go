package mutants

// What par's sorts, selections, groups, streams and Scratch promise.
var parListRows = []Mutant{
	{"par/merge_takes_right_first", at("mergeEven").replace("cmp(y, a[i]) >= 0", "cmp(y, a[i]) > 0"),
		own("TestMerge", "is not what a stable sort gives")},
	{"par/streak_takes_right_first", at("mergeEven").replace("cmp(y, x) >= 0 {", "cmp(y, x) > 0 {"),
		own("TestMerge", "F1: MergeFunc of")},
	{"par/gallop_passes_equal", at("mergeEven").replace("x) < 0 })", "x) <= 0 })"),
		own("TestStable", "F1: ")},
	{"par/short_side_passes_equal", at("mergeTo").replace("x) < 0 })", "x) <= 0 })"),
		own("TestMerge", "F1: MergeFunc of")},
	{"par/cut_between_equal", at("cut").replace("a[mid]) <", "a[mid]) <="), pooled(0, "merge", "F1: ")},
	{"par/cuts_may_fall", at("merging.merge").replace("m.ascend(i)", "_ = i"),
		own("TestLiars", "slice bounds out of range")},
	{"par/insertion_passes_equal", at("insertion").replace("s[j-1]) <", "s[j-1]) <="),
		own("TestStable", "F1: ")},
	{"par/equal_ones_reversed", at("runFunc").replace("slices.Reverse(s[equal:n]) for n++", "for n++"),
		pooled(0, "sort_func_falling", "F1: ")},
	{"par/runs_inserted_before_equal",
		at("insertLast").replace("cmp(x, s[from+i]) < 0", "cmp(x, s[from+i]) <= 0"),
		own("TestSortPatterns", "is not what a stable sort gives")},
	{"par/run_lost_in_panic", at("insertLast").drop("defer func() { copy(s[at:], some) }()"),
		own("TestSortPatternPanics", "loses elements")},
	{"par/strays_before_equal", at("insertFirst").replace("cmp(y, x) < 0", "cmp(y, x) <= 0"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/strays_lost_in_panic", at("insertFirst").drop("defer func() { copy(s, some) }()"),
		own("TestSortPatternPanics", "loses elements")},
	{"par/strays_not_fixed", at("strays.pass").drop("a.fixed = kept"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/high_strays_put_back_backwards",
		at("strays.putBack").replace("a.buf[len(a.buf)-1-i]", "a.buf[len(a.buf)-a.high+i]"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/strays_left", at("butForStrays").drop("sort(s[hi:])"),
		own("TestSortStrays", "is not what a stable sort gives")},
	{"par/greater_ones_gathered", at("mostly").
		replace("by.cmp(x, s[equal]) <= 0", "by.cmp(x, s[equal]) < 0"), own("TestSortByLess", "F1: ")},
	{"par/all_gathered", at("mostly").replace("|| equal == len(s) ||", "||"),
		own("TestSortByLess", "index out of range")},
	{"par/kinds_without_greater_ones", at("sampleKinds").
		replace("cmp(next, last) <= 0", "cmp(last, next) >= 0"), own("TestSortByLess", "F1: ")},
	{"par/one_kind_told_apart", at("kindsOf").replace("|| all < 2", ""), own("TestSortByLess", "F1: ")},
	{"par/zeros_left_to_package_slices",
		at("naturalOrdered").replace("case reflect.Float32, reflect.Float64: default:", "default:"),
		own("TestSortZerosNearlyInOrder", "F1: Sort of")},
	{"par/uncrossed_not_looked_at", at("natural").replace("known == len(s)", "known > 0"),
		own("TestCrossed", "F1: ")},
	{"par/known_before_uncrossed", at("natural").
		replace("known = by.uncross(s); known", "by.uncross(s)"), own("TestCrossed", "F1: ")},
	{"par/equal_ones_put_first", at("mostly").replace("copy(s[less:], s[:equal])", "_ = less"),
		own("TestSortPatterns", "F1: ")},
	{"par/others_lost_in_panic",
		at("gatherFunc").drop("defer func() { copy(s[equal:], buf[:others]) }()").
			replace("return equal, at", "copy(s[equal:], buf[:others])\nreturn equal, at"),
		own("TestSortPatternPanics", "loses elements")},
	{"par/kinds_placed_backwards", at("kindSort.place").
		replace("range k.at", "len(k.at) - 1; b >= 0; b--"), own("TestSortPatterns", "F1: ")},
	{"par/gaps_left", at("sortKindsAlone").replace("sortAlone(k.gap(2*i), cmp, true)", "_ = i"),
		own("TestSortPatterns", "is not what a stable sort gives")},
	{"par/counted_with_high_bits_lost", at("radix.fill").replace("v.first &^ d.digit.mask()", "0"),
		own("TestSortPatterns", "does not sort")},
	{"par/counted_alone_with_high_bits_lost", at("desk.fill").
		replace("first &^ g.mask()", "first &^ ^uint64(0)"), own("TestSort", "F1: Sort of")},
	{"par/another_kind_lost", at("numberList.byKinds").replace("told < end", "false"),
		own("TestSortCountedKinds", "F1: Sort of")},
	{"par/kinds_counted_in_no_order", at("numberList.byKinds").drop("n.numberKernel.insertion(kinds[:known])"),
		own("TestSortCountedKinds", "F1: Sort of")},
	{"par/kinds_in_the_wrong_place", at("numberList.byKinds").replace("n.fill(to,", "n.fill(in,"),
		own("TestSortCountedKinds", "F1: Sort of")},
	{"par/bucket_left_alone", at("desk.finish").replace("d.sort(k, at, in, lo, hi, in)", "_ = hi"),
		own("TestSort", "F1: Sort of")},
	{"par/buffer_kept_with_pointers", at("giveBack").drop("clear(buf)"),
		own("TestSortKeepsNothing", "F4: ")},
	{"par/field_not_proved", at("sortItems").replace("s))) {", "s))) && false {"),
		pooled(0, "sort_func_wrong_field", "F1: ")},
	{"par/field_proved_within_blocks", at("prove").replace("if at > 0", "if at < 0"),
		pooled(0, "sort_func_wrong_field", "F1: ")},
	{"par/equal_ones_by_field", at("proof.holds").replace("block[at].of) >=", "block[at].of) >"),
		pooled(0, "sort_func_rounds", "F1: ")},
	{"par/refuted_before_panic",
		at("proof.run").after("p.refuted.Store(true)", "return errRefuted").add(`type refuted struct{}

func (refuted) Error() string { return "" }

var errRefuted error = refuted{}`), own("TestSortProofPanics", "F2: ")},
	{"par/first_field_alone", at("proof.sort").replace("ordered:", "ordered || true:"),
		pooled(0, "sort_func_by_fields", "F1: ")},
	{"par/field_ends_with_block", at("prove").replace("bounds, first", "bounds, max(first, at)"),
		pooled(0, "sort_func_by_fields", "F1: ")},
	{"par/sort_panics_in_buffer", at("mergeSort.merge").drop("defer m.restore()"),
		own("TestSortPanics", "loses elements")},
	{"par/blocks_placed_backwards", at("distribution.place").
		replace(":= d.at(b)", ":= d.at(d.blocks - 1 - b)"), pooled(0, "sort_key", "F1: ")},
	{"par/bucket_of_nobody", at("sorting.run").replace("hi-lo <=", "hi-lo <"), pooled(0, "sort", "F1: ")},
	{"par/blocks_in_order_are_all", at("survey.and").replace("w.up && seam.up,", "w.up,"),
		pooled(0, "sort_rotated", "F1: ")},
	{"par/is_sorted_within_ranges", at("ascendsOrdered.run").
		replace("ascends(s[lo : hi+1]); n <= hi-lo", "ascends(s[lo:hi]); n < hi-lo"),
		pooled(0, "is_not_sorted", "F1: ")},
	{"par/chosen_of_own_block_alone", at("selection.add").
		replace("m.before[i+1] += m.before[i]", "_ = i"), pooled(0, "partition", "F1: ")},
	{"par/compact_begins_each_block", at("changes.markRange").replace("lo == 0 {", "true {").
		replace("f.marks[0], lo = 1, 1", "f.marks[lo], lo = 1, lo+1"), pooled(0, "compact", "F1: ")},
	{"par/parts_merged_backwards", at("keyFold.join").
		replace("f.merge(*sum, b.sums[i])", "f.merge(b.sums[i], *sum)"), pooled(0, "fold_by", "F1: ")},
	{"par/ids_of_another_room", at("keyRoom.adopt").replace("s.room == r", "s.room != nil"),
		pooled(1, "fold_by", "F1: ")},
	{"par/part_kept_in_spare",
		at("keyRoom.drop").replace("keys: s.keys[:0], sums: s.sums[:0], ids: s.ids[:0],",
			"keys: s.keys, sums: s.sums, ids: s.ids,"), pooled(1, "fold_by", "F1: ")},
	{"par/column_never_lost", at("keyRoom.has").
		replace("0 && r.columns[s.column].stamp == s.stamp", "0"), own("TestColumnsByTurns", "F1: sum")},
	{"par/every_key_is_new", at("keyIndex.note").after("first, ok := seen[k]", "ok = false"),
		pooled(0, "group_by", "F1: ")},
	{"par/groups_begin_at_zero", at("keyIndex.layOut").replace("places[i] +=", "places[i] += 0 *"),
		pooled(0, "group_by", "F1: ")},
	{"par/counts_of_others_forgotten", at("CountInto").
		replace("parts = append(parts, *part)", "_ = part"), pooled(1, "count_into", "F1: ")},
	{"par/counts_shared", at("histogram.run").replace("CompareAndSwap(false, true)", "Store(true); true").
		and("histogram.count").replace("range s { countOne(counts, lo, bucket(x))",
		"range s { b := bucket(x); n := counts[b]; prim.Yield(); counts[b] = n + 1"),
		pooled(0, "count_into", "F1: ")},
	{"par/scratch_put_back_before_use", at("Scratch.Do").
		drop("s.put(i)").after("if !i.valid {", "s.put(i)"), pooled(0, "scratch_nested", "F1: ")},
	{"par/scratch_taken_by_two",
		at("Scratch.take").replace("s.free.CompareAndSwap(top, changed(top, i.below.Load()))",
			"s.free.Store(changed(top, i.below.Load())); true"), pooled(2, "scratch", "F1: ")},
	{"par/scratch_changes_uncounted", at("changed").replace("(free>>32+1)<<32", "free>>32<<32"),
		pooled(1, "scratch_put_back", "F1: ")},
	{"par/scratch_keeps_after_panic", at("Scratch.Do").drop("i.value, i.valid = *new(T), false"),
		own("TestScratchFailures", "Scratch: ")},
	{"par/scan_of_last_block_alone",
		at("scan").replace("s.sums[i] = op(s.sums[i-1], s.sums[i])", "_ = i"), pooled(0, "scan", "F1: ")},
	// What a worker does between two splits is folded as one.
	{"par/splits_off_the_nodes", at("folding.row").
		after("begin, end := part(lo, f.size, f.n)", `if last := hi - 1; lo&(fan-1) != 0 && last > lo {
	_, end = part(last, f.size, f.n)
	lo = last
}`), own("TestRangesOfFoldAreAlike", "F1: ")},
	{"par/found_where_range_begins", at("search.run").
		replace("foundAt(hi - len(s) + 2)", "foundAt(hi - len(s) + 1)"), own("TestIndexOfEach", "F1: ")},
	{"par/ended_without_error",
		at("loop.piece").replace("l.fail(l.base+lo, failure{err: endOf(l.ctx)})", "s.left.Store(0)"),
		pooled(1, "context_ends", "F3: ")},
	{"par/reports_at_once", at("gauge.did").replace("|| !g.busy.CompareAndSwap(false, true)", ""),
		pooled(1, "progress", "WithProgress: ")},
	{"par/last_report_missing", at("loop.err").drop("l.finished(l.n)"),
		pooled(0, "progress", "WithProgress: ")},
	{"par/end_reported_twice", at("gauge.did").replace("done < g.total", "true"),
		pooled(0, "progress", "WithProgress: ")},
	{"par/window_exceeded", at("line.ahead").
		replace("return int64(l.set)", "return int64(l.set) + 1"), own("TestStreams", "F1: ")},
	{"par/break_does_not_wait", at("stream.end").never("s.active.Load() != closed"),
		pooled(3, "stream_break", "F4: ")},
	{"par/panicking_source_does_not_wait",
		at("MapSeq").drop("defer s.end()").replace("return } } if s.settle(true) { s.finish() }",
			"s.end(); return } }; s.settle(true); s.end()"), pooled(1, "stream_of_failing_source", "F4: ")},
	{"par/error_comes_early", at("stream.drain").
		before("c, state := s.first(head)", "if f := s.failed.Load(); f >= 0 && f < s.tail { head = f }"),
		pooled(1, "stream_error", "F2: ")},
	{"par/stream_goes_on_after_error", at("handover.fail").
		replace("h.yield(none, err) return none, false", "return none, h.yield(none, err)"),
		pooled(0, "stream_error", "F2: ")},
	{"par/stream_forgets_cause", at("stream.do").replace("endOf(s.ctx)", "s.ctx.Err()"),
		pooled(0, "stream_context_ends", "F3: ")},
	{"par/element_begun_by_two",
		at("helper.round").replace("|| !c.state.CompareAndSwap(cellReady, cellOwned) { continue }",
			"{ continue }; c.state.Store(cellOwned)"), pooled(2, "stream", "F1: ")},
}
