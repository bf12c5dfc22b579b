// Package browser tests the explorer in a real browser: a Chromium, found on the
// path, that clicks, types and drags as people do. It is a module of its own, so
// that the program does not depend on what drives the browser.
//
// Pictures of the page are kept in the folder that QUOTIENT_SCREENSHOTS names.
package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"quotient/web"
)

// chromium returns the path of a browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is on the path; install one to test the page")
	return ""
}

// A tab is a page of the explorer under test.
type tab struct {
	t      *testing.T
	ctx    context.Context
	server *httptest.Server

	mu      sync.Mutex
	errors  []string // that the page wrote to the console
	allowed string   // what an error may say
}

// open starts a server and a browser, and opens the page with a query. The test
// fails if the page ever complains on its console.
func open(t *testing.T, o web.Options, query string) *tab {
	t.Helper()
	path := chromium(t)
	s, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := &tab{t: t, server: httptest.NewServer(s)}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 720))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(alloc)
	ctx, late := context.WithTimeout(ctx, 3*time.Minute)
	p.ctx = ctx
	t.Cleanup(func() {
		late()
		end()
		stop()
		p.server.Close()
		s.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range p.errors {
			if p.allowed == "" || !strings.Contains(e, p.allowed) {
				t.Errorf("on the console: %s", e)
			}
		}
	})
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" {
				p.mu.Lock()
				p.errors = append(p.errors, m.String())
				p.mu.Unlock()
			}
		}
	}()
	p.do(chromedp.EmulateViewport(1280, 720))
	p.visit(query)
	return p
}

// size sets the size of the window.
func (p *tab) size(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// do acts on the page. An element that the page replaced between being found and being acted
// on is looked for again: nothing was done to it yet.
func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	err := chromedp.Do(p.ctx, actions...)
	for tries := 0; replaced(err) && tries < 20; tries++ {
		time.Sleep(50 * time.Millisecond)
		err = chromedp.Do(p.ctx, actions...)
	}
	if err != nil {
		p.shot("failed")
		p.t.Fatal(err)
	}
}

// replaced says whether an action failed because its element was gone.
func replaced(err error) bool {
	var gone *cdproto.Error
	return errors.As(err, &gone) && strings.Contains(gone.Message, "node")
}

// visit opens the page and waits until it shows an automaton.
func (p *tab) visit(query string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.server.URL + "/" + query))
	p.wait(`document.documentElement.dataset.ready === "true"`)
}

// wait waits until an expression is true on the page.
func (p *tab) wait(expression string) {
	p.t.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingTimeout(time.Minute))); err != nil {
		p.shot("failed")
		p.t.Fatalf("%s: %v; the page says %q", expression, err, get[string](p, `document.body.innerText`))
	}
}

// get evaluates an expression on the page.
func get[V any](p *tab, expression string) V {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[V](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func (p *tab) states() int {
	return get[int](p, `parseInt(document.getElementById("size").textContent.split(" of ").at(-1).replace(",", ""))`)
}

// click clicks on the element that a selector finds, once it has been the same element in the
// same place for a tenth of a second: what people click on does not change under the pointer.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`((e) => {
		const at = e && JSON.stringify(e.getBoundingClientRect());
		if (!e || e !== window.still?.e || at !== window.still.at) {
			window.still = { e, at, since: performance.now() };
			return false;
		}
		return performance.now() - window.still.since > 100;
	})(document.querySelector(%q))`, selector))
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// choose picks an option of a list.
func (p *tab) choose(id, value string) {
	p.t.Helper()
	script := `(e => { e.value = %[2]q; e.dispatchEvent(new Event("change", {bubbles: true})); return e.value === %[2]q })(document.getElementById(%[1]q))`
	if !get[bool](p, fmt.Sprintf(script, id, value)) {
		p.t.Fatalf("%s offers no %s", id, value)
	}
}

// shot keeps a picture of the page.
func (p *tab) shot(name string) {
	folder := os.Getenv("QUOTIENT_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Logf("no picture: %v", err)
		return
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		p.t.Fatal(err)
	}
	name = strings.ReplaceAll(p.t.Name(), "/", "-") + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(folder, name), picture, 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// dark makes the system prefer dark pages.
func (p *tab) dark() {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}); err != nil {
		p.t.Fatal(err)
	}
}

// listen listens on an address.
func listen(address string) (net.Listener, error) { return net.Listen("tcp", address) }

func itoa(n int) string { return strconv.Itoa(n) }
