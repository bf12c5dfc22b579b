package main

import (
	"github.com/spf13/cobra"

	"quotient/model"
)

func newModel() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model MODEL",
		Short: "Say what is inside a network",
		Long: `Say what is inside a network: its tokens, layers and head, whether state merging
applies to it, and what had to be guessed because the file does not say it.

` + modelHelp + `

` + elsewhereHelp + `

--word shows how sure the network is after each symbol of a word; of a language model, what it
predicts there, and the probability of the word.

--check FILE compares it with what your own code says of some words: JSON such as
{"cases": [{"word": ["a", "b"], "logit": 1.5}]}; of a language model, "outputs" or "next", a
list for each prefix. If the answers differ, other readings of
the file are tried, and the flags that make them equal are named; the exit status is 1.`,
		Example: `  quotient model zoo:tomita5
  quotient model net.pt --vocab vocab.json --word abba
  quotient model net.pth --bos 16 --eos 17 --word '3 14 15'
  quotient model net.pt --vocab vocab.json --check cases.json
  quotient model net.safetensors --tensors`,
		Args: exactly("MODEL"),
	}
	options := networkFlags(cmd)
	elsewhereFlags(cmd, options)
	spelled := cmd.Flags().String("word", "", "word to read; its symbols together, or apart where a name has several characters")
	tensors := cmd.Flags().Bool("tensors", false, "list the tensors of the file")
	cases := cmd.Flags().String("check", "", "JSON file of words and the logits or probabilities that your own code gives them")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *cases != "" {
			return checkModel(cmd, modelName(cmd, args, options), *options, *cases, *asJSON)
		}
		m, err := openModel(cmd, args, options)
		if err != nil {
			return err
		}
		defer m.Close()
		d := m.Describe()
		if !*tensors {
			d.Tensors = nil
		}
		if cmd.Flags().Changed("word") {
			if err := d.Read(cmd.Context(), m, *spelled); err != nil {
				return err
			}
		}
		return answer(cmd, *asJSON, d, d.Tell)
	}
	return cmd
}

// checkModel compares a network with recorded answers.
func checkModel(cmd *cobra.Command, name string, o model.Options, cases string, asJSON bool) error {
	c, err := model.Compare(cmd.Context(), name, o, cases)
	if err != nil {
		return err
	}
	if err := answer(cmd, asJSON, c, c.Tell); err != nil || c.Right {
		return err
	}
	return errDiffer
}
