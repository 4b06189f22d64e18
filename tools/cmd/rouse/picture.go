package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/cli"
)

// A page is the file that a picture goes to. Until there is a picture it has another name, so that
// an older one stays.
type page struct {
	path string
	file *os.File // nil once it has its name
}

// openPicture makes sure that the file can be written before the work begins. It returns nil if no
// picture is wanted.
func openPicture(path string) (*page, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".rouse-*.html")
	return &page{path, f}, err
}

// drop removes the file unless it has a picture.
func (p *page) drop() {
	if p != nil && p.file != nil {
		_ = p.file.Close()
		_ = os.Remove(p.file.Name())
	}
}

// recordedEvents is for how many events there is room: some for each file of a large tree.
const recordedEvents = 1_000_000

// record has a pool count the files once more, and writes what each worker did.
func (p *page) record(ctx context.Context, t *fileTree) (err error) {
	workers, err := pool.New(pool.WithEagerPublish())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, workers.Close()) }()
	stop, err := workers.Record(recordedEvents)
	if err != nil {
		return err
	}
	_, err = census.Pool(ctx, workers, t.fsys, census.WithProgress(t.progress))
	recording := stop()
	if err != nil {
		return err
	}
	if err := picture.WritePage(p.file, recording, "Files of "+cli.Printable(t.dir)); err != nil {
		return err
	}
	temporary := p.file.Name()
	if err := errors.Join(p.file.Chmod(0o644), p.file.Close(), os.Rename(temporary, p.path)); err != nil {
		return err
	}
	p.file = nil
	return nil
}
