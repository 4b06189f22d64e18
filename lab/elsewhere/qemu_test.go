package elsewhere

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A test that starts itself again, by its own name, stays in the emulator.
func TestEmulatorKeepsChildren(t *testing.T) {
	dir := t.TempDir()
	// It takes -0 NAME PROGRAM ARGS, as QEMU does.
	emulator := filepath.Join(dir, "emulator")
	script := "#!/bin/sh\nname=$2; shift 3\necho \"emulated $*\"; [ \"$1\" = child ] || exec \"$name\" child"
	if err := os.WriteFile(emulator, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", filepath.Join("guest", "qemu.sh"), filepath.Join(dir, "x.test"), "parent", "two words")
	cmd.Env = append(os.Environ(), "ROUSE_EMULATOR="+emulator)
	out, err := cmd.CombinedOutput()
	if want := "emulated parent two words\nemulated child\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}
