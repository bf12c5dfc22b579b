package paint

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
)

// PDF writes an SVG of this project as a document of one page, of the picture's size: a
// unit is a ninety-sixth of an inch, as in a browser.
func PDF(w io.Writer, svg io.Reader) error {
	p, err := read(svg)
	if err != nil {
		return err
	}
	const points = 0.75 // for a unit
	var content bytes.Buffer
	z := zlib.NewWriter(&content)
	fmt.Fprintf(z, "%s 0 0 %s %s %s cm 1 j 0 J\n", num(points), num(-points), num(-p.x*points), num((p.y+p.height)*points))
	var opacities [][2]float64
	for _, s := range p.shapes {
		o := [2]float64{s.opacity, s.see}
		k := slices.Index(opacities, o)
		if k < 0 {
			k, opacities = len(opacities), append(opacities, o)
		}
		fmt.Fprintf(z, "/G%d gs\n", k)
		s.write(z)
	}
	if err := z.Close(); err != nil {
		return err
	}
	states := ""
	for k, o := range opacities {
		states += fmt.Sprintf("/G%d << /ca %s /CA %s >> ", k, num(o[0]), num(o[1]))
	}
	return writePDF(w, []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /ExtGState << %s>> >> >>",
			num(p.width*points), num(p.height*points), states),
		fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", content.Len(), content.Bytes()),
	})
}

// write writes a shape in the operators of PDF.
func (s shape) write(w io.Writer) {
	if len(s.path) == 0 || s.fill == nil && s.stroke == nil {
		return
	}
	paint := "f"
	if s.fill != nil {
		fmt.Fprintf(w, "%s rg ", rgb(*s.fill))
	}
	if s.stroke != nil {
		fmt.Fprintf(w, "%s RG %s w [", rgb(*s.stroke), num(s.width))
		for _, d := range s.dash {
			fmt.Fprintf(w, "%s ", num(d))
		}
		fmt.Fprint(w, "] 0 d ")
		paint = "S"
		if s.fill != nil {
			paint = "B"
		}
	}
	for _, g := range s.path {
		switch g.op {
		case 'M':
			fmt.Fprintf(w, "%s m ", xy(g.p[2]))
		case 'L':
			fmt.Fprintf(w, "%s l ", xy(g.p[2]))
		case 'C':
			fmt.Fprintf(w, "%s %s %s c ", xy(g.p[0]), xy(g.p[1]), xy(g.p[2]))
		case 'Z':
			fmt.Fprint(w, "h ")
		}
	}
	fmt.Fprintln(w, paint)
}

func rgb(c color.NRGBA) string {
	return fmt.Sprintf("%s %s %s", num(float64(c.R)/255), num(float64(c.G)/255), num(float64(c.B)/255))
}

func xy(p point) string { return num(p.x) + " " + num(p.y) }

func num(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

// writePDF writes objects, numbered from 1, the first of which is the catalog.
func writePDF(w io.Writer, objects []string) error {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	_, err := w.Write(b.Bytes())
	return err
}
