// Program diodes shows a fault of code.cloudfoundry.org/go-diodes of 2023-11-13: Waiter.Next
// waits although there is data, with one writer and one reader on a ManyToOne.
//
// Set takes a number for its slot, and looks at the slot. If the reader takes the slot's value
// before the CompareAndSwap, Set takes the next number, and leaves the slot empty. The reader
// reaches the empty slot, and stays there until a writer has gone all the way around. It does
// not read the values that were set after it, nor report those that a later lap overwrites.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"code.cloudfoundry.org/go-diodes"
)

const (
	tries  = 300_000
	hanged = 2 * time.Second
)

func main() {
	log.SetOutput(io.Discard) // of each collision
	for n := range tries {
		var values [3]int
		ctx, cancel := context.WithTimeout(context.Background(), hanged)
		d := diodes.NewWaiter(diodes.NewManyToOne(2, nil), diodes.WithWaiterContext(ctx))
		go func() {
			for i := range values {
				d.Set(diodes.GenericDataType(&values[i]))
			}
		}()
		last := diodes.GenericDataType(&values[2])
		for got := d.Next(); got != last; got = d.Next() {
			if got == nil {
				fmt.Printf("in try %d of %d Next waits for %v, and the last of three values is never read\n", n+1, tries, hanged)
				os.Exit(1)
			}
		}
		cancel()
	}
	fmt.Printf("the last value is read in %d tries\n", tries)
}
