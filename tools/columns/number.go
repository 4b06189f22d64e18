package columns

import "strconv"

// Digits writes a number with three digits, and all those before the point.
func Digits(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.1:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Times writes how many times as much something is.
func Times(x float64) string { return Digits(x) + "×" }

// Nanos writes a time in the unit in which it is 1 to 1000, if there is one.
func Nanos(ns float64) string {
	unit := "ns"
	for _, larger := range []string{"µs", "ms", "s"} {
		if ns < 1000 {
			break
		}
		ns, unit = ns/1000, larger
	}
	return Digits(ns) + " " + unit
}
