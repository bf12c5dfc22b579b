package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quotient/automaton"
	"quotient/automaton/codec"
	"quotient/internal/processor"
	"quotient/internal/text"
	"quotient/language"
	"quotient/learn/active"
)

// A lesson is what learning from a teacher took.
type lesson struct {
	Teacher   string        `json:"teacher"`
	Method    active.Method `json:"method"`
	States    int           `json:"states"`
	Symbols   int           `json:"alphabet"`
	Same      bool          `json:"same"` // as the teacher's language
	Stats     active.Stats  `json:"stats"`
	Seconds   float64       `json:"seconds"`                   // by the clock, reading left out
	Processor float64       `json:"processor_seconds"`         // of the learner, and of running the teacher's automaton
	Judging   float64       `json:"teacher_processor_seconds"` // of equivalence queries
	Automaton codec.JSON    `json:"automaton"`
}

// checkTaught finds what is wrong with the flags of a lesson, and which method it is.
func (x *learning) checkTaught(cmd *cobra.Command) (active.Method, error) {
	var wrong []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"teacher", "method", "json", "output", "to"}, f.Name) {
			wrong = append(wrong, "--"+f.Name)
		}
	})
	if len(wrong) > 0 {
		return "", usagef("%s: there are no words to learn from with --teacher", strings.Join(wrong, ", "))
	}
	m := active.Methods[0]
	if cmd.Flags().Changed("method") {
		m = active.Method(x.method)
	}
	if !slices.Contains(active.Methods, m) {
		return "", usagef("no learner with a teacher is called %q; there are ttt, lstar and kv", x.method)
	}
	return m, nil
}

// runTaught learns an automaton that is known, by queries.
func (x *learning) runTaught(cmd *cobra.Command) error {
	m, err := x.checkTaught(cmd)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	loaded, err := language.Load(language.Options{Stdin: cmd.InOrStdin()}, x.teacher)
	if err != nil {
		return err
	}
	begin, busy := time.Now(), processor.Time()
	res, judging, err := active.Taught(ctx, loaded[0], m)
	if err != nil {
		return unfinished(ctx, err)
	}
	l := lesson{
		Teacher: x.teacher, Method: m, States: res.Automaton.Len(), Symbols: loaded[0].Alphabet.Len(), Stats: res.Stats,
		Seconds: time.Since(begin).Seconds(), Processor: (processor.Time() - busy - judging).Seconds(), Judging: judging.Seconds(),
	}
	_, differ := automaton.Distinguish(loaded[0], res.Automaton)
	l.Same = !differ
	n := res.Automaton.NFA()
	if x.to.asked() {
		if err := x.to.write(cmd.OutOrStdout(), n); err != nil {
			return err
		}
		if x.to.stdout() {
			return nil
		}
	}
	l.Automaton = codec.JSON{NFA: n}
	return answer(cmd, *x.asJSON, l, l.tell)
}

func (l *lesson) tell(w io.Writer) {
	fmt.Fprintf(w, "%s: %s over %s, by %s\n", l.Teacher, text.Plural(l.States, "state"), text.Plural(l.Symbols, "symbol"), l.Method)
	s := l.Stats
	fmt.Fprintf(w, "%d membership queries of %s, %d equivalence queries\n", s.MembershipQueries, text.Plural(s.Symbols, "symbol"), s.EquivalenceQueries)
}
