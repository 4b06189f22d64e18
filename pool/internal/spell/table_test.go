package spell

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// If this fails, numbers are lost, or given out twice, or not the smallest first.
func TestSmallestFirst(t *testing.T) {
	var all Table[int]
	var g Group[int]
	rng := rand.New(rand.NewPCG(1, 2))
	var of []*int // by number; nil if that is free
	for i := range 5000 {
		free := 0
		for free < len(of) && of[free] != nil {
			free++
		}
		if n := rng.IntN(len(of) + 1); n < len(of) && of[n] != nil && rng.IntN(3) > 0 {
			all.Drop(uint32(n + 1))
			of[n] = nil
			continue
		}
		if free == len(of) {
			of = append(of, nil)
		}
		of[free] = new(int)
		if got := all.Add(&g, of[free]); got != uint32(free+1) {
			t.Fatalf("P4: Add gave the number %d at step %d, want %d", got, i, free+1)
		}
	}
	for n, want := range of {
		if _, got := all.Get(uint32(n + 1)); got != want {
			t.Errorf("P4: number %d stands for %p, want %p", n+1, got, want)
		}
	}
	for _, none := range []uint32{0, uint32(len(of) + 1), 1<<32 - 1} {
		if g, w := all.Get(none); g != nil || w != nil {
			t.Errorf("P4: number %d, which was never given out, stands for %p of group %p", none, w, g)
		}
	}
}

// A member refers to its group, as a worker does.
type member struct{ of *club }

type club struct{ members Group[member] }

// If this fails, a program that forgets pools again and again keeps a number for each of
// their workers, or keeps the pools.
func TestForgottenGroups(t *testing.T) {
	const clubs = 4 * fewNumbers
	var all Table[member]
	for i := range clubs {
		c := new(club)
		all.Add(&c.members, &member{c})
		all.Add(&c.members, nil)
		if i%(fewNumbers/4) == 0 {
			runtime.GC()
		}
	}
	if n := all.used; n > 2*fewNumbers {
		t.Errorf("P22: %d numbers stand for something after %d groups of two were forgotten, want at most %d", n, clubs, 2*fewNumbers)
	}
}

// If this fails, a pool keeps each worker that it has ever had.
func TestGroupForgets(t *testing.T) {
	var all Table[int]
	var g Group[int]
	for range 100 {
		w := new(int)
		dropped, lost := all.Add(&g, w), all.Add(&g, w)
		all.Drop(dropped)
		body := new([8]int)
		Lose(&all, lost, body)
		for _, number := range []uint32{dropped, lost} {
			if of, w := all.Get(number); of != nil || w != nil {
				t.Errorf("P4: number %d, which was given up, stands for something", number)
			}
		}
		runtime.KeepAlive(body)
	}
	if len(g.workers) > 0 {
		t.Errorf("P8: the group has %d workers, which were given up", len(g.workers))
	}
}
