package elsewhere

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed guest/bcryptprimitives.c
var bcryptPrimitives []byte

const mingw = "x86_64-w64-mingw32-gcc"

// startWine makes a Windows installation in dir.
func startWine(ctx context.Context, dir string) (session, error) {
	prefix := filepath.Join(dir, "wine")
	s := session{
		exec: "wine",
		env:  []string{"WINEPREFIX=" + prefix, "WINEDEBUG=-all"},
	}
	s.stop = func() {
		// Not bound to ctx: it is to be done after an interrupt, too.
		cmd := exec.Command("wineserver", "--kill")
		cmd.Env = append(os.Environ(), s.env...)
		_ = cmd.Run() // It fails if the server has ended by itself.
	}
	if err := run(ctx, s.env, "wine", "wineboot", "--init"); err != nil {
		return s, err
	}
	return s, addRandom(ctx, dir, filepath.Join(prefix, "drive_c", "windows", "system32"))
}

// addRandom adds the one library that Go's runtime needs and Wine 8 lacks.
func addRandom(ctx context.Context, dir, system string) error {
	library := filepath.Join(system, "bcryptprimitives.dll")
	if _, err := os.Stat(library); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	source := filepath.Join(dir, "bcryptprimitives.c")
	if err := os.WriteFile(source, bcryptPrimitives, 0o666); err != nil {
		return err
	}
	return run(ctx, nil, mingw, "-shared", "-o", library, source, "-ladvapi32")
}

// run runs a command. The error includes what it printed.
func run(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return ctx.Err()
}
