package web

import (
	"net/http"

	"quotient/sweep"
)

// sweeps tells how far the sweeps under the server's folder are, by the files that
// whoever runs them writes.
func (s *Server) sweeps(*http.Request) (any, error) {
	list := []sweep.Status{}
	if s.catalog.root != nil {
		list = append(list, sweep.List(s.catalog.root.FS())...)
	}
	return struct {
		Sweeps []sweep.Status `json:"sweeps"`
	}{list}, nil
}
