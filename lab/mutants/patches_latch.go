package mutants

var latchPatches = []Patch{
	{
		Name: "latch/22_read_after_set", Numbers: []int{22}, File: "latch/core.go",
		Edits: []Edit{{`	return state(c.state.Swap(uint32(set))) == sleeping
`, `	was := state(c.state.Swap(uint32(set)))
	return was == sleeping && c.Probe()
`}},
		Kills: "TestLatch/latch=core/reuse_after_set", Says: "L3: ", Bound: 2,
	},
	{
		Name: "latch/set_by_store", File: "latch/core.go",
		Edits: []Edit{{`	return state(c.state.Swap(uint32(set))) == sleeping
`, `	was := state(c.state.Load())
	c.state.Store(uint32(set))
	return was == sleeping
`}},
		Kills: "TestLatch/latch=core/set_at_every_point", Says: "missed wake", Bound: 2,
	},
	{
		Name: "latch/set_undone", File: "latch/core.go",
		Edits: []Edit{{`		if !c.move(s, unset) {
			c.refused("WakeUp", s)
		}
`, `		c.state.Store(uint32(unset))
`}},
		Kills: "TestLatch/latch=core/set_while_waking_up", Says: "L2: ", Bound: 1,
	},
	{
		Name: "latch/count_looked_at_after_the_decrement", File: "latch/count.go",
		Edits: []Edit{{`	left := c.pending.Add(-int64(n))
	if left > 0 {
		return false
	}
`, `	c.pending.Add(-int64(n))
	left := c.pending.Load()
	if left > 0 {
		return false
	}
`}},
		Kills: "TestLatch/latch=count/reuse_after_set", Says: "L3: ", Bound: 3,
	},
	{
		Name: "latch/outside_set_by_store", File: "latch/outside.go",
		Edits: []Edit{{`	if o.state.Swap(outsideSet) == outsideWaiting {
`, `	was := o.state.Load()
	o.state.Store(outsideSet)
	if was == outsideWaiting {
`}},
		Kills: "TestLatch/latch=outside/two_waiters", Says: "missed wake", Bound: 1,
	},
}
