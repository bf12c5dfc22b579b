package paper

import (
	"bytes"
	"context"
	"fmt"
	"html/template"

	"quotient/automaton"
	"quotient/draw"
	"quotient/internal/text"
	"quotient/language"
	"quotient/merge"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/word"
)

// kappaWords are the words of the tree in the paper's picture, read off its edges.
var kappaWords = []string{"ababababab", "abaababaab", "bbabbbbbba"}

// kappas are those of the paper's picture, with the numbers of states that it
// shows; 0 stands for the tree itself.
var kappas = []struct {
	kappa     float64
	published int
}{{0, 28}, {0.5, 2}, {0.4, 4}, {0.01, 11}}

// kappaExhibit shows what kappa does to the tree of three words, on Tomita 2. All
// automata in the paper's picture are deterministic, as the rule of its code makes
// them; so that rule is used.
func kappaExhibit(nets Networks) exhibit {
	return exhibit{
		Name:  "kappa",
		Title: "The effect of κ on Tomita 2",
		About: "The prefix tree of three words and the automata that merging makes of it, before minimization. The paper finds " +
			"that κ = 0.5 merges too much, leaving two states that accept the empty word alone; that κ = 0.4 is almost minimal; and " +
			"that κ = 0.01 gives a correct but redundant automaton of 11 states. The words are the paper's own, read off its picture.",
		show: func(Results) (shown, error) { return showKappa(nets) },
	}
}

func showKappa(nets Networks) (shown, error) {
	out := shown{records: [][]string{{"kappa", "merged_states", "published_states", "minimal_states", "exact"}}}
	net, err := nets.Open("tomita2", 0)
	if err != nil {
		return shown{}, err
	}
	tree, err := kappaTree(net)
	if err != nil {
		return shown{}, err
	}
	loaded, err := language.Load(language.Options{Symbols: net.Alphabet().Names()}, "tomita2")
	if err != nil {
		return shown{}, err
	}
	target := automaton.Minimize(loaded[0])
	for _, k := range kappas {
		d, caption := tree.DFA(), "prefix tree"
		if k.kappa > 0 {
			caption = fmt.Sprintf("κ = %g", k.kappa)
			if d, err = mergedAt(tree, k.kappa); err != nil {
				return shown{}, err
			}
		}
		var svg bytes.Buffer
		if err := draw.Automaton(&svg, d, draw.Options{Title: "Tomita 2, " + caption}); err != nil {
			return shown{}, err
		}
		small := automaton.Minimize(d)
		caption = fmt.Sprintf("%s: %d states, in the paper %d", caption, d.Len(), k.published)
		name := fmt.Sprintf("kappa-%g", k.kappa)
		if k.kappa == 0 {
			name = "kappa-tree"
		}
		out.Pictures = append(out.Pictures, picture{name, caption, template.HTML(svg.String())})
		out.records = append(out.records, []string{
			fmt.Sprint(k.kappa), fmt.Sprint(d.Len()), fmt.Sprint(k.published), fmt.Sprint(small.Len()), fmt.Sprint(small.Equal(target)),
		})
		verdict := "not the language"
		if small.Equal(target) {
			verdict = "exactly (ab)*"
		}
		if k.kappa > 0 {
			out.Sentences = append(out.Sentences, fmt.Sprintf("κ = %g leaves %s (the paper's picture shows %d); minimized, %s: %s.",
				k.kappa, text.Plural(d.Len(), "state"), k.published, text.Plural(small.Len(), "state"), verdict))
		}
	}
	return out, nil
}

func kappaTree(net oracle.Stepper) (*prefix.Tree, error) {
	var words []word.Word
	for _, text := range kappaWords {
		w, err := net.Alphabet().Parse(text)
		if err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return prefix.Build(oracle.Ask(context.Background(), net), words)
}

// mergedAt merges the tree as the paper's code does.
func mergedAt(tree *prefix.Tree, kappa float64) (*automaton.DFA, error) {
	nodes, err := merge.Enumerate(tree, merge.Released, nil)
	if err != nil {
		return nil, err
	}
	n := merge.Replay(tree, merge.Keep, merge.Log(context.Background(), tree, merge.How{Rule: merge.Keep, Kappa: kappa, Order: merge.Released}, nodes))
	d, err := automaton.Determinize(n, automaton.DefaultLimit)
	if err != nil {
		return nil, err
	}
	return automaton.Trim(d), nil
}
