// Package rand is the twin of math/rand/v2: in an execution each goroutine has a sequence of its
// own, the same in each execution. A generator that New returns has the sequence of its source.
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
func NewPCG(seed1, seed2 uint64) *PCG                  { return rr.NewPCG(seed1, seed2) }
func NewZipf(r *Rand, s, v float64, imax uint64) *Zipf { return rr.NewZipf(r, s, v, imax) }

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
func Int32N(n int32) int32               { return numbers.Int32N(n) }
func Int64() int64                       { return numbers.Int64() }
func Int64N(n int64) int64               { return numbers.Int64N(n) }
func IntN(n int) int                     { return numbers.IntN(n) }
func NormFloat64() float64               { return numbers.NormFloat64() }
func Perm(n int) []int                   { return numbers.Perm(n) }
func Shuffle(n int, swap func(i, j int)) { numbers.Shuffle(n, swap) }
func Uint() uint                         { return numbers.Uint() }
func Uint32() uint32                     { return numbers.Uint32() }
func Uint32N(n uint32) uint32            { return numbers.Uint32N(n) }
func Uint64() uint64                     { return numbers.Uint64() }
func Uint64N(n uint64) uint64            { return numbers.Uint64N(n) }
func UintN(n uint) uint                  { return numbers.UintN(n) }

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func N[Int integer](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(numbers.Uint64N(uint64(n)))
}
