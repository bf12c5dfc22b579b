package results_test

import (
	"context"
	"fmt"
	"os"

	"quotient/sweep/plan"
	"quotient/sweep/queue"
	"quotient/sweep/results"
)

// A sweep on this machine: a file, a store in a folder, a worker, and the results.
func Example() {
	file, err := plan.Read("study.yaml", []byte(`
model: [zoo:tomita1, zoo:tomita5]
extract: {method: [fold, kmeans], kappa: 0.01, strings: 200, length: 10, seed: {from: 1, to: 3}}
`))
	if err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "sweep")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)

	ctx := context.Background()
	store, err := queue.Embedded(ctx, folder)
	if err != nil {
		panic(err)
	}
	defer store.Close()
	status, err := store.Run(ctx, file, queue.Options{Worker: &queue.Worker{}})
	if err != nil {
		panic(err)
	}
	fmt.Println(status.Extract.Done, "extractions")

	table := results.Extractions(file, store.Results(ctx, file))
	groups, err := table.GroupBy([]string{"language", "method"}, []string{"states"})
	if err != nil {
		panic(err)
	}
	for _, g := range groups {
		fmt.Println(g.By, g.Metrics[0].Median, "states")
	}
	// Output:
	// 12 extractions
	// [tomita1 fold] 1 states
	// [tomita1 kmeans] 1 states
	// [tomita5 fold] 4 states
	// [tomita5 kmeans] 4 states
}
