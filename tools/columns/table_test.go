package columns_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rouse-go/rouse/tools/columns"
)

func fruit() *columns.Table {
	t := columns.New(1, "fruit", "weight", "price")
	t.Row("apple", "150 µg", 1)
	t.Row("water\nmelon", "9 kg", 12345)
	t.Row("fig")
	return t
}

func TestTable(t *testing.T) {
	const want = `fruit  weight  price
--------------------
apple  150 µg      1
water    9 kg  12345
melon
fig`
	if got := fruit().String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := fruit().Len(); n != 4 {
		t.Errorf("%d lines, want 4", n)
	}
}

// A narrow terminal loses columns from the right, a micro sign is as wide as
// any other, and what is left out may come back.
func TestFit(t *testing.T) {
	const two = "fruit  weight\n-------------\napple  150 µg\nwater    9 kg\nmelon\nfig"
	all, table := fruit().String(), fruit()
	for width, want := range map[int]string{0: all, 20: all, 19: two, 13: two, 3: two, 100: all} {
		if got := table.Fit(width); got != want {
			t.Errorf("width %d: got\n%s\nwant\n%s", width, got, want)
		}
	}
}

// A file is no terminal, however wide the one is that the test runs on.
func TestWidthOfFile(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := columns.Width(f); n != 0 {
		t.Errorf("width %d, want 0", n)
	}
}
