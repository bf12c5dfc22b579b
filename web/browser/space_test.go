package browser

import (
	"strings"
	"testing"

	"quotient/web"
)

// The plane has one scale in both directions, names at the states' points, and a merge is two
// points and their cosine.
func TestSpaceShowsMerges(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita3&method=fold&tab=space&strings=200")
	p.size(1440, 900)
	p.wait(`!document.getElementById("space-merges").hidden`)
	get[int](p, `window.texts = []; CanvasRenderingContext2D.prototype.fillText = (f => function (text, x, y) { window.texts.push(text); f.call(this, text, x, y) })(CanvasRenderingContext2D.prototype.fillText);
		window.arcs = []; CanvasRenderingContext2D.prototype.arc = (f => function (x, y, ...rest) { window.arcs.push([x, y]); f.call(this, x, y, ...rest) })(CanvasRenderingContext2D.prototype.arc); 0`)
	get[int](p, `(e => { e.value = 40; e.dispatchEvent(new Event("input")) })(document.getElementById("space-step")); 0`)
	p.wait(`/^40 of .* goes into .*, cosine 0\.\d+/.test(document.getElementById("space-merge").textContent)`)
	texts := get[string](p, `window.texts.join(" ")`)
	if !strings.Contains(texts, "q0") || !strings.Contains(texts, "cos 0.") {
		t.Errorf("the plane says %q", texts)
	}
	get[int](p, `(async () => { const v = await (await fetch("api/points" + location.search)).json(); const a = window.arcs.slice(0, v.x.length); const span = l => Math.max(...l) - Math.min(...l);
		window.ratio = (span(a.map(p => p[0])) / span(v.x)) / (span(a.map(p => p[1])) / span(v.y)) })(); 0`)
	p.wait(`window.ratio`)
	if r := get[float64](p, `window.ratio`); r < 0.999 || r > 1.001 {
		t.Errorf("the directions have scales in a ratio of %v", r)
	}
	p.looks("space")
	if !strings.Contains(get[string](p, `location.search`), "step=40") {
		t.Error("the link does not have the merge")
	}
}
