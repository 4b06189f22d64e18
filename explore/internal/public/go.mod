module github.com/rouse-go/rouse/explore/internal/public

go 1.25.0

tool github.com/rouse-go/rouse/explore/cmd/explore

replace (
	github.com/rouse-go/rouse/api => ../../../api
	github.com/rouse-go/rouse/explore => ../..
)

require (
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/rouse-go/rouse/explore v0.0.0
	github.com/sourcegraph/conc v0.3.0
)

require (
	github.com/rouse-go/rouse/api v0.1.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)
