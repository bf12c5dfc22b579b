package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"quotient/internal/text"
	"quotient/train"
	"quotient/zoo"
)

func newZoo() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "zoo",
		Short: "List the networks that come with the program",
		Long: `List the networks that come with the program, trained by it with the recipe of the
paper, and how good they are after their best epoch. The GRU and LSTM networks
stopped once every string had been right for two epochs in a row. zoo:tomita5@3 is
zoo:tomita5 after its third epoch; 'quotient export' writes one to a file.

Accuracies are those on the dev set, by prefixes and by whole strings, and on
whole strings of a set of longer ones. Saturation is the distance of the hidden
states from their signs.`,
		Example: `  quotient zoo
  quotient zoo --json`,
		Args: exactly(),
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		list, err := zoo.List()
		if err != nil {
			return err
		}
		all := bundledNetworks(list)
		return answer(cmd, *asJSON, all, func(w io.Writer) {
			t := text.Table("name", "cell", "epochs", "best", "dev prefixes", "strings", "long strings", "norm", "saturation")
			for _, b := range all {
				t.AppendRow(text.Row{
					b.Name, b.Cell, ranges(b.Epochs), b.Best.Epoch,
					text.Percent(b.Best.DevPrefixAccuracy), text.Percent(b.Best.DevStringAccuracy), text.Percent(b.Best.LongStringAccuracy),
					fmt.Sprintf("%.1f", b.Best.Norm), fmt.Sprintf("%.3f", b.Best.Saturation),
				})
			}
			text.Print(w, t)
		})
	}
	return cmd
}

type bundled struct {
	Name     string         `json:"name"`
	Language string         `json:"language"`
	Cell     string         `json:"cell"`
	Hidden   int            `json:"hidden"`
	Epochs   []int          `json:"epochs"` // after which it can be had
	Best     train.Record   `json:"best"`
	Records  []train.Record `json:"records"`
}

func bundledNetworks(list []zoo.Info) []bundled {
	out := []bundled{}
	for _, info := range list {
		s := info.Run.Settings
		out = append(out, bundled{info.Name, s.Language, s.Cell, s.Hidden, info.Run.Kept(), info.Record, info.Run.Records})
	}
	return out
}

// ranges writes 1, 2, 3 as 1-3.
func ranges(list []int) string {
	if len(list) > 1 && list[len(list)-1]-list[0] == len(list)-1 {
		return fmt.Sprintf("%d-%d", list[0], list[len(list)-1])
	}
	return joinInts(list)
}
