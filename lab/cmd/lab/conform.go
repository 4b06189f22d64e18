package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rouse-go/rouse/lab/conform"
	"github.com/rouse-go/rouse/lab/mutants"
	"github.com/rouse-go/rouse/tools/columns"
)

func conformCommand() *cobra.Command {
	var full, asJSON bool
	cmd := &cobra.Command{
		Use:   "conform",
		Short: "Run the conformance suite, the scenarios and the mutants",
		Long: `Conform runs the conformance suite on every combination of backends, explores
every scenario, and tries every mutant. It prints which rules were checked on
which combination, how far each scenario was explored, and what has killed each
mutant; and for bugs and tests of others' pools and deques, which tests cover
them here. It fails if a check does, a mutant survives, or one of those tests did
not run.

It takes some minutes; with --full, which explores as deep as is feasible, an
hour or more.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := workspaceRoot(cmd.Context())
			if err != nil {
				return err
			}
			var r conform.Report
			for _, s := range conform.Steps(full) {
				ended, stop := showTests(cmd.ErrOrStderr(), s.Name)
				tests, err := s.Run(cmd.Context(), root, ended)
				stop()
				if err == nil {
					err = r.Add(tests)
				}
				if err != nil {
					return err
				}
			}
			stop := func() {}
			verdicts, err := mutants.Judge(cmd.Context(), root, mutants.Mutants(), mutants.Options{
				Each: full, Search: full,
				Doing: func(what string) {
					stop()
					_, stop = showTests(cmd.ErrOrStderr(), "mutants: "+what)
				},
			})
			stop()
			if err != nil {
				return err
			}
			for _, v := range verdicts {
				r.Judged(v)
			}
			r.Cover()
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "\t")
				err = e.Encode(r)
			} else {
				err = writeConform(cmd.OutOrStdout(), &r)
			}
			if err == nil && !r.OK() {
				err = errors.New("conform: a check failed, a mutant survives, or a test is missing")
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "explore as deep as is feasible")
	cmd.Flags().BoolVar(&asJSON, "json", false, "everything in JSON")
	return cmd
}

// showTests shows on w, if that is a terminal, how many tests have ended.
func showTests(w io.Writer, doing string) (ended func(*conform.Test), stop func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(*conform.Test) {}, func() {}
	}
	bar := progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(doing),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
	)
	// A terminal that is gone is no reason to stop.
	return func(*conform.Test) { _ = bar.Add(1) }, func() { _ = bar.Clear() }
}

func writeConform(w io.Writer, r *conform.Report) error {
	var b strings.Builder
	b.WriteString("Checks of each rule on each combination\n\n")
	for _, m := range r.Matrices() {
		header := []any{"of"}
		for _, rule := range m.Rules {
			header = append(header, rule)
		}
		t := columns.New(1, header...)
		for _, row := range m.Rows {
			cells := []any{row.Of}
			for _, c := range row.Cells {
				cells = append(cells, cell(c))
			}
			t.Row(cells...)
		}
		fmt.Fprintf(&b, "%s\n\n", t)
	}

	t := columns.New(3, "scenario", "rule", "", "bound", "schedules", "steps", "s", "random")
	for _, s := range r.Scenarios {
		bound := fmt.Sprint(s.Bound)
		if s.Exhausted {
			bound = "all"
		}
		t.Row(s.Test, s.Rule, verdict(s.Passed), bound, s.Schedules, s.Steps, fmt.Sprintf("%.1f", s.Seconds), s.Random)
	}
	fmt.Fprintf(&b, "Scenarios: every schedule with so many preemptions, and random ones\n\n%s\n\n", t)

	t = columns.New(3, "mutant", "tried by", "killed by")
	survivors := 0
	for _, m := range r.Mutants {
		killer := m.Killer
		if killer == "" {
			killer = "SURVIVES"
			survivors++
		}
		t.Row(m.Name, m.By, killer)
	}
	fmt.Fprintf(&b, "%s\n\n", t)

	writeCovers(&b, r)

	for _, f := range r.Failed {
		fmt.Fprintf(&b, "FAILED %s\n%s\n", f.Test, f.Output)
	}
	fmt.Fprintf(&b, "%d checks, %d scenarios, %d mutants: %d failed, %d mutants survive.\n",
		len(r.Checks), len(r.Scenarios), len(r.Mutants), len(r.Failed), survivors)
	_, err := io.WriteString(w, b.String())
	return err
}

func cell(c conform.Cell) string {
	switch {
	case c.Checks == 0:
		return "-"
	case c.Failed > 0:
		return fmt.Sprintf("%d, %d FAILED", c.Checks, c.Failed)
	}
	return fmt.Sprint(c.Checks)
}

func verdict(passed bool) string {
	if passed {
		return "ok"
	}
	return "FAILED"
}
