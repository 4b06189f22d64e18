package mutants

// Faults of recordings.
var recordRows = []Mutant{
	{"pool/stop_leaves_writers_behind", in("pool/internal/tape", "Tape.read").never("p.written.Load() != before+1"),
		own("TestStopWaitsForWriters", "Tape.Stop: it has returned")},
	{"pool/recorded_after_stop", in("pool/internal/tape", "Tape.Stop").replace("t.next.Or(sealed)", "t.next.Load()"),
		own("TestStopWaitsForWriters", "Tape.Stop: an event was written after it")},
	{"pool/dropped_events_not_counted", in("pool/internal/tape", "Tape.Stop").
		replace("n - uint64(len(first)+len(last))", "min(1, n - uint64(len(first)+len(last)))"),
		ownOf("pool", "TestRecordingIsFull", "Recording.Dropped: ")},
	{"pool/recorded_over_a_slow_writer", in("pool/internal/tape", "Tape.Add").never("p.written.Load() != before"),
		own("TestRecordWaitsForPlace", "Tape.Add: ")},
	{"pool/recorded_jobs_go_on_after_a_gap", in("pool/internal/tape", "decode").replace("d.jobs, d.stolen = map[uint32][]int{}, map[uint32]int{}",
		"if d.jobs == nil { d.jobs, d.stolen = map[uint32][]int{}, map[uint32]int{} }"),
		own("TestRecordsFirstAndLast", "Recording.Events: ")},
	{"pool/picture_overlooks_unseen_work", in("pool/picture", "work.forkedIn").replace("made == 0", "true"),
		own("TestAnswer", "WritePage: ")},
	{"pool/picture_takes_jobs_across_a_gap", in("pool/picture", "builder.lose").drop("b.forget()"),
		own("TestAnswerOfParts", "WritePage: ")},
	{"pool/picture_blames_other_programs", in("pool/picture", "timeline.causes").never("a.elsewhere != b.elsewhere"),
		own("TestAnswer", "WritePage: ")},
	{"pool/picture_counts_time_before_jobs", in("pool/picture", "WritePage").drop("r = fromFirstJob(r)"),
		own("TestPageOfKnownMoments", "WritePage: ")},
	{"pool/two_recordings", at("Pool.Record").replace("p.observer.Load().isRecording()", "limit < 0").
		replace("if other = o.tape; other == nil { o.tape = t }", "o.tape = t"),
		own("TestRecordRefuses", "Pool.Record: while there is another")},
	{"pool/recorded_end_is_lost", at("Worker.execute").drop("w.ended(false)"),
		own("TestRecordOfFailures", "Recording.Events: job")},
	{"pool/recorded_in_any_order", in("pool/internal/tape", "decode").replace("cmp.Compare(a.at, b.at)", "0*cmp.Compare(a.at, b.at)"),
		own("TestRecordOrder", "Recording.Events: ")},
	{"pool/steal_not_told_to_job", in("pool/internal/tape", "decoder.add").replace("d.all[steal].Job = e.Job", "_ = steal"),
		ownOf("pool", "TestRecordInVirtualTime", "Recording.Events: ")},
	{"pool/taken_along_is_own_work", at("Worker.tellBegin").replace("from != nil && from != w.seat", "from != nil && false"),
		own("TestRecordOfSteals", "Recording.Events: a fork")},
	{"pool/run_is_asleep_no_more", at("seat.handOff").drop("s.event(record.EventSleep)"),
		own("TestRecordingIsFull", "Recording.Events: ")},
	{"par/recorded_piece_ends_as_it_began", at("loop.recordedPiece").
		replace("_, hi = span(s.left.Load()); hi > 0", "hi > 0"), own("TestRecordedLoops", "For: in a recording, ")},
}
