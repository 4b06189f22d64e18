package mutants

// The deque and the injector. Where there is a choice, Kills is the scenario
// that needs the fewest preemptions.
var dequePatches = []Patch{
	{
		Name: "deque/16_slot_read_after_cas", Numbers: []int{16}, File: "deque/chaselev.go",
		Edits: []Edit{{`	item = d.ring.Load().slot(t).Load()
	if !d.top.CompareAndSwap(t, t+1) {
		return nil, api.Lost
	}
	return item, api.Stolen`, `	if !d.top.CompareAndSwap(t, t+1) {
		return nil, api.Lost
	}
	return d.ring.Load().slot(t).Load(), api.Stolen`}},
		Kills: "TestDeque/deque=chaselev/slot_is_used_again", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/17_last_item_without_cas", Numbers: []int{17}, File: "deque/chaselev.go",
		Edits: []Edit{{`	if !d.top.CompareAndSwap(b-1, b) {
		return nil
	}
	return item`, `	d.top.Store(b)
	return item`}},
		Kills: "TestDeque/deque=chaselev/last_element", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/17_last_item_without_second_look", Numbers: []int{17}, File: "deque/chaselev.go",
		Edits: []Edit{{`	t = d.top.Load()
	if b-t > 0 {`, `	if b-t > 0 {`}},
		Kills: "TestDeque/deque=chaselev/last_of_two", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/17_last_item_not_contested", Numbers: []int{17}, File: "deque/chaselev.go",
		Edits: []Edit{{`	if b-t > 0 {`, `	if b-t >= 0 {`}},
		Kills: "TestDeque/deque=chaselev/last_of_two", Says: "D1: ", Bound: 2,
	},
	{
		Name: "deque/18_stale_array", Numbers: []int{18}, File: "deque/chaselev.go",
		Edits: []Edit{{`		r = r.grown(t, b)
		d.ring.Store(r)`, `		d.ring.Store(r.grown(t, b))`}},
		Kills: "TestDeque/deque=chaselev/steal_overflow", Says: "D1: ", Bound: 0,
	},
	{
		Name: "deque/18_old_array_emptied", Numbers: []int{18}, File: "deque/ring.go",
		Edits: []Edit{{`r.slot(i).Load())`, `r.slot(i).Swap(nil))`}},
		Kills: "TestDeque/deque=chaselev/array_replaced_under_a_thief", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/18_array_replaced_before_it_is_filled", Numbers: []int{18}, File: "deque/chaselev.go",
		Edits: []Edit{{`		r = r.grown(t, b)
		d.ring.Store(r)`, `		old := r
		r = newRing[T](2 * len(old.slots))
		d.ring.Store(r)
		for i := t; i != b; i++ {
			r.slot(i).Store(old.slot(i).Load())
		}`}},
		Kills: "TestDeque/deque=chaselev/array_replaced_under_a_thief", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/18_ring_read_before_top", Numbers: []int{18}, File: "deque/chaselev.go",
		Edits: []Edit{{`	t := d.top.Load()
	b := d.bottom.Load()
	if`, `	r := d.ring.Load()
	t := d.top.Load()
	b := d.bottom.Load()
	if`}, {`	item = d.ring.Load().slot(t).Load()
`, `	item = r.slot(t).Load()
`}},
		Kills: "TestDeque/deque=chaselev/array_replaced_under_a_thief", Says: "D1: ", Bound: 2,
	},
	{
		Name: "deque/18_ring_too_full", Numbers: []int{18}, File: "deque/chaselev.go",
		Edits: []Edit{{`b-t >= r.len()`, `b-t > r.len()`}},
		Kills: "TestDeque/deque=chaselev/steal_overflow", Says: "D1: ", Bound: 0,
	},
	{
		Name: "deque/19_thief_clears", Numbers: []int{19}, File: "deque/chaselev.go",
		Edits: []Edit{{`		return nil, api.Lost
	}
	return item, api.Stolen`, `		return nil, api.Lost
	}
	d.ring.Load().slot(t).Store(nil)
	return item, api.Stolen`}},
		Kills: "TestDeque/deque=chaselev/pushes_after_losing", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/19_thief_clears_by_cas", Numbers: []int{19}, File: "deque/chaselev.go",
		Edits: []Edit{{`		return nil, api.Lost
	}
	return item, api.Stolen`, `		return nil, api.Lost
	}
	d.ring.Load().slot(t).CompareAndSwap(item, nil)
	return item, api.Stolen`}},
		Kills: "TestDeque/deque=chaselev/same_item_again", Says: "D1: ", Bound: 2,
	},
	{
		Name: "deque/20_never_clears", Numbers: []int{20}, File: "deque/chaselev.go",
		Edits: []Edit{{`	for i := d.own.cleared; i != t; i++ {
		r.slot(i).Store(nil)
	}`, `	_ = r`}},
		Kills: "TestDeque/deque=chaselev/Retention", Suite: true, Says: "D8: ",
	},
	{
		Name: "deque/20_popped_not_cleared", Numbers: []int{20}, File: "deque/chaselev.go",
		Edits: []Edit{{`		d.ring.Load().slot(b).Store(nil)
`, ``}},
		Kills: "TestDeque/deque=chaselev/Retention", Suite: true, Says: "D8: ",
	},
	{
		Name: "deque/21_unsigned_underflow", Numbers: []int{21}, File: "deque/chaselev.go",
		Edits: []Edit{{`	if b-t <= 0 {`, `	if uint64(b)-uint64(t) <= 0 {`}},
		Kills: "TestDeque/deque=chaselev/last_of_two", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/indexes_compared", File: "deque/chaselev.go",
		Edits: []Edit{{`	if b-t <= 0 {`, `	if b <= t {`}},
		Kills: "TestDeque/deque=chaselev/owner_2_stealers", Says: "D1: ", Bound: 0,
	},
	{
		Name: "deque/bottom_read_before_top", File: "deque/chaselev.go",
		Edits: []Edit{{`	t := d.top.Load()
	b := d.bottom.Load()
	if`, `	b := d.bottom.Load()
	t := d.top.Load()
	if`}},
		Kills: "TestDeque/deque=chaselev/last_of_two", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/top_read_before_bottom_is_lowered", File: "deque/chaselev.go",
		Edits: []Edit{{`	d.bottom.Store(b)
	// Thieves may have come near while bottom was higher. A thief that reads
	// top after this load finds bottom lowered, and keeps off index b.
	t = d.top.Load()
`, `	t = d.top.Load()
	d.bottom.Store(b)
`}},
		Kills: "TestDeque/deque=chaselev/last_of_two", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/len_bottom_first", File: "deque/chaselev.go",
		Edits: []Edit{{`		t := d.top.Load()
		n := d.bottom.Load() - t
		if d.top.Load() == t {`, `		b := d.bottom.Load()
		t := d.top.Load()
		n := b - t
		if d.top.Load() == t {`}},
		Kills: "TestDeque/deque=chaselev/length_of_some", Says: "D3: ", Bound: 2,
	},
	{
		Name: "deque/len_without_second_look", File: "deque/chaselev.go",
		Edits: []Edit{{`		if d.top.Load() == t {
			return int(max(n, 0))
		}`, `		return int(max(n, 0))`}},
		Kills: "TestDeque/deque=chaselev/length_of_some", Says: "D3: ", Bound: 1,
	},
	{
		Name: "deque/len_negative", File: "deque/chaselev.go",
		Edits: []Edit{{`int(max(n, 0))`, `int(n)`}},
		Kills: "TestDeque/deque=chaselev/last_of_two", Says: "D7: ", Bound: 1,
	},
	{
		Name: "deque/slot_stored_after_bottom", File: "deque/chaselev.go",
		Edits: []Edit{{`	r.slot(b).Store(item) // also clears what was popped from here
	d.bottom.Store(b + 1)`, `	d.bottom.Store(b + 1)
	r.slot(b).Store(item)`}},
		Kills: "TestDeque/deque=chaselev/owner_stealer", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/10_top_stored", Numbers: []int{10}, File: "deque/chaselev.go",
		Edits: []Edit{{`	if !d.top.CompareAndSwap(t, t+1) {
		return nil, api.Lost
	}
	return item, api.Stolen`, `	d.top.Store(t + 1)
	return item, api.Stolen`}},
		Kills: "TestDeque/deque=chaselev/last_element", Says: "D1: ", Bound: 1,
	},
	{
		Name: "deque/lost_called_empty", File: "deque/chaselev.go",
		Edits: []Edit{{`		return nil, api.Lost`, `		return nil, api.Empty`}},
		Kills: "TestDeque/deque=chaselev/linearizable_two_thieves", Says: "D3: ", Bound: 2,
	},
	{
		Name: "deque/popped_forgotten_while_lowered", File: "deque/chaselev.go",
		Edits: []Edit{{`	item := d.takeLast(b + 1)
	d.own.bottom = b + 1
	return item`, `	item := d.takeLast(b + 1)
	d.own.bottom = b
	return item`}},
		Kills: "TestDeque/deque=chaselev/pushes_after_losing", Says: "D1: ", Bound: 1,
	},

	{
		Name: "injector/was_empty_read_after_ticket", File: "deque/injector.go",
		Edits: []Edit{{`		taken := b.taken.Load()
		ticket := b.pushed.Add(1) - 1
`, `		ticket := b.pushed.Add(1) - 1
		taken := b.taken.Load()
`}},
		Kills: "TestInjector/slots=2/was_empty", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/next_block_stored", File: "deque/injector.go",
		Edits: []Edit{{`		if mine = b.next.CompareAndSwap(nil, next); !mine {
			next = b.next.Load()
		}`, `		b.next.Store(next)
		mine = true`}},
		Kills: "TestInjector/slots=1/two_pushers", Says: "I1: ", Bound: 1,
	},
	{
		Name: "injector/next_block_without_item", File: "deque/injector.go",
		Edits: []Edit{{`		next.slots[0].Store(item)
		next.pushed.Store(1)
		if mine = b.next.CompareAndSwap(nil, next); !mine {
			next = b.next.Load()
		}`, `		if !b.next.CompareAndSwap(nil, next) {
			next = b.next.Load()
		}`}},
		Kills: "TestInjector/slots=1/was_empty", Says: "I3: ", Bound: 0,
	},
	{
		Name: "injector/tail_not_helped", File: "deque/injector.go",
		Edits: []Edit{{`	q.tail.CompareAndSwap(b, next)
	return mine`, `	if mine {
		q.tail.CompareAndSwap(b, next)
	}
	return mine`}},
		Kills: "TestInjector/slots=1/two_pushers", Says: "livelock", Bound: 1,
	},
	{
		Name: "injector/ticket_by_load_and_store", File: "deque/injector.go",
		Edits: []Edit{{`		ticket := b.pushed.Add(1) - 1
`, `		ticket := b.pushed.Load()
		b.pushed.Store(ticket + 1)
`}},
		Kills: "TestInjector/slots=2/linearizable_two_pushers", Says: "I3: ", Bound: 2,
	},
	{
		Name: "injector/late_slot_not_voided", File: "deque/injector.go",
		Edits: []Edit{{`b.slots[ticket].Swap(q.gone)`, `b.slots[ticket].Load()`}},
		Kills: "TestInjector/slots=2/late_pusher", Says: "I1: ", Bound: 1,
	},
	{
		Name: "injector/void_slot_stored", File: "deque/injector.go",
		Edits: []Edit{{`		if b.slots[ticket].CompareAndSwap(nil, item) {
			return taken == ticket
		}`, `		b.slots[ticket].Store(item)
		return taken == ticket`}},
		Kills: "TestInjector/slots=2/late_pusher", Says: "I1: ", Bound: 1,
	},
	{
		Name: "injector/taken_stored", File: "deque/injector.go",
		Edits: []Edit{{`	if !b.taken.CompareAndSwap(ticket, end) {
		return 0, api.Lost
	}`, `	b.taken.Store(end)`}},
		Kills: "TestInjector/slots=2/two_takers", Says: "I1: ", Bound: 1,
	},
	{
		Name: "injector/empty_looks_at_one_slot", File: "deque/injector.go",
		Edits: []Edit{{`i < to && items < enough`, `i < min(to, from+1) && items < enough`}},
		Kills: "TestInjector/slots=2/empty", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/empty_forgets_next_block", File: "deque/injector.go",
		Edits: []Edit{{`if items < enough && to == b.len() && b.next.Load() != nil {`, `if false {`}},
		Kills: "TestInjector/slots=1/empty", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/empty_by_tickets", File: "deque/injector.go",
		Edits: []Edit{{`			return b, ticket, b.count(ticket, b.drawn(), enough)`, `			return b, ticket, min(int(b.drawn()-ticket), enough)`}},
		Kills: "TestInjector/slots=2/empty_but_for_a_late_pusher", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/head_stored", File: "deque/injector.go",
		Edits: []Edit{{`		q.head.CompareAndSwap(b, next)
`, `		q.head.Store(next)
`}},
		Harmless: "a head that goes back goes forward again, past used-up blocks that are only kept for longer",
		Kills:    "TestInjector/slots=1/chained_steal", Bound: 3,
	},
	{
		Name: "injector/tail_stored", File: "deque/injector.go",
		Edits: []Edit{{`	q.tail.CompareAndSwap(b, next)
`, `	q.tail.Store(next)
`}},
		Harmless: "a tail that goes back is found full again, and helped on",
		Kills:    "TestInjector/slots=1/two_pushers", Bound: 3,
	},

	// Batches.
	{
		Name: "injector/batch_draws_one_ticket", File: "deque/injector.go",
		Edits: []Edit{{`b.taken.CompareAndSwap(ticket, end)`, `b.taken.CompareAndSwap(ticket, ticket+1)`}},
		Kills: "TestInjector/slots=3/two_batches", Says: "I1: ", Bound: 0,
	},
	{
		Name: "injector/batch_beyond_drawn", File: "deque/injector.go",
		Edits: []Edit{{`	end := ticket + uint32(items+1)/2
`, `	end := ticket + uint32(items+1)/2
	if len(into) > 1 && end == b.drawn() && end < b.len() {
		end++
	}
`}},
		Kills: "TestInjector/slots=3/batch_empty_while_pushed", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/batch_beyond_its_places", File: "deque/injector.go",
		Edits: []Edit{{`2*len(into) - 1`, `2*len(into) + 1`}},
		Kills: "TestInjector/slots=3/two_takers", Says: "index out of range", Bound: 0,
	},
	{
		Name: "injector/batch_of_more_than_half", File: "deque/injector.go",
		Edits: []Edit{{`uint32(items+1)/2`, `min(uint32(items), uint32(len(into)))`}},
		Kills: "TestInjector/slots=2/batch_empty", Says: "I3: ", Bound: 0,
	},
	{
		Name: "injector/batch_of_half_the_tickets", File: "deque/injector.go",
		Edits: []Edit{{`uint32(items+1)/2`, `min(uint32(len(into)), (b.drawn()-ticket+1)/2)`}},
		Kills: "TestInjector/slots=3/batch_half", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/batch_stops_at_void_slot", File: "deque/injector.go",
		Edits: []Edit{{`		if item := b.slots[ticket].Swap(q.gone); item != nil {
			into[n] = item
			n++
		}
`, `		item := b.slots[ticket].Swap(q.gone)
		if item == nil {
			break
		}
		into[n] = item
		n++
`}},
		Kills: "TestInjector/slots=3/batch_late_pusher", Says: "I1: ", Bound: 1,
	},
	{
		Name: "injector/batch_leaves_holes", File: "deque/injector.go",
		Edits: []Edit{{`	end := ticket + uint32`, `	first := ticket
	end := ticket + uint32`}, {`			into[n] = item
			n++
`, `			into[ticket-first] = item
			n++
`}},
		Kills: "TestInjector/slots=3/batch_late_pusher", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/void_slots_called_stolen", File: "deque/injector.go",
		Edits: []Edit{{`	if n == 0 {
		return 0, api.Lost
	}
	return n, api.Stolen`, `	return n, api.Stolen`}},
		Kills: "TestInjector/slots=2/late_pusher", Says: "I1: ", Bound: 1,
	},
	{
		Name: "injector/void_slots_called_empty", File: "deque/injector.go",
		Edits: []Edit{{`	if n == 0 {
		return 0, api.Lost
	}`, `	if n == 0 {
		return 0, api.Empty
	}`}},
		Kills: "TestInjector/slots=2/linearizable_late_pusher", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/lost_called_empty", File: "deque/injector.go",
		Edits: []Edit{{`	if !b.taken.CompareAndSwap(ticket, end) {
		return 0, api.Lost`, `	if !b.taken.CompareAndSwap(ticket, end) {
		return 0, api.Empty`}},
		Kills: "TestInjector/slots=2/linearizable_two_batches", Says: "I3: ", Bound: 1,
	},
	{
		Name: "injector/slot_not_cleared", File: "deque/injector.go",
		Edits: []Edit{{`		if item := b.slots[ticket].Swap(q.gone); item != nil {`, `		item := b.slots[ticket].Load()
		if item == nil && !b.slots[ticket].CompareAndSwap(nil, q.gone) {
			item = b.slots[ticket].Load()
		}
		if item != nil {`}},
		Kills: "TestInjector/Retention/many", Suite: true, Says: "I5: ",
	},
}
