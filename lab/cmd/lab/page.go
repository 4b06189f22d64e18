package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rouse-go/rouse/lab/scale/predict"
)

// onlyPage returns an error if there are flags that say what to predict, since
// reports are shown as they are, or if nobody has said where to write the page.
func onlyPage(cmd *cobra.Command, reports []string) error {
	if !cmd.Flags().Changed("page") {
		return fmt.Errorf("%s: reports are shown on a page: say --page FILE", reports[0])
	}
	var others []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "page" {
			others = append(others, "--"+f.Name)
		}
	})
	if others != nil {
		return fmt.Errorf("%s: a report is shown as it is: leave out %s", reports[0], strings.Join(others, ", "))
	}
	return nil
}

// showReports writes a page of reports in these files.
func showReports(page string, files []string) error {
	labels := labels(files)
	var all []predict.Labelled
	for i, name := range files {
		r, err := readReport(name)
		if err != nil {
			return err
		}
		all = append(all, predict.Labelled{Label: labels[i], Report: r})
	}
	return writePredictions(page, all)
}

func readReport(name string) (*predict.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := predict.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// labels are the names of the files: without what comes before, if that leaves no
// two the same.
func labels(files []string) (all []string) {
	for _, name := range files {
		all = append(all, strings.TrimSuffix(filepath.Base(name), ".json"))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(all)))) < len(files) {
		return files
	}
	return all
}

// writePredictions writes the page as a whole, or leaves what is there.
func writePredictions(page string, all []predict.Labelled) error {
	var b bytes.Buffer
	if err := predict.WritePage(&b, all); err != nil {
		return err
	}
	f, err := os.Create(page)
	if err != nil {
		return err
	}
	_, err = b.WriteTo(f)
	return errors.Join(err, f.Close())
}
