package predict

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// command is the package of the command lab.
const command = "github.com/rouse-go/rouse/lab/cmd/lab"

// Child builds the command lab with the build tag explore, in the workspace at
// root, runs it with the given arguments, and returns the report that it prints
// by [Print]. What it writes to standard error goes to stderr. It ends when ctx
// does.
func Child(ctx context.Context, root string, args []string, stderr io.Writer) (*Report, error) {
	dir, err := os.MkdirTemp("", "rouse-predict-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// Not go run: that does not end its child when it is told to end.
	binary := filepath.Join(dir, "lab")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-tags=explore", "-o", binary, command)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, ended(ctx, fmt.Errorf("go build -tags=explore %s: %w\n%s", command, err, out))
	}
	child := exec.CommandContext(ctx, binary, args...)
	child.Stderr = stderr
	out, err := child.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r, bad := read(out)
	if r == nil && bad == nil {
		bad = fmt.Errorf("the simulation printed nothing: %w", err)
	}
	return r, bad
}

// ended returns the error of ctx if it has one, else the given one.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Print prints a report, or why there is none, for [Child].
func Print(w io.Writer, r *Report, err error) error {
	o := outcome{Report: r}
	if err != nil {
		o = outcome{Error: err.Error()}
	}
	return write(w, o)
}

// read reads what Print has printed; nothing of both if it printed nothing.
func read(printed []byte) (*Report, error) {
	if len(bytes.TrimSpace(printed)) == 0 {
		return nil, nil
	}
	var o outcome
	if err := json.Unmarshal(printed, &o); err != nil {
		return nil, fmt.Errorf("what the simulation printed is no report: %w", err)
	}
	if o.Error != "" {
		return nil, errors.New(o.Error)
	}
	if o.Report == nil {
		return nil, errors.New("what the simulation printed is no report")
	}
	return o.Report, nil
}
