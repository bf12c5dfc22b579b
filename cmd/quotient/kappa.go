package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"quotient/extract"
	"quotient/merge"
	"quotient/prefix"
)

func parseKappa(text string) (float64, error) {
	if text == "auto" {
		return extract.Auto, nil
	}
	kappa, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("--kappa %s: it is a number in (0, 2], or auto", text)
	}
	return kappa, merge.CheckKappa(kappa)
}

// sweepKappa prints what each kappa gives.
func sweepKappa(cmd *cobra.Command, r prefix.Recognizer, o extract.Options, asJSON bool) error {
	trials, err := extract.Sweep(cmd.Context(), r, o, nil)
	if err != nil {
		return err
	}
	first, last, found := extract.Plateau(trials)
	if !found {
		return fmt.Errorf("no kappa gives an automaton; the last said: %s", trials[len(trials)-1].Failed)
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), struct {
			Trials  []extract.Trial `json:"trials"`
			Plateau [2]float64      `json:"plateau"`
		}{trials, [2]float64{trials[first].Kappa, trials[last].Kappa}})
	}
	t := plainTable("kappa", "merged", "states", "agreement", "")
	for i, trial := range trials {
		mark := ""
		if i >= first && i <= last {
			mark = "│"
		}
		accuracy := fmt.Sprintf("%.2f%%", 100*trial.Accuracy())
		if trial.Failed != "" {
			accuracy = "more than the limit of states"
		}
		t.AppendRow(table.Row{
			fmt.Sprintf("%.3g", trial.Kappa), trial.Merged, trial.States, accuracy,
			mark + strings.Repeat("█", int(20*trial.Accuracy())),
		})
	}
	fmt.Fprintln(cmd.OutOrStdout(), t.Render())
	fmt.Fprintf(cmd.OutOrStdout(), "the longest plateau reaches from %.3g to %.3g: %s\n",
		trials[first].Kappa, trials[last].Kappa, plural(trials[first].States, "state"))
	return nil
}
