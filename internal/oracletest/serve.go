package oracletest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"quotient/f32"
	"quotient/oracle"
	"quotient/word"
)

// A Server answers for an oracle over HTTP, as docs/protocol.md says.
type Server struct {
	Address string
	Change  func(w word.Word, p float32) float32 // what it says of a word that has a probability; nil: just this
	Broken  func(w word.Word) bool               // for which words it reports an error; nil: for none

	net  oracle.Oracle
	mu   sync.Mutex
	seen map[string]bool
}

// Serve starts a server that runs until the test ends.
func Serve(t *testing.T, net oracle.Oracle) *Server {
	t.Helper()
	s := &Server{net: net, seen: map[string]bool{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.Address = server.URL
	return s
}

// Seen returns about how many words it was asked.
func (s *Server) Seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

// ServeHTTP greets, and answers.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet {
		says(w, map[string]any{"quotient": 1, "symbols": s.net.Alphabet().Names()})
		return
	}
	var asked struct {
		ID    int
		Words []word.Word
	}
	err := json.NewDecoder(r.Body).Decode(&asked)
	p := f32.New(len(asked.Words), 1)
	if err == nil {
		err = s.net.Answer(r.Context(), p, asked.Words)
	}
	if err != nil || s.Broken != nil && slices.ContainsFunc(asked.Words, s.Broken) {
		says(w, map[string]any{"id": asked.ID, "error": "it is broken"})
		return
	}
	list := make([]float32, p.Rows)
	for i, u := range asked.Words {
		s.seen[u.Key()] = true
		if list[i] = p.Row(i)[0]; s.Change != nil {
			list[i] = s.Change(u, list[i])
		}
	}
	says(w, map[string]any{"id": asked.ID, "probabilities": list})
}

func says(w http.ResponseWriter, message map[string]any) {
	if err := json.NewEncoder(w).Encode(message); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
