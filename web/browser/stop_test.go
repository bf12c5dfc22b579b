package browser

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"quotient/web"
)

// hold lets extractions from some networks take until they are given up, as long as it is true.
func (p *tab) hold(models ...string) *atomic.Bool {
	held, next := new(atomic.Bool), p.server.Config.Handler
	held.Store(true)
	p.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !held.Load() || r.URL.Path != "/api/extract" || !strings.Contains(strings.Join(models, " "), r.URL.Query().Get("model")) {
			next.ServeHTTP(w, r)
			return
		}
		io.WriteString(w, `{"progress": {"seconds": 1}}`+"\n")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	return held
}

// Who stops the extraction from a network that was just picked can go on, and meanwhile words are
// checked against its own symbols.
func TestStop(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&method=fold")
	held := p.hold("zoo:dyck1-lstm")
	p.choose("model", "zoo:dyck1-lstm")
	p.wait(`document.getElementById("verdict").textContent.startsWith("extracting: 1 second") && document.getElementById("badge").textContent.includes("LSTM")`)
	p.do(chromedp.SendKeys(chromedp.CSS("#try"), "(a"))
	p.wait(`document.getElementById("try").validationMessage === "a is no symbol; there are (, )"`)
	p.do(chromedp.SendKeys(chromedp.CSS("#try"), "\b)"))
	p.wait(`document.getElementById("try").value === "()" && document.getElementById("try").validity.valid`)
	p.click("#verdict button")
	p.wait(`document.getElementById("verdict").textContent === "stopped · Extract again"`)
	p.shot("stopped")
	if said := get[string](p, `document.getElementById("certificate").textContent`); said != "" {
		t.Errorf("beside no automaton there is a certificate: %s", said)
	}
	held.Store(false)
	p.click("#verdict button")
	p.wait(`document.getElementById("verdict").textContent.includes("dyck1") && document.querySelectorAll("#rows tbody tr").length === 3`)
}

// An extraction that makes way for another is not said to be stopped.
func TestMakeWay(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&method=fold")
	p.hold("zoo:tomita4")
	get[int](p, `window.said = ""; new MutationObserver(() => window.said += document.getElementById("verdict").textContent).observe(document.getElementById("verdict"), { childList: true }); 0`)
	p.choose("model", "zoo:tomita4")
	p.wait(`document.getElementById("verdict").textContent.startsWith("extracting: 1 second")`)
	p.choose("model", "zoo:tomita3")
	p.wait(`document.getElementById("verdict").textContent.includes("exactly tomita3")`)
	if said := get[string](p, `window.said`); strings.Contains(said, "stopped") {
		t.Errorf("it said %q", said)
	}
}
