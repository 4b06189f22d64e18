module github.com/rouse-go/rouse/examples/cluster

go 1.26.0

require (
	github.com/gofrs/flock v0.13.2
	github.com/nats-io/nats-server/v2 v2.15.3
	github.com/nats-io/nats.go v1.55.0
	github.com/nats-io/nkeys v0.4.17
	github.com/rouse-go/rouse/pool v0.1.0
	github.com/rouse-go/rouse/tools v0.1.0
	go.uber.org/goleak v1.3.0
)

require (
	github.com/antithesishq/antithesis-sdk-go v0.9.0-default-no-op // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/jwt/v2 v2.8.3 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/rouse-go/rouse/api v0.1.0 // indirect
	github.com/rouse-go/rouse/counters v0.1.0 // indirect
	github.com/rouse-go/rouse/deque v0.1.0 // indirect
	github.com/rouse-go/rouse/latch v0.1.0 // indirect
	github.com/rouse-go/rouse/sleep/futex v0.1.0 // indirect
	github.com/rouse-go/rouse/sleep/jec v0.1.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)

replace (
	github.com/rouse-go/rouse/api => ../../api
	github.com/rouse-go/rouse/counters => ../../counters
	github.com/rouse-go/rouse/deque => ../../deque
	github.com/rouse-go/rouse/latch => ../../latch
	github.com/rouse-go/rouse/pool => ../../pool
	github.com/rouse-go/rouse/sleep/futex => ../../sleep/futex
	github.com/rouse-go/rouse/sleep/jec => ../../sleep/jec
	github.com/rouse-go/rouse/tools => ../../tools
)
