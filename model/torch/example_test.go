package torch_test

import (
	"fmt"
	"os"

	"quotient/model/torch"
)

// A whole module is read without its class: its tensors, and what its parts are.
func ExampleRead() {
	data, err := os.ReadFile("../testdata/module.pt")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := torch.Read(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Class)
	for _, p := range m.Parts[1:] {
		fmt.Println(" ", p.Path, p.Class.Base())
	}
	fmt.Println(m.Tensors[1].Name, m.Tensors[1].Dims)
	// Output:
	// __main__.Tagger
	//   embedding Embedding
	//   rnn GRU
	//   classifier Sequential
	//   classifier.0 Linear
	//   classifier.1 Tanh
	//   classifier.2 Dropout
	//   classifier.3 Linear
	//   classifier.4 LogSoftmax
	// rnn.weight_ih_l0 [15 4]
}
