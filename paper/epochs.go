package paper

import (
	"fmt"
	"slices"
	"strings"

	"quotient/draw"
	"quotient/internal/text"
	"quotient/sweep/plan"
)

// sizes shows how automata shrink over the epochs.
func sizes(nets Networks) exhibit {
	return exhibit{
		Name:  "epochs",
		Title: "Implicit merging: sizes over the epochs",
		About: "States after merging and after minimization, for the network after every epoch: medians of 5 samples of 300 strings, with " +
			"quartiles. In the paper the merged size tends to fall with training for Tomita 1 to 6, and the minimized size reaches the smallest " +
			"possible for all but Tomita 7, which gets there for 3 samples of 5. With κ auto the merged size says little, since κ differs from epoch to epoch; " +
			"so it is shown for κ = 0.01 alone.",
		cases: tableCases(nets.Epochs, curveSettings...),
		show: func(r Results) (shown, error) {
			var out shown
			var mergedPlots, minimized []draw.Plot
			for i, l := range Languages {
				at := func(s setting) func(int) []Case { return func(e int) []Case { return s.table(l, e) } }
				m := draw.Plot{Title: title(l), X: epochsAxis, Y: draw.Axis{Label: "states, merged", Log: true}}
				m.Series = append(m.Series, r.line(keep.String(), nets.Epochs, at(keep), merged, medianAndQuartiles))
				q := draw.Plot{Title: title(l), X: epochsAxis, Y: draw.Axis{Label: "states, minimized", Log: true}}
				for _, s := range curveSettings {
					q.Series = append(q.Series, r.line(s.String(), nets.Epochs, at(s), states, medianAndQuartiles))
				}
				q.Series = append(q.Series, level("smallest possible", nets.Epochs, float64(smallest[i])))
				mergedPlots, minimized = append(mergedPlots, m), append(minimized, q)
			}
			out.Sentences = append(sizeSentences(r, nets), exactSentences(r, nets)...)
			out.Pictures = []picture{
				plots("epochs-merged", "States after merging over the epochs", 4, mergedPlots),
				plots("epochs-minimized", "States of the minimal automaton over the epochs", 4, minimized),
			}
			return out, nil
		},
	}
}

// sizeSentences say where the merged size falls from the first epoch to the last.
func sizeSentences(r Results, nets Networks) []string {
	first, last := nets.Epochs[0], nets.Epochs[len(nets.Epochs)-1]
	var down, up []string
	for _, l := range Languages {
		size := func(e int) float64 {
			return median(r.of(keep.table(l, e)), merged)
		}
		a, b := size(first), size(last)
		text := fmt.Sprintf("%s (%g to %g)", title(l), a, b)
		if b < a {
			down = append(down, text)
		} else {
			up = append(up, text)
		}
	}
	var out []string
	if len(down) > 0 {
		out = append(out, fmt.Sprintf("The median merged size at κ = 0.01 falls from epoch %d to %d for %s.", first, last, text.Join(down)))
	}
	if len(up) > 0 {
		out = append(out, fmt.Sprintf("It does not fall for %s.", text.Join(up)))
	}
	return out
}

// exactSentences count exact recoveries over all epochs, and those at which the
// network gets all held-out words right.
func exactSentences(r Results, nets Networks) []string {
	var out []string
	for _, s := range curveSettings {
		var all, allExact, right, rightExact int
		var missed []string
		for _, l := range Languages {
			var n, of int
			for _, e := range nets.Epochs {
				outcomes := r.of(s.table(l, e))
				all, allExact = all+len(outcomes), allExact+exact(outcomes)
				if outcomes[0].Network == 1 {
					n, of = n+exact(outcomes), of+len(outcomes)
				}
			}
			right, rightExact = right+of, rightExact+n
			if n < of {
				missed = append(missed, fmt.Sprintf("%s %d of %d", title(l), n, of))
			}
		}
		text := fmt.Sprintf("%s is exactly the language for %d of %d samples over all epochs, and for %d of %d where the network itself gets all held-out words right",
			s, allExact, all, rightExact, right)
		if len(missed) > 0 {
			text += " (" + strings.Join(missed, ", ") + ")"
		}
		out = append(out, text+".")
	}
	return out
}

// growth shows the norm of the parameters and how saturated the states are.
func growth(nets Networks) exhibit {
	epochs := nets.Epochs
	return exhibit{
		Name:  "norm",
		Title: "Norm and saturation over the epochs",
		About: "The Euclidean norm of all parameters, and the mean distance of normalized states from their normalized signs, the ε of the paper's " +
			"proposition; the shaded band are the quartiles over 5 samples. The paper explains implicit merging by networks that become saturated as their norm grows, “which " +
			"we find to hold for our RNNs”, without a figure.",
		cases: tableCases(epochs, keep),
		show: func(r Results) (shown, error) {
			norm := draw.Plot{Title: "Norm of the parameters", X: epochsAxis, Y: draw.Axis{Label: "norm"}}
			sat := draw.Plot{Title: "Distance from saturation", X: epochsAxis, Y: draw.Axis{Label: "mean ε"}}
			var grows, falls int
			var ends []float64 // of the saturation
			for _, l := range Languages {
				at := func(e int) []Case { return keep.table(l, e) }
				n := r.line(title(l), epochs, at, func(o *plan.Outcome) float64 { return o.Norm }, medianAndQuartiles)
				n.Low, n.High = nil, nil // one network, one norm
				s := r.line(title(l), epochs, at, func(o *plan.Outcome) float64 { return o.Saturation }, medianAndQuartiles)
				norm.Series, sat.Series = append(norm.Series, n), append(sat.Series, s)
				end := len(epochs) - 1
				if n.Y[end] > n.Y[0] {
					grows++
				}
				if s.Y[end] < s.Y[0] {
					falls++
				}
				ends = append(ends, s.Y[end])
			}
			first, last := epochs[0], epochs[len(epochs)-1]
			out := shown{Sentences: []string{
				fmt.Sprintf("From epoch %d to %d the norm grows for %d of %d languages, and the states come closer to their signs for %d.",
					first, last, grows, len(Languages), falls),
				fmt.Sprintf("The proposition needs ε < 1/√d, which is 0.1 for the paper's 100 dimensions; at the last epoch the mean is %.3f to %.3f.", slices.Min(ends), slices.Max(ends)),
			}}
			out.Pictures = []picture{plots("norm", "Norm and saturation over the epochs", 2, []draw.Plot{norm, sat})}
			return out, nil
		},
	}
}
