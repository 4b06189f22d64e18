package mutants

// What par's sorts, selections, groups, streams and Scratch promise.
var parListPatches = []Patch{
	{
		Name: "par/merge_takes_right_first", File: "par/merge.go",
		Edits: []Edit{{"	for i < len(a) && j < len(b) {\n		if cmp(b[j], a[i]) < 0 {\n", "	for i < len(a) && j < len(b) {\n		if cmp(b[j], a[i]) <= 0 {\n"}},
		Kills: "TestMerge", Own: true, Says: "is not what a stable sort gives",
	},
	{
		Name: "par/streak_takes_right_first", File: "par/merge.go",
		Edits: []Edit{{"	for n := range dst {\n		if cmp(b[j], a[i]) < 0 {\n", "	for n := range dst {\n		if cmp(b[j], a[i]) <= 0 {\n"}},
		Kills: onPar("Results/MergeFunc"), Suite: true, Says: "F1: ",
	},
	{
		Name: "par/gallop_passes_equal", File: "par/merge.go",
		Edits: []Edit{{"return cmp(y, x) < 0 })", "return cmp(y, x) <= 0 })"}},
		Kills: "TestStable", Own: true, Says: "F1: ",
	},
	{
		Name: "par/cut_between_equal", File: "par/merge.go",
		Edits: []Edit{{"cmp(b[n-mid-1], a[mid]) < 0", "cmp(b[n-mid-1], a[mid]) <= 0"}},
		Kills: onPool("merge"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/cuts_may_fall", File: "par/merge.go",
		Edits: []Edit{{"		m.ascend(i)\n", "		_ = i\n"}},
		Kills: "TestLiars", Own: true, Says: "slice bounds out of range",
	},
	{
		Name: "par/insertion_passes_equal", File: "par/mergesort.go",
		Edits: []Edit{{"cmp(x, s[j-1]) < 0", "cmp(x, s[j-1]) <= 0"}},
		Kills: onPool("sort_func"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/equal_ones_reversed", File: "par/mergesort.go",
		Edits: []Edit{{"		if cmp(s[i], s[i-1]) >= 0 {\n", "		if cmp(s[i], s[i-1]) > 0 {\n"}},
		Kills: onPool("sort_func"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/field_not_proved", File: "par/sort.go",
		Edits: []Edit{{"	if cmp != nil && !prove(all, cmp, c.stage(len(s), 1, 2, 2)) {\n", "	if cmp != nil && !prove(all, cmp, c.stage(len(s), 1, 2, 2)) && false {\n"}},
		Kills: onPool("sort_func_wrong_field"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/field_proved_within_blocks", File: "par/guess.go",
		Edits: []Edit{{"		if at > 0 && cmp(", "		if at < 0 && cmp("}},
		Kills: onPool("sort_func_wrong_field"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/equal_ones_by_field", File: "par/guess.go",
		Edits: []Edit{{"p.cmp(block[at-1].of, block[at].of) >= 0", "p.cmp(block[at-1].of, block[at].of) > 0"}},
		Kills: onPool("sort_func_rounds"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/refuted_before_panic", File: "par/guess.go",
		Edits: []Edit{{"			p.refuted.Store(true)\n", "			p.refuted.Store(true)\n			return errRefuted\n"}, {"type proof[P any] struct {\n", "type refuted struct{}\n\nfunc (refuted) Error() string { return \"\" }\n\nvar errRefuted error = refuted{}\n\ntype proof[P any] struct {\n"}},
		Kills: "TestSortProofPanics", Own: true, Says: "F2: ",
	},
	{
		Name: "par/first_field_alone", File: "par/guess.go",
		Edits: []Edit{{"	case ordered:\n", "	case ordered || true:\n"}},
		Kills: onPool("sort_func_by_fields"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/field_ends_with_block", File: "par/guess.go",
		Edits: []Edit{{"p.bounds = append(p.bounds, first)", "p.bounds = append(p.bounds, max(first, at))"}},
		Kills: onPool("sort_func_by_fields"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/sort_panics_in_buffer", File: "par/mergesort.go",
		Edits: []Edit{{"	defer m.restore()\n", ""}},
		Kills: "TestSortPanics", Own: true, Says: "loses elements",
	},
	{
		Name: "par/blocks_placed_backwards", File: "par/radix.go",
		Edits: []Edit{{"	for b := range d.blocks {\n		at := d.at(b)\n", "	for b := range d.blocks {\n		at := d.at(d.blocks - 1 - b)\n"}},
		Kills: onPool("sort_key"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/bucket_of_nobody", File: "par/radix.go",
		Edits: []Edit{{"from < to && to-from <= prim.Size(radixAlone)", "from < to && to-from < prim.Size(radixAlone)"}},
		Kills: onPool("sort"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/blocks_in_order_are_all", File: "par/radix.go",
		Edits: []Edit{{"v.up && w.up && ordered,", "v.up && w.up,"}},
		Kills: onPool("sort_rotated"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/is_sorted_within_ranges", File: "par/ordered.go",
		Edits: []Edit{{"	if !ascends(s[lo : hi+1]) {\n", "	if !ascends(s[lo:hi]) {\n"}},
		Kills: onPool("is_sorted"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/chosen_of_own_block_alone", File: "par/filter.go",
		Edits: []Edit{{"		m.before[i+1] += m.before[i]\n", "		_ = i\n"}},
		Kills: onPool("partition"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/compact_begins_each_block", File: "par/compact.go",
		Edits: []Edit{{"lo+i == 0 || s[lo+i] != s[lo+i-1]", "i == 0 || s[lo+i] != s[lo+i-1]"}},
		Kills: onPool("compact"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/parts_merged_backwards", File: "par/group.go",
		Edits: []Edit{{"j.merge(sums[0], sum)", "j.merge(sum, sums[0])"}},
		Kills: onPool("fold_by"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/part_kept_in_scratch", File: "par/group.go",
		Edits: []Edit{{"slices.Clone(r.sums), slices", "r.sums, slices"}},
		Kills: onPool("fold_by"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/every_key_is_new", File: "par/keys.go",
		Edits: []Edit{{"	first, ok := seen[k]\n", "	first, ok := seen[k]\n	ok = false\n"}},
		Kills: onPool("fold_by"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/groups_begin_at_zero", File: "par/keys.go",
		Edits: []Edit{{"places[i] += starts[groups", "places[i] += 0 * starts[groups"}},
		Kills: onPool("group_by"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/counts_of_others_forgotten", File: "par/group.go",
		Edits: []Edit{{"		parts = append(parts, *part)\n", "		_ = part\n"}},
		Kills: onPool("count_into"), Says: "F1: ", Bound: 1,
	},
	{
		Name: "par/counts_shared", File: "par/group.go",
		Edits: []Edit{{"	if h.busy.CompareAndSwap(false, true) {\n", "	if h.busy.Store(true); true {\n"}},
		Kills: onPool("count_into"), Says: "DATA RACE", Bound: 1, Race: true,
	},
	{
		Name: "par/scratch_put_back_before_use", File: "par/scratch.go",
		Edits: []Edit{
			{"		s.put(i)\n	}()\n", "	}()\n"},
			{"	f(&i.value)\n	ok = true\n", "	s.put(i)\n	f(&i.value)\n	ok = true\n"},
		},
		Kills: onPool("scratch_nested"), Says: "F1: ", Bound: 0,
	},
	{
		Name: "par/scratch_taken_by_two", File: "par/scratch.go",
		Edits: []Edit{{"		if s.free.CompareAndSwap(top, changed(top, i.below.Load())) {\n", "		if s.free.Store(changed(top, i.below.Load())); true {\n"}},
		Kills: onPool("scratch"), Says: "F1: ", Bound: 2,
	},
	{
		Name: "par/scratch_changes_uncounted", File: "par/scratch.go",
		Edits: []Edit{{"(free>>32+1)<<32", "free>>32<<32"}},
		Kills: onPool("scratch_put_back"), Says: "F1: ", Bound: 1,
	},
	{
		Name: "par/scratch_keeps_after_panic", File: "par/scratch.go",
		Edits: []Edit{{"			i.value, i.valid = *new(T), false\n", ""}},
		Kills: "TestScratchFailures", Own: true, Says: "Scratch: ",
	},
	{
		Name: "par/scan_of_last_block_alone", File: "par/scan.go",
		Edits: []Edit{{"			s.sums[i] = op(s.sums[i-1], s.sums[i])\n", "			_ = i\n"}},
		Kills: onPool("scan"), Says: "F1: ", Bound: 0,
	},
	// What a worker does between two splits is folded as one.
	{
		Name: "par/splits_off_the_nodes", File: "par/fold.go",
		Edits: []Edit{{
			"	for i := lo; i < hi && err == nil; i++ {\n		f.to[i], err = f.leaf.fold(part(i, f.size, f.n))\n	}\n	return err\n",
			"	first, _ := part(lo, f.size, f.n)\n	_, end := part(hi-1, f.size, f.n)\n	f.to[lo], err = f.leaf.fold(first, end)\n	return err\n",
		}},
		Kills: onPar("Bits"), Suite: true, Says: "F1: ",
	},
	{
		Name: "par/found_where_range_begins", File: "par/find.go",
		Edits: []Edit{{"foundAt(lo + i)", "foundAt(lo + 0*i)"}},
		Kills: onPar("Results/IndexFunc"), Suite: true, Says: "F1: ",
	},
	{
		Name: "par/panic_leaves_forks", File: "par/loop.go",
		Edits: []Edit{{"l.worker.Scope(func(*pool.Scope) { work(l.worker, p) })", "work(l.worker, p)"}},
		Kills: onPool("panic_in_job"), Says: "F4: ", Bound: 2,
	},
	{
		Name: "par/ended_without_error", File: "par/loop.go",
		Edits: []Edit{{"			l.fail(p.lo, endOf(l.ctx))\n			return\n", "			return\n"}},
		Kills: onPool("context_ends"), Says: "F3: ", Bound: 1,
	},
	{
		Name: "par/reports_at_once", File: "par/gauge.go",
		Edits: []Edit{{"	due := !g.busy && ", "	due := "}},
		Kills: onPool("progress"), Says: "WithProgress: ", Bound: 1,
	},
	{
		Name: "par/last_report_missing", File: "par/loop.go",
		Edits: []Edit{{"	l.finished(l.n)\n	return nil\n", "	return nil\n"}},
		Kills: onPool("progress"), Says: "WithProgress: ", Bound: 0,
	},
	{
		Name: "par/end_reported_twice", File: "par/gauge.go",
		Edits: []Edit{{" && done < l.n\n", "\n"}},
		Kills: onPool("progress"), Says: "WithProgress: ", Bound: 0,
	},
	{
		Name: "par/window_exceeded", File: "par/seq.go",
		Edits: []Edit{{"		return int64(s.window)\n", "		return int64(s.window) + 1\n"}},
		Kills: "TestMapSeq", Own: true, Says: "F1: ",
	},
	{
		Name: "par/break_does_not_wait", File: "par/seq.go",
		Edits: []Edit{{"		h.wait(true)\n", "		_ = h\n"}},
		Kills: onPool("stream_break"), Says: "F4: ", Bound: 2,
	},
	{
		Name: "par/panicking_source_does_not_wait", File: "par/seq.go",
		Edits: []Edit{{"		defer s.end()\n", ""}, {"				return\n			}\n		}\n		if s.settle(0) {\n			s.finished(s.given)\n		}\n", "				s.end()\n				return\n			}\n		}\n		s.settle(0)\n		s.end()\n"}},
		Kills: onPool("stream_of_failing_source"), Says: "F4: ", Bound: 0,
	},
	{
		Name: "par/error_comes_early", File: "par/seq.go",
		Edits: []Edit{{"		c := s.at(s.head)\n", "		if f := s.failed.Load(); f >= 0 && f < s.tail {\n			s.head = f\n		}\n		c := s.at(s.head)\n"}},
		Kills: onPool("stream_error"), Says: "F2: ", Bound: 1,
	},
	{
		Name: "par/stream_goes_on_after_error", File: "par/seq.go",
		Edits: []Edit{{"	s.yield(none, err)\n	return none, false\n", "	return none, s.yield(none, err)\n"}},
		Kills: onPool("stream_error"), Says: "F2: ", Bound: 0,
	},
	{
		Name: "par/stream_forgets_cause", File: "par/helper.go",
		Edits: []Edit{{"		c.err = endOf(s.ctx)\n", "		c.err = s.ctx.Err()\n"}},
		Kills: onPool("stream_context_ends"), Says: "F3: ", Bound: 1,
	},
	{
		Name: "par/element_begun_by_two", File: "par/helper.go",
		Edits: []Edit{{" || !c.state.CompareAndSwap(cellReady, t.owned) {\n			continue\n		}\n", " {\n			continue\n		}\n		c.state.Store(t.owned)\n"}},
		Kills: onPool("stream"), Says: "F1: ", Bound: 2,
	},
}
