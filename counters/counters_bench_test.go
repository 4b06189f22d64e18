package counters_test

import "testing"

// Post is on the way of every job that is published. In parallel all processors turn idle and
// active at once: no attempt is lost.
func BenchmarkCounters(b *testing.B) {
	c, posted, asleep := mustNew(b, 1024), mustNew(b, 8), mustNew(b, 8)
	posted.Post()
	asleep.AddInactive()
	ticket := asleep.Announce()
	for _, row := range []struct {
		name     string
		parallel bool
		run      func()
	}{
		{"op=post/jec=odd", false, func() { posted.Post() }},
		{"op=post/jec=odd/parallel", true, func() { posted.Post() }},
		{"op=announce_post", false, func() { c.Announce(); c.Post() }},
		{"op=idle_active", false, func() { c.AddInactive(); c.SubInactive() }},
		{"op=idle_active/parallel", true, func() { c.AddInactive(); c.SubInactive() }},
		{"op=sleep_wake", false, func() { asleep.TrySleep(ticket); asleep.SubSleeping(1) }},
	} {
		b.Run(row.name, func(b *testing.B) {
			if !row.parallel {
				for b.Loop() {
					row.run()
				}
				return
			}
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					row.run()
				}
			})
		})
	}
}
