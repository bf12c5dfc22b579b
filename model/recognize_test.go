package model

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quotient/f32"
	"quotient/model/torch"
	"quotient/rnn"
)

// tensors makes tensors of zeros of "name rows cols" or "name size".
func tensors(specs ...string) []rnn.Tensor {
	var list []rnn.Tensor
	for _, spec := range specs {
		fields := strings.Fields(spec)
		t := rnn.Tensor{Name: fields[0]}
		size := 1
		for _, f := range fields[1:] {
			var d int
			fmt.Sscan(f, &d)
			t.Dims, size = append(t.Dims, d), size*d
		}
		t.Data = make([]float32, size)
		list = append(list, t)
	}
	return list
}

// gru lists the tensors of a GRU of 3 inputs and 5 units.
var gru = []string{"rnn.weight_ih_l0 15 3", "rnn.weight_hh_l0 15 5", "rnn.bias_ih_l0 15", "rnn.bias_hh_l0 15"}

// outline writes a stack in a line.
func outline(s *rnn.Stack) string {
	text := fmt.Sprintf("%d tokens", s.Tokens)
	if s.Embedding.Rows > 0 {
		text += fmt.Sprintf(", embedding %d", s.Embedding.Cols)
	}
	for i := range s.Layers {
		y := &s.Layers[i]
		text += fmt.Sprintf(", %s %d>%d", y.Cell, y.In.Cols, y.Hidden())
		if y.Reverse != nil {
			text += " both ways"
		}
		if y.BiasIn == nil {
			text += " without bias"
		}
		if y.ReLU {
			text += " relu"
		}
	}
	for _, d := range s.Head {
		text += fmt.Sprintf(", dense %d>%d", d.Weight.Cols, d.Weight.Rows)
		if d.Bias == nil {
			text += " without bias"
		}
		if len(d.Then) > 0 {
			text += fmt.Sprint(" ", d.Then)
		}
	}
	return text
}

func TestRecognize(t *testing.T) {
	part := func(path, class string, facts ...string) torch.Part {
		p := torch.Part{Path: path, Class: torch.Name("torch.nn.modules." + class), Facts: map[string]any{}}
		for i := 0; i < len(facts); i += 2 {
			p.Facts[facts[i]] = facts[i+1]
		}
		return p
	}
	for _, c := range []struct {
		what    string
		tensors []rnn.Tensor
		parts   []torch.Part
		want    string
	}{
		{"one-hot", tensors(append(gru, "fc.weight 1 5", "fc.bias 1")...), nil, "3 tokens, gru 3>5, dense 5>1"},
		{
			"an embedding of any name", tensors(append(gru, "x.weight 7 3", "y.weight 2 5")...), nil,
			"7 tokens, embedding 3, gru 3>5, dense 5>2 without bias",
		},
		{
			"all sizes equal, names tell", tensors("model.embed 4 4", "r.weight_ih_l0 4 4", "r.weight_hh_l0 4 4", "f.weight 4 4", "f.bias 4", "g.weight 1 4"), nil,
			"4 tokens, embedding 4, elman 4>4 without bias, dense 4>4 [relu], dense 4>1 without bias",
		},
		{
			"all sizes equal, classes tell", tensors("a.weight 4 4", "r.weight_ih 16 4", "r.weight_hh 16 4", "g.weight 1 4"),
			[]torch.Part{part("", "x.Net"), part("a", "sparse.Embedding"), part("r", "rnn.LSTMCell"), part("g", "linear.Linear")},
			"4 tokens, embedding 4, lstm 4>4 without bias, dense 4>1 without bias",
		},
		{
			"modules out of order", tensors("b.weight_ih_l0 4 5", "b.weight_hh_l0 4 4", "a.weight_ih_l0 5 3", "a.weight_hh_l0 5 5", "f.weight 1 4"), nil,
			"3 tokens, elman 3>5 without bias, elman 5>4 without bias, dense 4>1 without bias",
		},
		{
			"a head in order of sizes", tensors(append(gru, "a.weight 1 6", "b.weight 7 5", "c.weight 6 7")...), nil,
			"3 tokens, gru 3>5, dense 5>7 without bias [relu], dense 7>6 without bias [relu], dense 6>1 without bias",
		},
		{"bare parameters", tensors(append(gru, "Wy 1 5", "by 1")...), nil, "3 tokens, gru 3>5, dense 5>1"},
		{
			"both ways", tensors("r.weight_ih_l0 5 3", "r.weight_hh_l0 5 5", "r.weight_ih_l0_reverse 5 3", "r.weight_hh_l0_reverse 5 5", "f.weight 1 10"), nil,
			"3 tokens, elman 3>5 both ways without bias, dense 10>1 without bias",
		},
		{
			"the module's function", tensors("r.weight_ih_l0 5 3", "r.weight_hh_l0 5 5", "f.weight 1 5"),
			[]torch.Part{part("r", "rnn.RNN", "nonlinearity", "relu")},
			"3 tokens, elman 3>5 without bias relu, dense 5>1 without bias",
		},
		{
			"Sequentials in Sequentials", tensors(append(gru, "h.0.0.weight 4 5", "h.1.0.weight 4 4", "h.2.weight 2 4")...),
			[]torch.Part{
				part("", "x.Net"), part("rnn", "rnn.GRU"), part("h", "container.Sequential"),
				part("h.0", "container.Sequential"), part("h.0.0", "linear.Linear"), part("h.0.1", "activation.ELU"),
				part("h.1", "container.Sequential"), part("h.1.0", "linear.Linear"), part("h.1.1", "dropout.Dropout"),
				part("h.2", "linear.Linear"), part("h.3", "activation.Sigmoid"), part("h.4", "activation.Softmax"),
			},
			"3 tokens, gru 3>5, dense 5>4 without bias [elu], dense 4>4 without bias, dense 4>2 without bias [sigmoid]",
		},
		{
			"an activation somewhere", tensors(append(gru, "fc1.weight 4 5", "fc2.weight 1 4")...),
			[]torch.Part{part("", "x.Net"), part("fc1", "linear.Linear"), part("fc2", "linear.Linear"), part("act", "activation.GELU"), part("out", "activation.Sigmoid")},
			"3 tokens, gru 3>5, dense 5>4 without bias [gelu], dense 4>1 without bias",
		},
		{
			"an activation before the head", tensors(append(gru, "h.1.1.weight 1 5")...),
			[]torch.Part{
				part("", "x.Net"), part("rnn", "rnn.GRU"), part("h", "container.Sequential"), part("h.0", "activation.Tanh"),
				part("h.1", "container.Sequential"), part("h.1.0", "dropout.Dropout"), part("h.1.1", "linear.Linear"),
			},
			"3 tokens, gru 3>5, dense 5>5 without bias [tanh], dense 5>1 without bias",
		},
		{
			"a Sequential with the recurrent layer in it", tensors("s.0.weight 3 3", "s.1.rnn.weight_ih_l0 15 3", "s.1.rnn.weight_hh_l0 15 5", "s.3.weight 1 5"),
			[]torch.Part{
				part("s", "container.Sequential"), part("s.0", "sparse.Embedding"), part("s.1", "x.Last"), part("s.1.rnn", "rnn.GRU"), part("s.1.act", "activation.ELU"),
				part("s.2", "activation.ReLU"), part("s.3", "linear.Linear"),
			},
			"3 tokens, embedding 3, gru 3>5 without bias, dense 5>5 without bias [relu], dense 5>1 without bias",
		},
	} {
		for _, ordered := range []bool{true, false} {
			s := source{tensors: c.tensors, parts: c.parts, ordered: ordered}
			stack, err := s.recognize()
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
			} else if got := outline(stack); got != c.want {
				t.Errorf("%s: %s, want %s", c.what, got, c.want)
			}
		}
	}
}

// Where norms are taken to stand, by names and numbers alone.
func TestNormPlaces(t *testing.T) {
	mlp := func(norm string) []rnn.Tensor {
		return tensors(append(slices.Clone(gru), "h.0.weight 4 5", norm+".weight 4", norm+".bias 4", "h.3.weight 1 4")...)
	}
	for _, c := range []struct {
		tensors []rnn.Tensor
		want    string
	}{
		{mlp("h.1"), "behind dense layer 1"},
		{mlp("h.2"), "behind the function of dense layer 1"},
		{tensors(append(slices.Clone(gru), "ln.weight 5", "ln.bias 5", "fc.weight 1 5")...), "before the first dense layer"},
		{tensors("emb.weight 7 5", "ln.weight 5", "ln.bias 5", "r.weight_ih_l0 15 5", "r.weight_hh_l0 15 5", "fc.weight 1 5"), "behind the embedding"},
		{tensors("emb.weight 7 5", "r.weight_ih_l0 15 5", "r.weight_hh_l0 15 5", "fc.weight 1 5", "ln_out.weight 5", "ln_out.bias 5"), "before the first dense layer"},
		{tensors("ln_emb.weight 5", "ln_emb.bias 5", "emb.weight 7 5", "r.weight_ih_l0 15 5", "r.weight_hh_l0 15 5", "fc.weight 1 5"), "behind the embedding"},
		{tensors("c.weight_ih 20 3", "c.weight_hh 20 5", "c.ln_x.weight 20", "c.ln_x.bias 20", "c.ln_h.weight 20", "c.ln_h.bias 20", "fc.weight 1 5"), "inside layer 1"},
		{tensors("weight_ih 20 3", "weight_hh 20 5", "layernorm_i.weight 20", "layernorm_i.bias 20", "layernorm_c.weight 5", "layernorm_c.bias 5", "fc.weight 1 5"), "inside layer 1"},
	} {
		s := source{tensors: c.tensors, ordered: true}
		stack, err := s.recognize()
		if err != nil {
			t.Errorf("%v: %v", c.tensors, err)
		} else if got := normalized(stack); got != c.want {
			t.Errorf("%v: %s, want %s", c.tensors, got, c.want)
		}
	}
}

func TestNotRecognized(t *testing.T) {
	many := slices.Clone(gru)
	for i := range 9 {
		many = append(many, fmt.Sprintf("fc%d.weight 5 5", i))
	}
	for _, c := range []struct {
		tensors []rnn.Tensor
		parts   []torch.Part
		want    string
	}{
		{nil, nil, "no recurrent layer in it, no tensor such as rnn.weight_ih_l0; it has no tensors at all"},
		{tensors("fc.weight 1 5"), nil, "it has fc.weight [1 5]"},
		{tensors(gru...), nil, "no dense layer that makes a decision of the recurrent layer's 5 outputs"},
		{tensors(append(gru, "fc.weight 9 5")...), nil, `tensor "fc.weight" has 9 outputs`},
		{tensors(append(gru, "fc.weight 1 6")...), nil, "the recurrent layers read 3 numbers and give 5; an embedding before them and dense layers behind, down to one output or two, cannot be made of fc.weight [1 6]"},
		{tensors(append(gru, "fc.weight 1 5", "gn.weight 5", "gn.bias 5")...), nil, "not clear what to do with gn.weight [5], gn.bias [5]; group norms"},
		{tensors(append(gru, "fc.weight 1 5", "bn.running_mean 5")...), nil, "not clear what to do with bn.running_mean [5]"},
		{tensors(append(gru, "fc.weight 1 5", "ln.weight 7", "ln.bias 7")...), nil, "ln is a layer norm of 7 numbers, and nothing in the network has as many"},
		{tensors(append(gru, "fc.weight 1 5", "ln.weight 5", "ln.bias 4")...), nil, "ln: its tensors have 5 and 4 numbers"},
		{tensors(append(gru, "fc.weight 1 5", "ln1.weight 5", "ln1.bias 5", "ln2.weight 5", "ln2.bias 5")...), nil, "ln1 and ln2 would both stand at summary; the option norm says where, as ln2=PLACE: layer1, summary"},
		{tensors("c.weight_ih 15 3", "c.weight_hh 15 5", "c.ln_r.weight 5", "c.ln_r.bias 5", "fc.weight 1 5"), nil, "c.ln_r is a layer norm, and the file does not say where it stands; the option norm does, as ln_r=PLACE: state"},
		{tensors("c.x2h.weight 20 3", "c.h2h.weight 20 5", "c.ln_f.weight 5", "c.ln_f.bias 5", "fc.weight 1 5"), nil, "as ln_f=PLACE: memory, output, state"},
		{tensors("c.x2h.weight 15 3", "c.h2h.weight 15 5", "c.ln_z.weight 5", "c.ln_z.bias 5", "fc.weight 1 5"), nil, "as ln_z=PLACE: state"},
		{tensors("c.gates.weight 15 8", "c.norm.weight 15", "c.norm.bias 15", "fc.weight 1 5"), nil, "c.norm is a layer norm of 15 numbers, and nothing in the network has as many"},
		{tensors(append(gru, "fc.weight 1 5", "conv.weight 5 5 3")...), nil, `tensor "conv.weight" has shape [5 5 3]: convolutions`},
		{tensors(append(gru, "fc.weight 1 5", "attn.in_proj_weight 15 5")...), nil, "attention is not supported"},
		{tensors(append(gru, "fc.weight 1 5", "rnn.weight_hr_l0 2 5")...), nil, "proj_size"},
		{tensors(append(gru, "fc.parametrizations.weight.original0 1 1", "fc.parametrizations.weight.original1 1 5")...), nil, "other weights are computed from it"},
		{tensors(append(gru, "fc.weight_g 1 1", "fc.weight_v 1 5")...), nil, "other weights are computed from it"},
		{tensors("r.weight_ih_l0 10 3", "r.weight_hh_l0 10 5", "fc.weight 1 5"), nil, "rows should be 1, 3 or 4 times"},
		{tensors("r.weight_ih_l0 5 3", "fc.weight 1 5"), nil, `no matrix "r.weight_hh_l0"`},
		{tensors(append(gru, "rnn.weight_hh_l1 15 5", "fc.weight 1 5")...), nil, `"rnn.weight_hh_l1" belongs to a recurrent layer that is not complete`},
		{tensors("r.weight_ih_l0 5 3", "r.weight_hh_l0 5 5", "q.weight_ih_l0 5 3", "q.weight_hh_l0 5 5", "fc.weight 1 5"), nil, "fit together in 0 ways"},
		{tensors("forward_cell.weight_ih 4 4", "forward_cell.weight_hh 4 4", "backward_cell.weight_ih 4 4", "backward_cell.weight_hh 4 4", "fc.weight 1 4"), nil, "backward_cell may read words from their end"},
		{tensors("r.weight_ih_l0 4 4", "r.weight_hh_l0 4 4", "a 4 4", "b 1 4"), nil, "the sizes fit in 2 ways: one-hot inputs and a, b as the head; a as the embedding and b as the head"},
		{
			tensors("emb.weight 6 4", "in.weight 4 4", "in.bias 4", "r.weight_ih_l0 4 4", "r.weight_hh_l0 4 4", "out.weight 1 4"), nil,
			`tensor "in.weight" may stand before the recurrent layers`,
		},
		{tensors(append(gru, "fc.weight 1 5", "query.weight 9 5")...), nil, "fc makes a decision, and it is not clear what to do with query, another head or a layer that is not supported"},
		{tensors(many...), nil, "9 matrices beside the recurrent layers"},
		{tensors(append(gru, "h.0.weight 4 5", "h.2.weight 1 4")...), []torch.Part{
			{Path: "h", Class: "torch.nn.modules.container.Sequential"},
			{Path: "h.0", Class: "torch.nn.modules.linear.Linear"},
			{Path: "h.1", Class: "torch.nn.modules.activation.LeakyReLU", Facts: map[string]any{"negative_slope": 0.3}},
			{Path: "h.2", Class: "torch.nn.modules.linear.Linear"},
		}, "h.1 is a LeakyReLU with negative_slope 0.3; only 0.01 is supported"},
		{tensors(append(gru, "h.0.weight 4 5", "h.2.weight 1 4")...), []torch.Part{
			{Path: "h", Class: "torch.nn.modules.container.Sequential"},
			{Path: "h.0", Class: "torch.nn.modules.linear.Linear"},
			{Path: "h.1", Class: "net.Square"},
			{Path: "h.2", Class: "torch.nn.modules.linear.Linear"},
		}, "h.1 is a net.Square, which is not supported"},
		{tensors(append(gru, "h.1.weight 1 5")...), []torch.Part{
			{Path: "h", Class: "torch.nn.modules.container.Sequential"},
			{Path: "h.0", Class: "torch.nn.modules.activation.Mish"},
			{Path: "h.1", Class: "torch.nn.modules.linear.Linear"},
		}, "h.0 is a torch.nn.modules.activation.Mish, which is not supported"},
		{tensors(append(gru, "fc.weight 1 5")...), []torch.Part{
			{Path: "norm", Class: "torch.nn.modules.normalization.LayerNorm"}, // without weights
			{Path: "fc", Class: "torch.nn.modules.linear.Linear"},
		}, "norm is a layer norm, and the file does not say of how many numbers"},
		{tensors(append(gru, "fc.weight 1 5", "bn.weight 5", "bn.bias 5")...), []torch.Part{
			{Path: "bn", Class: "torch.nn.modules.batchnorm.BatchNorm1d"},
			{Path: "fc", Class: "torch.nn.modules.linear.Linear"},
		}, "bn is a batch norm without statistics of training"},
	} {
		s := source{tensors: c.tensors, parts: c.parts, ordered: true}
		if _, err := s.recognize(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// An activation whose place only code could tell is noted.
func TestUnplaced(t *testing.T) {
	s := source{tensors: tensors(append(gru, "fc.weight 1 5")...), parts: []torch.Part{
		{Path: "fc", Class: "torch.nn.modules.linear.Linear"},
		{Path: "relu", Class: "torch.nn.modules.activation.ReLU"},
		{Path: "end", Class: "torch.nn.modules.activation.Sigmoid"},
	}}
	if _, err := s.recognize(); err != nil || len(s.notes) != 1 || !strings.HasPrefix(s.notes[0], "relu is a ReLU") {
		t.Errorf("notes %q, error %v", s.notes, err)
	}
}

// Whatever a recurrent network's names and sizes are, and in whatever order its tensors
// come, it is found again.
func TestRecognizeAnyNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(3, 9)
		cell := rapid.SampledFrom(rnn.Cells).Draw(t, "cell")
		inputs, hidden, layers := size.Draw(t, "inputs"), size.Draw(t, "hidden"), rapid.IntRange(1, 3).Draw(t, "layers")
		prefix := rapid.SampledFrom([]string{"", "module.", "_orig_mod.model."}).Draw(t, "prefix")
		specs := []string{fmt.Sprintf("%semb.weight %d %d", prefix, size.Draw(t, "tokens"), inputs)}
		want := fmt.Sprintf("%s tokens, embedding %d", strings.Fields(specs[0])[1], inputs)
		in := inputs
		for l := range layers {
			specs = append(specs, fmt.Sprintf("%senc.weight_ih_l%d %d %d", prefix, l, cell.Gates()*hidden, in), fmt.Sprintf("%senc.weight_hh_l%d %d %d", prefix, l, cell.Gates()*hidden, hidden))
			want += fmt.Sprintf(", %s %d>%d without bias", cell, in, hidden)
			in = hidden
		}
		classes := rapid.IntRange(1, 2).Draw(t, "classes")
		specs = append(specs, fmt.Sprintf("%sout.weight %d %d", prefix, classes, hidden), fmt.Sprintf("%sout.bias %d", prefix, classes))
		want += fmt.Sprintf(", dense %d>%d", hidden, classes)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		rng.Shuffle(len(specs), func(i, j int) { specs[i], specs[j] = specs[j], specs[i] })
		s := source{tensors: tensors(specs...), ordered: rapid.Bool().Draw(t, "ordered")}
		stack, err := s.recognize()
		if err != nil {
			t.Fatal(err)
		}
		if got := outline(stack); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

func TestNatural(t *testing.T) {
	names := []string{"a", "a.2", "a.10", "a.010", "a.10.x", "b1c", "b2", "b99999999999", "b100000000000", "c"}
	shuffled := slices.Clone(names)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	slices.SortFunc(shuffled, natural)
	if got := strings.Join(shuffled, " "); !strings.HasPrefix(got, "a a.2 a.10 a.10.x a.010 b1c b2 ") {
		t.Error(got)
	}
}

// FuzzSafetensors opens anything as a file of weights, in little memory.
func FuzzSafetensors(f *testing.F) {
	for _, name := range []string{"lstm", "stacked", "bfloat", "lm/plain", "lm/tied-absent"} {
		data, err := os.ReadFile(filepath.Join("testdata", name+".safetensors"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	with := func(more ...string) []string { return append(slices.Clone(gru), more...) }
	for _, specs := range [][]string{
		with("x.weight 7 3", "y.weight 2 5"),
		with("x.weight 7 3", "y.weight 7 5", "y.bias 7"),
		with("x.weight 7 3", "y.weight 5 5", "classifier.weight 1 5"),
		with("x.weight 7 3", "y.weight 2 5", "aux.weight 1 5", "z.weight 4 5", "z2.weight 1 4"),
		with("x.weight 7 3", "y.0.weight 8 5", "ln.weight 5", "ln.bias 5", "y.2.weight 8", "y.2.bias 8", "y.3.weight 1 8", "n.running_mean 3", "n.running_var 3"),
		with("rnn.ln_ih.weight 15", "rnn.ln_ih.bias 15", "y.weight 2 5", "rms.weight 5"),
		{"a.x2h.weight 8 3", "a.h2h.weight 8 2", "a.x2h.bias 8", "out.weight 1 2", "loss.weight 2"},
		{"a.x2h.weight 8 3", "a.h2h.weight 8 2", "a.ln_x.weight 8", "a.ln_x.bias 8", "a.ln_c.weight 2", "out.weight 1 2"},
		{"W_xi 3 2", "W_hi 2 2", "b_i 2", "W_xf 3 2", "W_hf 2 2", "b_f 2", "W_xc 3 2", "W_hc 2 2", "b_c 2", "W_xo 3 2", "W_ho 2 2", "b_o 2", "W_hq 2 2", "b_q 2"},
		{"i2h.weight 3 6", "i2h.bias 3", "i2o.weight 2 6", "i2o.bias 2"},
		{"n.a.rnn.weight_ih_l0 3 2", "n.a.rnn.weight_hh_l0 3 3", "n.a.fc.weight 1 3", "n.b.rnn.weight_ih_l0 3 2", "n.b.rnn.weight_hh_l0 3 3", "n.b.fc.weight 1 3"},
	} {
		var buf bytes.Buffer
		if err := rnn.EncodeTensors(&buf, rnn.TensorFile{Tensors: tensors(specs...)}); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if m, err := openSafetensors(data, "", Options{}); err == nil {
			m.Net.Answer(t.Context(), f32.New(0, m.Net.Outputs()), nil)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(16<<20+100*len(data)) {
			t.Errorf("%d bytes took %d bytes of memory", len(data), took)
		}
	})
}

// A dense layer that is called as a metric is one; a metric is left out.
func TestLayerCalledAsMetric(t *testing.T) {
	s := source{tensors: tensors(append(gru, "f1.weight 7 5", "f1.bias 7", "f2.weight 1 7", "val_f1.total 3")...)}
	stack, err := s.recognize()
	if err != nil || len(stack.Head) != 2 || !strings.Contains(strings.Join(s.notes, " "), "val_f1.total") {
		t.Errorf("notes %q, error %v", s.notes, err)
	}
}

// Two outputs with a sigmoid each are no two classes of one decision.
func TestTwoSigmoids(t *testing.T) {
	m := &Model{Stack: &rnn.Stack{Head: []rnn.Dense{{Weight: f32.New(2, 3), Then: []rnn.Activation{rnn.Sigmoid}}}}}
	if err := m.decide(Options{}); err != nil || len(m.Notes) != 1 || m.yes() != "class 1 above class 0" {
		t.Errorf("%q, %q, %v", m.Notes, m.yes(), err)
	}
}
