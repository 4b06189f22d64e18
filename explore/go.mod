module github.com/rouse-go/rouse/explore

go 1.25.0
