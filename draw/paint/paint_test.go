package paint_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"quotient/automaton"
	"quotient/draw"
	"quotient/draw/paint"
	"quotient/word"
)

// svg returns the picture of an automaton with two states.
func svg(t *testing.T) string {
	d := automaton.NewDFA(word.Letters("ab"), 2)
	d.SetNext(1, 0, 2)
	d.SetNext(2, 1, 1)
	d.Accept[2] = true
	var b strings.Builder
	if err := draw.Automaton(&b, d, draw.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPNG: there is ink where the picture has a circle and a letter, and paper elsewhere.
func TestPNG(t *testing.T) {
	var b bytes.Buffer
	if err := paint.PNG(&b, strings.NewReader(svg(t))); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	dark := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x6000 {
				dark++
			}
		}
	}
	share := float64(dark) / float64(img.Bounds().Dx()*img.Bounds().Dy())
	if img.Bounds().Dx() < 200 || share < 0.01 || share > 0.2 {
		t.Errorf("%v with a share of %.3f dark", img.Bounds(), share)
	}
}

// TestPDF: the page has the size of the picture and the outlines of its letters.
func TestPDF(t *testing.T) {
	var b bytes.Buffer
	if err := paint.PDF(&b, strings.NewReader(svg(t))); err != nil {
		t.Fatal(err)
	}
	_, rest, found := bytes.Cut(b.Bytes(), []byte("stream\n"))
	if !bytes.HasPrefix(b.Bytes(), []byte("%PDF-1.4")) || !found {
		t.Fatalf("%.200q", b.Bytes())
	}
	z, err := zlib.NewReader(bytes.NewReader(rest))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	// Two states, one of them twice; start and two edges with heads; two labels with
	// halos; two names.
	if n := bytes.Count(content, []byte(" c ")); n < 100 {
		t.Errorf("%d curves in\n%s", n, content)
	}
}

func TestSameBytes(t *testing.T) {
	for _, format := range paint.Formats {
		var a, b bytes.Buffer
		for _, w := range []*bytes.Buffer{&a, &b} {
			if err := paint.As(format, w, func(w io.Writer) error { _, err := io.WriteString(w, svg(t)); return err }); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two paintings differ", format)
		}
	}
}

// TestPlots: what plots are made of is known too.
func TestPlots(t *testing.T) {
	f := draw.Figure{Title: "t", Columns: 1, Plots: []draw.Plot{{
		Title: "p", X: draw.Axis{Label: "x"}, Y: draw.Axis{Label: "y"},
		Series: []draw.Series{{Name: "s", X: []float64{1, 2}, Y: []float64{1, 4}, Low: []float64{0, 3}, High: []float64{2, 5}}},
	}}}
	for _, format := range []string{"pdf", "png"} {
		if err := paint.As(format, io.Discard, func(w io.Writer) error { return draw.Plots(w, f) }); err != nil {
			t.Error(err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, bad := range []string{
		"", "<svg", `<svg viewBox="0 0 0 0"/>`, `<svg viewBox="0 0 9 9"><image/></svg>`,
		`<svg viewBox="0 0 9 9"><path d="M1 x"/></svg>`, `<svg viewBox="0 0 9 9"><path d="1 2"/></svg>`,
	} {
		if err := paint.PNG(io.Discard, strings.NewReader(bad)); err == nil {
			t.Errorf("%q is painted", bad)
		}
	}
	failed := errors.New("failed")
	if err := paint.As("png", io.Discard, func(io.Writer) error { return failed }); err != failed {
		t.Errorf("error %v", err)
	}
}

// TestRings: the line of a circle is closed all around, wherever the circle is and whatever
// its radius.
func TestRings(t *testing.T) {
	for k := range 40 {
		x, y, r := 40+float64(k)*0.37, 40+float64(k)*0.11, 20-float64(k%5)*0.7
		svg := fmt.Sprintf(`<svg viewBox="0 0 100 100"><rect x="0" y="0" width="100" height="100" fill="#ffffff"/>`+
			`<circle cx="%.2f" cy="%.2f" r="%.2f" fill="none" stroke="#000000" stroke-width="1.2"/></svg>`, x, y, r)
		var b bytes.Buffer
		if err := paint.PNG(&b, strings.NewReader(svg)); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		for degrees := range 360 {
			ink := 0.0 // across the line, which is 2.4 pixels wide
			a := float64(degrees) * math.Pi / 180
			for d := -4.0; d <= 4; d += 0.25 {
				gray, _, _, _ := img.At(int(2*x+(2*r+d)*math.Cos(a)), int(2*y+(2*r+d)*math.Sin(a))).RGBA()
				ink += 0.25 * (1 - float64(gray)/0xffff)
			}
			if ink < 1.7 || ink > 3.2 {
				t.Errorf("circle at %.2f, %.2f of radius %.2f: %.2f pixels of ink at %d°", x, y, r, ink, degrees)
			}
		}
	}
}
