package counters_test

import (
	"testing"
)

var sink int

// Post is on the way of every job that is published.
func BenchmarkPost(b *testing.B) {
	b.Run("jec=odd", func(b *testing.B) {
		c := mustNew(b, 8)
		c.Post()
		for b.Loop() {
			_, sink = c.Post()
		}
	})
	b.Run("jec=even", func(b *testing.B) {
		c := mustNew(b, 8)
		for b.Loop() {
			c.Announce()
			_, sink = c.Post()
		}
	})
	b.Run("jec=odd/parallel", func(b *testing.B) {
		c := mustNew(b, 8)
		c.Post()
		b.RunParallel(func(pb *testing.PB) {
			n := 0
			for pb.Next() {
				_, sleeping := c.Post()
				n += sleeping
			}
			if n != 0 {
				b.Error("somebody sleeps")
			}
		})
	})
}

func BenchmarkIdle(b *testing.B) {
	c := mustNew(b, 8)
	for b.Loop() {
		c.AddInactive()
		c.SubInactive()
	}
}

func BenchmarkSleep(b *testing.B) {
	c := mustNew(b, 8)
	c.AddInactive()
	ticket := c.Announce()
	for b.Loop() {
		c.TrySleep(ticket)
		c.SubSleeping(1)
	}
}

// All processors turn idle and active at once: no attempt is lost.
func BenchmarkIdleParallel(b *testing.B) {
	c := mustNew(b, 1024)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.AddInactive()
			c.SubInactive()
		}
	})
}
