package web

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"quotient/automaton/codec"
	"quotient/draw"
	"quotient/extract"
	"quotient/report"
)

// extension returns the first extension of a format, or one made of its name.
func extension(f codec.Format) string {
	if len(f.Extensions) > 0 {
		return f.Extensions[0]
	}
	return "." + f.Name
}

// file serves the automaton in the format that is asked for.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	_, n, res, err := s.asked(r)
	if err != nil {
		fail(w, err)
		return
	}
	var b bytes.Buffer
	ext, kind := ".svg", "image/svg+xml"
	if format := q.Get("format"); format == "svg" {
		err = draw.Automaton(&b, res.Automaton, draw.Options{ShowDead: q.Get("dead") == "1"})
	} else {
		f, unknown := codec.ByName(format)
		if unknown != nil {
			fail(w, badRequest{unknown})
			return
		}
		ext, kind = extension(f), "text/plain; charset=utf-8"
		err = codec.Write(&b, res.Automaton.NFA(), f)
	}
	if err != nil {
		fail(w, err)
		return
	}
	deliver(w, fileName(n)+ext, kind, b.Bytes())
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

func deliver(w http.ResponseWriter, name, kind string, data []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	w.Write(data)
}

// report serves what `quotient extract --report` writes.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	set, n, res, err := s.asked(r)
	if err != nil {
		fail(w, err)
		return
	}
	rep, _, err := s.certify(r.Context(), set)
	if err != nil {
		fail(w, err)
		return
	}
	command := set.command(n)
	var trials []extract.Trial
	if set.Method = res.Options.Method; len(res.Log) > 0 {
		p, err := s.prepared(r.Context(), n, set)
		if err == nil {
			trials, err = p.Sweep(r.Context(), nil)
		}
		if err != nil {
			fail(w, err)
			return
		}
	}
	target, err := compareWith(n, res.Automaton)
	if err != nil {
		fail(w, err)
		return
	}
	content := report.Report{
		Model: n.Title, Network: n.summary(), Command: command, Version: s.o.Version,
		Result: res.Result, Trials: trials, Agreement: rep,
	}
	if target != nil {
		content.Target = target.String()
	}
	var b bytes.Buffer
	if err := report.Write(&b, content); err != nil {
		fail(w, err)
		return
	}
	deliver(w, fileName(n)+".html", "text/html; charset=utf-8", b.Bytes())
}

// summary describes the network in a line.
func (n *network) summary() string {
	var parts []string
	if n.Cell != "" {
		layers := ""
		if n.Layers > 1 {
			layers = fmt.Sprintf("%d layers, ", n.Layers)
		}
		parts = append(parts, fmt.Sprintf("%s network, %shidden size %d", n.Cell, layers, n.Hidden))
	} else {
		parts = append(parts, n.Format)
	}
	return fmt.Sprintf("%s, %d symbols", strings.Join(parts, ", "), len(n.Symbols))
}

func (t *targetView) String() string {
	if t.Equal {
		return fmt.Sprintf("exactly %s", t.Name)
	}
	does := "rejects"
	if t.Accepts {
		does = "accepts"
	}
	return fmt.Sprintf("another language than %s, which %s %s", t.Name, does, *t.Witness)
}
