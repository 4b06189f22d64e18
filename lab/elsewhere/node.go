package elsewhere

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// startNode finds the script of the Go installation that runs wasm on Node.
func startNode(ctx context.Context, _ string) (session, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return session{}, fmt.Errorf("go env GOROOT: %w", err)
	}
	script := filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "go_js_wasm_exec")
	return session{exec: script}, nil
}
