package results

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
)

// logarithmic makes an axis one of times on a logarithmic scale, from the
// least to the greatest of them.
func logarithmic(a *plot.Axis, nanos ...float64) {
	a.Scale = plot.LogScale{}
	a.Tick.Marker = timeTicks{}
	a.Min, a.Max = slices.Min(nanos), slices.Max(nanos)
	// What is almost the same is not to look far apart.
	if middle := math.Sqrt(a.Min * a.Max); a.Max < closest*a.Min {
		a.Min, a.Max = middle/math.Sqrt(closest), middle*math.Sqrt(closest)
	}
	widen(a, 0.04, 0.04)
}

// closest is how far the ends of an axis are apart at least.
const closest = 1.5

// widen makes a logarithmic axis longer at its ends, by parts of its length.
func widen(a *plot.Axis, low, high float64) {
	length := math.Log(a.Max / a.Min)
	a.Min, a.Max = a.Min*math.Exp(-low*length), a.Max*math.Exp(high*length)
}

// timeTicks are the ticks of a logarithmic axis in nanoseconds.
type timeTicks struct{}

// labelled are what may have labels in each power of ten: the first that give
// some are taken.
var labelled = [][]float64{{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}, {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}}

const (
	fewestLabels = 3
	mostLabels   = 6 // for which there is room
)

// Ticks implements [plot.Ticker].
func (timeTicks) Ticks(low, high float64) []plot.Tick {
	for _, mantissas := range labelled {
		labels := between(low, high, mantissas)
		if len(labels) < fewestLabels {
			continue
		}
		every := 1 + (len(labels)-1)/mostLabels
		var ticks []plot.Tick
		for i, x := range labels {
			if i%every == 0 {
				ticks = append(ticks, plot.Tick{Value: x, Label: timeLabel(x)})
			}
		}
		for _, x := range between(low, high, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			ticks = append(ticks, plot.Tick{Value: x})
		}
		return ticks
	}
	// So close that the scale might as well be linear.
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = timeLabel(t.Value)
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
	x, unit := scale(ns)
	return strconv.FormatFloat(x, 'g', 3, 64) + " " + unit
}

// workerTicks are the numbers of workers that there are.
func workerTicks(counts []int) (ticks plot.ConstantTicks) {
	for _, n := range counts {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}

// ratioTicks are those of a logarithmic axis of ratios.
type ratioTicks struct{}

// Ticks implements [plot.Ticker].
func (ratioTicks) Ticks(low, high float64) (ticks []plot.Tick) {
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
