package model_test

import (
	"context"
	"fmt"

	"quotient/model"
	"quotient/oracle"
	"quotient/word"
)

// A file of PyTorch's answers for words once it is told what its tokens mean.
func ExampleOpen() {
	m, err := model.Open(context.Background(), "testdata/tomita4.pt", model.Options{Vocab: "testdata/tomita4.json"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)
	abaa, _ := m.Net.Alphabet().Parse("abaa")
	abaaa, _ := m.Net.Alphabet().Parse("abaaa")
	for _, accept := range oracle.Ask(context.Background(), m.Net).Accepts([]word.Word{abaa, abaaa}) {
		fmt.Println(accept)
	}
	// Output:
	// gru 12, 2 symbols
	// true
	// false
}
