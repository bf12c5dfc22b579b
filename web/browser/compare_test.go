package browser

import (
	"os"
	"strings"
	"testing"

	"quotient/web"
)

// looks keeps pictures of the page on a desk and on a phone, light and dark.
func (p *tab) looks(name string) {
	p.t.Helper()
	for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
		p.size(size[0], size[1])
		p.wait(`innerWidth === ` + itoa(int(size[0])))
		for _, theme := range []string{"light", "dark"} {
			get[int](p, `document.documentElement.dataset.theme = "`+theme+`"; 0`)
			p.shot(name + "-" + itoa(int(size[0])) + "-" + theme)
		}
		if wide := get[bool](p, `document.documentElement.scrollWidth > innerWidth`); wide {
			p.t.Errorf("%s: it is wider than %d", name, size[0])
		}
	}
	get[int](p, `document.documentElement.dataset.theme = "light"; 0`)
	p.size(1440, 900)
}

// Comparing shows a difference: states that stand for each other, both headlines, the word on
// both sides; and it begins with something else than the same.
func TestDifference(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita4")
	p.size(1440, 900)
	p.click("#compare")
	p.wait(`!document.getElementById("difference").hidden && document.getElementById("b-side").textContent.includes("after epoch 1")`)
	if text := get[string](p, `document.getElementById("difference").textContent`); strings.Contains(text, "the same extraction") || !strings.Contains(text, "tells them apart") {
		t.Errorf("it says %q", text)
	}
	p.click("#difference button") // tries the word on both sides
	p.wait(`document.querySelectorAll("#a-side .says, #b-side .says").length === 2`)
	p.wait(`document.querySelectorAll("#canvas-b .state.at, #canvas-b .doom").length > 0`)
	p.looks("epochs")
	p.choose("b-epoch", "")
	p.wait(`document.getElementById("difference").textContent.includes("The same language")`)
	p.wait(`document.querySelectorAll("#canvas-b .differs, #canvas-b .alone, #canvas-b .odd").length === 0`)
	p.choose("b-model", "zoo:tomita6")
	p.wait(`document.getElementById("difference").textContent.includes("only one") || document.getElementById("difference").textContent.includes("tells them apart")`)
	p.wait(`document.querySelectorAll("#canvas-b .differs, #canvas-b .alone").length > 0 && document.querySelectorAll("#canvas-a .differs, #canvas-a .alone").length > 0`)
	p.wait(`!document.getElementById("canvas-a").dataset.moving && !document.getElementById("canvas-b").dataset.moving`)
	p.click(`#canvas-b .state[data-state="1"]`)
	p.wait(`document.querySelector('#canvas-a .state.selected[data-state="1"]') && document.querySelector('#canvas-b .state.selected[data-state="1"]')`)
	p.shot("networks")
	p.visit("?model=zoo:tomita4&method=fold&b.model=zoo:tomita4&b.method=fold")
	p.wait(`document.getElementById("difference").textContent.includes("the same extraction")`)
}

// Of a network of which only one epoch is there, the other side is another method.
func TestCompareMethods(t *testing.T) {
	network, err := os.ReadFile("../../model/testdata/tomita4.pt")
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, web.Options{}, "")
	p.size(1440, 900)
	p.drop(map[string][]byte{"net.pt": network, "vocab.json": []byte(`{"a": 0, "b": 1, "<bos>": 2}`)})
	p.wait(`document.getElementById("badge").textContent.includes("GRU, 12 units") && document.getElementById("size").textContent.startsWith("3 states")`)
	p.click("#compare")
	p.wait(`document.getElementById("difference").textContent.includes("The same language")`)
	if a, b := get[string](p, `document.getElementById("a-side").textContent`), get[string](p, `document.getElementById("b-side").textContent`); a == b {
		t.Errorf("both sides are %s", a)
	}
	p.shot("methods")
}
