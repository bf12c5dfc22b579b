package browser

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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
	p := open(t, web.Options{}, "?model=zoo:tomita7&method=explore")
	p.wait(`document.querySelectorAll("#strip-plot .choice").length > 1`)
	p.shot("front")
	want := get[int](p, `Number(document.querySelector("#strip-plot .choice").dataset.states)`)
	get[int](p, `document.querySelector("#strip-plot .choice").dispatchEvent(new MouseEvent("click", {bubbles: true})); 0`)
	p.wait(`document.querySelector("#strip-plot .choice.here") && parseInt(document.getElementById("size").textContent) === ` + itoa(want))
	if !strings.Contains(get[string](p, `location.search`), "states="+itoa(want)) {
		t.Error("the address does not have the choice")
	}
	p.shot("chosen")
	p.click("#why button")
	p.wait(`!location.search.includes("states=")`)
}

// While training is replayed, headline, slider and expression are of the same epoch.
func TestOneMoment(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&tab=training&method=fold")
	p.wait(`document.querySelectorAll("#charts .tick").length > 5`)
	get[int](p, `window.odd = []; window.watch = setInterval(() => {
		const shown = document.getElementById("epoch-value").textContent.split(" ")[0];
		const asked = new URLSearchParams(location.search).get("model")?.split("@")[1];
		if (!document.getElementById("stage").classList.contains("waiting") && asked && shown !== asked) window.odd.push(shown + " for " + asked);
	}, 40); document.getElementById("epoch-play").click(); 0`)
	p.wait(`document.getElementById("epoch-play").textContent === "Play" && location.search.includes("%40")`)
	p.wait(`!document.getElementById("stage").classList.contains("waiting")`)
	p.shot("training")
	if odd := get[[]string](p, `window.odd`); len(odd) > 2 {
		t.Errorf("the page told of two epochs at once: %v", odd)
	}
}
