// Census takes the census of a directory tree, as the command rouse run does, with several processes. A
// key is a part of the tree.
package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/examples/cluster"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/census"
	"github.com/rouse-go/rouse/tools/cli"
)

// partSize is how many files and directories a part has at most: work for some tens of milliseconds.
const partSize = 128

func main() {
	cluster.Main(cluster.Job{
		Name:     "census",
		Synopsis: "Census takes the census of a directory tree with several processes.",
		Args:     "DIR",
		Plan:     plan,
		Do:       take,
		Label:    label,
		// A file is work for a tenth of a millisecond and more, see census.Pool.
		Pool: []pool.Option{pool.WithEagerPublish()},
	})
}

// A task is a key: a part of the tree at Root.
type task struct {
	Root string
	Part census.Part
}

// plan divides the tree, and puts the pieces together in the order of the tree.
func plan(ctx context.Context, args []string) (*cluster.Plan, error) {
	if len(args) != 1 {
		return nil, errors.New("name one directory; \"census --help\" says more")
	}
	dir, err := cluster.Dir(args[0])
	if err != nil {
		return nil, err
	}
	parts, err := census.Split(ctx, os.DirFS(dir), partSize)
	if err != nil {
		return nil, err
	}
	p := &cluster.Plan{Of: dir}
	for _, part := range parts {
		p.Keys = append(p.Keys, encode(task{dir, part}))
	}
	p.Fold = func(results [][]byte, stdout io.Writer) error {
		pieces := make([]census.Piece, len(results))
		for i, result := range results {
			if err := decode(result, &pieces[i]); err != nil {
				return err
			}
		}
		c := census.Join(parts, pieces)
		_, err := fmt.Fprintf(stdout, "%s\n%sdigest %s\n", cli.Printable(dir), c.Summary(), c.Total().Digest)
		return err
	}
	return p, nil
}

// take takes the census of a part. Another worker may read what this one cannot: the tree may be mounted
// there. A directory that none can read ends the run; a file is then listed as unreadable.
func take(ctx context.Context, p *pool.Pool, key []byte) ([]byte, error) {
	var t task
	if err := decode(key, &t); err != nil {
		return nil, err
	}
	piece, err := t.Part.Take(ctx, p, os.DirFS(t.Root))
	if err != nil {
		return nil, err
	}
	dirs, files := piece.Unreadable(t.Part.Dir)
	switch {
	case len(dirs) > 0:
		return nil, fmt.Errorf("%s: %s", dirs[0].Path, dirs[0].Error)
	case len(files) > 0:
		return encode(piece), fmt.Errorf("%s: %s", files[0].Path, files[0].Error)
	}
	return encode(piece), nil
}

// label names a part for people.
func label(key []byte) string {
	var t task
	if err := decode(key, &t); err != nil {
		return err.Error()
	}
	name := filepath.Join(t.Root, t.Part.Dir, t.Part.From)
	if t.Part.Names > 1 {
		name += " to " + t.Part.To
	}
	return name
}

// encode is gob and not JSON, which has no names that are not UTF-8.
func encode(v any) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(err) // These types can be encoded.
	}
	return b.Bytes()
}

func decode(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) }
