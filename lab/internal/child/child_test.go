package child_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/lab/internal/child"
)

// The test program, with an argument, is the child.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		os.Exit(m.Run())
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch in.Text() {
		case "silence":
		case "refuse":
			fmt.Println("error: I refuse")
		case "die":
			fmt.Fprintln(os.Stderr, "I am\ndead")
			os.Exit(3)
		default:
			fmt.Println(os.Args[1], in.Text())
		}
	}
}

func start(t *testing.T, ctx context.Context, patience time.Duration) *child.Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := child.New(ctx, patience, self, "echo")
	t.Cleanup(func() { _ = p.Close() })
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// A failure here means that every program outside is misread.
func TestAsk(t *testing.T) {
	p := start(t, t.Context(), time.Minute)
	for range 2 {
		if got, err := p.Ask("hello"); got != "echo hello" || err != nil {
			t.Errorf("got %q, error %v", got, err)
		}
		if _, err := p.Ask("refuse"); err == nil || err.Error() != "I refuse" {
			t.Errorf("error %v, want that it refuses", err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.Ask("hello"); err == nil {
		t.Error("a program that has ended answers")
	}
}

// A failure here means that a program that hangs is waited for without end, is
// taken for one that died, or cannot be started again.
func TestNoAnswer(t *testing.T) {
	p := start(t, t.Context(), 10*time.Millisecond)
	_, err := p.Ask("silence")
	var late child.NoAnswer
	if !errors.As(err, &late) || time.Duration(late) != 10*time.Millisecond {
		t.Errorf("error %v, want NoAnswer", err)
	}
	p = start(t, t.Context(), time.Minute)
	if _, err := p.Ask("die"); err == nil || errors.As(err, &late) || err.Error() != "ended without an answer\nexit status 3\nI am dead" {
		t.Errorf("error %q", err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Ask("again"); got != "echo again" || err != nil {
		t.Errorf("started again: got %q, error %v", got, err)
	}
}

// A failure here means that an interrupted command leaves its children behind.
func TestEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := start(t, ctx, time.Minute)
	cancel()
	_, err := p.Ask("silence")
	var late child.NoAnswer
	if err == nil || errors.As(err, &late) {
		t.Errorf("error %v, want that it has ended", err)
	}
}
