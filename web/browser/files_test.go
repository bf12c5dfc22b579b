package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"quotient/web"
)

// A network and its vocabulary are chosen together; two files of one name are kept apart, also
// when the page is loaded again; and the page shows what the network is made of and what was guessed.
func TestFiles(t *testing.T) {
	network, err := os.ReadFile("../../model/testdata/tomita4.pt")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file, vocabulary := filepath.Join(folder, "net.pt"), filepath.Join(folder, "vocab.json")
	for path, data := range map[string][]byte{file: network, vocabulary: []byte(`{"a": 0, "b": 1, "<bos>": 2}`)} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, web.Options{}, "?method=fold")
	p.size(1440, 900)
	p.click("#open-file")
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file, vocabulary}))
	p.click("#file-form button.primary")
	p.wait(`document.getElementById("badge").textContent.includes("GRU, 12 units · {a, b}") && document.getElementById("size").textContent.startsWith("3 states")`)
	p.drop(map[string][]byte{"net.pt": network}) // another reading of a file of the same name
	p.wait(`document.getElementById("badge").textContent.includes("{0, 1, 2}")`)
	names := `[...document.querySelectorAll('#model optgroup[label="files"] option')].map(o => o.textContent).join()`
	if list := get[string](p, names); list != "net.pt,net.pt (2)" {
		t.Errorf("the files are %s", list)
	}
	p.visit(get[string](p, `location.search`))
	if list := get[string](p, names); list != "net.pt,net.pt (2)" {
		t.Errorf("the files are %s after the page is loaded again", list)
	}
	p.click("#badge button")
	p.wait(`document.getElementById("anatomy").open`)
	text := get[string](p, `document.getElementById("anatomy").innerText`)
	for _, want := range []string{"guessed", "GRU", "→ 12", "Dense", "12 → 1", "How it is read", "tensors in the file"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q: %s", want, text)
		}
	}
	get[int](p, `document.querySelector("#anatomy details").open = true; 0`)
	p.looks("anatomy")
	p.click("#anatomy .close")
	p.drop(map[string][]byte{"one.pt": network, "two.pt": network})
	p.wait(`document.getElementById("file-state").textContent.includes("one network at a time")`)
}
