package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// slowServer answers for words whose a's come by threes, each in a millisecond, and counts them.
func slowServer(t *testing.T) (address string, asked *atomic.Int64) {
	return slowly(t, `{"quotient": 1, "symbols": ["a", "b"]}`, func(a int) any {
		if a%3 == 0 {
			return 1
		}
		return 0
	})
}

// slowSpeaker speaks words in which every third a is followed by b's.
func slowSpeaker(t *testing.T) (address string, asked *atomic.Int64) {
	return slowly(t, `{"quotient": 1, "symbols": ["a", "b"], "outputs": "next"}`, func(a int) any {
		if a%3 == 0 {
			return []float64{0.2, 0.7, 0.1}
		}
		return []float64{0.8, 0.1, 0.1}
	})
}

// slowly serves a model that answers for the number of a's in a word, each in a millisecond, and
// counts the words.
func slowly(t *testing.T, greeting string, answer func(a int) any) (address string, asked *atomic.Int64) {
	asked = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, greeting)
			return
		}
		var q struct {
			ID    int     `json:"id"`
			Words [][]int `json:"words"`
		}
		json.NewDecoder(r.Body).Decode(&q)
		p := make([]any, len(q.Words))
		for i, word := range q.Words {
			a := 0
			for _, s := range word {
				a += 1 - s
			}
			p[i] = answer(a)
			time.Sleep(time.Millisecond)
		}
		asked.Add(int64(len(q.Words)))
		json.NewEncoder(w).Encode(map[string]any{"id": q.ID, "probabilities": p})
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}
