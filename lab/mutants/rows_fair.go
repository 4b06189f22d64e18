package mutants

// What begins beside others.
var fairRows = []Mutant{
	{"pool/nobody_looks_at_queue", at("Pool.post").drop("p.attend()"),
		own("TestQueuedBeginsBesideEndlessWork", "P32: ")},
	{"pool/one_look_at_queue", at("Pool.lookAtQueue").replace("p.beginBeside() } p.lookLater()", "p.beginBeside() }"),
		own("TestQueuedBeginsBesideEndlessWork", "P32: ")},
	{"pool/no_last_look_at_queue", at("Pool.lookAtQueue").replace("if !p.injector.Empty() { p.attend() }", ""),
		own("TestLastLookAtQueue", "P32: ")},
	{"pool/beside_although_served", at("Pool.lookAtQueue").replace("&& !p.served.Load()", ""),
		own("TestLookAtQueue", "P32: a job lies in the queue")},
	{"pool/taken_is_not_served", at("Pool.takeQueued").drop("p.served.Store(true)"),
		own("TestLookAtQueueBesideInactive", "P32: ")},
	{"pool/beside_an_inactive_worker", at("Pool.lookAtQueue").replace("inactive == 0 &&", "inactive >= 0 &&"),
		own("TestLookAtQueueBesideInactive", "P32: ")},
	{"pool/beside_without_bound", at("Pool.comeBeside").never("n >= uint32(len(p.seats))"),
		own("TestLookAtQueue", "P32: a job lies in the queue")},
	{"pool/beside_for_nothing", at("Pool.beginBeside").drop("p.beside.Add(^uint32(0))"),
		own("TestLookAtQueue", "P32: a look has found nothing")},
	{"pool/timer_left_in_bubble", at("Pool.attend").drop("p.attended.Store(false)"),
		own("TestQueueAfterBubble", "P32: ")},
	{"pool/waits_pass_by_workers", at("waiter.shared").replace("; ok {", "; ok && false {"),
		own("TestOutsideWaitsPassByWorkers", "Cost: ")},
	{"pool/resumed_beside_is_not_counted", at("Worker.goGuest").drop("w.pool.beside.Add(1)"),
		own("TestWaitsBeside", "P32: ")},
}
