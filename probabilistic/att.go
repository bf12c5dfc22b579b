package probabilistic

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"quotient/automaton"
	"quotient/automaton/codec"
)

// writeATT writes AT&T text, as OpenFst's fstcompile reads it: a line
//
//	from  to  in  out  weight
//
// for a transition and a line with a state and a weight for the end of words. In OpenFst's
// semirings a weight is the negative logarithm of a probability. The start comes first;
// states are numbered from 0.
func writeATT(w io.Writer, a *Automaton) error {
	if err := a.Check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	names := codec.ATTNames(a.Alphabet)
	state := func(q automaton.State) {
		row := a.Row(q)
		for s, to := range a.Targets(q) {
			if row[s] > 0 {
				fmt.Fprintf(b, "%d\t%d\t%s\t%s\t%s\n", q-1, to-1, names[s], names[s], cost(row[s]))
			}
		}
		if a.End[q] > 0 {
			fmt.Fprintf(b, "%d\t%s\n", q-1, cost(a.End[q]))
		}
	}
	if a.Start != automaton.Dead {
		state(a.Start)
	}
	for q := automaton.State(1); int(q) <= a.Len(); q++ {
		if q != a.Start {
			state(q)
		}
	}
	return b.Flush()
}

// cost writes a probability as a weight.
func cost(p float64) string { return number(0 - math.Log(p)) } // and never -0

// readATT reads what OpenFst's fstprint writes for an acceptor, or for a transducer whose
// two sides are the same. Columns are separated by tabs or spaces. A missing weight is 0, a
// probability of one.
func readATT(data []byte) (*Automaton, string, error) {
	b, _ := newBuilder(nil)
	line := 0
	for row := range strings.Lines(string(data)) {
		line++
		columns := strings.Fields(row)
		if len(columns) == 0 {
			continue
		}
		if err := b.addATT(columns); err != nil {
			return nil, "", fmt.Errorf("line %d: %w", line, err)
		}
	}
	numbered(b)
	return b.finish()
}

func (b *builder) addATT(columns []string) error {
	p, n := 1.0, len(columns)
	acceptor := n == 4 && columns[2] != columns[3]
	if n == 2 || n == 5 || acceptor {
		w, err := strconv.ParseFloat(columns[n-1], 64)
		if err != nil || math.IsNaN(w) {
			return fmt.Errorf("weight %.40q is not a number", columns[n-1])
		}
		if p = math.Exp(-w); p > 1+tolerated {
			return fmt.Errorf("weight %g is no negative logarithm of a probability: it is under 0", w)
		}
		n--
	}
	if n > 4 {
		return fmt.Errorf("%d columns; a transition is written: from, to, in, out, weight", len(columns))
	}
	from := b.state(columns[0])
	if b.start == automaton.Dead {
		b.start = from
	}
	if n == 1 {
		b.ends[from] = p
		return nil
	}
	if n == 4 && columns[2] != columns[3] {
		return fmt.Errorf("in %.40q and out %.40q differ: transducers are not supported", columns[2], columns[3])
	}
	name, epsilon := codec.ParseATTName(columns[2])
	if epsilon {
		return fmt.Errorf("a transition reads nothing (%s); remove such ones first, as OpenFst's fstrmepsilon does", columns[2])
	}
	return b.add(from, name, b.state(columns[1]), p)
}

// numbered puts the states into the order of their numbers, where all are numbers.
func numbered(b *builder) {
	place := make([]automaton.State, len(b.ends))
	taken := make([]bool, len(b.ends))
	for name, q := range b.number {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i+1 >= len(b.ends) || taken[i+1] {
			return
		}
		taken[i+1], place[q] = true, automaton.State(i+1)
	}
	ends := make([]float64, len(b.ends))
	for q, p := range b.ends {
		ends[place[q]] = p
	}
	for i, e := range b.edges {
		b.edges[i].from, b.edges[i].to = place[e.from], place[e.to]
	}
	for name, q := range b.number {
		b.number[name] = place[q]
	}
	b.ends, b.start = ends, place[b.start]
}
