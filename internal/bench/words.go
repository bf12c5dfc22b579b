package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"quotient/automaton"
	"quotient/learn/labeled"
	"quotient/learn/passive"
	"quotient/word"
)

// WordsOptions say what to measure.
type WordsOptions struct {
	Methods []string
	States  []int // of the automata that label the words
	Words   []int
	Length  int // of the longest words
	Rounds  int
	Folder  string // where the words are written, if anywhere
}

// testWords is how many fresh words an automaton is judged by.
const testWords = 10_000

// Words measures learning from labeled words in memory: random ones, which random automata over two
// symbols label. A second set, as written as the first, says how good the automata are.
func Words(ctx context.Context, o WordsOptions) ([]Figure, error) {
	var figures []Figure
	for _, n := range o.States {
		for _, words := range o.Words {
			teacher := pupil(n, 2)
			train, test := o.draw(teacher, words)
			input := Figure{Input: fmt.Sprintf("%d states, %d words", n, words), Size: words}
			for name, set := range map[string]*labeled.Set{"train": train, "test": test} {
				if err := writeWords(o.Folder, fmt.Sprintf("%s-%d-%d.txt", name, n, words), set); err != nil {
					return figures, err
				}
			}
			if o.Folder != "" {
				for _, name := range []string{"train", "test"} {
					input.Files = append(input.Files, filepath.Join(o.Folder, fmt.Sprintf("%s-%d-%d.txt", name, n, words)))
				}
			}
			for _, m := range o.Methods {
				f, err := input.learned(ctx, passive.Method(m), o.Rounds, train, test)
				if err != nil {
					return figures, err
				}
				figures = append(figures, f)
			}
		}
	}
	return figures, nil
}

// learned measures one method.
func (f Figure) learned(ctx context.Context, m passive.Method, rounds int, train, test *labeled.Set) (Figure, error) {
	var res *passive.Result
	var err error
	f.Work = string(m)
	f.Seconds = Best(rounds, func() {
		if err == nil {
			res, err = passive.Learn(ctx, train, passive.Options{Method: m})
		}
	})
	if err != nil {
		return f, err
	}
	right, all := test.Agree(res.Automaton)
	f.States, f.Accuracy = res.Automaton.Len(), float64(right)/float64(all)
	return f, nil
}

// draw returns words to learn from and words to judge by, with the labels of an automaton. Lengths are
// uniform up to the longest.
func (o *WordsOptions) draw(d *automaton.DFA, words int) (train, test *labeled.Set) {
	r := generator(words)
	all := &labeled.Set{Alphabet: d.Alphabet}
	for range words + testWords {
		w := make(word.Word, r.IntN(o.Length+1))
		for i := range w {
			w[i] = word.Symbol(r.IntN(d.Alphabet.Len()))
		}
		all.Add(w, labeled.Of(d.Accepts(w)))
	}
	return all.Split(words)
}

// writeWords stores words in the format of the Abbadingo competition, if a folder is given.
func writeWords(folder, name string, s *labeled.Set) error {
	if folder == "" {
		return nil
	}
	w, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	err = labeled.Write(w, s, labeled.Abbadingo)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}
