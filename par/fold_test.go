package par_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

// countedFolds are folds of the elements 0 to n-1, each of which takes its time, that count their values:
// one more when one is started, one less when two are merged.
func countedFolds(n int, nap func(i int), u *level) map[string]func(o ...par.Option) {
	s := indices(n)
	start := func() int { u.up(); return 0 }
	add := func(sum, i int) int { nap(i); return sum + 1 }
	merge := func(a, b int) int { u.down(); return a + b }
	const counted = 3 // of many keys
	key := func(i int) int { return i * 7919 % 11 }
	return map[string]func(o ...par.Option){
		"Fold": func(o ...par.Option) { par.Fold(s, start, add, merge, o...) },
		"FoldErr": func(o ...par.Option) {
			par.FoldErr(background, s, start, func(_ context.Context, sum, i int) (int, error) { return add(sum, i), nil }, merge, o...)
		},
		"FoldRange": func(o ...par.Option) {
			par.FoldRange(n, func(lo, hi int) int {
				sum := start()
				for i := lo; i < hi; i++ {
					sum = add(sum, i)
				}
				return sum
			}, merge, o...)
		},
		"FoldBy with one key": func(o ...par.Option) { par.FoldBy(s, func(int) bool { return true }, start, add, merge, o...) },
		// start is not told which key it is for, so a value counts from its first element on.
		"FoldBy with many keys": func(o ...par.Option) {
			par.FoldBy(s, key, func() int { return -1 }, func(of, i int) int {
				if of < 0 && key(i) == counted {
					u.up()
				}
				nap(i)
				return key(i)
			}, func(a, b int) int {
				if a == counted {
					u.down()
				}
				return a
			}, o...)
		},
	}
}

// A fold has few values at the same time, whichever elements are long.
func TestFoldsKeepFew(t *testing.T) {
	for name := range countedFolds(0, nil, nil) {
		for what, of := range shapes {
			for _, n := range []int{64, 300, 511, 700} {
				for _, workers := range []int{1, 2, 8, 64} {
					for _, o := range [][]par.Option{nil, {par.WithLimit(2 * workers)}} {
						inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
							d := of(rand.New(rand.NewPCG(1, uint64(n))), n)
							owners := workers * (1 + len(o))
							var u level
							countedFolds(n, func(i int) { time.Sleep(d[i]) }, &u)[name](append(o, par.On(p))...)
							if most := int(u.most.Load()); most > 17*owners+8 {
								t.Errorf("Cost: %s of %d elements, %s, by %d at a time, has %d values at the same time", name, n, what, owners, most)
							}
							if now := u.now.Load(); now != 1 {
								t.Errorf("F1: %s of %d elements has started %d values more than it has merged", name, n, now)
							}
						})
					}
				}
			}
		}
	}
}

// bracketed returns how the parts of some elements are put together: eight neighbours, then eight such
// results, until one is left. Each part is told by its first element.
func bracketed(elements []int, size int) string {
	var parts []string
	for part := range slices.Chunk(elements, size) {
		parts = append(parts, fmt.Sprint(part[0], " "))
	}
	for len(parts) > 1 {
		var next []string
		for eight := range slices.Chunk(parts, 8) {
			all := eight[0]
			for _, x := range eight[1:] {
				all = joined(all, x)
			}
			next = append(next, all)
		}
		parts = next
	}
	return parts[0]
}

func joined(a, b string) string { return "(" + a + b + ")" }

// The brackets are those of the length, whichever range ends first, and also where a goroutine goes
// from node to node without a look at the clock, since all ranges are short. FoldBy has them for the
// elements of each key.
func TestFoldBrackets(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 17, 63, 64, 65, 100, 300, 449, 511, 512, 1000, 2000, 20_000} {
		want := bracketed(indices(n), max(1, n/256))
		size := max(1, min(64, n/16), (n+255)/256)
		key := func(i int) int { return i % 97 % 3 } // 0 and 1 are more often than 2
		keyed, wantBy := map[int][]int{}, map[int]string{}
		for i := range n {
			keyed[key(i)] = append(keyed[key(i)], i)
		}
		for k, elements := range keyed {
			wantBy[k] = bracketed(elements, size)
		}
		check := func(t *testing.T, what string, p *pool.Pool, nap func(i int)) {
			if got := par.FoldRange(n, func(lo, hi int) string { nap(lo); return strconv.Itoa(lo) + " " }, joined, par.On(p)); got != want {
				t.Fatalf("F1: FoldRange of %d elements, %s, on %d workers, has the brackets %s, want %s", n, what, p.Workers(), got, want)
			}
			got := par.FoldBy(indices(n), key, func() string { return "" }, func(sum string, i int) string {
				if sum == "" {
					nap(i)
					sum = fmt.Sprint(i, " ")
				}
				return sum
			}, joined, par.On(p))
			if !maps.Equal(got, wantBy) {
				t.Fatalf("F1: FoldBy of %d elements, %s, on %d workers has the brackets %v, want %v", n, what, p.Workers(), got, wantBy)
			}
		}
		t.Run("virtual", func(t *testing.T) {
			for what, of := range shapes {
				for _, workers := range []int{1, 2, 8, 64} {
					inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
						d := of(rand.New(rand.NewPCG(2, uint64(n))), n)
						check(t, what, p, func(i int) { time.Sleep(d[i]) })
					})
				}
			}
		})
		for _, workers := range []int{1, 2, 3} {
			p := newPool(t, pool.WithWorkers(workers))
			for range 20 {
				check(t, "all short", p, func(int) {})
			}
		}
	}
}

// A merge that panics does so on each schedule, or a part below it, or one above that.
func TestMergePanics(t *testing.T) {
	const n = 300
	for _, c := range []struct {
		element int    // panics, or -1
		merge   string // panics, by what its result would be
		want    any
	}{
		{-1, "16-24", "16-24"},
		{-1, "0-128", "0-128"},
		{20, "16-24", 20},
		{24, "16-24", "16-24"},
		{15, "16-24", 15},
		{200, "0-64", "0-64"},
		{64, "0-128", 64},
	} {
		for what, of := range shapes {
			for _, workers := range []int{1, 2, 8, 64} {
				inBubble(t, workers, func(t *testing.T, p *pool.Pool) {
					d := of(rand.New(rand.NewPCG(3, 3)), n)
					got := caught(func() {
						par.FoldRange(n, func(lo, hi int) [2]int {
							time.Sleep(d[lo])
							if lo == c.element {
								panic(c.element)
							}
							return [2]int{lo, hi}
						}, func(a, b [2]int) [2]int {
							all := fmt.Sprintf("%d-%d", a[0], b[1])
							if all == c.merge {
								panic(all)
							}
							return [2]int{a[0], b[1]}
						}, par.On(p))
					})
					if got != c.want {
						t.Errorf("F2: element %d and the merge of %s panic, and FoldRange, %s, on %d workers, panics with %v, want %v", c.element, c.merge, what, workers, got, c.want)
					}
				})
			}
		}
	}
}

// There is no length of which the ranges cannot be counted.
func TestHugeFolds(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt - 255, math.MaxInt / 2} {
		if got := par.FoldRange(n, func(lo, hi int) int { return hi - lo }, func(a, b int) int { return a + b }); got != n {
			t.Errorf("F1: the ranges of FoldRange over %d have %d elements", n, got)
		}
	}
}
