// Package lang has the functions that rewritten code calls instead of the language's own
// operations: go, channels, select, and plain accesses to variables that threads share. Only
// rewritten code calls it.
//
// Outside an execution each function does what the language does.
package lang

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/explore/drive"
)

// Rewritten is called by each rewritten package, before main.
func Rewritten() bool { return drive.Rewritten() }

// Go is go f().
func Go(f func()) { drive.Go(f) }

// GoSeen is Go for an f that runs rewritten code alone.
func GoSeen(f func()) {
	drive.Seen()
	drive.Go(f)
}

// Named names the cell at p, for traces, and returns p.
func Named[T any](p *T, name string) *T {
	if drive.Tracing() {
		drive.Name(unsafe.Pointer(p), name)
	}
	return p
}

// NamedLocker is Named for an interface, if what it has is of package sync.
func NamedLocker[T any](l T, name string) T {
	if drive.Tracing() {
		if v := reflect.ValueOf(l); v.Kind() == reflect.Pointer && v.Type().Elem().PkgPath() == locks {
			drive.Name(v.UnsafePointer(), name)
		}
	}
	return l
}

const locks = "github.com/rouse-go/rouse/explore/twin/sync"

// Index is a name with an index in it, or "" if nobody asks for names.
func Index[I any](before string, i I, after string) string {
	if !drive.Tracing() {
		return ""
	}
	switch v := reflect.ValueOf(i); {
	case v.CanInt():
		return before + strconv.FormatInt(v.Int(), 10) + after
	case v.CanUint():
		return before + strconv.FormatUint(v.Uint(), 10) + after
	default:
		return before + strconv.Quote(v.String()) + after
	}
}

// Gosched is runtime.Gosched.
func Gosched() {
	if !drive.Driven() {
		runtime.Gosched()
		return
	}
	if times, _ := drive.Again(0); times < drive.Rounds() {
		drive.Step(drive.OpYield, nil)
		return
	}
	drive.AwaitLast(drive.OpYield, nil, nil)
}

// An Integer is what functions of package runtime return that code has by go:linkname.
type Integer interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64 | ~uintptr
}

// Random returns what calls real, which returns a random number; in an execution, one of the
// thread's own sequence. None is negative.
func Random[T Integer](real func() T) func() T {
	return func() T {
		if !drive.Driven() {
			return real()
		}
		n := drive.Random()
		if T(n) < 0 {
			n = ^n
		}
		return T(n)
	}
}

// Chance returns what other does, which returns a random number below n; in an execution, each of them
// in some execution, as long as the thread has not drawn many.
func Chance[T Integer](n T, other func(n T) T) T {
	if n > 0 && uint64(n) <= 64 { // the explorer may try fewer
		if k := drive.Chance(int(n)); k >= 0 {
			return T(k)
		}
	}
	return other(n)
}

// ByClock has the explorer tell that a generator has the time as its seed, if it has.
func ByClock[T Integer](seed T) {
	if !drive.Driven() {
		return
	}
	for now := look(); now > 1e8; now /= 1000 { // down to seconds
		if now == int64(seed) {
			drive.Chance(0)
		}
	}
}

// Shuffle swaps n elements at random; in an execution of few, in each order.
func Shuffle(n int, swap func(i, j int), other func(n int, swap func(i, j int))) {
	most, orders := 4, 1 // so many have at most 24 orders
	for i := 2; i <= n && n <= most; i++ {
		orders *= i
	}
	k := -1
	if 1 < n && n <= most {
		k = drive.Chance(orders)
	}
	if k < 0 {
		other(n, swap)
		return
	}
	for i := n; i > 1; i-- {
		swap(i-1, k%i)
		k /= i
	}
}

// Perm returns the numbers below n in the order that shuffle gives them.
func Perm(n int, other func(n int) []int) []int {
	var all []int
	Shuffle(n, func(i, j int) {
		for len(all) < n {
			all = append(all, len(all))
		}
		all[i], all[j] = all[j], all[i]
	}, func(int, func(i, j int)) { all = other(n) })
	return all
}

// RandomBelow is Random for numbers below n.
func RandomBelow[N, T Integer](real func(n N) T) func(n N) T {
	return func(n N) T {
		if !drive.Driven() || n <= 0 {
			return real(n)
		}
		return T(drive.Random() % uint64(n))
	}
}

// clock tells the virtual time of an execution, in nanoseconds, and look what it is without a step.
var clock, look func() int64

// SetClock is called by package time, before main.
func SetClock(now, known func() int64) bool {
	clock, look = now, known
	return true
}

// Nanotime returns what calls real, which tells the time; in an execution, the virtual one.
func Nanotime[T Integer](real func() T) func() T {
	return func() T {
		if !drive.Driven() {
			return real()
		}
		return T(clock())
	}
}

// Variables says which package variables a rewritten file has, before main.
func Variables(pkg string, pointers ...any) bool {
	drive.HasVariables(pkg, pointers...)
	return true
}

// Expect says that a test calls explore.Possible about what, before main.
func Expect(test, what string) bool {
	drive.Expect(test, what)
	return true
}

// Beside returns f. It says that what explore.Possible is called about is what other functions of the
// test ask, and not f.
func Beside[F any](f F, what ...string) F {
	if !drive.Driven() {
		drive.Beside(reflect.ValueOf(f).Pointer(), what)
	}
	return f
}

// Processors is what an execution has, for code that makes as many of something.
const Processors = 2

// GOMAXPROCS is that of package runtime.
func GOMAXPROCS(n int) int {
	if !drive.Driven() {
		return runtime.GOMAXPROCS(n)
	}
	return Processors
}

// NumCPU is that of package runtime.
func NumCPU() int {
	if !drive.Driven() {
		return runtime.NumCPU()
	}
	return Processors
}

// Unseen returns f, a function that waits for what no driver sees, or its first argument. In an
// execution it fails.
func Unseen[F any](name string, f F) F {
	if drive.Driven() {
		instead := "do it before the execution, or use something instead that does not wait"
		if strings.HasSuffix(name, "Pipe") {
			instead = "use a channel instead: the ends of a pipe wait for each other"
		} else if strings.HasPrefix(name, "net/http/httptest.") {
			instead = "call the handler directly, with an httptest.ResponseRecorder"
		} else if strings.HasPrefix(name, "go.uber.org/goleak.") {
			instead = "remove it, or call it outside explore.Test: an execution fails anyway if a goroutine does not end"
		}
		drive.Fail(name + drive.NotControlled + "\n\t" + instead)
	}
	return f
}

// Client returns c, an http.Client or http.RoundTripper. In an execution it fails if c sends its
// requests by an http.Transport, which byDefault may be, or has a Timeout. This package does not
// import net/http: few tests need it.
func Client[C any](name string, c C, byDefault any) C {
	if !drive.Driven() {
		return c
	}
	transport := reflect.ValueOf(c)
	if v := reflect.Indirect(transport); v.IsValid() && ofHTTP(v.Type(), "Client") {
		if v.FieldByName("Timeout").Int() != 0 {
			drive.Fail(name + " is called with a Timeout, which is in real time, so the explorer does not control it\n" +
				"\tleave it at 0, and give the request a context with a timeout")
		}
		if transport = v.FieldByName("Transport").Elem(); !transport.IsValid() {
			transport = reflect.ValueOf(byDefault)
		}
	}
	if v := reflect.Indirect(transport); v.IsValid() && ofHTTP(v.Type(), "Transport") {
		drive.Fail(name + " is called with an http.Transport, for a network, which the explorer does not control\n" +
			"\tgive it an http.RoundTripper that does not wait")
	}
	return c
}

func ofHTTP(t reflect.Type, name string) bool { return t.PkgPath() == "net/http" && t.Name() == name }

// ByClient returns f, which sends requests by a client, as Client does.
func ByClient[C, F any](name string, c C, f F, byDefault any) F {
	Client(name, c, byDefault)
	return f
}
