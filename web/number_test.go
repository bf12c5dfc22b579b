package web

import (
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// JSON has no NaN. The page is told so, and not nothing with a status that all is well.
func TestAnswersThatJSONLacks(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"answer": answer(func(*http.Request) (row, error) { return row{Probability: float32(math.NaN())}, nil }),
		"stream": stream(func(*http.Request, func(any)) (row, error) { return row{Probability: float32(math.Inf(1))}, nil }),
	} {
		w := httptest.NewRecorder()
		h(w, httptest.NewRequest("GET", "/", nil))
		if !strings.Contains(w.Body.String(), `{"error":"`) || name == "answer" && w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d, %q", name, w.Code, w.Body)
		}
	}
}
