// Command rouse-vet reports workers that are used outside their job, parallel loops where you
// should fork, and elements of streams whose memory is reused. It is a tool of go vet:
//
//	go vet -vettool=$(which rouse-vet) ./...
//
// Run by itself, as rouse-vet ./..., it runs this command. So its flags are those of go vet, such
// as -tags, -json and -fix, and so is its exit status: 0 if nothing is reported.
//
// See package [github.com/rouse-go/rouse/tools/vet] for what it reports, or run
// rouse-vet help rouseworker, rousetree or rouseelement.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rouse-go/rouse/tools/vet"
)

func main() {
	args := os.Args[1:]
	if !isForTool(args) {
		os.Exit(goVet(args))
	}
	unitchecker.Main(vet.Analyzer, vet.Trees, vet.Elements)
}

// isForTool reports whether the arguments are for the tool itself: those that go vet passes to it,
// as package unitchecker documents them, or a call for help with an analyzer.
func isForTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	first, last := args[0], args[len(args)-1]
	return first == "help" || first == "-flags" || first == "-V=full" || strings.HasSuffix(last, ".cfg")
}

// goVet runs go vet with this program as the tool, and returns the exit status.
func goVet(args []string) int {
	self, err := os.Executable()
	if err == nil {
		cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		err = cmd.Run()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "rouse-vet: %v\n", err)
		return 2
	}
	return 0
}
