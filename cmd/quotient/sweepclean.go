package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"quotient/internal/text"
	"quotient/sweep/plan"
	"quotient/sweep/queue"
)

func newSweepClean() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "clean FILE",
		Short: "Remove the results of older versions of this program",
		Long: `Say what results, networks and waiting tasks of older versions of this program there are
where a sweep keeps its results, of whatever sweep. No sweep of this version uses them.
--remove removes them. Results of this version stay, whatever processor they were computed on,
and so do networks that were given to a sweep.`,
		Example: `  quotient sweep clean study.yaml
  quotient sweep clean study.yaml --remove
  quotient sweep clean study.yaml --nats nats://10.0.0.7`,
		Args: exactly("FILE"),
	}
	place := sweepFlags(cmd)
	remove := cmd.Flags().Bool("remove", false, "remove what would be removed")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := plan.Open(args[0]); err != nil {
			return err
		}
		if folder := place.of(args[0]); folder != "" && !isThere(folder) {
			return fmt.Errorf("%s: the sweep was not run yet", folder)
		}
		return place.open(cmd, args[0], func(ctx context.Context, s openSweep) error {
			old, err := s.Old(ctx, *remove)
			if err != nil {
				return err
			}
			return answer(cmd, *asJSON, old, func(w io.Writer) { tellOld(w, old, *remove) })
		})
	}
	return cmd
}

func isThere(folder string) bool {
	_, err := os.Stat(folder)
	return err == nil
}

// tellOld says what was removed, or would be.
func tellOld(w io.Writer, old queue.Old, removed bool) {
	if old.Nothing() {
		fmt.Fprintf(w, "nothing is older than %s\n", plan.Version())
		return
	}
	verb := "--remove would remove"
	if removed {
		verb = "removed"
	}
	fmt.Fprintf(w, "%s what is of %s, and not of %s:\n", verb, strings.Join(old.Versions, ", "), plan.Version())
	fmt.Fprintf(w, "  %s, %s of networks, %s, %s; %s bytes\n", text.Plural(old.Results, "result"), text.Plural(old.Networks, "file"),
		text.Plural(old.Failures, "failure"), text.Plural(int(old.Waiting), "waiting task"), text.Short(float64(old.Bytes)))
}
