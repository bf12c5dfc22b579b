package study_test

import (
	"context"
	"fmt"
	"log"

	"quotient/extract"
	"quotient/model"
	"quotient/study"
)

func Example() {
	ctx := context.Background()
	net, err := model.Open(ctx, "zoo:tomita2", model.Options{})
	if err != nil {
		log.Fatal(err)
	}
	s, err := study.Run(ctx, net, study.Options{Options: extract.Options{Seed: 1}, Target: "tomita2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Method, "finds", s.States, "states")
	fmt.Println(s.Agreement.Agree, "of", s.Agreement.Words, "words")
	fmt.Println(s.Target)
	// Output:
	// fold finds 2 states
	// 1000 of 1000 words
	// target tomita2: exactly this language
}
