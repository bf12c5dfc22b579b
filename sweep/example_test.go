package sweep_test

import (
	"context"
	"fmt"
	"os"

	"quotient/sweep"
)

// A sweep on this machine: a file, a store in a folder, a worker, and the results.
func Example() {
	file, err := sweep.Read("study.yaml", []byte(`
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

	ctx, stop := context.WithCancel(context.Background())
	store, err := sweep.Embedded(ctx, folder)
	if err != nil {
		panic(err)
	}
	defer store.Close()
	ended := make(chan error)
	go func() { ended <- (&sweep.Worker{}).Run(ctx, store) }()
	status, err := store.Run(ctx, file, sweep.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(status.Extract.Done, "extractions")

	groups, err := sweep.GroupBy(store.Rows(ctx, file), sweep.Columns, []string{"language", "method"}, []string{"states"})
	if err != nil {
		panic(err)
	}
	for _, g := range groups {
		fmt.Println(g.By, g.Metrics[0].Median, "states")
	}
	stop()
	<-ended
	// Output:
	// 12 extractions
	// [tomita1 fold] 1 states
	// [tomita1 kmeans] 1 states
	// [tomita5 fold] 4 states
	// [tomita5 kmeans] 4 states
}
