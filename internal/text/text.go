// Package text writes automata, numbers and lists for people who read them on a terminal.
package text

import (
	"fmt"
	"io"
	"strings"

	"quotient/automaton"
	"quotient/automaton/regex"
	"quotient/counter"
	"quotient/word"
)

const (
	shownStates  = 40 // rows that a printed table has at most
	shownSymbols = 20 // columns
	shownExpr    = 80 // characters that a printed expression has at most
)

// Automaton writes an automaton: its size, a table, and a regular expression if that is
// short. The start must be state 1, as after Minimize.
func Automaton(w io.Writer, d *automaton.DFA) {
	fmt.Fprintf(w, "%s over %s\n", Strong(w, Plural(d.Len(), "state")), d.Alphabet)
	if d.Len() > 0 && d.Alphabet.Len() <= shownSymbols {
		Print(w, states(d))
		fmt.Fprint(w, More(d.Len(), "-o FILE"))
	}
	if e, err := regex.FromDFA(d, shownExpr); err == nil {
		fmt.Fprintf(w, "expression: %s\n", Strong(w, e.String()))
	}
}

func states(d *automaton.DFA) *Grid {
	header := []string{"", "state", "accepts"}
	for _, name := range d.Alphabet.Names() {
		header = append(header, word.QuoteName(name))
	}
	t := Table(header...)
	for q := automaton.State(1); int(q) <= min(d.Len(), shownStates); q++ {
		row := Row{start(q == d.Start), State(q), Yes(d.Accept[q])}
		for _, to := range d.Row(q) {
			row = append(row, State(to))
		}
		t.AppendRow(row)
	}
	return t
}

// More says that a table does not show all of so many states, if it does not, and what writes
// them.
func More(states int, how string) string {
	if states <= shownStates {
		return ""
	}
	return fmt.Sprintf("   and %d more; %s writes them all\n", states-shownStates, how)
}

// Shown returns how many of so many states a table shows.
func Shown(states int) int { return min(states, shownStates) }

func start(is bool) string {
	if is {
		return "→"
	}
	return ""
}

// Counter writes an automaton with a counter: a table with a column for every symbol and
// test.
func Counter(w io.Writer, a *counter.Automaton) {
	header := []string{"", "state", "accepts"}
	for _, name := range a.Alphabet.Names() {
		for _, t := range counter.Tests {
			header = append(header, word.QuoteName(name)+" "+t.String())
		}
	}
	t := Table(header...)
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		accepts := map[[2]bool]string{{true, false}: "=0", {false, true}: "≠0", {true, true}: "yes"}
		row := Row{start(q == a.Start), State(q), accepts[a.Accept[q]]}
		for s := range a.Alphabet.Len() {
			for _, test := range counter.Tests {
				m := a.Move(q, word.Symbol(s), test)
				cell := State(m.To)
				if m.Add != 0 {
					cell += fmt.Sprintf(" %+d", m.Add)
				}
				row = append(row, cell)
			}
		}
		t.AppendRow(row)
	}
	fmt.Fprintf(w, "%s over %s\n", Strong(w, Plural(a.Len(), "state")), a.Alphabet)
	Print(w, t)
}

// State numbers states from q0, as the pictures do; a dot is the dead state.
func State(q automaton.State) string {
	if q == automaton.Dead {
		return "·"
	}
	return fmt.Sprintf("q%d", q-1)
}

// Plural counts things; many is their name if it is not one with an s.
func Plural(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Percent never rounds up to 100%.
func Percent(x float64) string {
	text := fmt.Sprintf("%.2f%%", 100*x)
	if x < 1 && text == "100.00%" {
		return "99.99%"
	}
	return text
}

// Yes is yes, or nothing.
func Yes(x bool) string {
	if x {
		return "yes"
	}
	return ""
}

// Accepts says what somebody does with a word.
func Accepts(x bool) string {
	if x {
		return "accepts"
	}
	return "rejects"
}

// Shorten cuts long text in the middle.
func Shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s … %s (%d characters)", string(runes[:most/2]), string(runes[len(runes)-most/2:]), len(runes))
}

// Join writes a list as people do: a, b and c.
func Join(list []string) string {
	n := len(list)
	if n < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
}

// Quote makes one word of a shell's command line of any text.
func Quote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@,+=", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Wrap breaks text into lines of a width, all but the first indented.
func Wrap(text string, width, indent int) string {
	var b strings.Builder
	column := indent
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
