package spell

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// If this fails, numbers are lost, or given out twice, or not the smallest first.
func TestSmallestFirst(t *testing.T) {
	var all Table[int]
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
		if got := all.Add(of[free]); got != uint32(free+1) {
			t.Fatalf("P4: Add gave the number %d at step %d, want %d", got, i, free+1)
		}
	}
	for n, want := range of {
		if got := all.Get(uint32(n + 1)); got != want {
			t.Errorf("P4: number %d stands for %p, want %p", n+1, got, want)
		}
	}
	for _, none := range []uint32{0, uint32(len(of) + 1), 1<<32 - 1} {
		if w := all.Get(none); w != nil {
			t.Errorf("P4: number %d, which was never given out, stands for %p", none, w)
		}
	}
}

// If this fails, a program that forgets pools again and again keeps a number for each of
// their workers, or keeps the workers.
func TestForgotten(t *testing.T) {
	const workers = 4 * fewNumbers
	var all Table[[2]*int]
	for i := range workers {
		w := new([2]*int)
		all.Add(w)
		all.Add(w)
		if i%(fewNumbers/4) == 0 {
			runtime.GC()
		}
	}
	if n := all.used; n > 2*fewNumbers {
		t.Errorf("P22: %d numbers stand for something after %d workers with two each were forgotten, want at most %d", n, workers, 2*fewNumbers)
	}
}

// If this fails, what is given up still stands for something.
func TestGivenUp(t *testing.T) {
	var all Table[int]
	w := new(int)
	dropped, lost := all.Add(w), all.Add(w)
	all.Drop(dropped)
	keep := all.Lose(lost)
	for _, number := range []uint32{dropped, lost} {
		if got := all.Get(number); got != nil {
			t.Errorf("P4: number %d, which was given up, stands for %p", number, got)
		}
	}
	runtime.KeepAlive(keep)
	runtime.KeepAlive(w)
}
