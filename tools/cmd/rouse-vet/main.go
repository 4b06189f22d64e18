// Command rouse-vet reports uses of a *pool.Worker where it does not belong. It
// runs by itself, on packages, or as a tool of go vet:
//
//	rouse-vet ./...
//	go vet -vettool=$(which rouse-vet) ./...
//
// See package [github.com/rouse-go/rouse/tools/vet] for what it reports.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/rouse-go/rouse/tools/vet"
)

// The driver for several analyzers is also a tool of go vet; that for one is not.
func main() { multichecker.Main(vet.Analyzer) }
