// Package maphash is the twin of hash/maphash: a value has the same hash in each execution, and in
// each process that takes part in an exploration or replays it. With the original, hashes differ
// between processes, and so do the steps of a program that uses them to find a place.
//
// It does the same outside executions, so hashes and seeds from there may be used in them.
package maphash

import (
	"encoding/binary"
	"errors"
	"hash"
	rm "hash/maphash"
	"math"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// A Seed is that of the original: code that was not rewritten may be given one.
type Seed = rm.Seed

// seeds is how many were made outside of executions.
var seeds atomic.Uint64

// MakeSeed returns the same seed in an execution, and one after the other outside of one.
func MakeSeed() (s Seed) {
	number := uint64(1)
	if !drive.Driven() {
		number += seeds.Add(1)
	}
	*(*uint64)(unsafe.Pointer(&s)) = number
	return s
}

// begin returns the state of a hash that nothing was written to.
func begin(s Seed) uint64 {
	if s == (Seed{}) {
		panic("maphash: use of uninitialized Seed")
	}
	return mix(*(*uint64)(unsafe.Pointer(&s)))
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A Hash has the methods of [maphash.Hash].
type Hash struct {
	_     [0]func() // cannot be compared
	seed  Seed
	state uint64
}

// ready sees to it that there is a seed.
func (h *Hash) ready() {
	if h.seed == (Seed{}) {
		h.SetSeed(MakeSeed())
	}
}

// Write is that of the original, like all methods here. The hash is FNV-1a, mixed in the end.
func (h *Hash) Write(b []byte) (int, error) {
	h.ready()
	for _, c := range b {
		h.state = (h.state ^ uint64(c)) * 0x100000001b3
	}
	return len(b), nil
}

func (h *Hash) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

func (h *Hash) WriteByte(b byte) error {
	_, err := h.Write([]byte{b})
	return err
}

func (h *Hash) Seed() Seed {
	h.ready()
	return h.seed
}

func (h *Hash) SetSeed(s Seed) { h.seed, h.state = s, begin(s) }

func (h *Hash) Reset() { h.SetSeed(h.Seed()) }

func (h *Hash) Sum64() uint64 {
	h.ready()
	return mix(h.state)
}

func (h *Hash) Sum(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, h.Sum64()) }

func (h *Hash) Size() int { return 8 }

func (h *Hash) BlockSize() int { return new(rm.Hash).BlockSize() }

func (h *Hash) Clone() (hash.Cloner, error) {
	h.ready()
	clone := *h
	return &clone, nil
}

// A Hasher is that of Go 1.27, like a ComparableHasher.
type Hasher[T any] interface {
	Hash(h *Hash, value T)
	Equal(x, y T) bool
}

type ComparableHasher[T comparable] struct {
	_ [0]func(T) // cannot be compared
}

func (ComparableHasher[T]) Hash(h *Hash, v T) { WriteComparable(h, v) }

func (ComparableHasher[T]) Equal(x, y T) bool { return x == y }

// Bytes is that of package maphash, like all functions here.
func Bytes(seed Seed, b []byte) uint64 {
	var h Hash
	h.SetSeed(seed)
	h.Write(b)
	return h.Sum64()
}

func String(seed Seed, s string) uint64 { return Bytes(seed, []byte(s)) }

func Comparable[T comparable](seed Seed, v T) uint64 {
	var h Hash
	h.SetSeed(seed)
	WriteComparable(&h, v)
	return h.Sum64()
}

func WriteComparable[T comparable](h *Hash, x T) { h.value(reflect.ValueOf(&x).Elem()) }

func (h *Hash) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		h.number(n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		h.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		h.float(real(v.Complex()))
		h.float(imag(v.Complex()))
	case reflect.String:
		h.number(uint64(v.Len()))
		h.WriteString(v.String())
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		h.number(uint64(v.Pointer()))
	case reflect.Array:
		for i := range v.Len() {
			h.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" { // which is not compared
				h.value(v.Field(i))
			}
		}
	case reflect.Interface:
		if v.IsNil() {
			h.number(0)
			return
		}
		h.WriteString(v.Elem().Type().String())
		h.value(v.Elem())
	default:
		panic(errors.New("hash of unhashable type " + v.Type().String()))
	}
}

func (h *Hash) number(n uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, n)) }

// float writes the same for both zeros, which are equal.
func (h *Hash) float(f float64) {
	if f == 0 {
		f = 0
	}
	h.number(math.Float64bits(f))
}
