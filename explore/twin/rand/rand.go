// Package rand is the twin of math/rand. In an execution a number below a small one is a choice, of
// which each is tried. Otherwise each goroutine has a sequence of its own, the same in each execution, and
// Seed does nothing. A generator that New returns has the sequence of its source.
package rand

import (
	rr "math/rand"

	"github.com/rouse-go/rouse/explore/drive"
	"github.com/rouse-go/rouse/explore/twin/lang"
)

type (
	Rand     = rr.Rand
	Source   = rr.Source
	Source64 = rr.Source64
	Zipf     = rr.Zipf
)

func New(src Source) *Rand                             { return rr.New(src) }
func NewSource(seed int64) Source                      { lang.ByClock(seed); return rr.NewSource(seed) }
func NewZipf(r *Rand, s, v float64, imax uint64) *Zipf { return rr.NewZipf(r, s, v, imax) }

// A source has the numbers of the execution, or outside of one those of the original.
type source struct{}

func (source) Uint64() uint64 { return next() }

var next = lang.Random(rr.Uint64)

func (s source) Int63() int64 { return int64(s.Uint64() >> 1) }

func (source) Seed(seed int64) {
	if !drive.Driven() {
		//lint:ignore SA1019 The program asks for it.
		rr.Seed(seed)
	}
}

var numbers = rr.New(source{})

func Seed(seed int64) { source{}.Seed(seed) }

func ExpFloat64() float64                { return numbers.ExpFloat64() }
func Float32() float32                   { return numbers.Float32() }
func Float64() float64                   { return numbers.Float64() }
func Int() int                           { return numbers.Int() }
func Int31() int32                       { return numbers.Int31() }
func Int31n(n int32) int32               { return lang.Chance(n, numbers.Int31n) }
func Int63() int64                       { return numbers.Int63() }
func Int63n(n int64) int64               { return lang.Chance(n, numbers.Int63n) }
func Intn(n int) int                     { return lang.Chance(n, numbers.Intn) }
func NormFloat64() float64               { return numbers.NormFloat64() }
func Perm(n int) []int                   { return lang.Perm(n, numbers.Perm) }
func Shuffle(n int, swap func(i, j int)) { lang.Shuffle(n, swap, numbers.Shuffle) }
func Uint32() uint32                     { return numbers.Uint32() }
func Uint64() uint64                     { return numbers.Uint64() }

// Read keeps nothing of what one call has drawn for the next.
func Read(p []byte) (n int, err error) { return rr.New(source{}).Read(p) }
