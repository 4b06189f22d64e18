module github.com/rouse-go/rouse/api

go 1.25.0
