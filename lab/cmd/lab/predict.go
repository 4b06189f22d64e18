package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/lab/simulate/predict"
)

func predictCommand() *cobra.Command {
	var plan predict.Plan
	var workloads []string
	var quick bool
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Predict how the pool scales on 64 processors; without -tags explore, measure the same on this machine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if plan.Rows, err = predict.Rows(quick, workloads...); err != nil {
				return err
			}
			return plan.Write(cmd.Context(), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntSliceVar(&plan.Workers, "workers", []int{16, 64}, "these numbers of workers")
	f.StringSliceVar(&workloads, "workload", nil, "only these of "+strings.Join(predict.Names(), ", "))
	f.StringVar(&plan.Sleep, "sleep", "", "the sleep backend, jec or futex (default that of the pool)")
	f.BoolVar(&quick, "quick", false, "a first look: small sizes")
	return cmd
}
