package pulse

import (
	"strings"
	"testing"
	"time"
)

// A goroutine that ends soon is not left, and one that does not is shown.
func TestGoroutinesLeft(t *testing.T) {
	before := GoroutinesNow()
	soon, never := make(chan bool), make(chan bool)
	go func() { <-soon }()
	time.AfterFunc(Beat, func() { close(soon) })
	if err := before.Left(); err != nil {
		t.Errorf("a goroutine that has ended is left: %v", err)
	}
	go leftBehind(never)
	if err := before.Left(); err == nil || !strings.Contains(err.Error(), "leftBehind") {
		t.Errorf("a goroutine is left, and the error is %v", err)
	}
	close(never)
}

func leftBehind(release chan bool) { <-release }
