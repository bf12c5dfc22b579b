package plane

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"quotient/f32"
)

// The plane is that of gonum's principal components.
func TestPlane(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		rows, cols := 5+rng.IntN(60), 2+rng.IntN(30)
		m, want := f32.New(rows, cols), mat.NewDense(rows, cols, nil)
		for j := range cols { // variances that fall, so that the answer is unique
			scale := math.Pow(0.7, float64(j))
			for i := range rows {
				m.Row(i)[j] = float32(3 + scale*rng.NormFloat64())
				want.Set(i, j, float64(m.Row(i)[j]))
			}
		}
		var pc stat.PC
		if !pc.PrincipalComponents(want, nil) {
			t.Fatal("gonum finds none")
		}
		variances := pc.VarsTo(nil)
		total := 0.0
		for _, v := range variances {
			total += v
		}
		at, share := Project(m)
		for k := range 2 {
			if math.Abs(share[k]-variances[k]/total) > 1e-4 {
				t.Errorf("seed %d: component %d has %v of the variance, not %v", seed, k, share[k], variances[k]/total)
			}
			sum, squares := 0.0, 0.0
			for i := range rows {
				sum += float64(at.Row(i)[k])
				squares += float64(at.Row(i)[k]) * float64(at.Row(i)[k])
			}
			if math.Abs(sum) > 1e-3 || math.Abs(squares/float64(rows-1)-variances[k]) > 1e-3*variances[0] {
				t.Errorf("seed %d: mean %v, variance %v, not %v", seed, sum, squares/float64(rows-1), variances[k])
			}
		}
		again, _ := Project(m)
		if !slices.Equal(at.Data, again.Data) {
			t.Errorf("seed %d: another picture", seed)
		}
	}
}

func TestPlaneOfLittle(t *testing.T) {
	for _, shape := range [][2]int{{0, 3}, {1, 3}, {3, 0}, {4, 1}, {4, 4}} {
		m := f32.New(shape[0], shape[1])
		for i := range m.Data {
			m.Data[i] = 2
		}
		at, share := Project(m)
		for _, x := range append(at.Data, float32(share[0]), float32(share[1])) {
			if x != 0 {
				t.Errorf("%v: %v %v", shape, at.Data, share)
				break
			}
		}
	}
	line := f32.Of(3, 1, []float32{1, 2, 6}) // one dimension has no second component
	at, share := Project(line)
	if math.Abs(share[0]-1) > 1e-6 || share[1] != 0 || at.Row(2)[0] != 3 || at.Row(2)[1] != 0 {
		t.Errorf("%v %v", at.Data, share)
	}
}

func TestSpread(t *testing.T) {
	if got := Spread(10, 4); !slices.Equal(got, []int{0, 2, 5, 7}) {
		t.Error(got)
	}
	if got := Spread(3, 10); !slices.Equal(got, []int{0, 1, 2}) {
		t.Error(got)
	}
}
