package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"quotient/automaton/codec"
	"quotient/draw"
	"quotient/draw/paint"
	"quotient/internal/cache"
	"quotient/report"
)

// extension returns the first extension of a format, or one made of its name.
func extension(f codec.Format) string {
	if len(f.Extensions) > 0 {
		return f.Extensions[0]
	}
	return "." + f.Name
}

// A download is a file for people to keep.
type download struct {
	name, kind string
	bytes.Buffer
}

// deliver serves what f makes, as a file.
func deliver(f func(*http.Request) (*download, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d, err := cache.Safely(func() (*download, error) { return f(r) })
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", d.kind)
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.name}))
		w.Header().Set("Content-Length", fmt.Sprint(d.Len()))
		w.Write(d.Bytes())
	}
}

// file is the automaton in the format that is asked for.
func (s *Server) file(r *http.Request) (*download, error) {
	q := r.URL.Query()
	_, n, res, err := s.askedAny(r)
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}
	if res.d == nil {
		return res.file(fileName(n), q.Get("format"), kinds)
	}
	places, err := readPlaces(q.Get("places"), res.d)
	if err != nil {
		return nil, err
	}
	if format := q.Get("format"); slices.Contains(paint.Formats, format) {
		d := &download{name: fileName(n) + "." + format, kind: kinds[format]}
		return d, paint.As(format, d, func(w io.Writer) error {
			return draw.Automaton(w, res.d, draw.Options{ShowDead: q.Get("dead") == "1", Places: places})
		})
	}
	f, err := codec.ByName(q.Get("format"))
	if err != nil {
		return nil, badRequest{err}
	}
	d := &download{name: fileName(n) + extension(f), kind: "text/plain; charset=utf-8"}
	if !f.HasPlaces() {
		return d, codec.Write(d, res.d.NFA(), f)
	}
	layout, err := draw.Layout(res.d.NFA(), places)
	if err != nil {
		return nil, err
	}
	return d, codec.WriteAt(d, res.d.NFA(), f, layout)
}

// fileName makes the name of a file of the network's.
func fileName(n *network) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, n.Title)
	return strings.Trim(name, "-")
}

// report is what `quotient extract --report` writes.
func (s *Server) report(r *http.Request) (*download, error) {
	var speaks *speaks
	if err := s.decides(r); errors.As(err, &speaks) {
		return s.spokenReport(r)
	}
	set, n, res, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	places, err := readPlaces(r.URL.Query().Get("places"), res.d)
	if err != nil {
		return nil, err
	}
	whole, err := s.certified(r.Context(), set)
	if err != nil {
		return nil, err
	}
	trials, err := s.trials(r.Context(), n, set, res)
	if err != nil {
		return nil, err
	}
	if res.Result.Tree != nil {
		p, done, err := s.states(r.Context(), n, set, res.Result.Options)
		if err != nil {
			return nil, err
		}
		defer done()
		with := *whole.Result
		with.Tree, whole.Result = p.Tree(), &with // what is kept is shared, and stays as it is
	}
	d := &download{name: fileName(n) + ".html", kind: "text/html; charset=utf-8"}
	return d, report.Report{Study: whole, Version: s.o.Version, Trials: trials, Places: places, Command: whole.Command()}.Write(d)
}
