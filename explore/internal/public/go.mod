module github.com/rouse-go/rouse/explore/internal/public

go 1.25.0

tool github.com/rouse-go/rouse/explore/cmd/explore

replace (
	github.com/rouse-go/rouse/api => ../../../api
	github.com/rouse-go/rouse/explore => ../..
)

require (
	code.cloudfoundry.org/go-diodes v0.0.0-20231113191959-85adc333ee36
	github.com/Workiva/go-datastructures v1.1.7
	github.com/alphadose/haxmap v1.4.0
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/rouse-go/rouse/explore v0.0.0
	github.com/sourcegraph/conc v0.3.0
)

require (
	github.com/rouse-go/rouse/api v0.1.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
)
