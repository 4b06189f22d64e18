package par_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/par"
	"github.com/rouse-go/rouse/pool"
)

func Example() {
	words := []string{"fork", "join", "steal", "park", "wake"}
	lengths := par.Map(words, func(w string) int { return len(w) })
	long := par.Filter(words, func(w string) bool { return len(w) > 4 })
	fmt.Println(lengths, long, par.Sum(lengths))
	// Output: [4 4 5 4 4] [steal] 21
}

func ExampleFor() {
	const width = 4
	picture := make([]int, width*width)
	par.For(width, func(y int) {
		for x := range width {
			picture[y*width+x] = x * y
		}
	})
	fmt.Println(picture)
	// Output: [0 0 0 0 0 1 2 3 0 2 4 6 0 3 6 9]
}

func ExampleForRange() {
	a, b := []float64{1, 2, 3}, []float64{10, 20, 30}
	par.ForRange(len(a), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a[i] += 2 * b[i]
		}
	})
	fmt.Println(a)
	// Output: [21 42 63]
}

func ExampleEach() {
	prices := []float64{1, 4, -9, 16}
	par.Each(prices, func(_ int, x *float64) { *x *= 4 })
	err := par.EachErr(context.Background(), prices, func(_ context.Context, i int, x *float64) error {
		if *x < 0 {
			return fmt.Errorf("price %d is negative", i)
		}
		return nil
	})
	fmt.Println(prices, err)
	// Output: [4 16 -36 64] price 2 is negative
}

func ExampleDo() {
	var sum, product int
	numbers := []int{1, 2, 3, 4}
	par.Do([]func(){
		func() { sum = par.Sum(numbers) },
		func() { product, _ = par.Reduce(numbers, func(a, b int) int { return a * b }) },
	})
	fmt.Println(sum, product)
	// Output: 10 24
}

func ExampleDoErr() {
	var host, user string
	err := par.DoErr(context.Background(), []func(context.Context) error{
		func(ctx context.Context) (err error) { host, err = "localhost", nil; return err },
		func(ctx context.Context) (err error) { user, err = "", errors.New("no user"); return err },
	})
	fmt.Println(host, user, err)
	// Output: localhost  no user
}

// The error is that of the lowest index, whoever meets which one first.
func ExampleForErr() {
	lines := []string{"12", "x", "7", "y"}
	err := par.ForErr(context.Background(), len(lines), func(_ context.Context, i int) error {
		_, err := strconv.Atoi(lines[i])
		return err
	})
	fmt.Println(err)
	// Output: strconv.Atoi: parsing "x": invalid syntax
}

func ExampleForRangeErr() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("no more time"))
	err := par.ForRangeErr(ctx, 100, func(_ context.Context, lo, hi int) error { return nil })
	fmt.Println(err, errors.Is(err, context.Canceled))
	// Output: context canceled: no more time true
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := pool.Invoke(w, fib, n-1, fib, n-2)
	return a + b
}

// Bodies that fork, over the roots of trees. A context carries the worker to code that has none.
func ExampleForWorker() {
	sums := make([]int, 3)
	par.ForWorker(len(sums), func(w *pool.Worker, i int) { sums[i] = fib(w, 10+5*i) })
	fmt.Println(sums)
	half := func(ctx context.Context, n int) int {
		w, _ := pool.FromContext(ctx)
		return fib(w, n/2)
	}
	err := par.ForWorkerErr(context.Background(), len(sums), func(ctx context.Context, _ *pool.Worker, i int) error {
		sums[i] = half(ctx, 20+10*i)
		return nil
	})
	fmt.Println(sums, err)
	// Output:
	// [55 610 6765]
	// [55 610 6765] <nil>
}

func ExampleMap() {
	fmt.Println(par.Map([]string{"a", "b"}, strings.ToUpper))
	fmt.Println(par.Tabulate(5, func(i int) int { return i * i }))
	fmt.Println(par.FlatMap([]string{"to fork", "and to join"}, strings.Fields))
	s := []float64{1, 4, 9}
	par.MapInto(s, s, math.Sqrt)
	fmt.Println(s)
	// Output:
	// [A B]
	// [0 1 4 9 16]
	// [to fork and to join]
	// [1 2 3]
}

func ExampleMapErr() {
	atoi := func(_ context.Context, s string) (int, error) { return strconv.Atoi(s) }
	fmt.Println(par.MapErr(context.Background(), []string{"1", "2"}, atoi))
	fmt.Println(par.MapErr(context.Background(), []string{"1", "zwei"}, atoi))
	// Output:
	// [1 2] <nil>
	// [] strconv.Atoi: parsing "zwei": invalid syntax
}

func ExampleFilter() {
	even := func(x int) bool { return x%2 == 0 }
	fmt.Println(par.Filter([]int{5, 2, 8, 1}, even))
	fmt.Println(par.Partition([]int{5, 2, 8, 1}, even))
	numbers := par.FilterMap([]string{"1", "two", "3"}, func(s string) (int, bool) {
		n, err := strconv.Atoi(s)
		return n, err == nil
	})
	fmt.Println(numbers)
	// Output:
	// [2 8]
	// [2 8] [5 1]
	// [1 3]
}

func ExampleFilterErr() {
	even := func(_ context.Context, digits string) (bool, error) {
		n, err := strconv.Atoi(digits)
		return n%2 == 0, err
	}
	fmt.Println(par.FilterErr(context.Background(), []string{"5", "2", "8"}, even))
	fmt.Println(par.FilterErr(context.Background(), []string{"5", "two", "8"}, even))
	// Output:
	// [2 8] <nil>
	// [] strconv.Atoi: parsing "two": invalid syntax
}

func ExampleScan() {
	fmt.Println(par.Scan([]int{1, 2, 3, 4}, func(a, b int) int { return a + b }))
	best := []int{3, 1, 4, 1, 5}
	par.ScanInto(best, best, func(a, b int) int { return max(a, b) })
	fmt.Println(best)
	// Output:
	// [1 3 6 10]
	// [3 3 4 4 5]
}

// Where parts of some lengths begin, if they lie one after the other.
func ExampleScanExclusive() {
	starts, total := par.ScanExclusive([]int{3, 0, 5}, 0, func(a, b int) int { return a + b })
	fmt.Println(starts, total)
	// Output: [0 3 3] 8
}

// The operation need not be commutative: the order is that of the slice.
func ExampleReduce() {
	fmt.Println(par.Reduce([]string{"a", "b", "c"}, func(a, b string) string { return a + b }))
	fmt.Println(par.Reduce([]string(nil), func(a, b string) string { return a + b }))
	// Output:
	// abc true
	//  false
}

func ExampleFold() {
	words := []string{"fork", "join", "fork"}
	counts := par.Fold(words,
		func() map[string]int { return map[string]int{} },
		func(m map[string]int, w string) map[string]int { m[w]++; return m },
		func(a, b map[string]int) map[string]int {
			for w, n := range b {
				a[w] += n
			}
			return a
		})
	fmt.Println(counts)
	// Output: map[fork:2 join:1]
}

func ExampleFoldErr() {
	numbers := []string{"1", "2", "drei", "vier"}
	_, err := par.FoldErr(context.Background(), numbers,
		func() int { return 0 },
		func(_ context.Context, sum int, s string) (int, error) {
			n, err := strconv.Atoi(s)
			return sum + n, err
		},
		func(a, b int) int { return a + b })
	fmt.Println(err)
	// Output: strconv.Atoi: parsing "drei": invalid syntax
}

func ExampleFoldRange() {
	const n = 1000
	integral := par.FoldRange(n, func(lo, hi int) (sum float64) {
		for i := lo; i < hi; i++ {
			x := (float64(i) + 0.5) / n
			sum += 4 / (1 + x*x) / n
		}
		return sum
	}, func(a, b float64) float64 { return a + b })
	fmt.Printf("%.4f\n", integral)
	// Output: 3.1416
}

func ExampleMin() {
	byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	words := []string{"three", "two", "seven", "one"}
	fmt.Println(par.Min(words), par.Max(words))
	fmt.Println(par.MinFunc(words, byLength), par.MaxFunc(words, byLength))
	// Output:
	// one two
	// two three
}

func ExampleIndexFunc() {
	s := []int{4, 7, 9}
	fmt.Println(par.IndexFunc(s, func(x int) bool { return x%2 != 0 }))
	fmt.Println(par.ContainsFunc(s, func(x int) bool { return x > 9 }))
	fmt.Println(par.AllFunc(s, func(x int) bool { return x > 3 }))
	fmt.Println(par.CountFunc(s, func(x int) bool { return x > 4 }))
	// Output:
	// 1
	// false
	// true
	// 2
}

func ExampleOn() {
	p, err := pool.New(pool.WithWorkers(2))
	if err != nil {
		panic(err)
	}
	defer p.Close()
	fmt.Println(par.Sum([]int{1, 2, 3}, par.On(p)))
	// Output: 6
}

// A job that has a worker passes it on.
func ExampleIn() {
	sum, _ := pool.Run(context.Background(), pool.Default(), func(w *pool.Worker, s []int) int {
		return par.Sum(s, par.In(w))
	}, []int{1, 2, 3})
	fmt.Println(sum)
	// Output: 6
}

func ExampleWithProgress() {
	names := []string{"b", "a"}
	par.Each(names, func(_ int, s *string) { *s += ".go" }, par.WithProgress(func(done, total int) {
		fmt.Printf("%d of %d\n", done, total)
	}))
	slices.Sort(names)
	fmt.Println(names)
	// Output:
	// 2 of 2
	// [a.go b.go]
}

func ExampleSort() {
	s := []float64{2, math.NaN(), -1, math.Inf(1)}
	par.Sort(s)
	fmt.Println(s)
	// Output: [NaN -1 2 +Inf]
}

func ExampleSortFunc() {
	words := []string{"steal", "fork", "park", "join", "wake"}
	par.SortFunc(words, func(a, b string) int { return cmp.Compare(b, a) })
	fmt.Println(words)
	par.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	fmt.Println(words) // of equal elements the earlier one comes first
	par.SortKey(words, func(w string) byte { return w[1] })
	fmt.Println(words)
	// Output:
	// [wake steal park join fork]
	// [wake park join fork steal]
	// [wake park join fork steal]
}

func ExampleMerge() {
	fmt.Println(par.Merge([]int{1, 4, 5}, []int{2, 4, 6}))
	byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	fmt.Println(par.MergeFunc([]string{"a", "bb"}, []string{"c", "dd"}, byLength))
	// Output:
	// [1 2 4 4 5 6]
	// [a c bb dd]
}

func ExampleIsSorted() {
	descending := func(a, b int) int { return cmp.Compare(b, a) }
	fmt.Println(par.IsSorted([]int{1, 2, 2}), par.IsSortedFunc([]int{1, 2, 2}, descending))
	// Output: true false
}

func ExampleNth() {
	s := []int{9, 1, 7, 3, 5}
	fmt.Println(par.Nth(s, len(s)/2)) // the median
	fmt.Println(par.TopK(s, 2))
	byLength := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	words := []string{"steal", "forks", "park", "unpark"}
	fmt.Println(par.NthFunc(words, 0, byLength))
	fmt.Println(par.TopKFunc(words, 2, byLength))
	// Output:
	// 5
	// [9 7]
	// park
	// [unpark steal]
}

func ExampleCompact() {
	fmt.Println(par.Compact([]int{1, 1, 2, 2, 2, 1}))
	fmt.Println(par.CompactFunc([]string{"Fork", "fork", "join"}, strings.EqualFold))
	// Output:
	// [1 2 1]
	// [Fork join]
}

// Each piece of the loop counts in memory of its own. The sum of counts does not depend on
// who counted what.
func ExampleScratch() {
	text := []byte("fork, join, steal, park")
	var counts par.Scratch[[256]int]
	par.ForRange(len(text), func(lo, hi int) {
		counts.Do(func(c *[256]int) {
			for _, b := range text[lo:hi] {
				c[b]++
			}
		})
	})
	sum := 0
	for c := range counts.All() {
		sum += c['k']
	}
	fmt.Println(sum)
	// Output: 2
}

// A crawler: the source waits for the links that the loop finds.
func ExampleWithLiveSource() {
	links := map[string][]string{"/": {"/a", "/b"}, "/b": {"/c"}}
	found := make(chan string, 10)
	found <- "/"
	waiting := 1
	source := func(yield func(string) bool) {
		for page := range found {
			if !yield(page) {
				return
			}
		}
	}
	fetch := func(_ context.Context, page string) ([]string, error) { return links[page], nil }
	for pages, err := range par.MapSeq(context.Background(), source, fetch, par.WithLiveSource()) {
		fmt.Println(pages, err)
		for _, page := range pages {
			found <- page
		}
		if waiting += len(pages) - 1; waiting == 0 {
			close(found)
		}
	}
	// Output:
	// [/a /b] <nil>
	// [] <nil>
	// [/c] <nil>
	// [] <nil>
}

// Elements that wait, two at a time.
func ExampleWithLimit() {
	begun := time.Now()
	replies, err := par.MapErr(context.Background(), []string{"a", "b", "c", "d"}, func(ctx context.Context, name string) (string, error) {
		select { // a request
		case <-time.After(10 * time.Millisecond):
			return "hello " + name, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}, par.WithLimit(2))
	fmt.Println(replies, err)
	fmt.Println(time.Since(begun) >= 20*time.Millisecond)
	// Output:
	// [hello a hello b hello c hello d] <nil>
	// true
}

func ExampleGroupBy() {
	words := strings.Fields("to be or not to be that is the question")
	length := func(w string) int { return len(w) }
	groups := par.GroupBy(words, length)
	fmt.Println(groups[2], groups[3])
	var lengths [10]int
	par.CountInto(lengths[:], words, length)
	fmt.Println(lengths)
	// Output:
	// [to be or to be is] [not the]
	// [0 0 6 2 1 0 0 0 1 0]
}

func ExampleFoldBy() {
	words := strings.Fields("to be or not to be that is the question")
	counts := par.FoldBy(words, func(w string) string { return w },
		func() int { return 0 }, func(n int, _ string) int { return n + 1 }, func(a, b int) int { return a + b })
	fmt.Println(counts["be"], counts["question"])
	// Output: 2 1
}

func ExampleMapSeq() {
	lengths := par.MapSeq(context.Background(), strings.FieldsSeq("to be or not to be"),
		func(_ context.Context, word string) (int, error) { return len(word), nil }, par.WithWindow(100))
	for n, err := range lengths {
		fmt.Print(n, err, " ")
	}
	// Output: 2 <nil> 2 <nil> 2 <nil> 3 <nil> 2 <nil> 2 <nil>
}
