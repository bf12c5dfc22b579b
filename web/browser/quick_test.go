package browser

import (
	"fmt"
	"slices"
	"testing"

	"quotient/web"
)

// How long κ takes to answer, in the browser, from the key that moves it to the picture that is
// drawn. The figures are printed, for machines differ; that each move is answered is tested.
func TestHowFastKappaAnswers(t *testing.T) {
	p := open(t, web.Options{}, "")
	var all []float64
	for _, name := range []string{"tomita1", "tomita3", "tomita5", "tomita7", "tomita4-lstm", "tomita6-gru"} {
		p.visit(fmt.Sprintf("?model=zoo:%s&method=fold&kappa=0.05", name))
		p.wait(`document.querySelector("#strip .agree")`)
		get[int](p, `window.took = null; (async () => {
			const took = [];
			const plot = document.getElementById("strip-plot");
			const { on } = await import("./view.js");
			let done = null;
			on("result", () => done?.());
			for (let i = 0; i < 24; i++) {
				const answered = new Promise((f) => (done = f));
				const begin = performance.now();
				plot.dispatchEvent(new KeyboardEvent("keydown", { key: i % 8 < 4 ? "ArrowRight" : "ArrowLeft" }));
				await answered;
				took.push(performance.now() - begin);
			}
			window.took = took;
		})(); 0`)
		p.wait(`window.took`)
		took := get[[]float64](p, `window.took`)
		if len(took) != 24 {
			t.Errorf("%s: %d of 24 moves are answered", name, len(took))
		}
		slices.Sort(took)
		t.Logf("%-14s median %.0f ms, slowest %.0f ms", name, took[len(took)/2], took[len(took)-1])
		all = append(all, took...)
	}
	slices.Sort(all)
	t.Logf("κ answers in %.0f ms at the median of %d moves, 95%% within %.0f ms", all[len(all)/2], len(all), all[len(all)*95/100])
}
