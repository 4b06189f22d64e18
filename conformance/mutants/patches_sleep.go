package mutants

// noLastLook takes the last look for work, just before a worker blocks, out of
// sleep/jec. With a jobs event counter that does not wrap this alone does no
// harm (below), and lets the mutants of the counter show, which the look would
// make good.
var noLastLook = map[string][]Edit{
	"sleep/jec/seat.go": {{`	if look() || latch.Probe() { // B5`, `	if latch.Probe() {`}},
}

// The counters, the sleep backends and the lending of seats. Where there is a
// choice, Kills is a scenario that needs the fewest preemptions, and made for it.
var sleepPatches = []Patch{
	{
		Name: "counters/1_announce_like_post", Numbers: []int{1}, File: "counters/counters.go",
		Edits: announcesLikeAPost,
		Kills: "TestCounters/bits=32/two_steps_at_once/last=announced", Says: "C1: ", Bound: 0,
	},
	{
		Name: "sleep/1_announce_like_post", Numbers: []int{1}, File: "counters/counters.go",
		Edits: announcesLikeAPost, Also: noLastLook,
		Kills: "TestSleep/sleep=jec/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "counters/2_ticket_by_load", Numbers: []int{2}, File: "counters/counters.go",
		Edits: ticketLoaded,
		Kills: "TestCounters/bits=32/two_steps_at_once/last=posted", Says: "C1: ", Bound: 1,
	},
	{
		Name: "sleep/2_ticket_by_load", Numbers: []int{2}, File: "counters/counters.go",
		Edits: ticketLoaded, Also: noLastLook,
		Kills: "TestSleep/sleep=jec/two_posters_later", Says: "missed wake", Bound: 3,
	},
	{
		Name: "counters/12_ticket_ignored", Numbers: []int{12}, File: "counters/counters.go",
		Edits: ticketUnused,
		Kills: "TestCounters/bits=32/two_steps_at_once/last=posted", Says: "C1: ", Bound: 0,
	},
	{
		Name: "sleep/12_ticket_ignored", Numbers: []int{12}, File: "counters/counters.go",
		Edits: ticketUnused, Also: noLastLook,
		Kills: "TestSleep/sleep=jec/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/no_last_look_without_wrap", File: "sleep/jec/seat.go",
		Edits:    noLastLook["sleep/jec/seat.go"],
		Harmless: "the mutex is held from B4 to B6, so a post comes before B4, which fails, or finds the sleeper",
		Kills:    "TestSleep/sleep=jec/two_posters", Bound: 3,
	},
	{
		Name: "sleep/3_no_last_look_jec", Numbers: []int{3, 26}, File: "sleep/jec/seat.go",
		Edits: noLastLook["sleep/jec/seat.go"],
		Kills: "TestSleep/sleep=jec,bits=1/wakes_per_post", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/3_no_last_look_futex", Numbers: []int{3, 26}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	if look() || latch.Probe() { // B5`, `	if latch.Probe() {`}},
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		// The last look at the latch would make this good.
		Name: "sleep/4_asleep_before_the_lock", Numbers: []int{4}, File: "sleep/jec/seat.go",
		Edits: []Edit{
			{`	p := &s.seats[idle.Worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != awake {
		panic("jec: a worker parks at a seat that is lent")
	}
	if !latch.FallAsleep() {
		return
	}
`, `	if !latch.FallAsleep() {
		return
	}
	p := &s.seats[idle.Worker]
	p.mu.Lock()
	defer p.mu.Unlock()
`},
			{`	if look() || latch.Probe() { // B5`, `	if look() {`},
		},
		Kills: "TestSleep/sleep=jec/stop", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/13_no_look_at_the_latch_jec", Numbers: []int{13}, File: "sleep/jec/seat.go",
		Edits:    []Edit{{`	if look() || latch.Probe() { // B5`, `	if look() {`}},
		Harmless: "the mutex is held from FallAsleep to B6, so the one who set the latch, and must wake, finds the sleeper",
		Kills:    "TestSleep/sleep=jec/stop", Bound: 4,
	},
	{
		Name: "sleep/7_stop_not_rechecked_futex", Numbers: []int{7, 13}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	if look() || latch.Probe() { // B5`, `	if look() {`}},
		Kills: "TestSleep/sleep=futex/stop", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/7_stop_not_rechecked_jec", Numbers: []int{7}, File: "sleep/jec/seat.go",
		Edits: []Edit{
			{`	if !latch.FallAsleep() {
		return
	}
`, `	latch.FallAsleep()
`},
			{`	if look() || latch.Probe() { // B5`, `	if look() {`},
		},
		Kills: "TestSleep/sleep=jec/stop", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/5_cascade_after_the_job", Numbers: []int{5}, File: "sleep/futex/sleep.go",
		Edits: []Edit{
			{`	meter    meter
`, `	meter    meter
	late     prim.Bool // a wake is due when the job has ended
`},
			{`	if s.counters.SubInactive() {
		s.wakeAny(1)
	}`, `	if s.counters.SubInactive() {
		s.late.Store(true)
	}`},
			{`	s.counters.AddInactive()
`, `	if s.late.Swap(false) {
		s.wakeAny(1)
	}
	s.counters.AddInactive()
`},
		},
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/6_no_cascade_jec", Numbers: []int{6}, File: "sleep/jec/sleep.go",
		Edits: noCascade,
		Kills: "TestSleep/sleep=jec/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/6_no_cascade_futex", Numbers: []int{6}, File: "sleep/futex/sleep.go",
		Edits: noCascade,
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/8_word_after_the_last_look", Numbers: []int{8}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	if p.word.Swap(asleep) != awake {
		panic("futex: a worker parks at a seat that is lent")
	}
	if look() || latch.Probe() { // B5`, `	found := look() || latch.Probe()
	p.word.Store(asleep)
	if found {`}},
		Kills: "TestSleep/sleep=futex/two_posters", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/9_one_futex_for_all", Numbers: []int{9}, File: "sleep/futex/seat.go",
		Edits: []Edit{
			{`	for ; word != awake; word = p.word.Load() {`, `	for all := p.meter.all.Load(); p.word.Load() != awake; all = p.meter.all.Load() {`},
			{`			futexWait(&p.word, word)`, `			futexWait(&p.meter.all, all)`},
			{`		futexWake(&p.word)`, `		p.meter.all.Add(1)
		futexWake(&p.meter.all)`},
		},
		Also: map[string][]Edit{"sleep/futex/meter.go": {
			{`	parks, wakes, lent, syscalls prim.Uint64
`, `	parks, wakes, lent, syscalls prim.Uint64
	all                          prim.Uint32
`},
		}},
		Kills: "TestSleep/sleep=futex/two_stops", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/10_claim_without_cas", Numbers: []int{10}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	if p.word.Load() != asleep || !p.word.CompareAndSwap(asleep, claimed) {
		return false
	}
`, `	if p.word.Load() != asleep {
		return false
	}
	p.word.Store(claimed)
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/11_word_before_the_count", Numbers: []int{11}, File: "sleep/futex/claim.go",
		Edits: []Edit{
			{`	p := &s.seats[idle.Worker]
	// From here`, `	// From here`},
			{`	if p.word.Swap(asleep) != awake {
		panic("futex: a worker parks at a seat that is lent")
	}
`, ``},
			{`	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
`, `	p := &s.seats[idle.Worker]
	p.word.Store(asleep)
	if !s.counters.TrySleep(uint32(idle.Ticket)) { // B4
		p.word.Store(awake)
`},
		},
		Kills: "TestSleep/sleep=futex/stop", Says: "panic", Bound: 2,
	},
	{
		Name: "sleep/14_counted_twice", Numbers: []int{14}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	s.counters.SubSleeping()
`, `	s.counters.SubSleeping()
	if _, sleeping := s.Counts(); sleeping > 0 {
		s.counters.SubSleeping()
	}
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 0,
	},
	{
		Name: "sleep/15_sleeper_counts_too", Numbers: []int{15}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	p.block() // B6
`, `	p.block() // B6
	if _, sleeping := s.Counts(); sleeping > 0 {
		s.counters.SubSleeping()
	}
`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/released_before_it_is_counted", File: "sleep/futex/claim.go",
		Edits: []Edit{{`	s.counters.SubSleeping()
	p.word.Store(awake)
`, `	p.word.Store(awake)
	s.counters.SubSleeping()
`}},
		Kills: "TestSleep/sleep=futex/spurious_return", Says: "panic", Bound: 2,
	},
	{
		Name: "sleep/27_count_ignored", Numbers: []int{27}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`		if s.rouse(&s.seats[i]) {
			n--
		}`, `		s.rouse(&s.seats[i])`}},
		Kills: "TestSleep/sleep=futex/wakes_per_post", Says: "S6: ", Bound: 1,
	},
	{
		Name: "sleep/28_any_return_is_a_wake_futex", Numbers: []int{28}, File: "sleep/futex/seat.go",
		Edits: []Edit{{`	for ; word != awake; word = p.word.Load() {`, `	if word != awake {`}},
		Kills: "TestSleep/sleep=futex/spurious_return", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/28_any_return_is_a_wake_jec", Numbers: []int{28}, File: "sleep/jec/seat.go",
		Edits: []Edit{{`		for p.state != awake { // B6; it stays while its seat is lent, too`, `		{`}},
		Kills: "TestSleep/sleep=jec/spurious_return", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/waits_while_asleep", Numbers: []int{28}, File: "sleep/futex/seat.go",
		Edits: []Edit{{`	for ; word != awake; word = p.word.Load() {`, `	for asleep := word; word == asleep; word = p.word.Load() {`}},
		Kills: "TestSleep/sleep=futex/seat/spurious_return", Says: "panic: worker: counters: inactive 1 - 1", Bound: 2,
	},
	{
		Name: "sleep/32_lent_twice", Numbers: []int{32}, File: "sleep/futex/lend.go",
		Edits: []Edit{{`		if word.Load() == asleep && word.CompareAndSwap(asleep, lent) { // T1
`, `		if word.Load() == asleep {
			word.Store(lent)
`}},
		Kills: "TestSleep/sleep=futex/seat/kept", Says: "panic", Bound: 2,
	},
	{
		// A pool whose job waits is lost then: its goroutine has the job, and sleeps.
		Name: "sleep/32_lent_while_it_looks", Numbers: []int{32}, File: "sleep/futex/sleep.go",
		Edits: []Edit{{`	case api.Block:
		return true
`, `	case api.Block:
		if s.counters.TrySleep(uint32(idle.Ticket)) {
			s.seats[idle.Worker].word.Store(asleep)
			s.claim(&s.seats[idle.Worker])
		}
		return true
`}},
		Kills: "TestSleep/sleep=futex/seat/not_while_it_looks", Says: "S9: ", Bound: 2,
	},
	{
		Name: "sleep/33_given_back_without_a_look_futex", Numbers: []int{33}, File: "sleep/futex/lend.go",
		Edits: []Edit{{`	if look() {          // R3
		if !s.rouse(p) { // R4
			s.passOn(p) // R5
		}
	}
`, ``}},
		Kills: "TestSleep/sleep=futex/seat/left_in_the_seat", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/33_given_back_without_a_look_jec", Numbers: []int{33}, File: "sleep/jec/lend.go",
		Edits: []Edit{{`	if look() {          // R3
		s.rouse(p) // R4
	}
`, ``}},
		Kills: "TestSleep/sleep=jec/seat/left_in_the_seat", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/33_look_before_the_word", Numbers: []int{33}, File: "sleep/futex/lend.go",
		Edits: []Edit{{`	s.counters.Restore() // R1
	p.word.Store(asleep) // R2
	if look() {          // R3
`, `	found := look()
	s.counters.Restore() // R1
	p.word.Store(asleep) // R2
	if found {
`}},
		Kills: "TestSleep/sleep=futex/seat/posted_while_lent", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/34_lent_seat_woken_futex", Numbers: []int{34}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`	s.check(worker)
	return s.rouse(&s.seats[worker])
`, `	s.check(worker)
	p := &s.seats[worker]
	if p.word.CompareAndSwap(lent, awake) {
		p.wake()
		return true
	}
	return s.rouse(p)
`}},
		Kills: "TestSleep/sleep=futex/seat/stop", Says: "panic: worker: counters: inactive", Bound: 2,
	},
	{
		Name: "sleep/34_lent_seat_woken_jec", Numbers: []int{34}, File: "sleep/jec/seat.go",
		Edits: []Edit{{`	s.check(worker)
	return s.claim(&s.seats[worker])
`, `	s.check(worker)
	p := &s.seats[worker]
	p.mu.Lock()
	if p.state == lent {
		p.state = awake
		p.cond.Signal()
	}
	p.mu.Unlock()
	return s.claim(p)
`}},
		Kills: "TestSleep/sleep=jec/seat/stop", Says: "panic: worker: counters: inactive 0 - 1", Bound: 2,
	},
	{
		Name: "sleep/34_looking_frees_the_seat", Numbers: []int{34}, File: "sleep/futex/sleep.go",
		Edits: []Edit{{`	s.counters.AddInactive()
`, `	s.counters.AddInactive()
	s.seats[worker].word.Store(awake)
`}},
		Kills: "TestSleep/sleep=futex/seat/looks", Says: "panic", Bound: 1,
	},
	{
		Name: "sleep/35_lost_claim_taken_for_a_wake", Numbers: []int{35}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`		if !s.claim(p) {
			s.passOn(p) // R5
		}
`, `		if !s.claim(p) && p.word.Load() == lent {
			s.passOn(p)
			latch.WakeUp()
			idle.Round = 0
			return
		}
`}},
		Kills: "TestSleep/sleep=futex/seat/posted_while_lent", Says: "panic: worker: counters: inactive 1 - 1", Bound: 3,
	},
	{
		Name: "sleep/35_work_forgotten_by_the_sleeper", Numbers: []int{35}, File: "sleep/futex/claim.go",
		Edits: []Edit{{`		if !s.claim(p) {
			s.passOn(p) // R5
		}
`, `		s.claim(p)
`}},
		Kills: "TestSleep/sleep=futex,bits=1/seat/passed_on", Says: "missed wake", Bound: 1,
	},
	{
		Name: "sleep/35_work_forgotten_by_the_borrower", Numbers: []int{35}, File: "sleep/futex/lend.go",
		Edits: []Edit{{`		if !s.rouse(p) { // R4
			s.passOn(p) // R5
		}
`, `		s.rouse(p)
`}},
		Harmless: "no schedule is known that needs it: whoever was counted on when the job was posted looks once more, and passes it on itself",
		Kills:    "TestSleep/sleep=futex,bits=1/seat/passed_on", Bound: 2,
	},
	{
		Name: "sleep/37_lent_in_two_steps", Numbers: []int{37}, File: "counters/counters.go",
		Edits: []Edit{{`		if c.swap(w, w-oneInactive-oneSleeping) {
`, `		if c.swap(w, w-oneSleeping) {
			c.SubInactive()
`}},
		Kills: "TestSleep/sleep=futex/seat/kept", Says: "missed wake", Bound: 2,
	},
	{
		Name: "sleep/38_word_before_the_counters", Numbers: []int{38}, File: "sleep/futex/lend.go",
		Edits: []Edit{{`	s.counters.Restore() // R1
	p.word.Store(asleep) // R2
`, `	p.word.Store(asleep) // R2
	s.counters.Restore() // R1
`}},
		Kills: "TestSleep/sleep=futex/seat/stop", Says: "panic", Bound: 2,
	},
}

var announcesLikeAPost = []Edit{{`		if !w.posted() {
			return w.Jobs()
		}`, `		if w.posted() {
			return w.Jobs()
		}`}}

var ticketLoaded = []Edit{{`		if c.swap(w, left) {
			return left.Jobs()
		}`, `		if c.swap(w, left) {
			return c.load().Jobs()
		}`}}

var ticketUnused = []Edit{{`		if w.Jobs() != ticket {
			return false
		}
`, ``}}

var noCascade = []Edit{{`	if s.counters.SubInactive() {
		s.wakeAny(1)
	}`, `	s.counters.SubInactive()`}}
