package impl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/lab/bench"
	"github.com/rouse-go/rouse/lab/bench/work"
)

// Outside returns the programs in other languages in a directory, which need not be there before one is
// opened. By the protocol of lab/peers, a program is started for a workload, and answers each line on its
// standard input by a line. It is killed when ctx ends, or when an answer takes longer than patience.
func Outside(ctx context.Context, dir string, patience time.Duration) (all []*bench.Implementation) {
	for _, name := range []string{bench.Rayon, bench.OneTBB} {
		open := func(w *bench.Workload, _ *work.Program, workers int) (work.Way, func() error, error) {
			if !slices.Contains(w.In, name) {
				return nil, nil, bench.ErrUnfit
			}
			workload, size, _ := strings.Cut(w.Outside, " ")
			return start(ctx, patience, filepath.Join(dir, name), workload, strconv.Itoa(workers), size)
		}
		all = append(all, &bench.Implementation{Name: name, Open: open})
	}
	return all
}

// start starts a program. While others are measured there is none.
func start(ctx context.Context, patience time.Duration, path string, args ...string) (work.Way, func() error, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	stdin, err := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err = errors.Join(err, err2); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	kill := func() { _ = cmd.Process.Kill() }
	answers, hung := json.NewDecoder(stdout), false
	// A program that does not end with its input is killed.
	end := sync.OnceValue(func() error {
		defer time.AfterFunc(5*time.Second, kill).Stop()
		if err := errors.Join(stdin.Close(), cmd.Wait()); err != nil && !hung {
			return fmt.Errorf("%w: %s", err, bytes.TrimSpace(said.Bytes()))
		}
		return nil
	})
	run := func() (uint64, []time.Duration, error) {
		late := time.AfterFunc(patience, kill)
		_, err := io.WriteString(stdin, "\n")
		var answer []uint64 // the result, and what was timed
		if err == nil {
			err = answers.Decode(&answer)
		}
		if hung = !late.Stop() && ctx.Err() == nil; hung {
			return 0, nil, bench.Hangs(patience)
		}
		if err == nil && len(answer) < 2 {
			err = fmt.Errorf("it is %v", answer)
		}
		if err != nil {
			return 0, nil, errors.Join(fmt.Errorf("no answer: %w", err), ctx.Err(), end())
		}
		var took []time.Duration
		for _, ns := range answer[1:] {
			took = append(took, time.Duration(ns))
		}
		return answer[0], took, nil
	}
	return run, end, nil
}
