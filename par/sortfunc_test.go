package par_test

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// A card has a value to sort by and a place to tell it from its equals.
type card struct{ value, place int }

func byValue(a, b card) int { return cmp.Compare(a.value, b.value) }

// byMixed is an order that no number in a card has, with the same cards equal.
func byMixed(a, b card) int {
	mixed := func(c card) uint64 { return uint64(c.value) * 0x9e3779b97f4a7c15 }
	return cmp.Compare(mixed(a), mixed(b))
}

// byLess says less, and else equal, which is enough of an order for package slices.
func byLess(a, b card) int { return min(0, byValue(a, b)) }

func cardsOf(values []int) []card {
	s := make([]card, len(values))
	for i, v := range values {
		s[i] = card{v, i}
	}
	return s
}

func stablySorted[E any](s []E, by func(a, b E) int) []E {
	s = slices.Clone(s)
	slices.SortStableFunc(s, by)
	return s
}

// wrong returns what is wrong with got, as what a sort makes of from, where each card has its index for its place. It
// looks at each once, where stablySorted sorts.
func wrong(stable bool, from, got []card, by func(a, b card) int) string {
	if len(got) != len(from) || !permutation(got) || slices.ContainsFunc(got, func(c card) bool { return c != from[c.place] }) {
		return "loses elements"
	}
	for i := 1; i < len(got); i++ {
		switch d := by(got[i-1], got[i]); {
		case d > 0:
			return "does not sort"
		case d == 0 && stable && got[i-1].place > got[i].place:
			return "is not what a stable sort gives"
		}
	}
	return ""
}

// A comparing is a sort by a comparison.
type comparing struct {
	name   string
	stable bool
	sort   func(s []card, cmp func(a, b card) int, opts ...par.Option)
}

var comparings = []comparing{
	{"SortFunc", false, par.SortFunc[[]card]},
	{"SortStableFunc", true, par.SortStableFunc[[]card]},
}

// SortStableFunc and SortKey keep the order of elements with the same key, and SortFunc sorts, and does the
// same with any number of workers.
func TestStable(t *testing.T) {
	t.Parallel()
	one := newPool(t, pool.WithWorkers(1))
	onPools(t, func(t *testing.T, p *pool.Pool) {
		onShapes(t, func(what string, ns []int, r *rand.Rand) {
			most := 1 + r.IntN(max(len(ns), 1))
			from := cardsOf(ns)
			for i := range from {
				from[i].value %= most
			}
			check := func(name string, sort func(s []card)) {
				t.Helper()
				s := slices.Clone(from)
				sort(s)
				if wrong := wrong(true, from, s, byValue); wrong != "" {
					t.Fatalf("F1: %s of %s, below %d, %s", name, what, most, wrong)
				}
			}
			for _, c := range comparings {
				for name, by := range map[string]func(a, b card) int{"a number": byValue, "no number": byMixed, "less, or else equal": byLess} {
					s, order := slices.Clone(from), by
					if c.sort(s, by, par.On(p)); name == "less, or else equal" {
						order = byValue
					}
					if wrong := wrong(c.stable, from, s, order); wrong != "" {
						t.Fatalf("F1: %s of %s, below %d, by an order of %s in them, %s", c.name, what, most, name, wrong)
					}
					if alone := slices.Clone(from); !c.stable {
						if c.sort(alone, by, par.On(one)); !slices.Equal(s, alone) {
							t.Fatalf("F1: %s of %s, below %d, by an order of %s in them, is not the same as with one worker", c.name, what, most, name)
						}
					}
				}
			}
			check("SortKey", func(s []card) { par.SortKey(s, func(c card) int { return c.value }, par.On(p)) })
			if most <= 128 {
				check("SortKey by int8", func(s []card) { par.SortKey(s, func(c card) int8 { return int8(c.value - 64) }, par.On(p)) })
			}
			check("SortKey by the least int64", func(s []card) {
				par.SortKey(s, func(c card) int64 { return math.MinInt64 + int64(c.value) }, par.On(p))
			})
			check("SortKey by the largest uint64", func(s []card) {
				par.SortKey(s, func(c card) uint64 { return math.MaxUint64 - uint64(most-c.value) }, par.On(p))
			})
			check("SortKey of large elements", func(s []card) {
				large := make([]row, len(s))
				for i, c := range s {
					large[i] = row{place: c.place, int: namedInt(c.value), pair: [2]int{1: c.place}}
				}
				par.SortKey(large, func(c row) namedInt { return c.int }, par.On(p))
				for i, c := range large {
					if s[i] = (card{int(c.int), c.place}); c.pair[1] != c.place {
						t.Fatalf("F1: SortKey of %s mixes elements", what)
					}
				}
			})
		})
	})
}

// A row has a field of each kind that an order can be of, some under another name, and others. It is
// large, so that SortKey sorts an index.
type row struct {
	place  int
	flag   bool
	int8   int8
	int16  int16
	int32  int32
	int64  time.Duration
	int    namedInt
	uint8  uint8
	uint16 uint16
	uint32 uint32
	uint64 uint64
	uint   uint
	ptr    uintptr
	single namedFloat
	double float64
	name   namedString
	pair   [2]int
	inner  struct{ text string }
	at     *int
}

// rows have names of up to twelve bytes, which is more than a key has, and some of them often.
func rows(n int, r *rand.Rand) []row {
	s := make([]row, n)
	for i := range s {
		bits := r.Uint64()
		s[i] = row{
			i, bits>>63 == 0, int8(bits), int16(bits), int32(bits), time.Duration(bits), namedInt(bits),
			uint8(bits >> 8), uint16(bits >> 8), uint32(bits >> 8), bits * 3, uint(bits * 5), uintptr(bits * 7),
			namedFloat(r.NormFloat64()), r.NormFloat64(), namedString(strconv.FormatUint(1<<60|bits>>4, 36)[:1+bits%12]),
			[2]int{r.IntN(1000), r.Int()}, struct{ text string }{}, &s[i].place,
		}
		s[i].inner.text = "a prefix of more than eight bytes" + string(s[i].name)
	}
	return s
}

// by makes an order of what is compared.
func by[E any, K cmp.Ordered](key func(E) K) func(a, b E) int {
	return func(a, b E) int { return cmp.Compare(key(a), key(b)) }
}

// ordersOfKinds are those of the fields, one of each kind.
var ordersOfKinds = map[string]func(a, b row) int{
	"int8":    by(func(x row) int8 { return x.int8 }),
	"int16":   by(func(x row) int16 { return x.int16 }),
	"int32":   by(func(x row) int32 { return x.int32 }),
	"int64":   by(func(x row) time.Duration { return x.int64 }),
	"int":     by(func(x row) namedInt { return x.int }),
	"uint8":   by(func(x row) uint8 { return x.uint8 }),
	"uint16":  by(func(x row) uint16 { return x.uint16 }),
	"uint32":  by(func(x row) uint32 { return x.uint32 }),
	"uint64":  by(func(x row) uint64 { return x.uint64 }),
	"uint":    by(func(x row) uint { return x.uint }),
	"uintptr": by(func(x row) uintptr { return x.ptr }),
	"float32": by(func(x row) namedFloat { return x.single }),
	"float64": by(func(x row) float64 { return x.double }),
	"string":  by(func(x row) namedString { return x.name }),
}

// Whatever the order is, and whatever in the elements has it, or seems to have it. A field of any kind
// is found to have the order, which takes about a comparison an element.
func TestSortByField(t *testing.T) {
	rounded := func(x row) float64 { return math.Floor(x.double) }
	orders := map[string]func(a, b row) int{
		"no field":         by(func(x row) int { return x.place * 7919 % 10007 }),
		"array":            by(func(x row) int { return x.pair[1] }),
		"inner":            by(func(x row) string { return x.inner.text }),
		"pointer":          by(func(x row) int { return *x.at }),
		"rounded":          by(rounded),
		"negative":         by(func(x row) float64 { return -x.double }),
		"uint64, falling":  func(a, b row) int { return cmp.Compare(b.uint64, a.uint64) },
		"float64, falling": func(a, b row) int { return cmp.Compare(b.double, a.double) },
		"string, falling":  func(a, b row) int { return cmp.Compare(b.name, a.name) },
		"few, then number": func(a, b row) int { return cmp.Or(cmp.Compare(a.uint8, b.uint8), cmp.Compare(a.uint64, b.uint64)) },
		"pair, then name falling": func(a, b row) int {
			return cmp.Or(cmp.Compare(a.pair[0], b.pair[0]), cmp.Compare(b.name, a.name))
		},
		"number, but for a few": by(func(x row) uint64 {
			if x.uint64%4096 == 0 {
				return 0
			}
			return x.uint64
		}),
		"number, but for one": by(func(x row) uint64 {
			if x.place == 4321 {
				return math.MaxUint64 / 2
			}
			return x.uint64
		}),
	}
	maps.Copy(orders, ordersOfKinds)
	p := newPool(t, pool.WithWorkers(2))
	for name, order := range orders {
		for _, n := range inFull([]int{100, 5000}, 40_000) {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			from := rows(n, r)
			for i := range from {
				switch r.IntN(20) {
				case 0:
					from[i].double = math.NaN()
				case 1:
					from[i].double = 0
				case 2:
					from[i].double = math.Copysign(0, -1)
				}
			}
			want, got := stablySorted(from, order), slices.Clone(from)
			par.SortStableFunc(got, order, par.On(p))
			if i := slices.IndexFunc(got, func(x row) bool { w := want[0]; want = want[1:]; return x.place != w.place }); i >= 0 {
				t.Errorf("F1: SortStableFunc of %d rows by %s is at %d not what a stable sort gives", n, name, i)
			}
			var calls atomic.Int64
			par.SortFunc(from, func(a, b row) int { calls.Add(1); return order(a, b) }, par.On(p))
			if !slices.IsSortedFunc(from, order) {
				t.Errorf("F1: SortFunc of %d rows by %s does not sort", n, name)
			}
			if ordersOfKinds[name] != nil && n == 5000 && calls.Load() > 5500 {
				t.Errorf("SortFunc: SortFunc of %d rows by a field of kind %s: %d comparisons", n, name, calls.Load())
			}
		}
	}
}

// permutation reports whether s has cards 0 to len(s)-1, each once.
func permutation(s []card) bool {
	places := mapped(s, func(c card) int { return c.place })
	slices.Sort(places)
	return slices.Equal(places, indices(len(s)))
}

func shuffled(n, most int, seed uint64) []card {
	r := rand.New(rand.NewPCG(seed, 1))
	s := make([]card, n)
	for i := range s {
		s[i] = card{r.IntN(most), i}
	}
	return s
}

// A comparison that panics leaves all elements, whichever one it is, and nothing runs any
// more when the panic leaves.
func TestSortPanics(t *testing.T) {
	t.Parallel()
	lengths, panics := []int{2, 12, 40, 130, 2048, 5000, 40_000}, int64(100)
	if testing.Short() {
		lengths, panics = []int{2, 40, 5000}, 30
	}
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, c := range comparings {
			for _, n := range lengths {
				few := panics
				if n > 5000 {
					few /= 5
				}
				c.panics(t, p, shuffled(n, n, 1), few, byMixed)
				c.panics(t, p, shuffled(n, n, 1), few/5, byValue)
				if n > 10_000 { // in runs, which are merged
					runs := shuffled(n, n, 1)
					slices.SortFunc(runs[:n/3], byValue)
					slices.SortFunc(runs[n/3:], byValue)
					runs[0], runs[n-1] = runs[n-1], runs[0] // so that one goroutine finds that they are not in order
					for i := range runs {
						runs[i].place = i
					}
					c.panics(t, p, runs, few, byValue)
				}
			}
		}
	})
}

// panics sorts, about so many times, by a comparison that panics each time at another call.
func (c comparing) panics(t *testing.T, p *pool.Pool, from []card, panics int64, by func(a, b card) int) {
	n := len(from)
	var calls, running atomic.Int64
	c.sort(slices.Clone(from), func(a, b card) int { calls.Add(1); return by(a, b) }, par.On(p))
	all := calls.Load()
	for k, step := int64(1), 1+all/panics; k <= all; k += step {
		calls.Store(0)
		s := slices.Clone(from)
		got := caught(func() {
			c.sort(s, func(a, b card) int {
				running.Add(1)
				defer running.Add(-1)
				if calls.Add(1) == k {
					panic(failure(k))
				}
				return by(a, b)
			}, par.On(p))
		})
		if r := running.Load(); r != 0 {
			t.Fatalf("F2: %s of %d elements that panics at call %d: %d calls run when it has ended", c.name, n, k, r)
		}
		if !permutation(s) {
			t.Fatalf("F2: %s of %d elements that panics at call %d of %d loses elements", c.name, n, k, all)
		}
		if got != failure(k) {
			t.Fatalf("F2: %s of %d elements that panics at call %d of %d: the panic is %v", c.name, n, k, all, got)
		}
	}
}

// liars are comparisons that are no order.
var liars = map[string]func(a, b card) int{
	"random":        func(a, b card) int { return rand.IntN(3) - 1 },
	"less":          func(a, b card) int { return -1 },
	"greater":       func(a, b card) int { return 1 },
	"equal":         func(a, b card) int { return 0 },
	"circle":        func(a, b card) int { return (a.value-b.value+3000)%3 - 1 },
	"never greater": byLess,
	"mostly": func(a, b card) int {
		if rand.IntN(100) == 0 {
			return 1
		}
		return byValue(a, b)
	},
}

// A comparison that contradicts itself loses no elements.
func TestLiars(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for name, cmp := range liars {
			for _, n := range inFull([]int{2, 11, 65, 1000, 4096, 10_000}, 70_000) {
				for _, c := range comparings {
					s := shuffled(n, n, 2)
					if c.sort(s, cmp, par.On(p)); !permutation(s) {
						t.Errorf("SortFunc: %s of %d elements by a comparison that is %s loses elements", c.name, n, name)
					}
				}
				s := shuffled(n, n, 3)
				if merged := par.MergeFunc(s[:n/3], s[n/3:], cmp, par.On(p)); !permutation(merged) {
					t.Errorf("SortFunc: MergeFunc of %d elements by a comparison that is %s loses elements", n, name)
				}
				par.IsSortedFunc(s, cmp, par.On(p))
				if x := par.NthFunc(s, n/2, cmp, par.On(p)); x != s[x.place] {
					t.Errorf("SortFunc: NthFunc of %d elements by a comparison that is %s is none of them", n, name)
				}
				top := par.TopKFunc(s, n/10, cmp, par.On(p))
				if slices.SortFunc(top, func(a, b card) int { return a.place - b.place }); len(top) != n/10 || len(slices.Compact(top)) != n/10 {
					t.Errorf("SortFunc: TopKFunc of %d elements by a comparison that is %s has elements twice", n, name)
				}
				par.CompactFunc(s, func(a, b card) bool { return cmp(a, b) == 0 }, par.On(p))
			}
		}
	})
}

// An adversary makes the input as a sort goes, so that each comparison tells little (McIlroy, "A
// killer adversary for quicksort", 1999).
type adversary struct {
	value           []int // by index; as many as there are is not fixed yet
	next, candidate int
}

func newAdversary(n int) *adversary { return &adversary{value: slices.Repeat([]int{n}, n)} }

func (a *adversary) compare(x, y int) int {
	gas := len(a.value)
	if a.value[x] == gas && a.value[y] == gas {
		if x == a.candidate {
			a.value[x] = a.next
		} else {
			a.value[y] = a.next
		}
		a.next++
	}
	if a.value[x] == gas {
		a.candidate = x
	} else if a.value[y] == gas {
		a.candidate = y
	}
	return a.value[x] - a.value[y]
}

func (a *adversary) places(x, y card) int { return a.compare(x.place, y.place) }

// How often a comparison is called, at most: once for each element of what is in order, in reverse, or of
// no size; once and for few again for the first few; and against an adversary as often as tells the orders
// apart, and some.
func TestComparisons(t *testing.T) {
	const n, logs = 100_000, 17
	p := newPool(t, pool.WithWorkers(1))
	on, calls := par.On(p), 0
	up, equal := cardsOf(indices(n)), make([]card, n)
	down := slices.Clone(up)
	slices.Reverse(down)
	for name, c := range map[string]struct {
		most int
		by   func(a, b card) int
		call func(by func(a, b card) int)
	}{
		"SortFunc of what is in order":        {n, byValue, func(by func(a, b card) int) { par.SortFunc(slices.Clone(up), by, on) }},
		"SortFunc of what is in reverse":      {n, byValue, func(by func(a, b card) int) { par.SortFunc(slices.Clone(down), by, on) }},
		"SortFunc against an adversary":       {3 * n * logs, newAdversary(n).places, func(by func(a, b card) int) { par.SortFunc(slices.Clone(up), by, on) }},
		"SortStableFunc against an adversary": {n * logs * 6 / 5, newAdversary(n).places, func(by func(a, b card) int) { par.SortStableFunc(slices.Clone(up), by, on) }},
		"TopKFunc of equal ones":              {n * 3 / 2, byValue, func(by func(a, b card) int) { par.TopKFunc(equal, 20, by, on) }},
		"TopKFunc of mixed ones":              {n * 3 / 2, byValue, func(by func(a, b card) int) { par.TopKFunc(cardsOf(dealt(n)), 20, by, on) }},
		"SortFunc of elements without fields": {15 * 5000, byValue, func(by func(a, b card) int) {
			par.SortFunc(make([][1 << 30]struct{}, 5000), func(a, b [1 << 30]struct{}) int { by(card{}, card{}); return calls%3 - 1 }, on)
		}},
	} {
		calls = 0
		c.call(func(a, b card) int { calls++; return c.by(a, b) })
		if calls > c.most {
			t.Errorf("SortFunc: %s: %d comparisons of %d elements, want %d at most", name, calls, n, c.most)
		}
	}
}

// SortKey calls key once for each element, and if that panics, s is as it was.
func TestSortKeyCalls(t *testing.T) {
	onPools(t, func(t *testing.T, p *pool.Pool) {
		for _, n := range []int{2, 100, 40_000} {
			from := shuffled(n, n, 4)
			calls := make([]atomic.Int32, n)
			par.SortKey(slices.Clone(from), func(c card) int { calls[c.place].Add(1); return c.value }, par.On(p))
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Fatalf("SortKey: SortKey of %d elements calls key %d times for one", n, got)
				}
			}
			s := slices.Clone(from)
			got := caught(func() {
				par.SortKey(s, func(c card) int {
					if c.place >= n/2 {
						panic(failure(c.place))
					}
					return c.value
				}, par.On(p))
			})
			if got != failure(n/2) || !slices.Equal(s, from) {
				t.Errorf("SortKey: SortKey of %d elements whose key panics: %v, and s is as it was: %t", n, got, slices.Equal(s, from))
			}
			par.SortKey(s, func(card) int { return rand.Int() }, par.On(p))
			if !permutation(s) {
				t.Errorf("SortKey: SortKey of %d elements by random keys loses elements", n)
			}
		}
	})
}

// Small calls allocate nothing, or next to nothing.
func TestSortAllocations(t *testing.T) {
	p := newPool(t)
	defer pool.SetDefault(pool.SetDefault(p))
	for _, c := range []struct{ n, sort, sortFunc, stable, key float64 }{{0, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {12, 0, 0, 0, 1}, {64, 0, 0, 1, 1}, {1000, 6, 0, 1, 12}, {5000, 12, 28, 28, 16}} {
		from := shuffled(int(c.n), 1000, 1)
		ints, s := make([]int, len(from)), slices.Clone(from)
		check := func(name string, most float64, sort func()) {
			if got := allocations(100, most, func() { copy(s, from); sort() }); got > most {
				t.Errorf("Sort: Cost: %s of %v elements allocates %v times, want at most %v", name, c.n, got, most)
			}
		}
		check("Sort", c.sort, func() {
			for i, c := range from {
				ints[i] = c.value
			}
			par.Sort(ints)
		})
		check("SortFunc", c.sortFunc, func() { par.SortFunc(s, byValue) })
		check("SortStableFunc", c.stable, func() { par.SortStableFunc(s, byValue) })
		check("SortKey", c.key, func() { par.SortKey(s, func(c card) int { return c.value }) })
		if c.n < 1000 {
			check("IsSorted", 0, func() { par.IsSorted(ints); par.IsSortedFunc(s, byValue) })
		}
	}
}

// Nothing that was handed over is reachable after the call. The elements are large: Go puts those of
// less than 16 bytes into one block with others, which keep it.
func TestSortKeepsNothing(t *testing.T) {
	p := newPool(t, pool.WithWorkers(2))
	sorted := func() (some []weak.Pointer[row]) {
		s := make([]*row, 20_000)
		for i, c := range shuffled(len(s), 1000, 1) {
			s[i] = &row{int: namedInt(c.value), place: c.place}
		}
		for _, c := range s[:100] {
			some = append(some, weak.Make(c))
		}
		short := slices.Clone(s[:2000])
		by := by(func(c *row) namedInt { return c.int })
		par.SortFunc(s, by, par.On(p))
		par.SortKey(s, func(c *row) int { return c.place }, par.On(p))
		par.TopKFunc(s, 10, by, par.On(p))
		par.NthFunc(s, 10, by, par.On(p))
		par.SortFunc(short, by, par.On(p))
		return some
	}()
	if !forgotten(func() bool { // a worker may have the last ones on its stack
		return !slices.ContainsFunc(sorted, func(c weak.Pointer[row]) bool { return c.Value() != nil })
	}) {
		t.Error("F4: elements are reachable after the sorts")
	}
}

// forgotten reports whether so is what is looked for, after one of a hundred collections. A worker
// may be on the last instructions of a job when its result is there. On a busy machine its thread may
// come so late that the next collection has begun, which stops it: so there is a rest before each.
func forgotten(so func() bool) bool {
	for gcs := range time.Duration(100) {
		time.Sleep(gcs * time.Millisecond / 5)
		if runtime.GC(); so() {
			return true
		}
	}
	return false
}
