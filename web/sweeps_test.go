package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"quotient/sweep/queue"
)

// Sweeps elsewhere are listed beside those of the folder; if nobody answers there, that is said.
func TestSweepsElsewhere(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, `{"sweeps":[{"name":"far","state":"running",`},
		{errors.New("no connection"), `{"sweeps":[],"trouble":"the sweeps elsewhere cannot be listed: no connection"}`},
	} {
		h := serve(t, Options{Sweeps: func(context.Context) (list []queue.Status, err error) {
			if c.err == nil {
				list = []queue.Status{{Name: "far", State: queue.Running}}
			}
			return list, c.err
		}})
		response, err := http.Get(h.URL + "/api/sweeps")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || !strings.HasPrefix(string(body), c.want) {
			t.Errorf("%s, %v, want %s", body, err, c.want)
		}
	}
}
