package explore

import (
	"quotient/automaton"
	"quotient/oracle"
	"quotient/word"
)

// symbols says which symbols the network takes for one another, wherever they stand. An alphabet of 64 symbols often is
// one of four: those that a language is about, and all others. A search that knows this has to follow four symbols from
// each state, not 64, and nothing that the network does by chance after one of them leads it astray.
//
// Words that judge are over all symbols, so what is wrong about this shows. Nil says that none are alike.
type symbols struct {
	alphabet *word.Alphabet // of all
	class    []word.Symbol  // of each symbol
	member   []word.Symbol  // of each class, that stands for it
}

// over returns an inquiry whose symbols are the classes.
func (y *symbols) over(q *oracle.Inquiry) *oracle.Inquiry {
	if y == nil {
		return q
	}
	return q.Over(y.member)
}

// reduced returns a word as one of classes.
func (y *symbols) reduced(w word.Word) word.Word {
	if y == nil {
		return w
	}
	return w.Through(y.class)
}

// speak returns a word of classes as one of the symbols that stand for them.
func (y *symbols) speak(w word.Word) word.Word {
	if y == nil {
		return w
	}
	return w.Through(y.member)
}

// reduce returns words as words of classes.
func (y *symbols) reduce(words []word.Word) []word.Word {
	if y == nil {
		return words
	}
	list := make([]word.Word, len(words))
	for i, w := range words {
		list[i] = y.reduced(w)
	}
	return list
}

// plain returns words with every symbol replaced by that which stands for it.
func (y *symbols) plain(words []word.Word) []word.Word {
	if y == nil {
		return words
	}
	list := y.reduce(words)
	for i, w := range list {
		list[i] = y.speak(w)
	}
	return list
}

// reducedDFA returns an automaton over classes, given one over all symbols: that by those which stand for them.
func (y *symbols) reducedDFA(d *automaton.DFA) *automaton.DFA {
	if y == nil {
		return d
	}
	e := automaton.NewDFA(y.alphabet.Of(y.member), d.Len())
	e.Start = d.Start
	copy(e.Accept, d.Accept)
	for i := len(y.member); i < len(e.Table); i++ {
		e.Table[i] = d.Next(automaton.State(i/len(y.member)), y.member[i%len(y.member)])
	}
	return e
}

// tell returns an automaton over all symbols, given one over classes.
func (y *symbols) tell(d *automaton.DFA) *automaton.DFA {
	if y == nil {
		return d
	}
	e := automaton.NewDFA(y.alphabet, d.Len())
	e.Start = d.Start
	copy(e.Accept, d.Accept)
	k := y.alphabet.Len()
	for i := k; i < len(e.Table); i++ {
		e.Table[i] = d.Next(automaton.State(i/k), y.class[i%k])
	}
	return e
}
