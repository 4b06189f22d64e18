package figure

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// Logarithmic makes an axis one of times on a logarithmic scale, from the
// least to the greatest of them. All are positive.
func Logarithmic(a *plot.Axis, nanos ...float64) { logarithmic(a, logTicks{timeLabel}, nanos) }

// Speedups is like [Logarithmic], for speed-ups.
func Speedups(a *plot.Axis, all ...float64) { logarithmic(a, logTicks{timesLabel}, all) }

func logarithmic(a *plot.Axis, ticks plot.Ticker, values []float64) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = ticks
	a.Min, a.Max = slices.Min(values), slices.Max(values)
	// What is almost the same is not to look far apart.
	if middle := math.Sqrt(a.Min * a.Max); a.Max < closest*a.Min {
		a.Min, a.Max = middle/math.Sqrt(closest), middle*math.Sqrt(closest)
	}
	Widen(a, 0.04, 0.04)
}

// closest is how far the ends of an axis are apart at least.
const closest = 1.5

// Widen makes a logarithmic axis longer at its ends, by parts of its length.
func Widen(a *plot.Axis, low, high float64) {
	length := math.Log(a.Max / a.Min)
	a.Min, a.Max = a.Min*math.Exp(-low*length), a.Max*math.Exp(high*length)
}

// logTicks are the ticks of a logarithmic axis.
type logTicks struct{ label func(float64) string }

// labelled are what may have labels in each power of ten: the first that give
// some are taken.
var labelled = [][]float64{{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}}

const (
	fewestLabels = 3
	mostLabels   = 6 // for which there is room
)

// Ticks implements [plot.Ticker].
func (t logTicks) Ticks(low, high float64) []plot.Tick {
	for _, mantissas := range labelled {
		labels := between(low, high, mantissas)
		if len(labels) < fewestLabels {
			continue
		}
		every := 1 + (len(labels)-1)/mostLabels
		var ticks []plot.Tick
		for i, x := range labels {
			if i%every == 0 {
				ticks = append(ticks, plot.Tick{Value: x, Label: t.label(x)})
			}
		}
		for _, x := range between(low, high, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			ticks = append(ticks, plot.Tick{Value: x})
		}
		return ticks
	}
	// So close that the scale might as well be linear.
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, tick := range ticks {
		if tick.Label != "" {
			ticks[i].Label = t.label(tick.Value)
		}
	}
	return ticks
}

// between returns what is in the range of the mantissas with any exponent.
func between(low, high float64, mantissas []float64) (xs []float64) {
	for e := int(math.Floor(math.Log10(low))); math.Pow10(e) <= high; e++ {
		for _, m := range mantissas {
			if x := m * math.Pow10(e); low <= x && x <= high {
				xs = append(xs, x)
			}
		}
	}
	return xs
}

// timeLabel writes a time as short as it can.
func timeLabel(ns float64) string {
	x, unit := ns, "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if x < 1000 {
			break
		}
		x, unit = x/1000, larger
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + " " + unit
}

// timesLabel writes a speed-up.
func timesLabel(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) + "×" }

// Workers makes an axis one of these numbers of workers, which are in order, on a
// logarithmic scale.
func Workers(a *plot.Axis, counts []int) {
	a.Scale, a.Tick.Marker = plot.LogScale{}, WorkerTicks(counts)
	a.Min, a.Max = float64(counts[0]), float64(counts[len(counts)-1])
	if len(counts) == 1 { // in the middle
		a.Min, a.Max = a.Min/closest, a.Max*closest
	}
}

// WorkerTicks are the numbers of workers that there are.
func WorkerTicks(counts []int) (ticks plot.ConstantTicks) {
	for _, n := range counts {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}

// RatioTicks are those of a logarithmic axis of ratios.
type RatioTicks struct{}

// Ticks implements [plot.Ticker].
func (RatioTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	labelled := []float64{1}
	if len(between(low, high, labelled)) < fewestLabels {
		labelled = []float64{1, 2, 5}
	}
	for _, x := range between(low, high, labelled) {
		var label string
		switch {
		case x == 1:
			label = "level"
		case x < 1:
			label = "1/" + strconv.FormatFloat(1/x, 'f', 0, 64)
		default:
			label = strconv.FormatFloat(x, 'f', 0, 64) + "×"
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: label})
	}
	for _, x := range between(low, high, []float64{2, 3, 4, 5, 6, 7, 8, 9}) {
		ticks = append(ticks, plot.Tick{Value: x})
	}
	return ticks
}
