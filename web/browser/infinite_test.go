package browser

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quotient/web"
)

// formats fetches all files that can be taken, and returns what each begins with.
func (p *tab) formats() map[string]string {
	p.t.Helper()
	p.click("#take")
	p.wait(`document.getElementById("take-dialog").open`)
	get[int](p, `(async () => { const all = {}; for (const a of document.querySelectorAll("#files a")) { const r = await fetch(a.href); all[a.textContent] = r.status + " " + (await r.text()).slice(0, 40) } window.all = all })(); 0`)
	p.wait(`window.all`)
	p.click("#take-dialog .close")
	return get[map[string]string](p, `window.all`)
}

// An automaton with a counter is a full citizen: words with the counter's value, agreement,
// states, the plane, files.
func TestCounter(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:anbn-lstm&method=counter&word=aaabb")
	p.size(1440, 900)
	if size := get[string](p, `document.getElementById("size").textContent`); !strings.Contains(size, "and a counter") {
		t.Errorf("the headline is %q", size)
	}
	p.wait(`document.getElementById("canvas-a").textContent.includes("≠0 / −1")`)
	p.wait(`document.querySelectorAll("#rows tbody tr").length === 6`)
	if counters := get[string](p, `[...document.querySelectorAll("#rows .counter")].map(e => e.textContent.trim()).join(" ")`); counters != "0 1 2 3 2 1" {
		t.Errorf("the counter goes %s", counters)
	}
	p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0 && document.getElementById("certificate").textContent.includes("With confidence 99%")`)
	p.looks("counter")
	for format, text := range p.formats() {
		if !strings.HasPrefix(text, "200 ") {
			t.Errorf("%s: %s", format, text)
		}
	}
	p.click("#search")
	p.wait(`/found after|none among/.test(document.getElementById("search-state").textContent)`)
	p.click("#tab-states")
	p.wait(`document.querySelector("#state-table").textContent.includes("+1")`)
	p.shot("states")
	p.click("#tab-space")
	p.wait(`document.getElementById("scatter-note").textContent.includes("principal components")`)
	p.click("#verdict button.link") // the nearest finite one
	p.wait(`location.search.includes("method=explore") && !document.getElementById("size").textContent.includes("counter")`)
	p.wait(`document.querySelector("#verdict .hint button")`)
	p.shot("suggests")
	p.click("#verdict .hint button") // it counts
	p.wait(`document.getElementById("size").textContent.includes("and a counter")`)
}

// spiral returns the file of a network that no automaton is: symbols push a point one way or the other while it
// spirals inward, and which side of a line it is on is the answer.
func spiral(t *testing.T) []byte {
	t.Helper()
	weights := []struct {
		name    string
		shape   []int
		numbers []float32
	}{
		{"rnn.weight_ih_l0", []int{2, 2}, []float32{0.3, -0.3, 0.2, -0.1}},
		{"rnn.weight_hh_l0", []int{2, 2}, []float32{0.9, -0.3, 0.3, 0.9}},
		{"rnn.bias_ih_l0", []int{2}, []float32{0, 0}},
		{"rnn.bias_hh_l0", []int{2}, []float32{0, 0}},
		{"fc.weight", []int{1, 2}, []float32{10, 3}},
		{"fc.bias", []int{1}, []float32{-0.37}},
	}
	head, data := map[string]any{}, []byte{}
	for _, w := range weights {
		from := len(data)
		data, _ = binary.Append(data, binary.LittleEndian, w.numbers)
		head[w.name] = map[string]any{"dtype": "F32", "shape": w.shape, "data_offsets": []int{from, len(data)}}
	}
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

// A network that is no automaton says so, and what each size costs; each of them can be had.
func TestNoAutomaton(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.size(1440, 900)
	p.drop(map[string][]byte{"spiral.safetensors": spiral(t), "vocab.json": []byte(`{"a": 0, "b": 1}`)})
	p.wait(`/^no automaton: the best of up to \d+ states is wrong on [\d.]+% of words drawn for it or for the best one/.test(document.querySelector("#verdict .front")?.textContent) && document.querySelectorAll("#strip-plot .choice").length > 5 && document.getElementById("strip-caption").textContent.includes("every size")`)
	p.looks("front")
	const points = `document.querySelectorAll("#strip-plot .choice").length`
	all := get[int](p, points)
	get[int](p, `document.querySelector('#strip-plot .choice[data-states="4"]').dispatchEvent(new MouseEvent("click", {bubbles: true})); 0`)
	p.wait(`location.search.includes("states=4") && document.querySelector('#strip-plot .choice.here[data-states="4"]') && document.getElementById("size").textContent.startsWith("4 states")`)
	if n := get[int](p, points); n != all {
		t.Errorf("there were %d automata to choose from, and are %d after a choice", all, n)
	}
	p.choose("model", "zoo:tomita6") // for which nobody asked for a size
	p.wait(`document.getElementById("verdict").textContent.includes("exactly tomita6") && !location.search.includes("states=")`)
}

// A weighted automaton, too.
func TestWeighted(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:dyck1-lstm&method=spectral&word=(())")
	p.size(1440, 900)
	p.click("#verdict button.link") // the weighted automaton that the finite one was made of
	p.wait(`location.search.includes("as=weighted") && document.getElementById("size").textContent.includes("weights")`)
	if size := get[string](p, `document.getElementById("size").textContent`); !strings.Contains(size, "with weights") {
		t.Fatalf("the headline is %q", size)
	}
	p.wait(`document.querySelectorAll("#rows tbody tr").length === 5`)
	if head := get[string](p, `document.querySelector("#rows thead").textContent`); !strings.Contains(head, "value") {
		t.Errorf("the table has %s", head)
	}
	p.wait(`document.getElementById("certificate").textContent.includes("With confidence 99%")`)
	p.looks("weighted")
	all := p.formats()
	if len(all) != 4 || !strings.Contains(all["json"], "200") {
		t.Errorf("the files are %s", fmt.Sprint(all))
	}
}
