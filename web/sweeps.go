package web

import (
	"context"
	"net/http"
	"time"

	"quotient/sweep/queue"
)

// patient is how long the list of sweeps waits for a server elsewhere.
const patient = 3 * time.Second

// sweeps tells how far the sweeps under the server's folder are, by the files that
// whoever runs them writes, and those on a server elsewhere, if there is one. If that does not answer the others are told all the same.
func (s *Server) sweeps(r *http.Request) (any, error) {
	list := []queue.Status{}
	if s.catalog.root != nil {
		list = append(list, queue.List(s.catalog.root.FS())...)
	}
	trouble := ""
	if s.o.Sweeps != nil {
		ctx, cancel := context.WithTimeout(r.Context(), patient)
		defer cancel()
		elsewhere, err := s.o.Sweeps(ctx)
		if err != nil {
			trouble = "the sweeps elsewhere cannot be listed: " + err.Error()
		}
		list = append(list, elsewhere...)
	}
	return struct {
		Sweeps  []queue.Status `json:"sweeps"`
		Trouble string         `json:"trouble,omitempty"`
	}{list, trouble}, nil
}
