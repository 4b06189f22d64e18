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
	hash, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return line
	}
	line += ", commit " + strings.TrimSpace(string(hash))
	if exec.CommandContext(ctx, "git", "diff", "--quiet", "HEAD").Run() != nil {
		line += "+"
	}
	return line
}
