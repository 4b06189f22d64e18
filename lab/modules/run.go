package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// run runs a command in dir, and returns what it printed. The error includes that.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	// The go command passes an interrupt on to what it runs.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return text, err
}

// write writes a file, and makes its folder.
func write(path string, text []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, text, 0o666))
}
