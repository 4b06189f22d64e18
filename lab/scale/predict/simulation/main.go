// Command simulation is the part of lab predict that runs the code of the pool on virtual
// processors. It is built with the tag explore. It reads what to predict from its standard
// input, and prints how far it is and a report, in JSON.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/rouse-go/rouse/lab/scale/predict"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := predict.Answer(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
