package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"quotient/web"
)

// A server is a handler like any other.
func ExampleServer() {
	s, err := web.New(web.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	h := httptest.NewServer(s)
	defer h.Close()
	response, err := http.Get(h.URL + "/api/extract?model=zoo:tomita1")
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var answer struct {
		States  int
		Command string
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(err)
	}
	fmt.Println(answer.States, answer.Command)
	// Output: 1 quotient extract zoo:tomita1 --target tomita1
}
