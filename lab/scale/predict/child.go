package predict

import (
	"bytes"
	"cmp"
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

// command is the program that simulates. It has little else, since all that depends on the
// pool is compiled anew for it.
const command = "github.com/rouse-go/rouse/lab/scale/predict/simulation"

// A message is what the program that simulates prints: what it does, and at the end a
// report, or why there is none.
type message struct {
	Doing  string  `json:"doing,omitempty"`
	Done   int     `json:"done,omitempty"`
	Report *Report `json:"report,omitempty"`
	Error  string  `json:"error,omitempty"`
}

// Child builds the program that simulates, with the build tag explore, in the workspace at
// root, and has it predict what is ordered. It calls watch, which may be nil, before each
// run, as [Plan.Run] does. It ends when ctx does.
func Child(ctx context.Context, root string, order Order, watch func(doing string, done int)) (*Report, error) {
	dir, err := os.MkdirTemp("", "rouse-predict-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// Not go run: that does not end its child when it is told to end.
	binary := filepath.Join(dir, "simulation")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-tags=explore", "-o", binary, command)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, ended(ctx, fmt.Errorf("go build -tags=explore %s: %w\n%s", command, err, out))
	}
	ordered, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, binary)
	child.Stdin, child.Stderr = bytes.NewReader(ordered), os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	r, bad := read(out, watch)
	_, _ = io.Copy(io.Discard, out) // so that it can end
	err = child.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(bad, io.EOF):
		return nil, fmt.Errorf("the simulation made no report: %w", cmp.Or(err, bad))
	}
	return r, bad
}

// ended returns the error of ctx if it has one, else the given one.
func ended(ctx context.Context, err error) error {
	return cmp.Or(ctx.Err(), err)
}

// Answer is the program that simulates: it reads the order that [Child] gives, and prints
// what Child reads.
func Answer(ctx context.Context, in io.Reader, out io.Writer) error {
	print := json.NewEncoder(out)
	r, err := answer(ctx, in, func(doing string, done int) { _ = print.Encode(message{Doing: doing, Done: done}) })
	m := message{Report: r}
	if err != nil {
		m = message{Error: err.Error()}
	}
	return print.Encode(m)
}

func answer(ctx context.Context, in io.Reader, watch func(doing string, done int)) (*Report, error) {
	var order Order
	if err := json.NewDecoder(in).Decode(&order); err != nil {
		return nil, fmt.Errorf("what is to be predicted cannot be read: %w", err)
	}
	plan, err := order.Plan()
	if err != nil {
		return nil, err
	}
	plan.Watch = watch
	return plan.Run(ctx)
}

// read reads what Answer has printed. If that ends too early, the error is [io.EOF].
func read(printed io.Reader, watch func(doing string, done int)) (*Report, error) {
	for messages := json.NewDecoder(printed); ; {
		var m message
		switch err := messages.Decode(&m); {
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, fmt.Errorf("what the simulation printed is no report: %w", err)
		case m.Error != "":
			return nil, errors.New(m.Error)
		case m.Report != nil:
			return m.Report, nil
		case watch != nil:
			watch(m.Doing, m.Done)
		}
	}
}
