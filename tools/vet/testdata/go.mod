// The programs that the tests check are compiled with the pool and the loops of this repository.
// They are a module of their own, so that the module around them does not need these.
module github.com/rouse-go/rouse/tools/vet/testdata

go 1.25.0

require (
	github.com/rouse-go/rouse/par v0.1.0
	github.com/rouse-go/rouse/pool v0.1.0
	golang.org/x/sync v0.22.0
)

require (
	github.com/rouse-go/rouse/api v0.1.0 // indirect
	github.com/rouse-go/rouse/counters v0.1.0 // indirect
	github.com/rouse-go/rouse/deque v0.1.0 // indirect
	github.com/rouse-go/rouse/latch v0.1.0 // indirect
	github.com/rouse-go/rouse/sleep/futex v0.1.0 // indirect
	github.com/rouse-go/rouse/sleep/jec v0.1.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace (
	github.com/rouse-go/rouse/api => ../../../api
	github.com/rouse-go/rouse/counters => ../../../counters
	github.com/rouse-go/rouse/deque => ../../../deque
	github.com/rouse-go/rouse/latch => ../../../latch
	github.com/rouse-go/rouse/par => ../../../par
	github.com/rouse-go/rouse/pool => ../../../pool
	github.com/rouse-go/rouse/sleep/futex => ../../../sleep/futex
	github.com/rouse-go/rouse/sleep/jec => ../../../sleep/jec
)
