package bench

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"quotient/f32"
	"quotient/internal/kmeans"
	"quotient/oracle"
	"quotient/prefix"
	"quotient/rnn"
	"quotient/sample"
	"quotient/zoo"
)

// KMeansOptions say what to measure.
type KMeansOptions struct {
	Inputs  []string // none: all of Clouds
	Points  []int
	Starts  []int
	Threads []int
	Rounds  int
	Folder  string // where the points are written, if anywhere
}

// A Clustering is what became of points.
type Clustering struct {
	Starts     int     `json:"starts"`
	Threads    int     `json:"threads"`
	Iterations int     `json:"iterations"` // of all starts
	Seeding    float64 `json:"seeding"`    // seconds of the figure that went to the seeds
	Each       float64 `json:"iteration"`  // seconds of an iteration
	Inertia    float64 `json:"inertia"`    // the least of all starts, in the mean of all rounds
}

// A Cloud is a kind of points.
type Cloud struct {
	Name, Doc string
	make      func(ctx context.Context, n int) (f32.Matrix, error)
}

// Clouds lists what is clustered: a network's states, which lie in clusters, some of them early in
// its training, and points that lie in none, where no bound spares much.
var Clouds = []Cloud{
	{"states", "of the bundled network for Tomita 4 after 21 epochs", func(ctx context.Context, n int) (f32.Matrix, error) {
		return states(ctx, "zoo:tomita4@21", n)
	}},
	{"early", "of that for Tomita 7 after one", func(ctx context.Context, n int) (f32.Matrix, error) {
		return states(ctx, "zoo:tomita7@1", n)
	}},
	{"normal", "independent normal numbers, in no clusters at all", func(_ context.Context, n int) (f32.Matrix, error) {
		r, m := generator(n), f32.New(n, 100)
		for i := range m.Data {
			m.Data[i] = float32(r.NormFloat64())
		}
		return m, nil
	}},
}

// clusters is how many are looked for.
const clusters = 20

// KMeans measures clustering.
func KMeans(ctx context.Context, o KMeansOptions) ([]Figure, error) {
	for _, name := range o.Inputs {
		if !slices.ContainsFunc(Clouds, func(c Cloud) bool { return c.Name == name }) {
			return nil, fmt.Errorf("no points are called %q", name)
		}
	}
	var figures []Figure
	for _, n := range o.Points {
		for _, c := range Clouds {
			if len(o.Inputs) > 0 && !slices.Contains(o.Inputs, c.Name) {
				continue
			}
			points, err := c.make(ctx, n)
			if err != nil {
				return figures, err
			}
			file := Figure{Work: "kmeans", Input: c.Name, Size: points.Rows, States: clusters}
			if err := o.write(&file, points); err != nil {
				return figures, err
			}
			for _, starts := range o.Starts {
				for _, threads := range o.Threads {
					if ctx.Err() != nil {
						return figures, context.Cause(ctx)
					}
					f := file
					f.Clustering = &Clustering{Starts: starts, Threads: threads}
					o.measure(&f, points)
					figures = append(figures, f)
				}
			}
		}
	}
	return figures, nil
}

// measure fills in a figure. Every round has seeds of its own: the one with the least time counts, but of inertia the mean, since
// what one start ends with is a matter of luck.
func (o *KMeansOptions) measure(f *Figure, points f32.Matrix) {
	weight := make([]int32, points.Rows)
	for i := range weight {
		weight[i] = 1
	}
	var inertia float64
	again := max(1, min(3, 300_000/max(1, points.Rows))) // seeds are most of the time of two iterations, and what is left of it must be no accident
	for round := range o.Rounds {
		var r kmeans.Result
		run := func(iterations int) float64 {
			return Best(again, func() {
				r = kmeans.Run(points, weight, kmeans.Options{
					Clusters: clusters, Starts: f.Starts, Threads: f.Threads, Iterations: iterations, Rand: rand.New(rand.NewPCG(uint64(round), 0)),
				})
			})
		}
		seeding, seconds := run(0), run(300)
		inertia += r.Cost / float64(o.Rounds)
		if round == 0 || seconds < f.Seconds {
			f.Seconds, f.Seeding, f.Iterations = seconds, seeding, r.Iterations
			f.Each = (seconds - seeding) / float64(r.Iterations)
		}
	}
	f.Inertia = inertia
}

// states returns the states of a bundled network after n prefixes of random words.
func states(ctx context.Context, name string, n int) (f32.Matrix, error) {
	t, err := Tree(ctx, name, n)
	if err != nil {
		return f32.Matrix{}, err
	}
	return t.State.View(0, min(n, t.Len())), nil
}

// Tree returns the prefix tree of a bundled network, of random words, with n nodes or a few more.
func Tree(ctx context.Context, name string, n int) (*prefix.Tree, error) {
	net, _, err := zoo.Open(name)
	if err != nil {
		return nil, err
	}
	// Random words of this length over two symbols have about words*(1 + length - log2 words) prefixes.
	const length = 26
	words := 1.0
	for words*(length-math.Log2(words)) < float64(n) {
		words *= 1.02
	}
	q := oracle.Ask(ctx, rnn.NewRunner(net, 0))
	drawn := sample.UniformWords(int(words), q.Alphabet().Len(), length, length, generator(n))
	return prefix.Build(q, drawn)
}

// write stores points as a .npy file, if a folder is given.
func (o *KMeansOptions) write(f *Figure, points f32.Matrix) error {
	if o.Folder == "" {
		return nil
	}
	path := filepath.Join(o.Folder, fmt.Sprintf("points-%s-%d.npy", f.Input, f.Size))
	f.Files = []string{path}
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	header := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", points.Rows, points.Cols)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "\x93NUMPY\x01\x00%c\x00%-*s\n", 118, 117, header)
	if err = binary.Write(b, binary.LittleEndian, points.Data[:points.Rows*points.Cols]); err == nil {
		err = b.Flush()
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}
