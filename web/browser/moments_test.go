package browser

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quotient/web"
)

// A server that is killed and comes back leaves the last picture, says so, and is asked again.
func TestServerDiesAndReturns(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&kappa=0.5")
	p.allowed = "ERR_" // the browser itself tells of connections that fail
	address := p.server.Listener.Addr().String()
	handler := p.server.Config.Handler
	p.server.CloseClientConnections()
	p.server.Close()
	get[int](p, `document.getElementById("seed").value = "2"; document.getElementById("seed").dispatchEvent(new Event("input")); 0`)
	p.wait(`!document.getElementById("offline").hidden`)
	if n := get[int](p, `document.querySelectorAll("#canvas-a .state").length`); n == 0 {
		t.Error("the last picture is gone")
	}
	p.shot("away")
	p.server = revive(t, address, handler)
	p.wait(`document.getElementById("offline").hidden && !document.getElementById("stage").classList.contains("stale")`)
	if p.states() != 4 {
		t.Errorf("%d states after the server is back", p.states())
	}
}

// revive serves at an address that was given up.
func revive(t *testing.T, address string, handler http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	for range 50 {
		listener, err := listen(address)
		if err == nil {
			s.Listener.Close()
			s.Listener = listener
			s.Start()
			return s
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("nobody can listen on %s", address)
	return nil
}

// What is no kappa is refused beside the field, and changes nothing else.
func TestWrongKappa(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5")
	before := get[string](p, `document.getElementById("size").textContent`)
	get[int](p, `(k => { k.value = "banana"; k.dispatchEvent(new Event("change")) })(document.getElementById("kappa")); 0`)
	p.wait(`document.getElementById("kappa-wrong").textContent !== ""`)
	p.shot("banana")
	if now := get[string](p, `document.getElementById("size").textContent`); now != before {
		t.Errorf("the headline was %q and is %q", before, now)
	}
	if get[string](p, `document.getElementById("kappa").getAttribute("aria-invalid")`) != "true" {
		t.Error("the field is not marked")
	}
}

// Where a word dies there is ∅ at the end of a red edge.
func TestDeathOfAWord(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita2&word=abb")
	p.wait(`document.querySelector(".doom")`)
	if label := get[string](p, `document.querySelector(".doom").getAttribute("aria-label")`); label != "the word dies here, on b" {
		t.Errorf("it says %q", label)
	}
	p.shot("dies")
	get[int](p, `(w => { w.value = "ab"; w.dispatchEvent(new Event("input")) })(document.getElementById("try")); 0`)
	p.wait(`!document.querySelector(".doom")`)
}

// The state at which network and automaton part has a red ring, and it goes with the disagreement.
func TestWhereTheyPart(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7@2&method=fold&kappa=0.5&tab=word")
	p.click("#search")
	p.wait(`document.querySelector("#rows tr.wrong")`)
	p.wait(`document.querySelector("#canvas-a .state.parts")`)
	p.shot("parts")
	want := get[string](p, `document.querySelector("#rows tr.wrong .chip").textContent`)
	ring := get[string](p, `[...document.querySelectorAll("#canvas-a .state.parts")].map(g => g.dataset.name).join()`)
	if ring != want {
		t.Errorf("the ring is around %s, and they part in %s", ring, want)
	}
	const colors = `(() => { const probe = document.body.appendChild(document.createElement("i")); probe.style.color = "var(--bad)"; const bad = getComputedStyle(probe).color; probe.remove(); return getComputedStyle(document.querySelector("#canvas-a .state.parts circle")).stroke === bad })()`
	if !get[bool](p, colors) {
		t.Error("the ring is not red")
	}
	get[int](p, `(w => { w.value = ""; w.dispatchEvent(new Event("input")) })(document.getElementById("try")); 0`)
	p.wait(`document.querySelectorAll("#rows tbody tr").length === 1 && !document.querySelector("#canvas-a .state.parts")`)
}

// The map of all states is one stop of the tab key; arrow keys go through it, and Enter shows a state.
func TestMapByKeyboard(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&view=near&radius=1&method=fold&kappa=0.001&strings=30")
	if stops := get[int](p, `document.querySelectorAll('#minimap [tabindex="0"]').length`); stops != 1 {
		t.Fatalf("the map has %d stops", stops)
	}
	p.do(chromedp.Focus(chromedp.CSS(`#minimap [tabindex="0"]`)), chromedp.KeyEvent(kb.End))
	last := get[string](p, `document.activeElement.dataset.state`)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(`new URLSearchParams(location.search).get("focus") === "` + last + `" && document.querySelector('#minimap .in[data-state="` + last + `"]')`)
	p.wait(`document.activeElement.closest("#minimap") && document.activeElement.dataset.state === "` + last + `"`)
	p.shot("map")
}

// A part of an automaton is said to be one, with a map of all states, and follows the word.
func TestPartOfTheWhole(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&view=near&radius=1&method=fold&kappa=0.001&strings=30")
	size := get[string](p, `document.getElementById("size").firstChild.textContent`)
	if !strings.Contains(size, " of ") {
		t.Fatalf("the headline is %q", size)
	}
	all := get[int](p, `Number(document.getElementById("size").firstChild.textContent.split(" of ")[1].split(" ")[0].replace(",", ""))`)
	if dots := get[int](p, `document.querySelectorAll("#minimap circle").length`); dots != all {
		t.Errorf("%d states on the map of %d", dots, all)
	}
	p.shot("part")
	get[int](p, `(w => { w.value = "aabab"; w.dispatchEvent(new Event("input")) })(document.getElementById("try")); 0`)
	p.wait(`document.querySelector("#canvas-a .state.at")`)
}

// The points of the trade-off are automata that one can have.
func TestTradeoffIsClicked(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5@2&method=explore")
	p.wait(`document.querySelectorAll("#strip-plot .choice").length > 1`)
	p.shot("front")
	const points = `[...document.querySelectorAll("#strip-plot .choice")].map(p => p.dataset.states).join()`
	all := get[string](p, points)
	if get[int](p, `document.querySelectorAll("#strip-plot .nothing:not([role=button])").length`) != 1 {
		t.Error("what no state at all costs is not shown, or can be chosen")
	}
	want := get[int](p, `Number(document.querySelector("#strip-plot .choice").dataset.states)`)
	get[int](p, `document.querySelector("#strip-plot .choice").dispatchEvent(new MouseEvent("click", {bubbles: true})); 0`)
	p.wait(`document.querySelector("#strip-plot .choice.here") && parseInt(document.getElementById("size").textContent) === ` + itoa(want))
	if !strings.Contains(get[string](p, `location.search`), "states="+itoa(want)) {
		t.Error("the address does not have the choice")
	}
	if left := get[string](p, points); left != all {
		t.Errorf("there were automata of %s states to choose from, and are of %s after a choice", all, left)
	}
	p.visit(get[string](p, `location.search`)) // which knows of no larger ones
	p.wait(`document.querySelectorAll("#strip-plot .nothing, #strip-plot .choice.here").length === 2`)
	p.shot("chosen")
	p.click("#why button")
	p.wait(`!location.search.includes("states=")`)
}

// While training is replayed, all that the page tells is of one epoch at every moment: after each
// change of the page it is taken down what it says, and the server is asked afterwards what it
// should have said.
func TestOneMoment(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&tab=training&method=fold")
	p.wait(`document.getElementById("training-state").textContent === "" && document.querySelector("#charts .value")?.textContent.includes("minimized")`)
	get[int](p, watch+`; document.getElementById("epoch-play").click(); 0`)
	p.wait(`document.getElementById("epoch-play").textContent === "Play" && location.search.includes("%40")`)
	p.wait(`!document.getElementById("stage").classList.contains("waiting") && window.settled()`)
	p.shot("training")
	type moment struct{ Epoch, Size, Title, Expression, Kappa, Auto, Chart string }
	seen := get[[]moment](p, `window.moments`)
	get[int](p, truth+`; 0`)
	p.wait(`window.truth.done`)
	want := get[map[string]moment](p, `window.truth.of`)
	epochs, whole := map[string]bool{}, 0
	for _, m := range seen {
		epochs[m.Epoch] = true
		w := want[m.Epoch]
		if m == w {
			whole++
		}
		// What is on its way is not told yet, and nothing in its place.
		if m.Expression == "" {
			w.Expression = ""
		}
		if m.Auto == "" {
			w.Auto = ""
		}
		if m != w {
			t.Errorf("after epoch %s the page told of two moments at once: %+v, and not %+v", m.Epoch, m, w)
		}
	}
	if len(epochs) < 15 || len(seen) < 40 || whole < 20 {
		t.Errorf("only %d moments of %d epochs were seen, %d of them whole", len(seen), len(epochs), whole)
	}
}

// watch takes down what the page says after each of its changes, once a frame: headline, title,
// expression, κ and why, the strip's automatic choice, and the chart's number of states.
const watch = `window.moments = [];
window.settled = () => document.getElementById("expression").textContent !== "" && document.querySelector("#strip line.auto");
(() => {
	const text = (id) => document.getElementById(id)?.textContent ?? "";
	const kappa = () => {
		const [line, svg] = [document.querySelector("#strip line.auto"), document.querySelector("#strip-plot svg")];
		if (!line) return "";
		const share = (line.getAttribute("x1") - 34) / (svg.viewBox.baseVal.width - 76);
		return (10 ** (-3 + share * (Math.log10(2) + 3))).toPrecision(3);
	};
	const moment = () => ({
		epoch: text("epoch-value").split(" ")[0],
		size: text("size").split(" ")[0],
		title: document.title.match(/: ([\d,]+) state/)[1],
		expression: document.querySelector("#expression code")?.textContent ?? "",
		kappa: text("why").split(" ")[1],
		auto: kappa(),
		chart: document.querySelector("#charts .value").textContent.match(/minimized ([\d,]+)/)?.[1] ?? "",
	});
	let due = false;
	const look = () => { due = false; if (!document.getElementById("stage").classList.contains("waiting")) window.moments.push(moment()); };
	new MutationObserver(() => { if (!due) { due = true; requestAnimationFrame(look); } }).observe(document.querySelector("main"), {subtree: true, childList: true, characterData: true});
})()`

// truth asks the server what is right after every epoch.
const truth = `window.truth = {of: {}, done: false};
(async () => {
	const ask = async (what, query) => (await fetch("api/" + what + "?" + query)).json();
	for (const epoch of new Set(window.moments.map((m) => m.epoch))) {
		const query = "method=fold&model=zoo:tomita5@" + epoch;
		const [x, e, s] = [await ask("extract", query), await ask("expression", query), await ask("sweep", query)];
		const size = x.states.toLocaleString("en");
		window.truth.of[epoch] = { epoch, size, title: size, expression: e.expression, kappa: String(Number(x.kappa.toPrecision(3))), auto: s.auto.toPrecision(3), chart: String(x.states) };
	}
	window.truth.done = true;
})()`
