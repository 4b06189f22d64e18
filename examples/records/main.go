// Records reads JSON documents, one a line, and adds up what their orders are worth. With
// -make it writes such a file.
//
//	records -make 100000 >orders.json
//	records -timeout 2s orders.json
//
// The first line that is not a valid document ends it, with its number. So does the end of
// the time, and an interrupt.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == flag.ErrHelp:
		os.Exit(2) // The flag package has said what is wrong.
	case err != nil:
		fmt.Fprintln(os.Stderr, "records:", err)
		os.Exit(1)
	}
}

var errTime = errors.New("the time is over")

// run is main with its arguments, for tests. It writes to log what it did.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("records", flag.ContinueOnError)
	flags.SetOutput(log)
	write := flags.Int("make", 0, "write so many documents in place of reading")
	timeout := flags.Duration("timeout", time.Minute, "how long it may take")
	plain := flags.Bool("plain", false, "use goroutines in place of par")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: records [flags] file\n\nIt adds up the orders in a file of JSON documents, one a line.")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if *write > 0 && flags.NArg() == 0 {
		return makeOrders(out, *write)
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return flag.ErrHelp
	}
	data, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, *timeout, errTime)
	defer cancel()
	start := time.Now()
	decode := decoded
	if *plain {
		decode = decodedPlain
	}
	orders, err := decode(ctx, bytes.Split(bytes.TrimSpace(data), []byte("\n")))
	if err != nil {
		return err
	}
	sum := 0
	for _, o := range orders {
		sum += o.worth()
	}
	fmt.Fprintf(out, "%d orders, worth %d.%02d\n", len(orders), sum/100, sum%100)
	fmt.Fprintf(log, "%.2f s\n", time.Since(start).Seconds())
	return nil
}

// An order is a document.
type order struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Items []item `json:"items"`
}

type item struct {
	What  string `json:"what"`
	Count int    `json:"count"`
	Cents int    `json:"cents"`
}

func (o *order) worth() (cents int) {
	for _, i := range o.Items {
		cents += i.Count * i.Cents
	}
	return cents
}

// decode reads one line.
func decode(line []byte, number int) (o order, err error) {
	if err := json.Unmarshal(line, &o); err != nil {
		return o, fmt.Errorf("line %d: %w", number+1, err)
	}
	for _, i := range o.Items {
		if i.Count < 1 {
			return o, fmt.Errorf("line %d: order %d has %d of %s", number+1, o.ID, i.Count, i.What)
		}
	}
	return o, nil
}

// makeOrders writes documents of very unequal length.
func makeOrders(out io.Writer, n int) error {
	r := rand.New(rand.NewPCG(1, 2))
	lines := json.NewEncoder(out)
	for id := range n {
		o := order{ID: id, Name: fmt.Sprintf("customer %d", r.IntN(1000))}
		for range 1 + int(r.ExpFloat64()*5) {
			o.Items = append(o.Items, item{fmt.Sprintf("part %d", r.IntN(100)), 1 + r.IntN(9), r.IntN(10_000)})
		}
		if err := lines.Encode(o); err != nil {
			return err
		}
	}
	return nil
}
