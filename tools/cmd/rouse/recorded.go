package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/progress"
)

// An output is a file into which a recording goes.
type output struct {
	path  string
	file  *os.File
	isNew bool // the file was not there before
	write func(w io.Writer, r *pool.Recording, title string) error
}

// openOutputs opens the files that the flags name, before the work begins. What they have stays
// until there is a recording.
func openOutputs(pagePath, tracePath string) (all []*output, err error) {
	if pagePath != "" && pagePath == tracePath {
		return nil, fmt.Errorf("--picture and --trace name the same file, %s", pagePath)
	}
	for _, o := range []*output{{path: pagePath, write: picture.WritePage}, {path: tracePath, write: picture.WriteTrace}} {
		if o.path == "" {
			continue
		}
		_, err := os.Stat(o.path)
		o.isNew = errors.Is(err, fs.ErrNotExist)
		if o.file, err = os.OpenFile(o.path, os.O_WRONLY|os.O_CREATE, 0o644); err != nil {
			dropOutputs(all)
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// dropOutputs closes files that got nothing, and removes those that were not there before.
func dropOutputs(all []*output) {
	for _, o := range all {
		_ = o.file.Close()
		if o.isNew {
			_ = os.Remove(o.path)
		}
	}
}

// save writes a recording, and closes the file.
func (o *output) save(r *pool.Recording, title string) error {
	err := o.file.Truncate(0)
	if err == nil {
		err = o.write(o.file, r, title)
	}
	if err := errors.Join(err, o.file.Close()); err != nil {
		return fmt.Errorf("%s: %w", o.path, err)
	}
	return nil
}

// recordedEvents is for how many events there is room: some for each file of a large tree.
const recordedEvents = 1_000_000

// record takes the census once more, on a pool that is recorded, and writes the files. It is no
// part of the comparison, for a recording costs time. The result must be the same.
func (m *comparison) record(ctx context.Context, fsys fs.FS, files int, want *census.Census) (err error) {
	saved := 0
	defer func() { dropOutputs(m.outputs[saved:]) }()
	d, s := m.deques[0], m.sleeps[0]
	p, err := pool.New(pool.WithDeque(d.New), pool.WithSleep(s.New), pool.WithEagerPublish(), pool.WithWorkers(m.workers))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	recorder, err := p.Record(recordedEvents)
	if err != nil {
		return err
	}
	line := progress.Show(m.stderr, "recording one more run", files)
	c, err := census.Pool(ctx, p, fsys, census.WithProgress(func() { line.Done.Add(1) }))
	line.Stop()
	r := recorder.Stop()
	if err != nil {
		return err
	}
	if len(want.Diff(c)) > 0 {
		return errDiffer
	}
	title := fmt.Sprintf("Census of %s, deque %s, sleep backend %s", m.dir, d.Name, s.Name)
	for _, o := range m.outputs {
		saved++
		if err := o.save(r, title); err != nil {
			return err
		}
	}
	if m.asJSON {
		return nil
	}
	var said []string
	for _, o := range m.outputs {
		how := "open it in a browser"
		if o.path == m.tracePath {
			how = "open it at https://ui.perfetto.dev"
		}
		said = append(said, fmt.Sprintf("%s (%s)", o.path, how))
	}
	_, err = fmt.Fprintf(m.stdout, "\nOne more run was recorded: %s.\n", strings.Join(said, ", "))
	return err
}
