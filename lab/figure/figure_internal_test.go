package figure

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Labels neither cover each other nor leave the plot, and stay in their order.
func TestApart(t *testing.T) {
	for _, places := range [][]vg.Length{
		nil, {5}, {5, 5}, {0, 0, 0, 100, 100, 100}, {50, 51, 52, 53, 10, 49.5}, {100, 0, 99}, {3, 3, 3, 3, 3, 3, 3, 3, 3},
	} {
		moved := Apart(places, 10, 0, 100)
		for i, a := range moved {
			if a < 0 || a > 100 {
				t.Errorf("%v: %v is outside", places, a)
			}
			for j, b := range moved {
				if i != j && math.Abs(float64(a-b)) < 9.9 {
					t.Errorf("%v: %v and %v in %v are too close", places, a, b, moved)
				}
				if places[i] < places[j] && a > b {
					t.Errorf("%v: %v is out of order", places, moved)
				}
			}
		}
	}
	if far := Apart([]vg.Length{10, 40, 25}, 10, 0, 100); !slices.Equal(far, []vg.Length{10, 40, 25}) {
		t.Errorf("what is far apart was moved to %v", far)
	}
}

// Whatever the range is, an axis has some labels but not too many, all
// different.
func TestTimeTicks(t *testing.T) {
	for low := 0.3; low < 1e10; low *= 1.7 {
		for ratio := closest; low*ratio < 1e11; ratio *= 1.3 {
			var labels []string
			for _, tick := range (logTicks{timeLabel}).Ticks(low, low*ratio) {
				if tick.Value < low || tick.Value > low*ratio {
					t.Errorf("%v to %v: a tick at %v", low, low*ratio, tick.Value)
				}
				if tick.Label != "" {
					labels = append(labels, tick.Label)
				}
			}
			if n := len(labels); n < 2 || n > mostLabels {
				t.Errorf("%v to %v: labels %q", low, low*ratio, labels)
			}
			slices.Sort(labels)
			if len(slices.Compact(slices.Clone(labels))) < len(labels) {
				t.Errorf("%v to %v: the same label twice: %q", low, low*ratio, labels)
			}
		}
	}
}
