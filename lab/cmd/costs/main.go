// Command costs draws costs.svg from the table of costs in the README, both of which are in
// the folder above. Run it in lab after the table has changed.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	if err := run("../README.md", "../costs.svg"); err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

func run(readme, picture string) error {
	page, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	svg, err := draw(string(page))
	if err != nil {
		return err
	}
	return os.WriteFile(picture, []byte(svg), 0o666)
}

// row matches a row of the table: what it costs, the unit, and the times of plain Go,
// goroutines, Rayon and Rouse.
var row = regexp.MustCompile(`(?m)^\| (.+), (\w+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$`)

// bars are the columns that are drawn, beside that of plain Go. The colors can be told apart on
// white and on black, also by the color-blind.
var bars = []struct{ name, color string }{{"goroutines", "#d08500"}, {"Rayon", "#7d8590"}, {"Rouse", "#2188d9"}}

const (
	left, right    = 150, 640 // of the bars
	least, most    = 0.1, 1000.0
	barHeight, gap = 18, 58
)

// x is where a multiple of the time of plain Go is.
func x(times float64) float64 {
	return left + (right-left)*math.Log(times/least)/math.Log(most/least)
}

// draw returns a picture of the table of costs on a page.
func draw(page string) (string, error) {
	rows := row.FindAllStringSubmatch(page, -1)
	if len(rows) == 0 {
		return "", errors.New("the page has no table of costs")
	}
	var b strings.Builder
	height := 44 + len(rows)*(len(bars)*barHeight+gap-18)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 %d" width="760" height="%[1]d" font-family="sans-serif" font-size="13" fill="#7d8590">`+"\n", height)
	for _, line := range []struct {
		times, width float64
		label        string
	}{{0.1, 0.5, "a tenth"}, {1, 2, "plain Go"}, {10, 0.5, "10 times"}, {100, 0.5, "100 times"}, {1000, 0.5, "1000 times"}} {
		fmt.Fprintf(&b, `<path d="M%.1f 24V%d" stroke="#7d8590" stroke-width="%v" opacity="0.6"/><text x="%.1[1]f" y="16" text-anchor="middle">%[4]s</text>`+"\n",
			x(line.times), height-8, line.width, line.label)
	}
	y := 34
	for _, r := range rows {
		fmt.Fprintf(&b, `<text x="8" y="%d" font-weight="bold">%s</text>`+"\n", y+13, r[1])
		y += 22
		plain, err := strconv.ParseFloat(r[3], 64)
		if err != nil {
			return "", err
		}
		for i, bar := range bars {
			n, err := strconv.ParseFloat(r[4+i], 64)
			if err != nil {
				return "", err
			}
			from, to := min(x(1), x(n/plain)), max(x(1), x(n/plain))
			fmt.Fprintf(&b, `<text x="8" y="%d">%s</text><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/><text x="%.1f" y="%[1]d">%[9]s %[10]s</text>`+"\n",
				y+13, bar.name, from, y+2, to-from, barHeight-4, bar.color, to+6, r[4+i], r[2])
			y += barHeight
		}
		y += gap - 40
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}
