//go:build !explore

package simulate

import "time"

// Predicts says whether this build simulates.
const Predicts = false

// measured is how long the last Measure took.
var measured time.Duration

func run(_ Machine, program func()) (*Report, error) {
	measured = 0
	start := time.Now()
	program()
	if measured == 0 {
		measured = time.Since(start)
	}
	return &Report{Elapsed: Time(measured) * Nanosecond}, nil
}

func measure(f func()) {
	start := time.Now()
	f()
	measured = time.Since(start)
}

func work(d Time) {
	for start := time.Now(); Time(time.Since(start))*Nanosecond < d; {
	}
}

func own(Time) {}
