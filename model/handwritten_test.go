package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/f32"
	"quotient/model/torch"
	"quotient/rnn"
)

// A scheme is a way to name the matrices of a cell: % is a gate, and those are called by
// names, one for each in PyTorch's order.
type scheme struct {
	x, h, b string // the bias; without, Linears have one each
	gates   string
	raw     bool // parameters, turned around
}

// written returns the tensors of a layer under the names of a scheme.
func (s scheme) written(y *rnn.Layer) (list []rnn.Tensor) {
	names := strings.Fields(s.gates)
	n := y.Hidden()
	if len(names) == 0 {
		names, n = []string{""}, y.Rec.Rows
	}
	add := func(name string, m f32.Matrix) {
		if s.raw {
			m = transposed(m)
		} else {
			name += ".weight"
		}
		list = append(list, rnn.Tensor{Name: name, Dims: []int{m.Rows, m.Cols}, Data: slices.Clone(m.Data)})
	}
	bias := func(name string, b []float32) {
		list = append(list, rnn.Tensor{Name: name, Dims: []int{len(b)}, Data: b})
	}
	for g, name := range names {
		called := func(pattern string) string { return strings.ReplaceAll(pattern, "%", name) }
		in, rec := y.In.View(g*n, (g+1)*n), y.Rec.View(g*n, (g+1)*n)
		if s.h == "" {
			both := f32.New(n, in.Cols+rec.Cols)
			for i := range n {
				copy(both.Row(i), in.Row(i))
				copy(both.Row(i)[in.Cols:], rec.Row(i))
			}
			add(called(s.x), both)
		} else {
			add(called(s.x), in)
			add(called(s.h), rec)
		}
		if s.b != "" {
			bias(called(s.b), y.BiasIn[g*n:(g+1)*n])
		} else if !s.raw {
			bias(called(s.x)+".bias", y.BiasIn[g*n:(g+1)*n])
			if s.h != "" {
				bias(called(s.h)+".bias", y.BiasRec[g*n:(g+1)*n])
			}
		}
	}
	return list
}

// A cell under any of these names is found again, number by number.
func TestHandwritten(t *testing.T) {
	for cell, schemes := range map[*rnn.Cell][]scheme{
		rnn.LSTM: {
			{x: "x2h", h: "h2h"},
			{x: "net.i2h", h: "net.h2h"},
			{x: "cell.W_ih", h: "cell.W_hh"},
			{x: "Wx", h: "Wh"},
			{x: "input_linear", h: "hidden_linear"},
			{x: "lstm.fc_x", h: "lstm.fc_h"},
			{x: "c.one", h: "c.two"},
			{x: "c.gate", h: "c.lstm"},
			{x: "gates", gates: ""},
			{x: "weight_x", h: "weight_h", b: "bias", raw: true},
			{x: "W", h: "U", b: "b", raw: true},
			{x: "W_ih", h: "W_hh", b: "bias_ih", raw: true},
			{x: "x2h_0", h: "h2h_0"},
			{x: "input_to_hidden", h: "hidden_to_hidden"},
			{x: "W_i%", h: "W_h%", gates: "i f g o"},
			{x: "l.W_x%", h: "l.W_h%", gates: "i f c o"},
			{x: "W%", h: "U%", gates: "i f c o"},
			{x: "x2%", h: "h2%", gates: "i f g o"},
			{x: "%_gate_x", h: "%_gate_h", gates: "input forget cell output"},
			{x: "W_%_x", h: "W_%_h", gates: "i f c o"},
			{x: "linear_x_%", h: "linear_h_%", gates: "i f c o"},
			{x: "W_%", h: "U_%", b: "b_%", gates: "i f c o", raw: true},
			{x: "W_x%", h: "W_h%", b: "b_%", gates: "i f c o", raw: true},
			{x: "w%", h: "u%", b: "bias_%", gates: "i f g o", raw: true},
			{x: "W%", gates: "i f c o"},
			{x: "W_%", gates: "i f c o"},
			{x: "%_gate", gates: "input forget cell output"},
			{x: "%Gate", gates: "input forget candidate output"},
			{x: "gate_%", gates: "i f g o"},
			{x: "fc_%", gates: "input forget cell output"},
			{x: "%.0", gates: "input_gate forget_gate cell_gate output_gate"},
			{x: "linear_%", gates: "i f c o"},
			{x: "W_%", b: "b_%", gates: "i f c o", raw: true},
			{x: "W_%", gates: "input forget candidate output"},
		},
		rnn.GRU: {
			{x: "x2h", h: "h2h"},
			{x: "i2h", h: "h2h"},
			{x: "c.a", h: "c.b"},
			{x: "W_i%", h: "W_h%", gates: "r z n"},
			{x: "W_x%", h: "W_h%", b: "b_%", gates: "r z h", raw: true},
			{x: "W_%", h: "U_%", gates: "r z h"},
			{x: "%_gate", gates: "reset update new"},
			{x: "W%", gates: "r z h"},
			{x: "%_x", h: "%_h", gates: "reset update candidate"},
			{x: "fc_%", gates: "r u c"},
		},
		rnn.Elman: {
			{x: "x2h", h: "h2h"},
			{x: "i2h", h: "h2h"},
			{x: "rnn.in2hidden", h: "rnn.hidden2hidden"},
			{x: "W_xh", h: "W_hh", b: "b_h", raw: true},
			{x: "Wxh", h: "Whh"},
			{x: "input_layer", h: "hidden_layer"},
			{x: "W_in", h: "W_rec"},
			{x: "U", h: "W"},
			{x: "i2h"},
			{x: "hidden"},
		},
	} {
		for _, scheme := range schemes {
			rng := rand.New(rand.NewPCG(1, 2))
			random := func(n int) []float32 {
				v := make([]float32, n)
				for i := range v {
					v[i] = rng.Float32()
				}
				return v
			}
			rows := cell.Gates() * 5
			want := rnn.Layer{Cell: cell, In: f32.Of(rows, 3, random(3*rows)), Rec: f32.Of(rows, 5, random(5*rows)), BiasIn: random(rows), BiasRec: random(rows)}
			s := source{ordered: true, tensors: slices.Concat(tensors("embedding.weight 4 3"), scheme.written(&want), tensors("out.weight 1 5", "out.bias 1"))}
			stack, err := s.recognize()
			if err != nil {
				t.Errorf("%s %+v: %v", cell, scheme, err)
				continue
			}
			if scheme.h == "" || scheme.b != "" {
				clear(want.BiasRec)
			}
			got := stack.Layers[0]
			same := got.Cell == cell && slices.Equal(got.In.Data, want.In.Data) && slices.Equal(got.Rec.Data, want.Rec.Data)
			if !same || !slices.Equal(got.BiasIn, want.BiasIn) || !slices.Equal(got.BiasRec, want.BiasRec) || stack.Tokens != 4 {
				t.Errorf("%s %+v: %s is another cell", cell, scheme, outline(stack))
			}
		}
	}
}

// Whatever tensors are called, and whatever their sizes are, there is a network that fits
// together, or an error.
func TestRecognizeAnything(t *testing.T) {
	word := rapid.SampledFrom([]string{"W", "U", "b", "x", "h", "i", "f", "o", "c", "r", "z", "n", "x2h", "h2h", "i2h", "i2o", "gate", "input", "hidden", "lstm", "0", "1", "cell", "fc", "emb", "loss", "_"})
	rapid.Check(t, func(t *rapid.T) {
		var list []rnn.Tensor
		for i := range rapid.IntRange(1, 12).Draw(t, "tensors") {
			name := strings.Join(rapid.SliceOfN(word, 1, 3).Draw(t, "words"), rapid.SampledFrom([]string{"", "_", "."}).Draw(t, "between"))
			name += rapid.SampledFrom([]string{"", ".weight", ".bias", fmt.Sprint(i, ".weight")}).Draw(t, "end")
			dims := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 3, 4, 6, 7, 8, 9, 12}), 1, 2).Draw(t, "dims")
			list = append(list, tensors(name+" "+strings.Trim(fmt.Sprint(dims), "[]"))...)
		}
		gates := rapid.SampledFrom([]string{"", "hx", "fiog,hx", "zrn,before,new"}).Draw(t, "gates")
		s := source{tensors: list, ordered: rapid.Bool().Draw(t, "ordered"), options: Options{Gates: gates}}
		stack, err := s.network()
		if err == nil {
			err = stack.Check()
		}
		if err == nil && len(stack.Layers) == 0 {
			t.Fatal("a network without layers")
		}
	})
}

// The option gates puts gates in order, and turns an update gate.
func TestGates(t *testing.T) {
	rows := func(o Options, rows int) (list []float32) {
		x := tensors(fmt.Sprintf("c.a.weight %d 2", rows), fmt.Sprintf("c.b.weight %d 3", rows), "out.weight 1 3")
		for i := range x[0].Data {
			x[0].Data[i] = float32(i / 6)
		}
		s := source{tensors: x, ordered: true, options: o}
		stack, err := s.recognize()
		if err != nil {
			t.Fatal(err)
		}
		for g := range rows / 3 {
			list = append(list, stack.Layers[0].In.Row(3 * g)[0])
		}
		return list
	}
	for _, c := range []struct {
		gates string
		rows  int
		want  string
	}{
		{"", 12, "[0 1 2 3]"},
		{"ogfi", 12, "[3 2 1 0]"},
		{"fiog", 12, "[1 0 3 2]"},
		{"", 9, "[0 1 2]"},
		{"znr", 9, "[2 0 1]"},
		{"rzn,new", 9, "[0 -1 2]"},
	} {
		if got := fmt.Sprint(rows(Options{Gates: c.gates}, c.rows)); got != c.want {
			t.Errorf("%s: %s, want %s", c.gates, got, c.want)
		}
	}
	for _, text := range []string{"ifg", "iffo", "x", "ifgo,", "rznn"} {
		if _, err := parseGates(text); err == nil {
			t.Errorf("gates %s: no error", text)
		}
	}
}

// What belongs to training is left out, and said; what may not is refused.
func TestLeftOut(t *testing.T) {
	for name, out := range map[string]bool{
		"criterion.weight 2": true, "loss_fn.pos_weight 1": true, "train_acc.total 1": true, "val_metrics.f1.tp 2": true, "train_loss.sum 1": true,
		"global_step 1": true, "n_averaged 1": true, "ema.decay 1": true, "optimizer.exp_avg 5 5": true, "class_weights 2": true, "val_confmat.confmat 2 2": true,
		"bn.num_batches_tracked 1": true, "scale 1": false, "extra.weight 5": false, "gloss 5": false, "steps 5": false, "accent 2": false,
	} {
		s := source{tensors: tensors(append(slices.Clone(gru), name, "fc.weight 1 5")...), ordered: true}
		_, err := s.network()
		if (err == nil) != out {
			t.Errorf("%s: %v", name, err)
		}
		if out && len(s.notes) != 1 && !strings.HasPrefix(name, "bn") {
			t.Errorf("%s: notes %q", name, s.notes)
		}
		if len(s.all) > 0 && len(s.all) != 6 {
			t.Errorf("%s: %d tensors are shown", name, len(s.all))
		}
	}
	s := source{tensors: tensors(append(slices.Clone(gru), "fc.weight 1 5", "judge.weight 2")...), parts: []torch.Part{{Path: "judge", Class: "torch.nn.modules.loss.CrossEntropyLoss"}}}
	if _, err := s.network(); err != nil {
		t.Error(err)
	}
}

// Where the head fits only a lower layer, the error says which.
func TestLowerLayer(t *testing.T) {
	s := source{tensors: tensors("r.weight_ih_l0 5 3", "r.weight_hh_l0 5 5", "q.weight_ih_l0 4 5", "q.weight_hh_l0 4 4", "fc.weight 1 5"), ordered: true}
	if _, err := s.network(); err == nil || !strings.Contains(err.Error(), "if the decision reads layer 1, the option layer says so") {
		t.Error(err)
	}
}

// One of several networks is named by a key.
func TestKey(t *testing.T) {
	var two []string
	for _, name := range []string{"net.a.", "net.b."} {
		for _, spec := range append(slices.Clone(gru), "fc.weight 1 5") {
			two = append(two, name+spec)
		}
	}
	for _, c := range []struct {
		tensors []string
		key     string
		want    string // part of an error, or of a note
	}{
		{two, "", "the option key names one of net.a, net.b"},
		{two, "net.b", ""},
		{two, "net.c", "key net.c: nothing in it begins so; there are net.a, net.b"},
		{two, "net.a.rnn", "no dense layer that makes a decision"},
		{append(slices.Clone(two[:5]), "net.c.weight 9 9"), "", "what begins with net.a is a network by itself, which the option key net.a reads"},
	} {
		s := source{tensors: tensors(c.tensors...), ordered: true, options: Options{Key: c.key}}
		if _, err := s.network(); (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("key %q: %v, want %q", c.key, err, c.want)
		}
	}
	m, err := Open(t.Context(), "testdata/styles/ema.pt.gz", Options{Key: "ema"})
	if err != nil || m.Stack.Layers[0].Cell != rnn.LSTM || !strings.HasPrefix(m.Reading(), "what is under ema; ") || m.Arguments()[2] != "ema" {
		t.Errorf("%v, %+v", err, m)
	}
	if _, err := Open(t.Context(), "zoo:tomita1", Options{Key: "a"}); err == nil {
		t.Error("a network of the zoo has keys")
	}
}
