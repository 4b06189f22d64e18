// Package time is a twin of package time, for rewritten code: in an execution time is
// virtual. It begins at midnight of 2000-01-01 UTC, and moves when a timer or a sleep ends.
package time

import rt "time"

// What has nothing to do with the clock is that of package time.
type (
	Duration   = rt.Duration
	Location   = rt.Location
	Month      = rt.Month
	ParseError = rt.ParseError
	Time       = rt.Time
	Weekday    = rt.Weekday
)

const (
	Layout      = rt.Layout
	ANSIC       = rt.ANSIC
	UnixDate    = rt.UnixDate
	RubyDate    = rt.RubyDate
	RFC822      = rt.RFC822
	RFC822Z     = rt.RFC822Z
	RFC850      = rt.RFC850
	RFC1123     = rt.RFC1123
	RFC1123Z    = rt.RFC1123Z
	RFC3339     = rt.RFC3339
	RFC3339Nano = rt.RFC3339Nano
	Kitchen     = rt.Kitchen
	Stamp       = rt.Stamp
	StampMilli  = rt.StampMilli
	StampMicro  = rt.StampMicro
	StampNano   = rt.StampNano
	DateTime    = rt.DateTime
	DateOnly    = rt.DateOnly
	TimeOnly    = rt.TimeOnly

	Nanosecond  = rt.Nanosecond
	Microsecond = rt.Microsecond
	Millisecond = rt.Millisecond
	Second      = rt.Second
	Minute      = rt.Minute
	Hour        = rt.Hour

	January   = rt.January
	February  = rt.February
	March     = rt.March
	April     = rt.April
	May       = rt.May
	June      = rt.June
	July      = rt.July
	August    = rt.August
	September = rt.September
	October   = rt.October
	November  = rt.November
	December  = rt.December

	Sunday    = rt.Sunday
	Monday    = rt.Monday
	Tuesday   = rt.Tuesday
	Wednesday = rt.Wednesday
	Thursday  = rt.Thursday
	Friday    = rt.Friday
	Saturday  = rt.Saturday
)

var (
	Local = rt.Local
	UTC   = rt.UTC
)

func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	return rt.Date(year, month, day, hour, min, sec, nsec, loc)
}

func FixedZone(name string, offset int) *Location { return rt.FixedZone(name, offset) }

func LoadLocation(name string) (*Location, error) { return rt.LoadLocation(name) }

func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	return rt.LoadLocationFromTZData(name, data)
}

func Parse(layout, value string) (Time, error) { return rt.Parse(layout, value) }

func ParseDuration(s string) (Duration, error) { return rt.ParseDuration(s) }

func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return rt.ParseInLocation(layout, value, loc)
}

func Unix(sec, nsec int64) Time { return rt.Unix(sec, nsec) }

func UnixMicro(usec int64) Time { return rt.UnixMicro(usec) }

func UnixMilli(msec int64) Time { return rt.UnixMilli(msec) }
