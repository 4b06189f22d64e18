package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"runtime"
	"testing"
)

func TestRest(t *testing.T) {
	if runtime.GOOS != "linux" {
		var out bytes.Buffer
		if status := rouse(context.Background(), []string{"rest"}, &out, &out); status != statusFailed {
			t.Errorf("status %d where there is no Linux:\n%s", status, &out)
		}
		return
	}
	cmd := child(t, "rest", "--seconds", "0.1", "--workers", "3")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{`(?m)^no pool +\d+ +\d+ +\d+$`, `(?m)^jec +\d+ +\d+ +\d+$`, `(?m)^futex +\d+ +\d+ +\d+$`} {
		if !regexp.MustCompile(row).Match(out) {
			t.Errorf("no row like %s in\n%s", row, out)
		}
	}
	for _, args := range [][]string{{"rest", "--seconds", "0"}, {"rest", "--workers", "0"}, {"rest", "--as", "nonsense"}} {
		if err := child(t, args...).Run(); err == nil {
			t.Errorf("%q succeeded", args)
		}
	}
}
