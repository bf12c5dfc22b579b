package codec

import (
	"bufio"
	"fmt"

	"quotient/automaton"
)

// The Python writer turns an automaton into a module with a function accepts
// that decides its language, from the table of the minimal automaton and without
// imports.
var pythonFormat = Format{
	Name:          "python",
	Extensions:    []string{".py"},
	Doc:           "a Python function that decides the language; write-only",
	Deterministic: true,
	write:         writePython,
}

func writePython(w *bufio.Writer, n *automaton.NFA) error {
	d, err := minimal(n)
	if err != nil {
		return err
	}
	w.WriteString("\"\"\"Decides a regular language. Written by quotient.\"\"\"\n\n")
	w.WriteString("# The columns of NEXT, by the names of the symbols.\nSYMBOLS = {\n")
	for s, name := range d.Alphabet.Names() {
		// What %q writes means the same in Python.
		fmt.Fprintf(w, "    %q: %d,\n", name, s)
	}
	fmt.Fprintf(w, "}\n\nSTART = %d\n\n# The accepting states; nothing is accepted from state 0.\nACCEPT = frozenset((\n", d.Start)
	for q, accept := range d.Accept {
		if accept {
			fmt.Fprintf(w, "    %d,\n", q)
		}
	}
	w.WriteString("))\n\n# The successors of every state, one for each symbol.\nNEXT = (\n")
	for q := range d.Accept {
		w.WriteString("    (")
		for s, to := range d.Row(automaton.State(q)) {
			if s > 0 {
				w.WriteString(" ")
			}
			fmt.Fprintf(w, "%d,", to)
		}
		w.WriteString("),\n")
	}
	w.WriteString(")\n\n\n")
	if letters(d.Alphabet) {
		w.WriteString(`def accepts(word):
    """Returns whether a word is in the language.

    The word is a string, or a sequence of symbol names. A word with a symbol
    that is not in the alphabet is not in the language.
    """
`)
	} else {
		w.WriteString(`def accepts(word):
    """Returns whether a word, a sequence of symbol names, is in the language.

    A word with a symbol that is not in the alphabet is not.
    """
    if isinstance(word, str):
        raise TypeError("the word must be a sequence of symbol names, not a string")
`)
	}
	_, err = w.WriteString(`    state = START
    for name in word:
        symbol = SYMBOLS.get(name)
        if symbol is None:
            return False
        state = NEXT[state][symbol]
    return state in ACCEPT
`)
	return err
}
