package oracle

import "quotient/word"

// A speech has words of its own for what an oracle reads: each symbol stands for one of the oracle's.
type speech struct {
	alphabet *word.Alphabet
	means    []word.Symbol // the oracle's, for each
}

// Over returns an inquiry whose words are over some of the oracle's symbols: its symbol i is the oracle's
// of[i], and has the same name. No symbol is given twice. It is for recognizers, whose answers do not
// speak of symbols.
func (q *Inquiry) Over(of []word.Symbol) *Inquiry {
	p := *q
	p.speech = &speech{q.Alphabet().Of(of), q.speech.symbols(of)}
	if p.known != nil {
		p.known = map[string]float32{} // other words have the same numbers
	}
	return &p
}

// symbols returns what the oracle reads for some symbols.
func (v *speech) symbols(on []word.Symbol) []word.Symbol {
	if v == nil {
		return on
	}
	return word.Word(on).Through(v.means)
}

// words returns what it reads for some words.
func (v *speech) words(words []word.Word) []word.Word {
	if v == nil {
		return words
	}
	said := make([]word.Word, len(words))
	for i, w := range words {
		said[i] = w.Through(v.means)
	}
	return said
}
