module github.com/rouse-go/rouse/lab

go 1.25.0

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794
	github.com/google/licensecheck v0.3.1
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/rouse-go/rouse/api v0.1.0
	github.com/rouse-go/rouse/deque v0.1.0
	github.com/rouse-go/rouse/explore v0.1.0
	github.com/rouse-go/rouse/par v0.1.0
	github.com/rouse-go/rouse/pool v0.1.0
	github.com/rouse-go/rouse/sleep/futex v0.1.0
	github.com/rouse-go/rouse/sleep/jec v0.1.0
	github.com/spf13/cobra v1.10.2
	github.com/yuin/goldmark v1.8.7
	go.uber.org/atomic v1.11.0
	golang.org/x/exp v0.0.0-20260410095643-746e56fc9e2f
	golang.org/x/mod v0.40.0
	golang.org/x/perf v0.0.0-20260512194132-3cf34090a3db
	golang.org/x/tools v0.49.0
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/stretchr/testify v1.8.1 // indirect
	golang.org/x/sync v0.22.0 // indirect
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/rouse-go/rouse/conformance v0.1.0
	github.com/rouse-go/rouse/counters v0.1.0 // indirect
	github.com/rouse-go/rouse/latch v0.1.0
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace (
	github.com/rouse-go/rouse/api => ../api
	github.com/rouse-go/rouse/counters => ../counters
	github.com/rouse-go/rouse/deque => ../deque
	github.com/rouse-go/rouse/explore => ../explore
	github.com/rouse-go/rouse/latch => ../latch
	github.com/rouse-go/rouse/par => ../par
	github.com/rouse-go/rouse/pool => ../pool
	github.com/rouse-go/rouse/sleep/futex => ../sleep/futex
	github.com/rouse-go/rouse/sleep/jec => ../sleep/jec
)

replace github.com/rouse-go/rouse/conformance => ../conformance
