package par_test

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// sortLengths are those at which a sort begins to do something else, and their neighbours.
var sortLengths = func() (ns []int) {
	for _, n := range []int{1, 10, 12, 24, 64, 256, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 15, 1 << 16} {
		ns = append(ns, n-1, n, n+1)
	}
	return append(ns, 5, 40, 100, 3000, 100_000, 200_001)
}()

// shapesOf is how many of the patterns to sort n elements of.
func shapesOf(n int) int {
	if testing.Short() || n > 5000 {
		return 1
	}
	return 5
}

// onShapes calls f with inputs of all lengths, numbers below that, each of which has few of the patterns.
// Each test, with each pool, has others, so together they have all.
func onShapes(t *testing.T, f func(what string, ns []int, r *rand.Rand)) {
	r := rand.New(rand.NewPCG(3, uint64(crc32.ChecksumIEEE([]byte(t.Name())))))
	for _, n := range sortLengths {
		if n > 20_000 && r.IntN(3) > 0 {
			continue // these take most of the time: each has a third of them
		}
		for _, i := range r.Perm(len(patterns))[:shapesOf(n)] {
			ns := make([]int, n)
			for k := range ns {
				ns[k] = (patterns[i].at(k, n, r)%n + n) % n
			}
			f(fmt.Sprintf("%d elements, %s", n, patterns[i].name), ns, r)
		}
	}
}

type (
	namedInt    int
	namedFloat  float32
	namedString string
)

func TestSort(t *testing.T) {
	t.Parallel()
	t.Run("int", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[int], par.Sort)) })
	t.Run("int8", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[int8], par.Sort)) })
	t.Run("int16", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[int16], par.Sort)) })
	t.Run("int32", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[int32], par.Sort)) })
	t.Run("int64", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[int64], par.Sort)) })
	t.Run("uint", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[uint], par.Sort)) })
	t.Run("uint8", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[uint8], par.Sort)) })
	t.Run("uint16", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[uint16], par.Sort)) })
	t.Run("uint32", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[uint32], par.Sort)) })
	t.Run("uint64", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[uint64], par.Sort)) })
	t.Run("uintptr", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[uintptr], par.Sort)) })
	t.Run("named", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[namedInt], par.Sort)) })
	t.Run("Duration", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadInt[time.Duration], par.Sort)) })
	t.Run("float32", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadFloat[float32], par.Sort)) })
	t.Run("float64", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadFloat[float64], par.Sort)) })
	t.Run("named float", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadFloat[namedFloat], par.Sort)) })
	t.Run("string", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadString[string], par.Sort)) })
	t.Run("named string", func(t *testing.T) { testSort(t, "Sort", caseOf(spreadString[namedString], par.Sort)) })
	t.Run("by a comparison", func(t *testing.T) { // which takes long to compile for each type: TestSortByField has all
		testSort(t, "SortFunc", caseOf(spreadString[namedString], func(s []namedString, o ...par.Option) { par.SortFunc(s, cmp.Compare, o...) }))
	})
}

// spreadInt makes of a number below n one of a type: as it is, or spread over all bits, or
// around 0, or over the high ones.
func spreadInt[E par.Integer](x, n, how int) E {
	switch how % 4 {
	case 0:
		return E(x)
	case 1:
		return E(uint64(x) * 0x9E3779B97F4A7C15 >> (how / 4 % 64))
	case 2:
		return E(x - n/2)
	}
	return E(x) << (how / 4 % 64)
}

func spreadFloat[E ~float32 | ~float64](x, n, how int) E {
	special := []E{E(math.NaN()), E(math.Inf(1)), E(math.Inf(-1)), 0, E(math.Copysign(0, -1)), -E(math.NaN()), 1, -1}
	switch how % 4 {
	case 0:
		return E(x - n/2)
	case 1:
		return special[(x*7+n)%len(special)]
	case 2:
		return E(math.Ldexp(float64(x-n/2), x%2000-1000))
	}
	if x%3 == 0 {
		return special[x/3%len(special)]
	}
	return E(x) / E(n)
}

func spreadString[E ~string](x, n, how int) E {
	switch how % 4 {
	case 0:
		return E(fmt.Sprint(x))
	case 1: // with prefixes that are longer than a key, and zeros
		return E(strings.Repeat("common ", how/4%5) + strings.Repeat("\x00", x%11))
	case 2:
		return E(strings.Repeat("ab", x%20) + fmt.Sprintf("%05d", x/7))
	}
	if how/4%2 == 0 { // nine bytes, of which the last one differs, or the two last
		return E("12345678"[how/8%2:] + string(rune('a'+x%26)) + string(rune('a' + x%25))[:how/8%2])
	}
	return E(fmt.Sprintf("https://example.org/%09d\xff", x))
}

// digest returns what is the same for the same elements in any order, and in this order, to the bits of a
// float.
func digest[E cmp.Ordered](s []E) (any, inOrder uint64) {
	float := reflect.TypeFor[E]().Kind() == reflect.Float32 || reflect.TypeFor[E]().Kind() == reflect.Float64
	for _, x := range s {
		var h uint64
		if float {
			h = maphash.Comparable(digestSeed, word(x))
		} else { // many times as fast
			h = maphash.Comparable(digestSeed, x)
		}
		any, inOrder = any+h, inOrder*31+h
	}
	return any, inOrder
}

// word is x, or its bits, so that NaNs, and 0 and -0, can be told apart.
func word[E cmp.Ordered](x E) any {
	if v := reflect.ValueOf(x); v.CanFloat() {
		return math.Float64bits(v.Float())
	}
	return x
}

var digestSeed = maphash.MakeSeed()

// caseOf makes inputs of one type. It is little, as it is compiled for each type.
func caseOf[E cmp.Ordered](spread func(x, n, how int) E, sort func([]E, ...par.Option)) func(ns []int, how int) sortCase {
	return func(ns []int, how int) sortCase {
		from := make([]E, len(ns))
		for i, x := range ns {
			from[i] = spread(x, len(ns), how)
		}
		got := slices.Clone(from)
		return sortCase{
			sort:     func(o par.Option) { sort(got, o) },
			compare:  func(at, i int) int { return cmp.Compare(got[at], from[i]) },
			digest:   func() (any, inOrder uint64) { return digest(got) },
			isSorted: func(o par.Option) bool { return par.IsSorted(got, o) },
		}
	}
}

// A sortCase has elements of some type.
type sortCase struct {
	sort     func(o par.Option)
	compare  func(at, i int) int // the element that is at an index now, and the one that was at i
	digest   func() (any, inOrder uint64)
	isSorted func(o par.Option) bool
}

// testSort holds a sort of inputs of all lengths and shapes against another one.
func testSort(t *testing.T, name string, input func(ns []int, how int) sortCase) {
	pools := []*pool.Pool{newPool(t, pool.WithWorkers(1)), newPool(t, pool.WithWorkers(2)), newPool(t, pool.WithWorkers(3)), newPool(t, pool.WithWorkers(64))}
	onShapes(t, func(what string, ns []int, r *rand.Rand) {
		how := r.IntN(256)
		in, alone := input(ns, how), input(ns, how)
		before, _ := in.digest()
		want, inOrder := indices(len(ns)), true
		slices.SortFunc(want, in.compare)
		for i := 1; i < len(ns); i++ {
			inOrder = inOrder && in.compare(i-1, i) <= 0
		}
		o := par.On(pools[r.IntN(len(pools))])
		if sorted := in.isSorted(o); sorted != inOrder {
			t.Fatalf("F1: IsSorted of %s, spread %d: %t", what, how, sorted)
		}
		in.sort(o)
		for at, i := range want {
			if in.compare(at, i) != 0 {
				t.Fatalf("F1: %s of %s, spread %d: another element than in order is at %d", name, what, how, at)
			}
		}
		after, order := in.digest()
		if after != before {
			t.Fatalf("F1: %s of %s, spread %d: the elements are others", name, what, how)
		}
		alone.sort(par.On(pools[0]))
		if _, want := alone.digest(); order != want {
			t.Fatalf("F1: %s of %s, spread %d, is not the same as with one worker", name, what, how)
		}
		if !in.isSorted(o) {
			t.Fatalf("F1: IsSorted of %s, spread %d, when sorted, is false", what, how)
		}
	})
}

// Buckets that are too large for one worker are distributed in turn, or are in order.
func TestSortLargeBuckets(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		const n = 150_000
		for name, at := range map[string]func(i int) uint64{
			"one of one kind":     func(i int) uint64 { return uint64(i%2) * (1<<62 | uint64(i*7919%n)) },
			"two in order":        func(i int) uint64 { return uint64(i%2)<<62 | uint64(i) },
			"two in reverse":      func(i int) uint64 { return uint64(i%2)<<62 | uint64(n-i) },
			"two of few elements": func(i int) uint64 { return uint64(i%2)<<62 | uint64(i*7919%5) },
			"two and one":         func(i int) uint64 { return uint64(i%2)<<62 | uint64(i*7919%n)<<20 | uint64(i/(n-1))<<61 },
			"one in another":      func(i int) uint64 { return 1<<(i%60) | uint64(i)*0x9E3779B97F4A7C15>>(64-i%60) },
		} {
			s, cards := make([]uint64, n), make([]card, n)
			for i := range s {
				s[i] = at(i)
				cards[i].place = i
			}
			want := stablySorted(cards, func(a, b card) int { return cmp.Compare(at(a.place), at(b.place)) })
			if par.SortKey(cards, func(c card) uint64 { return at(c.place) }, par.On(p)); !slices.Equal(cards, want) {
				t.Errorf("F1: SortKey of buckets, %s, is not what a stable sort gives", name)
			}
			if par.Sort(s, par.On(p)); !slices.IsSorted(s) || s[n/2] != at(want[n/2].place) {
				t.Errorf("F1: Sort of buckets, %s, does not sort", name)
			}
		}
	})
}
