// Package rand is the twin of math/rand/v2. In an execution a number below a small one is a choice, of
// which each is tried. Otherwise each goroutine has a sequence of its own, the same in each execution. A
// generator that New returns has the sequence of its source.
package rand

import (
	rr "math/rand/v2"

	"github.com/rouse-go/rouse/explore/twin/lang"
)

type (
	ChaCha8 = rr.ChaCha8
	PCG     = rr.PCG
	Rand    = rr.Rand
	Source  = rr.Source
	Zipf    = rr.Zipf
)

func New(src Source) *Rand                             { return rr.New(src) }
func NewChaCha8(seed [32]byte) *ChaCha8                { return rr.NewChaCha8(seed) }
func NewZipf(r *Rand, s, v float64, imax uint64) *Zipf { return rr.NewZipf(r, s, v, imax) }

func NewPCG(seed1, seed2 uint64) *PCG {
	lang.ByClock(seed1)
	lang.ByClock(seed2)
	return rr.NewPCG(seed1, seed2)
}

// A source has the numbers of the execution, or outside of one those of the original.
type source struct{}

func (source) Uint64() uint64 { return next() }

var next = lang.Random(rr.Uint64)

var numbers = rr.New(source{})

func ExpFloat64() float64                { return numbers.ExpFloat64() }
func Float32() float32                   { return numbers.Float32() }
func Float64() float64                   { return numbers.Float64() }
func Int() int                           { return numbers.Int() }
func Int32() int32                       { return numbers.Int32() }
func Int32N(n int32) int32               { return lang.Chance(n, numbers.Int32N) }
func Int64() int64                       { return numbers.Int64() }
func Int64N(n int64) int64               { return lang.Chance(n, numbers.Int64N) }
func IntN(n int) int                     { return lang.Chance(n, numbers.IntN) }
func NormFloat64() float64               { return numbers.NormFloat64() }
func Perm(n int) []int                   { return lang.Perm(n, numbers.Perm) }
func Shuffle(n int, swap func(i, j int)) { lang.Shuffle(n, swap, numbers.Shuffle) }
func Uint() uint                         { return numbers.Uint() }
func Uint32() uint32                     { return numbers.Uint32() }
func Uint32N(n uint32) uint32            { return lang.Chance(n, numbers.Uint32N) }
func Uint64() uint64                     { return numbers.Uint64() }
func Uint64N(n uint64) uint64            { return lang.Chance(n, numbers.Uint64N) }
func UintN(n uint) uint                  { return lang.Chance(n, numbers.UintN) }

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func N[Int integer](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(Uint64N(uint64(n)))
}
