package extract_test

import (
	"context"
	"fmt"
	"log"

	"quotient/extract"
	"quotient/model"
	"quotient/oracle"
)

func Example() {
	net, err := model.Open(context.Background(), "zoo:tomita4", model.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, method := range []string{extract.Fold, extract.TTT, extract.EDSM} {
		res, err := extract.Run(oracle.Ask(context.Background(), net.Net), extract.Options{Method: method, Seed: 1})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(method, res.States())
	}
	// Output:
	// fold 3
	// ttt 3
	// edsm 3
}
