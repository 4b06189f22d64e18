package mutants

var latchRows = []Mutant{
	{"latch/22_read_after_set",
		at("Core.Set").replace("return state(c.state.Swap(uint32(set))) == sleeping",
			"was := state(c.state.Swap(uint32(set))); return was == sleeping && c.Probe()"),
		explored(1, "TestLatch/latch=core/reuse_after_set", "L3: ")},
	{"latch/set_by_store", at("Core.Set").replace("return state(c.state.Swap(uint32(set)))",
		"was := state(c.state.Load()); c.state.Store(uint32(set)); return was"),
		explored(2, "TestLatch/latch=core/set_at_every_point", "missed wake")},
	{"latch/set_undone", at("Core.WakeUp").
		replace(`if !c.move(s, unset) { c.refused("WakeUp", s) }`, "c.state.Store(uint32(unset))"),
		explored(1, "TestLatch/latch=core/set_while_waking_up", "L2: ")},
	{"latch/count_looked_at_after_the_decrement",
		at("Count.Sub").replace("left := c.pending.Add(-int64(n))",
			"c.pending.Add(-int64(n)); left := c.pending.Load()"),
		explored(2, "TestLatch/latch=count/reuse_after_set", "L3: ")},
	{"latch/outside_set_by_store", at("Outside.Set").replace("if o.state.Swap(outsideSet)",
		"was := o.state.Load(); o.state.Store(outsideSet); if was"),
		explored(1, "TestOutside/two_waiters", "missed wake")},
}
