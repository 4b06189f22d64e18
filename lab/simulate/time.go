package simulate

import (
	"math"
	"strconv"
)

// A Time is a virtual time or a length of one, in picoseconds.
type Time int64

// Units of [Time].
const (
	Picosecond  Time = 1
	Nanosecond       = 1000 * Picosecond
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// units are longest first.
var units = []struct {
	name string
	size Time
}{{"s", Second}, {"ms", Millisecond}, {"us", Microsecond}, {"ns", Nanosecond}, {"ps", Picosecond}}

// String writes the time in the largest unit of which it has at least one, with
// up to three digits behind the point.
func (t Time) String() string {
	size := max(t, -t)
	for _, u := range units {
		if size >= u.size {
			in := math.Round(float64(t)/float64(u.size)*1000) / 1000
			return strconv.FormatFloat(in, 'f', -1, 64) + " " + u.name
		}
	}
	return "0 s"
}

// Seconds returns the time in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }
