package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/rouse-go/rouse/lab/conform"
	"github.com/rouse-go/rouse/lab/mutants"
	"github.com/rouse-go/rouse/tools/progress"
)

func conformCommand() *cobra.Command {
	var full bool
	var recorded string
	cmd := &cobra.Command{
		Use:   "conform",
		Short: "Run the conformance suite, the scenarios and the mutants",
		Long: `Conform runs the conformance suite on every combination of backends, explores
every scenario, and tries every mutant. It prints which rules were checked on
which combination, how far each scenario was explored, and what has killed each
mutant; and for bugs and tests of others' pools and deques, which tests cover
them here. It fails if a check does, a mutant survives, or one of those tests did
not run.

With --tests it runs no test again that go test work has run already.

It takes some minutes; with --full, which explores as deep as is feasible, an
hour or more.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ws, err := workspace(cmd.Context())
			if err != nil {
				return err
			}
			r, err := checked(cmd, ws.Dir, full, recorded)
			if err != nil {
				return err
			}
			if !full {
				const readme = "explore/COSTS.md"
				text, err := os.ReadFile(filepath.Join(ws.Dir, readme))
				if err != nil {
					return err
				}
				r.Compare(readme, string(text))
			}
			p := progress.Show(cmd.ErrOrStderr(), "mutants", -1)
			n := 0
			verdicts, err := mutants.Judge(cmd.Context(), ws.Dir, mutants.Mutants(), mutants.Options{
				Each: full, Search: full, Explored: r.Sizes(),
				Doing: func(what string) { n++; p.Watch("mutants: "+what, n) },
			})
			p.Stop()
			if err != nil {
				return err
			}
			for _, v := range verdicts {
				r.Judged(v)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), r.String())
			if err == nil && !r.OK() {
				err = errors.New("conform: a check failed, a mutant survives, or a test is missing")
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "explore as deep as is feasible")
	cmd.Flags().StringVar(&recorded, "tests", "", "take the tests of the suite from this file, the output of go test -json work, in place of running them")
	return cmd
}

// checked runs the steps, and reports on them. Those that are in the file recorded, if there
// is one, do not run again.
func checked(cmd *cobra.Command, root string, full bool, recorded string) (*conform.Report, error) {
	steps := conform.Steps(full)
	tests := make(map[string][]*conform.Test)
	if recorded != "" {
		record, err := conform.ReadRecord(recorded)
		if err != nil {
			return nil, err
		}
		for _, s := range slices.Concat(steps...) {
			if s.Plain {
				if tests[s.Name], err = record.Tests(s); err != nil {
					return nil, err
				}
			}
		}
	}
	r := new(conform.Report)
	for _, group := range steps {
		if err := runGroup(cmd, root, group, tests); err != nil {
			return nil, err
		}
		for _, s := range group {
			if err := r.Add(tests[s.Name]); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// runGroup runs those steps of a group at the same time that have no tests yet.
func runGroup(cmd *cobra.Command, root string, group []conform.Step, tests map[string][]*conform.Test) error {
	group = slices.DeleteFunc(slices.Clone(group), func(s conform.Step) bool { return tests[s.Name] != nil })
	if len(group) == 0 {
		return nil
	}
	var names []string
	for _, s := range group {
		names = append(names, s.Name)
	}
	p := progress.Show(cmd.ErrOrStderr(), strings.Join(names, ", "), -1)
	defer p.Stop()
	if err := conform.Build(cmd.Context(), root, group); err != nil {
		return err
	}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(cmd.Context())
	for _, s := range group {
		g.Go(func() error {
			all, err := s.Run(ctx, root, func(*conform.Test) { p.Done.Add(1) })
			mu.Lock()
			defer mu.Unlock()
			tests[s.Name] = all
			return err
		})
	}
	return g.Wait()
}
