package paint

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Formats are the names of the formats of pictures, and their extensions without the dot.
var Formats = []string{"svg", "pdf", "png"}

// FormatOf returns the format of a picture: the one that is named or else that of the
// path's extension; "" if that is none of a picture.
func FormatOf(name, path string) string {
	if name == "" {
		name = strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	}
	if !slices.Contains(Formats, name) {
		return ""
	}
	return name
}

// As writes a picture, of which a function writes the SVG, in a format.
func As(format string, w io.Writer, svg func(io.Writer) error) error {
	paint := PDF
	switch format {
	case "png":
		paint = PNG
	case "pdf":
	default:
		return svg(w)
	}
	var b bytes.Buffer
	if err := svg(&b); err != nil {
		return err
	}
	return paint(w, &b)
}
