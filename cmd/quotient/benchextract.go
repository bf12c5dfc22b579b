package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quotient/automaton"
	"quotient/extract"
	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/model"
	"quotient/sample"
	"quotient/study"
)

func newBenchExtract() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract FOLDER...",
		Short: "Extract from many networks, and see whether a known automaton beats what is found",
		Long: `Extract an automaton from every network below some folders, and compare it with the automaton
of the language that the network was trained on. A network is a folder with model.pt,
model.safetensors or model.onnx, and model.json, which names the "language" and maps symbols to
tokens ("vocab"). The language comes with the program, or is a file LANGUAGE.att (or .json,
.dot, ...; a colon in the name left out) in the folder, in that above it, or in --languages.

Both are judged on 7,200 fresh words of lengths 0 to 30: a third uniform, a third accepted and
a third rejected by the language. What was extracted is beaten if the language's automaton has
no more states and no more errors, and is clearly better in one of the two.`,
		Example: `  quotient bench extract networks --languages languages`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("missing FOLDER")
			}
			return nil
		},
	}
	asJSON := jsonFlag(cmd)
	b := benchExtract{options: methodFlags(cmd)}
	cmd.Flags().StringVar(&b.languages, "languages", "", "folder with the automata of the languages")
	cmd.Flags().IntVar(&b.trained, "trained-words", 0, "give every extraction so many `words` as its network was trained on for data: a third accepted, a third rejected by the language, a third uniform")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		if b.trained < 0 {
			return usagef("--trained-words: %d words are none", b.trained)
		}
		rows, err := b.run(ctx, cmd.ErrOrStderr(), args)
		if len(rows) == 0 {
			return err
		}
		if told := answer(cmd, *asJSON, rows, func(w io.Writer) { tellStandings(w, rows) }); told != nil {
			return told
		}
		if failed := failures(rows); err == nil && failed == len(rows) {
			err = fmt.Errorf("nothing was extracted from any of %s", text.Plural(failed, "network"))
		}
		return err
	}
	return cmd
}

// benchExtract is what the flags ask for.
type benchExtract struct {
	options   func() (extract.Options, error)
	languages string
	trained   int
}

// A standing is one row of the table.
type standing struct {
	Name string `json:"name"`
	*study.Standing
	Method  string  `json:"method"`
	Seconds float64 `json:"seconds"` // the extraction alone
	Error   string  `json:"error,omitempty"`
}

// failures counts the networks for which there is no row.
func failures(rows []standing) (n int) {
	for _, r := range rows {
		if r.Standing == nil {
			n++
		}
	}
	return n
}

// run returns a row for every network; if it is interrupted, for those before that.
func (b *benchExtract) run(ctx context.Context, progress io.Writer, folders []string) ([]standing, error) {
	o, err := b.options()
	if err != nil {
		return nil, err
	}
	if b.trained > 0 && o.Data != "" {
		return nil, usagef("--trained-words makes words for each network, and --data gives all of them the same: leave one of the two out")
	}
	var files []string
	for _, folder := range slices.Concat(folders, []string{b.languages}) {
		if _, err := os.Stat(folder); folder != "" && err != nil {
			return nil, err
		}
	}
	for _, folder := range folders {
		for _, pattern := range []string{"model.json", "*/model.json"} {
			found, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no model.json in it, nor in a folder of it", strings.Join(folders, ", "))
	}
	var rows []standing
	for i, file := range files {
		row, err := b.one(ctx, file, o)
		if ctx.Err() != nil {
			return rows, context.Cause(ctx)
		}
		row.Name = filepath.Base(filepath.Dir(file))
		if err != nil {
			row.Error = err.Error()
		}
		rows = append(rows, row)
		fmt.Fprintf(progress, "%d of %d: %s %s\n", i+1, len(files), row.Name, row.brief())
	}
	return rows, nil
}

// one extracts from the network beside a model.json.
func (b *benchExtract) one(ctx context.Context, file string, o extract.Options) (row standing, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return row, err
	}
	var about struct{ Language string }
	if err := json.Unmarshal(data, &about); err != nil {
		return row, fmt.Errorf("%s: %w", file, err)
	}
	m, err := openBeside(ctx, file)
	if err != nil {
		return row, err
	}
	language, err := b.language(filepath.Dir(file), about.Language, m)
	if err != nil {
		return row, err
	}
	if language = automaton.Minimize(language); b.trained > 0 {
		o.Data = "words as the network was trained on"
		if o.DataText, err = trainedWords(language, b.trained, o.Seed); err != nil {
			return row, err
		}
	}
	s, err := study.Extract(ctx, m, study.Options{Options: o})
	if err != nil {
		return row, err
	}
	row.Method, row.Seconds = s.Method, s.Seconds
	d, err := s.DFA()
	if err != nil {
		return row, err
	}
	row.Standing, err = study.Stand(ctx, m.Net, d, language, o.Seed)
	return row, err
}

// trainedWords returns a file of words as networks are trained on, with their labels.
func trainedWords(d *automaton.DFA, n int, seed uint64) ([]byte, error) {
	const longest = 40
	rng := sample.Rand(seed, sample.Listing)
	words := sample.UniformWords(n-2*(n/3), d.Alphabet.Len(), 1, longest, rng)
	for _, a := range []*automaton.DFA{d, automaton.Complement(d)} {
		sampler, err := automaton.NewSampler(a, longest)
		if err != nil {
			return nil, err
		}
		words = append(words, sample.Accepted(sampler, n/3, 1, longest, rng)...)
	}
	set := &labeled.Set{Alphabet: d.Alphabet}
	for _, w := range words {
		set.Add(w, labeled.Of(d.Accepts(w)))
	}
	var file bytes.Buffer
	err := labeled.Write(&file, set, labeled.Plain)
	return file.Bytes(), err
}

// openBeside opens the network in the folder of a model.json, which is its vocabulary.
func openBeside(ctx context.Context, file string) (*model.Model, error) {
	for _, name := range []string{"model.pt", "model.safetensors", "model.onnx"} {
		path := filepath.Join(filepath.Dir(file), name)
		if _, err := os.Stat(path); err == nil {
			return model.Open(ctx, path, model.Options{Vocab: file})
		}
	}
	return nil, fmt.Errorf("%s: there is no model.pt, model.safetensors or model.onnx beside it", file)
}

// language finds the automaton of a language that a folder's network was trained on.
func (b *benchExtract) language(folder, name string, m *model.Model) (*automaton.DFA, error) {
	if name == "" {
		return nil, fmt.Errorf("%s does not name the language", filepath.Join(folder, "model.json"))
	}
	for _, dir := range []string{folder, filepath.Dir(folder), b.languages} {
		stem := filepath.Join(dir, strings.ReplaceAll(name, ":", ""))
		if dir == "" {
			continue
		}
		if found, err := filepath.Glob(stem + ".*"); err == nil && len(found) > 0 {
			return extract.LoadLanguage(found[0], m.Net.Alphabet())
		}
	}
	d, err := extract.LoadLanguage(name, m.Net.Alphabet())
	if err != nil {
		err = fmt.Errorf("%w; nor is there a file %s.att in its folder, above that or in the languages given", err, strings.ReplaceAll(name, ":", ""))
	}
	return d, err
}

func (r standing) brief() string {
	if r.Standing == nil {
		return r.Error
	}
	return fmt.Sprintf("%s: %s in %s, the language has %d", r.Verdict, text.Plural(r.States, "state"), r.time(), r.Other)
}

func (r standing) time() time.Duration {
	return time.Duration(r.Seconds * float64(time.Second)).Round(10 * time.Millisecond)
}

func tellStandings(w io.Writer, rows []standing) {
	t := text.Table("network", "method", "states", "errors", "language's", "errors", "", "time")
	verdicts := map[study.Verdict]int{}
	var seconds []float64
	var failed []string
	for _, r := range rows {
		if r.Standing == nil {
			failed = append(failed, r.Name+": "+r.Error)
			continue
		}
		verdicts[r.Verdict]++
		seconds = append(seconds, r.Seconds)
		t.AppendRow(text.Row{r.Name, r.Method, r.States, tellErrors(r.Errors), r.Other, tellErrors(r.Against), r.Verdict, r.time()})
	}
	text.Print(w, t)
	fmt.Fprintln(w, "errors: of 2,400 uniform words, 2,400 that the language accepts, 2,400 that it rejects")
	for _, line := range failed {
		fmt.Fprintln(w, line)
	}
	if len(failed) > 0 {
		fmt.Fprintf(w, "%d of %s failed\n", len(failed), text.Plural(len(rows), "network"))
	}
	if len(seconds) == 0 {
		return
	}
	slices.Sort(seconds)
	median := (seconds[(len(seconds)-1)/2] + seconds[len(seconds)/2]) / 2
	fmt.Fprintf(w, "%s: %d same, %d better, %d equal, %d traded, %d beaten; median %.1f s, longest %.1f s\n",
		text.Plural(len(seconds), "network"), verdicts[study.Same], verdicts[study.Better], verdicts[study.Equal], verdicts[study.Traded],
		verdicts[study.Beaten], median, seconds[len(seconds)-1])
}

func tellErrors(e study.Errors) string {
	return fmt.Sprintf("%d %d %d", e.Uniform, e.Accepted, e.Rejected)
}
