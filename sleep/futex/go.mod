module github.com/rouse-go/rouse/sleep/futex

go 1.25.0

require (
	github.com/rouse-go/rouse/api v0.1.0
	github.com/rouse-go/rouse/sleep/jec v0.1.0
	golang.org/x/sys v0.47.0
)

require github.com/rouse-go/rouse/counters v0.1.0 // indirect

replace (
	github.com/rouse-go/rouse/api => ../../api
	github.com/rouse-go/rouse/counters => ../../counters
	github.com/rouse-go/rouse/sleep/jec => ../jec
)
