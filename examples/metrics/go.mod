module github.com/rouse-go/rouse/examples/metrics

go 1.26.0

require (
	github.com/prometheus/client_golang v1.25.0
	github.com/prometheus/client_model v0.6.3
	github.com/prometheus/common v0.74.0
	github.com/rouse-go/rouse/pool v0.1.0
	go.opentelemetry.io/otel v1.47.0
	go.opentelemetry.io/otel/exporters/stdout/stdoutmetric v1.47.0
	go.opentelemetry.io/otel/metric v1.47.0
	go.opentelemetry.io/otel/sdk v1.47.0
	go.opentelemetry.io/otel/sdk/metric v1.47.0
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/kylelemons/godebug v1.1.0 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/pandatix/go-abnf v0.5.5 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/rouse-go/rouse/api v0.1.0 // indirect
	github.com/rouse-go/rouse/counters v0.1.0 // indirect
	github.com/rouse-go/rouse/deque v0.1.0 // indirect
	github.com/rouse-go/rouse/latch v0.1.0 // indirect
	github.com/rouse-go/rouse/sleep/futex v0.1.0 // indirect
	github.com/rouse-go/rouse/sleep/jec v0.1.0 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel/log v1.47.0 // indirect
	go.opentelemetry.io/otel/trace v1.47.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace (
	github.com/rouse-go/rouse/api => ../../api
	github.com/rouse-go/rouse/counters => ../../counters
	github.com/rouse-go/rouse/deque => ../../deque
	github.com/rouse-go/rouse/latch => ../../latch
	github.com/rouse-go/rouse/pool => ../../pool
	github.com/rouse-go/rouse/sleep/futex => ../../sleep/futex
	github.com/rouse-go/rouse/sleep/jec => ../../sleep/jec
)
