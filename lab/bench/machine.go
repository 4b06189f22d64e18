package bench

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine is where and of what something is measured, on one line: the processor, and the commit of the
// checkout that is the current directory, with a + if there are changes.
func Machine(ctx context.Context) string {
	cpu := cmp.Or(cpuid.CPU.BrandName, "unknown processor")
	line := fmt.Sprintf("%s, GOMAXPROCS=%d, %s/%s, %s", cpu, runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version())
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--exclude=*", "--dirty=+").Output()
	if err != nil {
		return line
	}
	return line + ", commit " + strings.TrimSpace(string(commit))
}
