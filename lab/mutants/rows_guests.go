package mutants

// How guests come, are found, and leave.
var guestRows = []Mutant{
	{"pool/guest_free_before_it_is_hidden", at("seat.leaveGuestSeat").replace("s.home.free[word].Or(bit)", "_, _ = word, bit").
		before("s.hide()", "_, k, b := s.guestPlace(); s.home.free[k].Or(b)"), hangs(1, "shown_while_other_leaves")},
	{"pool/guest_comes_with_flag_down", at("Worker.attach").
		replace("isNew || s.isGuest()", "isNew"),
		hangs(0, "wanted_of_next_guest")},
	{"pool/guest_gets_a_seat", at("Worker.rouse").never("w.seat != nil"), hangs(1, "guests_fork_at_once")},
	{"pool/joined_in_other_pool_stays_queued", at("Handle.join").
		replace("on := cause{job: &h.job.Job} if h.beginJoined() {",
			"on := cause{job: &h.job.Job}\nif h.job.pool == w.pool && h.beginJoined() {"), hangs(0, "queued_in_other_pool")},
	{"pool/private_forks_beneath", at("Worker.moveToGuestSeat").drop("w.publishAll()"),
		hangs(0, "private_fork_beneath")},
	{"pool/close_waits_for_no_guest", at("Pool.guestSeat").drop("p.shutdown.lives.Add(1)").
		and("seat.leaveGuestSeat").drop("p.shutdown.lives.Done()"), pooled(1, "close_while_guest_leaves", "P8: ")},
	{"pool/guests_uncounted", at("Pool.Stats").
		replace("for seat := range p.eachSeat", "for _, seat := range p.seats"),
		own("TestStatsOfWhatJobsDo", "P26: ")},
	{"pool/begun_by_guests_stays_queued", at("endless.waits").
		replace("for s := range p.eachSeat", "for _, s := range p.seats"), own("TestStatsOfNow", "P26: ")},
	{"pool/closed_pool_keeps_guests", at("Pool.end").
		replace("for seat := range p.eachSeat", "for _, seat := range p.seats"),
		own("TestRollForgetsEndedWorkers", "P8: ")},
	{"pool/guest_leaves_its_jobs", at("Worker.takeWorkerSeat").replace("|| s.deque.Len() > 0", ""),
		own("TestGuestWithJobsStays", "P11: ")},
	{"pool/guest_seat_of_two", at("Pool.guestSeat").replace("if word.CompareAndSwap(free, free&(free-1)) {",
		"if prim.Yield(); true { word.Store(free & (free - 1))"), own("TestGuestSeatIsOnes", "P11: ")},
	{"pool/join_claims_only_its_deque", at("Worker.reclaim").
		before("if !f.begin() {", "if f.in != nil && f.in != w.seat { return false }"),
		explored(1, onProgram("lock_from_block,seats=1"), missedWake)},
	{"pool/seat_lost_as_job_parks", at("Worker.handInactive").drop("s.wakeUp()"),
		explored(0, onProgram("park_keeps_seat_for_others,seats=1"), missedWake)},
}
