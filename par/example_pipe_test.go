package par_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/rouse-go/rouse/par"
)

// An upper is a writer that changes what is written on several processors, and hands it on in order.
type upper struct{ pipe *par.Pipe[[]byte, []byte] }

func newUpper(ctx context.Context, to io.Writer) upper {
	change := func(_ context.Context, b []byte) ([]byte, error) { return bytes.ToUpper(b), nil }
	write := func(b []byte) error { _, err := to.Write(b); return err }
	return upper{par.NewPipe(ctx, change, write)}
}

// Write pushes a copy: b is its caller's again as soon as it returns.
func (u upper) Write(b []byte) (int, error) {
	if err := u.pipe.Push(bytes.Clone(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (u upper) Close() error { return u.pipe.Close() }

func ExampleNewPipe() {
	to := newUpper(context.Background(), os.Stdout)
	for _, word := range []string{"steal", "park"} {
		fmt.Fprintln(to, word)
	}
	fmt.Println(to.Close())
	// Output:
	// STEAL
	// PARK
	// <nil>
}
