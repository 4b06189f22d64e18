module github.com/rouse-go/rouse/explore/internal/public

go 1.25.0

tool github.com/rouse-go/rouse/explore/cmd/explore

require (
	github.com/alphadose/haxmap v1.4.0
	github.com/rouse-go/rouse/explore v0.0.0
	golang.org/x/sync v0.22.0
)

require (
	github.com/rouse-go/rouse/api v0.1.0 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
)

replace (
	github.com/rouse-go/rouse/api => ../../../api
	github.com/rouse-go/rouse/explore => ../..
)
