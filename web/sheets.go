package web

import (
	"encoding/json"
	"io/fs"
	"net/http"

	"quotient/automaton"
	"quotient/internal/regular"
	"quotient/sweep/plan"
	"quotient/sweep/results"
)

// maxRows bounds the extractions of a sweep that the page shows.
const maxRows = 20_000

// openSheet opens the sheet of a sweep under the server's folder, where [queue.List] finds
// sweeps.
func (s *Server) openSheet(name string) (fs.File, error) {
	if s.catalog.root == nil || !plan.ValidName(name) {
		return nil, badf("no sweep is called %q", name)
	}
	folder := s.catalog.root.FS()
	for _, file := range regular.Find(folder, 2, func(file string) bool { return file == name+results.SheetSuffix }) {
		if _, err := regular.Stat(folder, file); err == nil {
			return folder.Open(file)
		}
	}
	return nil, badf("no results of the sweep %s are here: quotient sweep run, or quotient sweep results --sheet, writes them", name)
}

// sheet serves the extractions of a sweep as rows.
func (s *Server) sheet(r *http.Request) (any, error) {
	f, err := s.openSheet(r.URL.Query().Get("sweep"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, entries, err := results.ReadSheet(f)
	if err != nil {
		return nil, err
	}
	v := struct {
		results.Sheet
		Rows []json.RawMessage `json:"rows"`
		More bool              `json:"more,omitempty"` // there are more than are shown
	}{Sheet: head, Rows: []json.RawMessage{}}
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		if v.More = len(v.Rows) == maxRows; v.More {
			break
		}
		v.Rows = append(v.Rows, e.Row)
	}
	return v, nil
}

// specimen serves the automaton of one of them.
func (s *Server) specimen(r *http.Request) (any, error) {
	n, err := count(r.URL.Query(), "row", 1, maxRows)
	if err != nil {
		return nil, err
	}
	f, err := s.openSheet(r.URL.Query().Get("sweep"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_, entries, err := results.ReadSheet(f)
	if err != nil {
		return nil, err
	}
	v := struct {
		SVG    string `json:"svg"` // empty if the automaton was not kept, or is too large
		States int    `json:"states"`
	}{}
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		if n--; n > 0 {
			continue
		}
		if e.Automaton == nil || e.Automaton.NFA == nil {
			return v, nil
		}
		d, err := automaton.DeterminizeUnder(r.Context(), e.Automaton.NFA, maxStates)
		if err != nil {
			return nil, err
		}
		d = automaton.Minimize(d)
		v.SVG, v.States = s.sketch(r.Context(), d), d.Len()
		return v, nil
	}
	return nil, badf("the sweep has fewer rows")
}
