package bench

import (
	"slices"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
)

// SequentialName is the name of the implementation without any parallelism.
const SequentialName = "sequential"

// A Summary says how the times of many runs are distributed.
type Summary struct {
	// The median, and between what it is with a confidence of 95 %; infinite
	// if there are too few runs to say.
	Median, Low, High float64
	P10, P99          float64
}

// Summarize assumes nothing of how the times, at least one, are distributed.
func Summarize(nanos []float64) Summary {
	sample := benchmath.NewSample(slices.Clone(nanos), &benchmath.DefaultThresholds)
	median := benchmath.AssumeNothing.Summary(sample, 0.95)
	order := stats.Sample{Xs: sample.Values, Sorted: true}
	return Summary{
		Median: median.Center, Low: median.Lo, High: median.Hi,
		P10: order.Quantile(0.1), P99: order.Quantile(0.99),
	}
}
