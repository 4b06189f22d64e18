// Program haxmap shows three faults of github.com/alphadose/haxmap 1.4.0.
package main

import (
	"fmt"
	"os"

	"github.com/alphadose/haxmap"
)

const tries = 500_000

func main() {
	bad := false
	for _, f := range []struct {
		what string
		try  func() bool
	}{
		{"two calls of GetOrSet store a value each", storesTwice},
		{"a Set is lost beside a GetAndDel that returns the value before", getAndDel},
		{"a Set is lost beside a Del of the key before it", del},
	} {
		n := 0
		for range tries {
			if f.try() {
				n++
			}
		}
		fmt.Printf("%s: in %d of %d tries\n", f.what, n, tries)
		bad = bad || n > 0
	}
	if bad {
		os.Exit(1)
	}
}

func storesTwice() bool {
	m := haxmap.New[int, int]()
	loaded := make(chan bool)
	go func() { _, was := m.GetOrSet(1, 1); loaded <- was }()
	_, was := m.GetOrSet(1, 2)
	return !<-loaded && !was
}

func getAndDel() bool {
	m := haxmap.New[int, int]()
	m.Set(1, 1)
	deleted := make(chan int)
	go func() { v, _ := m.GetAndDel(1); deleted <- v }()
	m.Set(1, 2)
	_, ok := m.Get(1)
	return <-deleted == 1 && !ok
}

func del() bool {
	m := haxmap.New[int, int]()
	m.SetHasher(func(k int) uintptr { return uintptr(k) })
	m.Set(1, 1)
	done := make(chan bool)
	go func() { m.Del(1); done <- true }()
	m.Set(2, 2)
	<-done
	_, ok := m.Get(2)
	return !ok
}
