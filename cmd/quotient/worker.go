package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"quotient/sweep/plan"
	"quotient/sweep/queue"
)

func newWorker() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Work on sweeps that wait on a server",
		Long: `Take tasks of sweeps from a NATS server and compute them, until interrupted. Any number of
workers on any number of machines share the work. One may be killed at any moment: its tasks
are given to others, which go on from its last checkpoint. An interrupted one gives its tasks
back at once.

A worker takes tasks of its own result version alone ('quotient version' prints it), those
that it computes like all others.

A password is better kept out of the command line: put the address into ` + natsVariable + `, or
use --creds.`,
		Example: `  quotient worker --nats nats://10.0.0.7
  quotient worker --nats tls://nats.example.org --creds worker.creds --slots 8`,
		Args: exactly(),
	}
	at := natsFlags(cmd)
	slots := cmd.Flags().Int("slots", 0, "tasks at a time (default: one for every core)")
	scratch := cmd.Flags().String("scratch", "", "folder for training that is under way (default: that of the system)")
	cmd.MarkFlagDirname("scratch")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !fromEnvironment(at) {
			return usagef("--nats is missing: where is the work?")
		}
		if *slots < 0 {
			return usagef("--slots %d: how many?", *slots)
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		store, err := openStore(ctx, *at, "", cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		defer store.Close()
		fmt.Fprintf(cmd.OutOrStdout(), "waiting for tasks of version %s on %s\n", plan.Version(), at)
		w := &queue.Worker{Slots: *slots, Scratch: *scratch}
		if err := w.Run(ctx, store); !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	}
	return cmd
}
