package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quotient/automaton"
	"quotient/train"
	"quotient/web"
	"quotient/word"
	"quotient/zoo"
)

func TestLoad(t *testing.T) {
	p := open(t, web.Options{Version: "test"}, "")
	if n := p.states(); n != 4 {
		t.Errorf("%d states of tomita5", n)
	}
	if n := get[int](p, `document.querySelectorAll("#canvas-a .state").length`); n != 4 {
		t.Errorf("%d states are drawn", n)
	}
	p.wait(`document.getElementById("badge").textContent.includes("ELMAN, 100 units")`)
	p.wait(`document.getElementById("certificate").textContent.includes("With confidence 99%")`)
	p.wait(`document.querySelector("#strip .agree")`)
	p.shot("light")
}

// The picture in the documents: copy it to docs/explorer.png when the page changes.
func TestPicture(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.do(chromedp.EmulateViewport(1280, 760, chromedp.EmulateScale(1.25)))
	p.visit("?model=zoo:tomita4@2&word=abbbbbaaa&method=fold&kappa=0.5")
	p.wait(`document.querySelector("#strip .agree") && document.getElementById("certificate").textContent.includes("With confidence")`)
	p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0`)
	p.shot("page")
}

func TestPickANetwork(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.choose("model", "zoo:tomita3-lstm")
	p.wait(`document.getElementById("badge").textContent.includes("LSTM")`)
	p.wait(`document.getElementById("verdict").textContent.includes("exactly tomita3")`)
	if at := get[string](p, `location.search`); !strings.Contains(at, "model=zoo%3Atomita3-lstm") {
		t.Errorf("the address says %q", at)
	}
	for name, words := range map[string]string{"tomita1": "only a's", "tomita2": "ab repeated", "tomita4": "no three a's in a row"} {
		p.choose("model", "zoo:"+name)
		p.wait(fmt.Sprintf(`document.getElementById("verdict").textContent.includes("exactly %s (%s)")`, name, words))
	}
}

func TestRunsUnderAFolder(t *testing.T) {
	folder := t.TempDir()
	s := train.Quick
	s.Language, s.Hidden, s.Epochs, s.Strings, s.Length, s.DevStrings, s.LongStrings = "ab", 8, 2, 64, 6, 8, 8
	d := automaton.NewDFA(word.Letters("ab"), 1)
	d.Accept[1] = true
	d.SetNext(1, 0, 1)
	run, err := train.Create(filepath.Join(folder, "mine"), s, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Train(context.Background(), train.Options{}); err != nil {
		t.Fatal(err)
	}
	p := open(t, web.Options{Dir: folder}, "?model=run:mine&strings=50&length=6")
	p.wait(`document.getElementById("badge").textContent.includes("8 units")`)
	if text := get[string](p, `document.getElementById("model").selectedOptions[0].parentNode.label`); text != "training runs" {
		t.Errorf("it is listed under %q", text)
	}
}

// Moving kappa with the mouse redraws with fewer states, and the keyboard moves it
// too.
func TestMoveKappa(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7@1&method=union&kappa=0.005")
	before := p.states()
	p.wait(`document.querySelector("#strip .count")`)
	box := get[[]float64](p, `(r => [r.x, r.y, r.width, r.height])(document.getElementById("strip-plot").getBoundingClientRect())`)
	y := box[1] + box[3]/2
	p.do(chromedp.DragAndDropXY(box[0]+box[2]*0.2, y, box[0]+box[2]*0.75, y))
	p.wait(`Number(new URLSearchParams(location.search).get("kappa")) > 0.1`)
	p.wait(fmt.Sprintf(`parseInt(document.getElementById("size").textContent) < %d`, before))
	after := p.states()
	p.shot("moved")
	p.do(chromedp.Focus(chromedp.CSS("#strip-plot")), chromedp.KeyEvent(kb.Home))
	p.wait(fmt.Sprintf(`parseInt(document.getElementById("size").textContent) > %d`, after))
	if auto := get[bool](p, `document.getElementById("auto").checked`); auto {
		t.Error("kappa was moved and still counts as automatic")
	}
	p.click("#auto")
	p.wait(`document.getElementById("why").textContent.includes("agrees with the network")`)
}

func TestTryAWord(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.do(chromedp.SendKeys(chromedp.CSS("#try"), "abba"))
	p.wait(`document.querySelectorAll("#rows tbody tr").length === 5`)
	p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0`)
	if text := get[string](p, `document.querySelector("#rows tbody tr:last-child").innerText`); !strings.Contains(text, "yes") {
		t.Errorf("abba: %q", text)
	}
	p.click("#canvas-a .state") // highlights its rows
	p.wait(`document.querySelectorAll("#rows tr.selected").length === 2`)
	p.shot("path")
	p.do(chromedp.SendKeys(chromedp.CSS("#try"), "x"))
	p.wait(`document.getElementById("try").getAttribute("aria-invalid") === "true"`)
}

func TestFindADisagreement(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7@2&method=union&kappa=0.9")
	p.click("#search")
	p.wait(`document.querySelectorAll("#rows tr.wrong").length > 0`)
	p.wait(`document.getElementById("search-state").textContent.startsWith("found after")`)
	p.shot("found")
	p.visit("?model=zoo:tomita1")
	p.click("#search")
	p.wait(`document.getElementById("search-state").textContent.startsWith("none among")`)
}

func TestReplay(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita5&strings=100&length=7&tab=merging")
	p.wait(`document.getElementById("merge-state").textContent.startsWith("0 of")`)
	p.shot("tree")
	p.click("#play")
	p.wait(`parseInt(document.getElementById("merge-state").textContent) > 5`)
	p.click("#play") // pauses
	p.wait(`document.getElementById("play").textContent === "Play"`)
	at := get[int](p, `parseInt(document.getElementById("merge-state").textContent)`)
	get[bool](p, `(e => { e.value = Math.round(e.max * .7); e.dispatchEvent(new Event("input")); return true })(document.getElementById("scrub"))`)
	p.wait(fmt.Sprintf(`parseInt(document.getElementById("merge-state").textContent) > %d`, at))
	p.shot("middle")
	p.click("#last")
	p.wait(`document.getElementById("merge-state").textContent.endsWith("4 of 174 nodes are left")`)
	p.shot("end")
}

func TestTraining(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita4&tab=training")
	p.wait(`document.querySelectorAll("#charts svg").length === 5`)
	p.wait(`document.querySelectorAll("#charts svg")[0].querySelectorAll(".line").length === 2`)
	p.wait(`document.getElementById("training-state").textContent === ""`)
	p.shot("last")
	get[bool](p, `(e => { e.value = 2; e.dispatchEvent(new Event("input")); return true })(document.getElementById("epoch"))`)
	p.wait(`document.getElementById("epoch-value").textContent.startsWith("2 of")`)
	p.wait(`location.search.includes("tomita4%402")`)
	p.shot("second")
}

func TestSpace(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita3&tab=space")
	p.wait(`document.getElementById("scatter-note").textContent.includes("principal components")`)
	p.shot("states")
	box := get[[]float64](p, `(r => [r.x, r.y, r.width, r.height])(document.getElementById("scatter").getBoundingClientRect())`)
	p.do(chromedp.DragAndDropXY(box[0]+4, box[1]+4, box[0]+box[2]/2, box[1]+box[3]-4))
	p.wait(`document.querySelectorAll("#canvas-a .state.selected").length > 0`)
	p.shot("brushed")
	p.click(`input[value="depth"]`)
	p.wait(`location.search.includes("color=depth")`)
}

func TestUpload(t *testing.T) {
	n, _, err := zoo.Open("zoo:tomita2-gru")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := n.Encode(&b, nil); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	good, bad := filepath.Join(folder, "net.safetensors"), filepath.Join(folder, "bad.safetensors")
	for path, data := range map[string][]byte{good: b.Bytes(), bad: b.Bytes()[:100]} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, web.Options{}, "")
	p.click("#open-file")
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{bad}))
	p.click("#file-form button.primary")
	p.wait(`document.getElementById("file-state").textContent.includes("bad.safetensors")`)
	p.shot("refused")
	p.allowed = "status of 400" // a refused file is an error on the console, too
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{good}))
	p.click("#file-form button.primary")
	p.wait(`document.getElementById("badge").textContent.includes("GRU")`)
	p.wait(`document.getElementById("size").textContent.startsWith("2 states")`)
	p.shot("opened")
}

// drop lets files fall on the page.
func (p *tab) drop(files map[string][]byte) {
	p.t.Helper()
	script := "(() => { const d = new DataTransfer();"
	for name, data := range files {
		script += fmt.Sprintf(" d.items.add(new File([Uint8Array.fromBase64(%q)], %q));", base64.StdEncoding.EncodeToString(data), name)
	}
	get[bool](p, script+` return dispatchEvent(new DragEvent("drop", { dataTransfer: d })) })()`)
}

// A file and its vocabulary are dropped together, and the next file is not read with
// that vocabulary. One that cannot be read is in the form already when the form asks.
func TestDrop(t *testing.T) {
	network, err := os.ReadFile("../../model/testdata/tomita4.pt")
	if err != nil {
		t.Fatal(err)
	}
	vocabulary, err := os.ReadFile("../../model/testdata/tomita4.json")
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, web.Options{}, "")
	p.drop(map[string][]byte{"net.pt": network, "vocab.json": vocabulary})
	p.wait(`document.getElementById("badge").textContent.includes("GRU, 12 units · {a, b}")`)
	p.wait(`document.getElementById("size").textContent.startsWith("3 states")`)
	if left := get[string](p, `document.getElementById("file-vocab").value`); left != "" {
		t.Errorf("the next file would be read with %s", left)
	}
	p.allowed = "status of 400"
	p.drop(map[string][]byte{"cut.pt": network[:100], "vocab.json": []byte("{}")})
	p.wait(`document.getElementById("file-dialog").open && document.getElementById("file-state").textContent.includes("cut.pt")`)
	if name := get[string](p, `document.getElementById("file").files[0].name`); name != "cut.pt" {
		t.Errorf("the form has %q", name)
	}
	p.drop(map[string][]byte{"net.pt": network}) // not with that vocabulary
	p.wait(`!document.getElementById("file-dialog").open && document.getElementById("badge").textContent.includes("{0, 1, 2}")`)
}

// Words are chosen in a dialog or dropped, and the panel says what they show, and how they were read.
func TestYourWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "words.csv")
	if err := os.WriteFile(file, []byte("a,1\nb,0\naa,0\nab,1\nba,1\nbb,0\naba,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, web.Options{}, "?model=zoo:tomita4&method=fold")
	p.click("#open-data")
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#data"), []string{file}))
	p.click("#data-form button.primary")
	p.wait(`!document.getElementById("data-panel").hidden && document.getElementById("data-panel").textContent.includes("2 held-out words of words.csv")`)
	p.wait(`document.getElementById("data-panel").textContent.includes("File read as: csv with commas; words in column 1; labels in column 2 (1 accepts; 0 rejects)")`)
	p.wait(`document.getElementById("verdict").textContent.includes(" prefixes of random words · on 100% of 2 held-out words of words.csv")`)
	p.wait(`document.getElementById("open-data").textContent === "words.csv" && location.search.includes("data=data%3A")`)
	p.shot("words")
	for _, size := range [][2]int64{{1280, 640}, {1024, 700}, {700, 900}} {
		p.size(size[0], size[1])
		p.shot(fmt.Sprint(size[0]))
		if wide := get[bool](p, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Errorf("%v: it is wider than the window", size)
		}
	}
	p.size(1280, 720)
	p.drop(map[string][]byte{"more.txt": []byte("ab\nba\nbbb\nbbbb\n")})
	p.wait(`document.getElementById("data-panel").textContent.includes("1 held-out word of more.txt")`)
	p.click("#open-data")
	p.click("#data-without")
	p.wait(`document.getElementById("data-panel").hidden && !location.search.includes("data=")`)
}

// A file that cannot be read is refused, and all stays as it was; another network that cannot read
// the words says so, and how to go on.
func TestWordsAreRefused(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita4&method=fold")
	p.allowed = "status of 422"
	for name, text := range map[string]string{"odd.txt": "xyz\n", "broken.csv": "\xff\xfe,1\n"} {
		p.drop(map[string][]byte{name: []byte(text)})
		p.wait(fmt.Sprintf(`document.getElementById("problem").textContent.startsWith("%s:1: ")`, name))
	}
	if at := get[string](p, `location.search + document.getElementById("open-data").textContent`); strings.Contains(at, "data=") || !strings.HasSuffix(at, "Your words…") {
		t.Errorf("a refused file is kept: %s", at)
	}
	p.drop(map[string][]byte{"good.csv": []byte("ab,1\nba,0\nbbb,0\nbbbb,1\n")})
	p.wait(`document.getElementById("data-panel").textContent.includes("good.csv")`)
	before := get[string](p, `location.search`)
	p.drop(map[string][]byte{"broken.csv": []byte("\xff,1\n")})
	p.wait(`document.getElementById("problem").textContent.startsWith("broken.csv:1: ")`)
	if after := get[string](p, `location.search`); after != before {
		t.Errorf("the address was %s and is %s", before, after)
	}
	p.choose("model", "zoo:dyck1-lstm")
	p.wait(`document.getElementById("canvas-a").textContent.includes("good.csv:1: the network has no symbol a")`)
	if button := get[string](p, `(b => b.textContent + b.getAttribute("aria-pressed"))(document.getElementById("open-data"))`); button != "good.csvtrue" {
		t.Errorf("the button says %s", button)
	}
	p.shot("other-symbols")
	p.click("#verdict button")
	p.wait(`document.getElementById("verdict").textContent.includes("dyck1") && !location.search.includes("data=")`)
}

// Words in JSON and a vocabulary are told apart by what is in them.
func TestDropJSON(t *testing.T) {
	network, err := os.ReadFile("../../model/testdata/tomita4.pt")
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, web.Options{}, "?model=zoo:tomita4&method=fold")
	p.drop(map[string][]byte{"pairs.json": []byte(`[["ab", 1], ["ba", 0], ["bbb", 0], ["bbbb", 1]]`)})
	p.wait(`document.getElementById("data-panel").textContent.includes("of pairs.json") && document.getElementById("data-panel").textContent.includes("File read as: json")`)
	p.drop(map[string][]byte{"lines.json": []byte("{\"word\": \"ab\", \"label\": 1}\n{\"word\": \"ba\", \"label\": 0}\n")})
	p.wait(`document.getElementById("data-panel").textContent.includes("of lines.json")`)
	p.drop(map[string][]byte{"net.pt": network, "list.json": []byte(`["x", "y", "<bos>"]`), "xy.csv": []byte("xy,1\nyx,0\n")}) // which only that network reads
	p.wait(`document.getElementById("badge").textContent.includes("{x, y}") && document.getElementById("data-panel").textContent.includes("of xy.csv")`)
	p.drop(map[string][]byte{"vocab.json": []byte(`{"vocab": {"a": 0, "b": 1, "<bos>": 2}}`)})
	p.wait(`document.getElementById("file-dialog").open && document.getElementById("file-state").textContent.includes("the vocabulary is taken")`)
}

// A link reproduces the view: settings, drawing, word and tab.
func TestFollowALink(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo%3Atomita7%4012&method=keep&kappa=0.02&strings=200&length=9&seed=7&dead=1&word=abba&tab=states")
	if at := get[string](p, `document.getElementById("method").value + document.getElementById("kappa").value + document.getElementById("strings").value + document.getElementById("seed").value`); at != "keep0.022007" {
		t.Errorf("the settings are %q", at)
	}
	p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0`)
	if shown := get[bool](p, `!document.getElementById("states").hidden && document.getElementById("dead").checked`); !shown {
		t.Error("another tab or no dead state")
	}
	p.click("#take")
	p.wait(`document.getElementById("take-dialog").open`)
	link := get[string](p, `document.getElementById("take-link").value`)
	command := get[string](p, `document.getElementById("take-command").value`)
	if command != "quotient extract zoo:tomita7@12 --method keep --kappa 0.02 --strings 200 --length 9 --seed 7 --target tomita7" {
		t.Errorf("the command is %q", command)
	}
	p.shot("take")
	kinds := get[string](p, `(async () => { const kinds = []; for (const a of document.querySelectorAll("#files a")) { const r = await fetch(a.href); if (["SVG", "PDF", "PNG"].includes(a.textContent)) kinds.push(r.headers.get("Content-Type")); } window.kinds = kinds.join(" ") })(); ""`)
	p.wait(`window.kinds`)
	if kinds = get[string](p, `window.kinds`); kinds != "image/svg+xml application/pdf image/png" {
		t.Errorf("the pictures are %q", kinds)
	}
	const lines = `[...document.querySelectorAll("#canvas-a path")].map(e => e.getAttribute("d")).join()`
	svg := get[string](p, lines)
	p.do(chromedp.Navigate(link))
	p.wait(`document.documentElement.dataset.ready === "true"`)
	if again := get[string](p, lines); again != svg {
		t.Errorf("the link gives another drawing")
	}
}

func TestCompare(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita3")
	p.click("#compare")
	p.wait(`document.getElementById("difference").textContent.length > 0`)
	p.choose("b-model", "zoo:tomita4")
	p.wait(`document.getElementById("difference").textContent.includes("apart: ab is accepted on the right")`)
	p.shot("apart")
	p.choose("b-model", "zoo:tomita3-lstm")
	p.wait(`document.getElementById("difference").textContent.includes("same language")`)
}

// A method without a tree, a word and its path, and the plane all the same.
func TestExplore(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7&method=explore&tab=space&word=abab")
	p.wait(`document.getElementById("scatter-note").textContent.includes("principal components")`)
	p.wait(`document.querySelectorAll("#canvas-a .edge.path").length > 0`)
	p.shot("explored")
	p.click("#tab-merging")
	p.wait(`document.getElementById("merge-state").textContent.includes("nothing to replay")`)
}

// Large automata stay readable: neighborhood, search, collapsed.
func TestLarge(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7@1&kappa=0.001&length=20&strings=1000&method=fold")
	if n := p.states(); n < 61 {
		t.Fatalf("only %d states", n)
	}
	p.shot("near")
	p.do(chromedp.SendKeys(chromedp.CSS("#find"), "q50"+kb.Enter))
	p.wait(`document.querySelector('#canvas-a .state.selected[data-name="q50"]')`)
	p.choose("view", "collapsed")
	p.wait(`document.querySelector('#canvas-a .state[data-name^="×"]')`)
	p.shot("collapsed")
	p.choose("view", "whole")
	p.wait(fmt.Sprintf(`document.querySelectorAll("#canvas-a .state").length === %d`, p.states()))
	p.shot("whole")
}

// On a small window nothing is wider than the window, and nothing is hidden below it.
func TestSmallScreens(t *testing.T) {
	p := open(t, web.Options{}, "?model=zoo:tomita7-lstm")
	for _, size := range [][2]int64{{1280, 640}, {1024, 700}, {700, 900}} {
		p.size(size[0], size[1])
		p.wait(fmt.Sprintf(`innerWidth === %d && document.querySelector("#strip svg")?.viewBox.baseVal.width > 0`, size[0]))
		p.shot(fmt.Sprint(size[0]))
		if wide := get[bool](p, `document.documentElement.scrollWidth > innerWidth`); wide {
			t.Errorf("%v: it is wider than the window", size)
		}
		if high := get[bool](p, `document.documentElement.scrollHeight > innerHeight`); high && size[0] > 760 {
			t.Errorf("%v: it is higher than the window", size)
		}
	}
}

func TestDark(t *testing.T) {
	p := open(t, web.Options{}, "")
	p.dark()
	p.visit("?model=zoo:tomita3&word=aab")
	if theme := get[string](p, `document.documentElement.dataset.theme`); theme != "dark" {
		t.Errorf("the system is dark, the page is %s", theme)
	}
	p.wait(`document.querySelector("#strip .agree")`)
	p.shot("dark")
	p.click("#theme")
	p.wait(`document.documentElement.dataset.theme === "light"`)
}

// Everything can be reached with the keyboard alone.
func TestKeyboard(t *testing.T) {
	p := open(t, web.Options{}, "")
	reached := map[string]bool{}
	for range 60 {
		p.do(chromedp.KeyEvent(kb.Tab))
		reached[get[string](p, `document.activeElement.id || document.activeElement.dataset?.state || ""`)] = true
	}
	for _, id := range []string{"model", "open-file", "compare", "take", "theme", "find", "view", "dead", "fit", "canvas-a", "1", "4", "tab-word", "try", "search", "method", "seed", "kappa", "auto", "strip-plot"} {
		if !reached[id] {
			t.Errorf("%s is not reached", id)
		}
	}
	p.do(chromedp.Focus(chromedp.CSS("#tab-word")), chromedp.KeyEvent(kb.ArrowRight))
	p.wait(`!document.getElementById("states").hidden`)
	p.do(chromedp.Focus(chromedp.CSS(`#canvas-a .state[data-state="2"]`)), chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelector("#state-table tr.selected")?.dataset.state === "2"`)
	p.wait(`document.getElementById("tip").textContent.includes("tree nodes")`)
	p.shot("state")
}

// The list of sweeps tells how far each is, what failed, and follows what is under way.
func TestSweeps(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(folder, name, name+".status.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const running = `{"name": "depth-of-recurrence", "state": "running", "train": {"total": 40, "done": %d, "reused": 4}, "extract": {"total": 18535, "done": 7021},
		"workers": 3, "slots": 24, "running": 23, "tokens_per_second": 1.9e6, "seconds_left": 4321, "updated": %q}`
	now := time.Now().Add(time.Minute).UTC().Format(time.RFC3339) // however slow this machine is
	write("depth-of-recurrence", fmt.Sprintf(running, 12, now))
	write("small", `{"name": "small", "state": "done", "train": {"total": 4, "done": 4}, "extract": {"total": 576, "done": 576}, "seconds_left": 0}`)
	write("broken", `{"name": "broken", "state": "done", "train": {"total": 2, "done": 1, "failed": 1}, "extract": {"total": 12, "done": 6, "failed": 2, "blocked": 4},
		"failures": [{"task": {"version": "v", "train": {"language": "tomita2", "cell": "gru", "hidden": 20, "seed": 1}}, "count": 3, "aside": true, "error": "no space left on device"},
		{"task": {"version": "v", "model": {"name": "zoo:tomita1", "digest": "d"}, "extract": {"method": "fold", "seed": 2}}, "count": 3, "aside": true,
		"error": "dyck1 does not fit the network: symbol \"(\" is not in the alphabet {a, b}\nand more"}]}`)
	write("old", `{"name": "old", "state": "running", "extract": {"total": 100, "done": 30}, "updated": "2020-01-01T00:00:00Z", "seconds_left": -1}`)

	p := open(t, web.Options{Dir: folder}, "")
	p.wait(`!document.getElementById("sweeps").hidden`)
	p.click("#sweeps")
	p.wait(`document.querySelectorAll("#sweeps-list progress").length === 4`)
	text := get[string](p, `document.getElementById("sweeps-list").innerText`)
	for _, want := range []string{
		"12 of 40", "7,021 of 18,535", "23 running on 3 workers, 1,900,000 tokens a second", "1.2 h", "interrupted",
		"no space left on device", "dyck1 does not fit", "4 extractions have no network",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the list does not say %q: %s", want, text)
		}
	}
	p.shot("sweeps")
	write("depth-of-recurrence", fmt.Sprintf(running, 13, now))
	p.wait(`document.getElementById("sweeps-list").innerText.includes("13 of 40")`)
	p.dark()
	p.size(390, 700)
	p.shot("small-and-dark")
	p.click("#sweeps-dialog .close")
	p.wait(`!document.getElementById("sweeps-dialog").open`)
}
