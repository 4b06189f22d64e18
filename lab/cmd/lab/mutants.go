package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/mutants"
)

func mutantsCommand() *cobra.Command {
	var o mutants.Options
	cmd := &cobra.Command{
		Use:   "mutants [NAME]...",
		Short: "Try whether each fault is noticed by the test that must notice it",
		Long: `Tries whether each fault is noticed by the test that must notice it. A NAME is that of
a mutant, or how some begin, such as par/. Without any it tries all of them, which takes some minutes.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			all, err := chosen(names)
			if err != nil {
				return err
			}
			ws, err := workspace()
			if err != nil {
				return err
			}
			return judge(cmd, ws.Dir, all, o)
		},
	}
	cmd.Flags().BoolVar(&o.Search, "search", false, "explore every schedule up to the bound, in place of those that are stored")
	return cmd
}

// chosen returns the mutants whose names begin so, or all.
func chosen(names []string) ([]mutants.Mutant, error) {
	all := mutants.Mutants()
	for _, name := range names {
		if !slices.ContainsFunc(all, func(m mutants.Mutant) bool { return strings.HasPrefix(m.Name, name) }) {
			return nil, fmt.Errorf("there is no mutant whose name begins with %q; the files of lab/mutants have all", name)
		}
	}
	return slices.DeleteFunc(all, func(m mutants.Mutant) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(m.Name, n) })
	}), nil
}

// judge tries mutants, and prints each verdict as it is found.
func judge(cmd *cobra.Command, root string, all []mutants.Mutant, o mutants.Options) error {
	out, start := cmd.OutOrStdout(), time.Now()
	wrong := 0
	var cpu time.Duration
	o.Ended = func(v mutants.Verdict) {
		verdict, says := "ok   ", v.Killer
		if v.Err != nil {
			verdict, says = "WRONG", v.Err.Error()
			wrong++
		}
		cpu += v.CPU
		fmt.Fprintf(out, "%s %s (%.1f s of processor time): %s\n", verdict, v.Name, v.CPU.Seconds(), says)
	}
	verdicts, err := mutants.Judge(cmd.Context(), root, all, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d mutants and %d controls in %.0f s, %.0f s of processor time to run them: %d wrong\n",
		len(all), len(verdicts)-len(all), time.Since(start).Seconds(), cpu.Seconds(), wrong)
	if wrong > 0 {
		return errors.New("mutants: one survives, or something else is wrong: see above")
	}
	return nil
}
