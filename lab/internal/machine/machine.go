// Package machine says on what a figure was measured.
package machine

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// A Machine is where and of what something was measured.
type Machine struct {
	CPU        string `json:"cpu"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Go         string `json:"go"`
	Processors int    `json:"processors"` // that Go uses
	Commit     string `json:"commit"`     // "" if it is not known; a + after it: with changes
}

// This returns the machine, and the commit of the checkout that is the
// current directory.
func This(ctx context.Context) Machine {
	return Machine{
		CPU: cpuid.CPU.BrandName, OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(),
		Processors: runtime.GOMAXPROCS(0), Commit: commit(ctx),
	}
}

func commit(ctx context.Context) string {
	hash, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return ""
	}
	name := strings.TrimSpace(string(hash))
	if exec.CommandContext(ctx, "git", "diff", "--quiet", "HEAD").Run() != nil {
		name += "+"
	}
	return name
}

// String returns it on one line.
func (m Machine) String() string {
	s := m.CPU
	if s == "" {
		s = "unknown processor"
	}
	s += ", " + processors(m.Processors) + ", " + m.OS + "/" + m.Arch + ", " + m.Go
	if m.Commit != "" {
		s += ", commit " + m.Commit
	}
	return s
}

func processors(n int) string {
	if n == 1 {
		return "1 processor"
	}
	return fmt.Sprint(n, " processors")
}
