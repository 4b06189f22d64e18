package elsewhere

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// A need is a command that a machine is run with, and the Debian packages that
// hold it.
type need struct {
	command  string
	packages []string
}

// Missing returns the Debian packages that the machines need and that are not
// there.
func Missing(machines []Machine) (packages []string) {
	for _, m := range machines {
		for _, n := range m.needs {
			if _, err := exec.LookPath(n.command); err != nil {
				packages = append(packages, n.packages...)
			}
		}
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// Install installs Debian packages, with sudo unless run by root. What apt-get
// prints goes to standard error.
func Install(ctx context.Context, packages []string) error {
	// Without a fresh index a bare Debian knows of no package.
	update := []string{"apt-get", "-qq", "update"}
	install := append([]string{"apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "install", "--yes", "--no-install-recommends"}, packages...)
	for _, args := range [][]string{update, install} {
		if os.Geteuid() != 0 {
			args = append([]string{"sudo"}, args...)
		}
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
		}
	}
	return nil
}
