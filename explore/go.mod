module github.com/rouse-go/rouse/explore

go 1.25.0

tool github.com/rouse-go/rouse/explore/cmd/explore

require github.com/rouse-go/rouse/api v0.1.0

replace github.com/rouse-go/rouse/api => ../api
