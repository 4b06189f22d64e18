package picture_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/picture"
)

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := pool.Invoke(w, fib, n-1, fib, n-2)
	return a + b
}

// A page shows what the workers did while a function ran.
func Example() {
	p, err := pool.New()
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	stop, err := p.Record(0)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := pool.Run(context.Background(), p, fib, 25)
	recording := stop()
	fmt.Println(sum, err)

	path := filepath.Join(os.TempDir(), "fib.html") // open it in a browser
	file, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)
	if err := picture.WritePage(file, recording, "fib(25)"); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: 75025 <nil>
}
