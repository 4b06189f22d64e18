package mutants

// The deque and the injector. Where there is a choice, Kills is the scenario
// that needs the fewest preemptions.
var dequeRows = []Mutant{
	{"deque/16_slot_read_after_cas", at("ChaseLev.Steal").
		replace("item = d.ring.Load().slot(t).Load() if !d.top.CompareAndSwap(t, t+1) { return nil, api.Lost } return item,",
			`if !d.top.CompareAndSwap(t, t+1) {
	return nil, api.Lost
}
return d.ring.Load().slot(t).Load(),`), explored(1, onDeque("slot_is_used_again"), "D1: ")},
	{"deque/17_last_item_without_cas", at("ChaseLev.takeLast").
		replace("if !d.top.CompareAndSwap(b-1, b) { return nil }", "d.top.Store(b)"),
		explored(1, onDeque("last_element"), "D1: ")},
	{"deque/17_last_item_without_second_look", at("ChaseLev.Pop").drop("t = d.top.Load()"),
		explored(1, onDeque("last_of_two"), "D1: ")},
	{"deque/17_last_item_not_contested", at("ChaseLev.Pop").replace("if b-t >", "if b-t >="),
		explored(2, onDeque("last_of_two"), "D1: ")},
	{"deque/18_stale_array",
		at("ChaseLev.Push").replace("r = r.grown(t, b) d.ring.Store(r)", "d.ring.Store(r.grown(t, b))"),
		explored(0, onDeque("steal_overflow"), "D1: ")},
	{"deque/18_old_array_emptied", at("ring.grown").replace("Load()", "Swap(nil)"),
		explored(1, onDeque("array_replaced_under_a_thief"), "D1: ")},
	{"deque/18_array_replaced_before_it_is_filled",
		at("ChaseLev.Push").replace("r = r.grown(t, b) d.ring.Store(r)", `old := r
r = newRing[T](2 * len(old.slots))
d.ring.Store(r)
for i := t; i != b; i++ {
	r.slot(i).Store(old.slot(i).Load())
}`), explored(1, onDeque("array_replaced_under_a_thief"), "D1: ")},
	{"deque/18_ring_read_before_top", at("ChaseLev.Steal").before("t := d.top.Load()",
		"r := d.ring.Load()").replace("d.ring.Load().slot(t).Load()", "r.slot(t).Load()"),
		explored(2, onDeque("array_replaced_under_a_thief"), "D1: ")},
	{"deque/18_ring_too_full", at("ChaseLev.Push").replace(">= r.len()", "> r.len()"),
		explored(0, onDeque("steal_overflow"), "D1: ")},
	{"deque/19_thief_clears", at("ChaseLev.Steal").
		after("if !d.top.CompareAndSwap(t, t+1) {", "d.ring.Load().slot(t).Store(nil)"),
		explored(1, onDeque("pushes_after_losing"), "D1: ")},
	{"deque/19_thief_clears_by_cas", at("ChaseLev.Steal").
		after("if !d.top.CompareAndSwap(t, t+1) {", "d.ring.Load().slot(t).CompareAndSwap(item, nil)"),
		explored(2, onDeque("same_item_again"), "D1: ")},
	{"deque/20_never_clears", at("ChaseLev.clear").
		replace("for i := d.own.cleared; i != t; i++ { r.slot(i).Store(nil) }", "_ = r"),
		suite(onDeque("Retention"), "D8: ")},
	{"deque/20_popped_not_cleared", at("ChaseLev.Pop").drop("d.ring.Load().slot(b).Store(nil)"),
		suite(onDeque("Retention"), "D8: ")},
	{"deque/21_unsigned_underflow", at("ChaseLev.Steal").replace("b-t <= 0", "uint64(b)-uint64(t) <= 0"),
		explored(1, onDeque("last_of_two"), "D1: ")},
	{"deque/indexes_compared", at("ChaseLev.Steal").replace("b-t <= 0", "b <= t"),
		explored(0, onDeque("owner_2_stealers"), "D1: ")},
	{"deque/bottom_read_before_top", at("ChaseLev.Steal").swap("t := d.top.Load()"),
		explored(1, onDeque("last_of_two"), "D1: ")},
	{"deque/top_read_before_bottom_is_lowered", at("ChaseLev.Pop").swap("d.bottom.Store(b)"),
		explored(1, onDeque("last_of_two"), "D1: ")},
	{"deque/len_bottom_first", at("ChaseLev.Len").replace("t := d.top.Load() n := d.bottom.Load()",
		"b := d.bottom.Load(); t := d.top.Load(); n := b"),
		explored(2, onDeque("length_of_some"), "D3: ")},
	{"deque/len_without_second_look", at("ChaseLev.Len").
		replace("if d.top.Load() == t { return int(max(n, 0)) }", "return int(max(n, 0))"),
		explored(1, onDeque("length_of_some"), "D3: ")},
	{"deque/len_negative", at("ChaseLev.Len").replace("int(max(n, 0))", "int(n)"),
		explored(1, onDeque("last_of_two"), "D7: ")},
	{"deque/slot_stored_after_bottom", at("ChaseLev.Push").swap("r.slot(b).Store(item)"),
		explored(1, onDeque("owner_stealer"), "D1: ")},
	{"deque/10_top_stored", at("ChaseLev.Steal").
		replace("if !d.top.CompareAndSwap(t, t+1) { return nil, api.Lost }", "d.top.Store(t + 1)"),
		explored(1, onDeque("last_element"), "D1: ")},
	{"deque/lost_called_empty", at("ChaseLev.Steal").replace("api.Lost", "api.Empty"),
		explored(2, onDeque("linearizable_two_thieves"), "D3: ")},
	{"deque/popped_forgotten_while_lowered",
		at("ChaseLev.Pop").replace("d.own.bottom = b + 1", "d.own.bottom = b"),
		explored(1, onDeque("pushes_after_losing"), "D1: ")},

	{"injector/was_empty_read_after_ticket", in("deque", "Injector.Push").
		swap("taken := b.taken.Load()"), explored(1, "TestInjector/slots=2/was_empty", "I3: ")},
	{"injector/next_block_stored", in("deque", "Injector.extend").
		replace("if mine = b.next.CompareAndSwap(nil, next); !mine { next = b.next.Load() }",
			"b.next.Store(next); mine = true"), explored(1, "TestInjector/slots=1/two_pushers", "I1: ")},
	{"injector/next_block_without_item", in("deque", "Injector.extend").
		replace("next.slots[0].Store(item) next.pushed.Store(1) if mine = b.next.CompareAndSwap(nil, next); !mine",
			"if !b.next.CompareAndSwap(nil, next)"), explored(0, "TestInjector/slots=1/was_empty", "I3: ")},
	{"injector/tail_not_helped", in("deque", "Injector.extend").
		replace("q.tail.CompareAndSwap(b, next)", "if mine { q.tail.CompareAndSwap(b, next) }"),
		explored(1, "TestInjector/slots=1/two_pushers", "livelock")},
	{"injector/ticket_by_load_and_store", in("deque", "Injector.Push").
		replace("b.pushed.Add(1) - 1", "b.pushed.Load(); b.pushed.Store(ticket + 1)"),
		explored(2, "TestInjector/slots=2/linearizable_two_pushers", "I3: ")},
	{"injector/late_slot_not_voided", in("deque", "Injector.Steal").
		replace("Swap(q.gone)", "Load()"), explored(1, "TestInjector/slots=2/late_pusher", "I1: ")},
	{"injector/void_slot_stored", in("deque", "Injector.Push").
		replace("if b.slots[ticket].CompareAndSwap(nil, item) { return taken == ticket }",
			"b.slots[ticket].Store(item); return taken == ticket"),
		explored(1, "TestInjector/slots=2/late_pusher", "I1: ")},
	{"injector/taken_stored", in("deque", "Injector.Steal").
		replace("!b.taken.CompareAndSwap(ticket, ticket+1)", "b.taken.Swap(ticket+1) > ticket && false"),
		explored(1, "TestInjector/slots=2/two_takers", "I1: ")},
	{"injector/empty_looks_at_one_slot", in("deque", "block.any").
		replace("i < to", "i < min(to, from+1)"), explored(1, "TestInjector/slots=2/empty", "I3: ")},
	{"injector/empty_forgets_next_block",
		in("deque", "block.any").replace("to == b.len() && b.next.Load() != nil", "false"),
		explored(1, "TestInjector/slots=1/empty", "I3: ")},
	{"injector/empty_by_tickets", in("deque", "Injector.front").
		replace("b.any(ticket, b.drawn())", "b.drawn() > ticket"),
		explored(1, "TestInjector/slots=2/empty_but_for_a_late_pusher", "I3: ")},
	{"injector/void_slot_called_empty", in("deque", "Injector.Steal").
		replace("; item == nil { return nil, api.Lost", "; item == nil { return nil, api.Empty"),
		explored(1, "TestInjector/slots=2/linearizable_late_pusher", "I3: ")},
	{"injector/lost_called_empty", in("deque", "Injector.Steal").
		replace("ticket+1): return nil, api.Lost", "ticket+1): return nil, api.Empty"),
		explored(1, "TestInjector/slots=2/linearizable", "I3: ")},
	{"injector/slot_not_cleared", in("deque", "Injector.Steal").
		replace("if item = b.slots[ticket].Swap(q.gone);", `item = b.slots[ticket].Load()
if item == nil && !b.slots[ticket].CompareAndSwap(nil, q.gone) {
	item = b.slots[ticket].Load()
}
if`), suite("TestInjector/Retention/many", "I5: ")},
}
