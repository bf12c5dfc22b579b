package codec

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"

	"quotient/automaton"
)

// Mermaid (https://mermaid.js.org) draws diagrams from text in web pages and
// READMEs. A flowchart is used, not a state diagram: it alone has double circles
// and labels that may contain anything.
var mermaidFormat = Format{
	Name:       "mermaid",
	Extensions: []string{".mmd", ".mermaid"},
	Doc:        "a Mermaid flowchart, for READMEs and web pages; write-only",
	write:      writeMermaid,
}

func writeMermaid(w *bufio.Writer, n *automaton.NFA) error {
	w.WriteString("flowchart LR\n")
	name := names(n)
	for q := 1; q < len(n.Accept); q++ {
		if n.Accept[q] {
			fmt.Fprintf(w, "    %s(((%s)))\n", name[q], name[q])
		} else {
			fmt.Fprintf(w, "    %s((%s))\n", name[q], name[q])
		}
	}
	for i, q := range n.Start {
		fmt.Fprintf(w, "    start%d[ ]:::start --> %s\n", i, name[q])
	}
	for _, b := range bundles(n) {
		fmt.Fprintf(w, "    %s -->|\"%s\"| %s\n", name[b.from], quoteMermaid(label(n.Alphabet, b.on)), name[b.to])
	}
	_, err := w.WriteString("    classDef start fill:none,stroke:none\n")
	return err
}

// quoteMermaid writes everything but letters, digits, commas and spaces as a
// character code (#35; is a #): what stands in a label can otherwise be HTML,
// Markdown, a list, or the end of the label.
func quoteMermaid(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ',' || r == ' ' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
