package mutants

// Faults of recordings.
var recordRows = []Mutant{
	{"pool/stop_leaves_writers_behind", at("Recorder.Stop").never("!kept[i].written.Load()"),
		own("TestStopWaitsForWriters", "Recorder.Stop: it has returned")},
	{"pool/recorded_after_stop", at("Recorder.Stop").replace("r.next.Or(sealed)", "r.next.Load()"),
		own("TestStopWaitsForWriters", "Recorder.Stop: an event was written after it")},
	{"pool/dropped_events_not_counted", at("Recorder.Stop").
		replace("Dropped: n - uint64(len(kept)),", "Dropped: min(1, n - uint64(len(kept))),"),
		own("TestRecordingIsFull", "Recording.Dropped: ")},
	{"pool/two_recordings", at("Pool.Record").replace("p.recorder.Load() != nil", "limit < 0").
		replace("if !p.recorder.CompareAndSwap(nil, r) { return nil, ErrRecording }", "p.recorder.Store(r)"),
		own("TestRecordRefuses", "Pool.Record: while there is another")},
	{"pool/recorded_end_is_lost", at("Worker.execute").replace("w.recordEnd(false) j.task.done(w, f)", "j.task.done(w, f)"),
		own("TestRecordOfFailures", "Recording.Events: job")},
	{"pool/recorded_in_any_order", at("decode").replace("cmp.Compare(from[a].at, from[b].at)", "0*cmp.Compare(from[a].at, from[b].at)"),
		own("TestRecordOrder", "Recording.Events: ")},
	{"pool/steal_not_told_to_job", at("decoder.add").replace("steal.Job, e.Other = e.Job, steal.Other", "_ = steal"),
		own("TestRecordInVirtualTime", "Recording.Events: ")},
	{"pool/taken_along_is_own_work", at("Recorder.begins").never("from != nil && from != w.seat"),
		own("TestRecordOfSteals", "Recording.Events: a fork")},
	{"pool/run_is_asleep_no_more", at("Recorder.endOfRun").never("s != nil && s.lent && w.successor == nil"),
		own("TestRecordingIsFull", "Recording.Events: ")},
	{"par/recorded_piece_ends_as_it_began", at("loop.recordedPiece").
		replace("_, hi = span(s.left.Load()); hi > 0", "hi > 0"), own("TestRecordedLoops", "For: in a recording, ")},
}
