package main

import (
	"context"

	"github.com/spf13/cobra"

	"quotient/model"
)

const elsewhereHelp = `In place of MODEL, --exec COMMAND starts a program that answers for words over its
standard input and output, and --http URL asks a server; docs/protocol.md describes what
is said, and python/quotient.py makes such a program of any Python object.`

// elsewhereFlags are the flags of commands that ask models which run elsewhere. These
// stand in place of the first argument.
func elsewhereFlags(cmd *cobra.Command, o *model.Options) {
	f := cmd.Flags()
	f.StringVar(&o.Exec, "exec", "", "command of a program to ask in place of MODEL, for the shell")
	f.StringVar(&o.HTTP, "http", "", "address of a server to ask in place of MODEL")
	f.DurationVar(&o.Timeout, "timeout", 0, "time for an answer to a batch of words from --exec or --http (default 30s)")
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if (o.Exec != "" || o.HTTP != "") && len(args) == 0 {
			args = []string{"elsewhere"}
		}
		return check(cmd, args)
	}
}

// openModel opens the network that the first argument names, or the model that runs
// elsewhere. From then on the command's context ends when such a model fails.
func openModel(cmd *cobra.Command, args []string, o *model.Options) (*model.Model, error) {
	ctx, fail := context.WithCancelCause(cmd.Context())
	if o.Exec != "" {
		ctx, _ = interruptible(ctx) // an interrupt ends the program that is asked, too
	}
	cmd.SetContext(ctx)
	o.Fail = fail
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	return model.Open(ctx, name, *o)
}
