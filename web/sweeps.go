package web

import (
	"net/http"

	"quotient/sweep/queue"
)

// sweeps tells how far the sweeps under the server's folder are, by the files that
// whoever runs them writes.
func (s *Server) sweeps(*http.Request) (any, error) {
	list := []queue.Status{}
	if s.catalog.root != nil {
		list = append(list, queue.List(s.catalog.root.FS())...)
	}
	return struct {
		Sweeps []queue.Status `json:"sweeps"`
	}{list}, nil
}
