package par_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/par"
)

// inRow is set where TestRowsOfCPU is a row.
const inRow = "ROUSE_ROW"

// If this fails, a row of go test -cpu 1,2,4 shows another number of workers than it says: that
// of the first use of the default pool, say.
func TestRowsOfCPU(t *testing.T) {
	if os.Getenv(inRow) != "" {
		rowOfCPU(t)
		return
	}
	rows := []string{"1", "2", "4", "2", "1"}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRowsOfCPU$", "-test.v", "-test.cpu="+strings.Join(rows, ","))
	cmd.Env = append(os.Environ(), inRow+"=1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no other process can be started here: %v", err)
	}
	if err != nil || runtime.GOOS != "js" && strings.Count(string(out), "workers took") != len(rows) {
		t.Errorf("P28: Default: not all rows of -cpu show what they say: %v\n%s", err, out)
	}
}

// rowOfCPU uses the default pool as a test of a program does: as it is, and in a bubble, where only
// what sleeps takes time.
func rowOfCPU(t *testing.T) {
	workers := runtime.GOMAXPROCS(0)
	var met atomic.Int32
	all := make(chan bool)
	par.For(workers, func(int) {
		if int(met.Add(1)) == workers {
			close(all)
		}
		<-all // a hang if there are fewer workers
	})
	// A worker that is still looking would find the work of the bubble, and is not of it. One that
	// has not begun is in main-fm.
	buf := make([]byte, 1<<20)
	for strings.Contains(string(buf[:runtime.Stack(buf, true)]), "pool.(*seat).main") {
		runtime.Gosched()
	}
	synctest.Test(t, func(t *testing.T) {
		const n = 64
		begun := time.Now()
		par.For(n, func(int) { time.Sleep(time.Second) })
		took, best := time.Since(begun), time.Duration(n/workers)*time.Second
		if took < best || took > best+2*time.Second {
			t.Errorf("%d elements of a second on %d workers took %v, the best is %v", n, workers, took, best)
		}
		fmt.Printf("%d elements of a second on %d workers took %v\n", n, workers, took)
	})
}
