// Package keras reads the files that Keras writes: .keras archives, whole models in .h5
// files, and weights alone.
//
// A whole model says itself which layers it has, in JSON, and its weights are found by the
// order of these layers. What is not a chain of an embedding, recurrent layers and dense ones
// is refused by the name of a layer. Nothing in a file is executed: layers with code in
// them, as Lambda, are only names.
package keras

import (
	"encoding/json"
	"errors"
	"fmt"

	"quotient/model/frugal"
	"quotient/model/hdf5"
	"quotient/rnn"
)

// A Model is what a file holds.
type Model struct {
	Format  string
	Stack   *rnn.Stack   // nil: there are only weights
	Tensors []rnn.Tensor // as the file has them; under PyTorch's names and in its order of gates if there are only weights
	Masked  bool         // token 0 is padding, which the network skips
	Resets  []string     // the GRUs that apply their reset gate before the recurrent product, if there are only weights
	Notes   []string     // what the user should know of
}

// instead is what remains to be done with a model that is not supported.
const instead = "export it with model.export(FILE, format=\"onnx\"), or let the option exec run it as a black box"

// IsArchive reports whether a zip archive has the entries of a .keras file.
func IsArchive(data []byte) bool {
	files, err := frugal.OpenArchive(data)
	return err == nil && files.Find("config.json") != nil && files.Find(weightsEntry) != nil
}

const weightsEntry = "model.weights.h5"

// ReadArchive reads a .keras file.
func ReadArchive(data []byte) (*Model, error) {
	m, err := readArchive(data)
	if err != nil {
		return nil, fmt.Errorf("keras: %w", err)
	}
	return m, nil
}

func readArchive(data []byte) (*Model, error) {
	files, err := frugal.OpenArchive(data)
	if err != nil {
		return nil, err
	}
	budget := frugal.New(len(data))
	var content [2][]byte
	for i, name := range []string{"config.json", weightsEntry} {
		entry := files.Find(name)
		if entry == nil {
			return nil, fmt.Errorf("zip archive: %q is missing; model.save(\"net.keras\") writes it", name)
		}
		if content[i], err = frugal.Entry(data, entry, budget.Spend); err != nil {
			return nil, fmt.Errorf("zip archive: %q: %w", name, err)
		}
	}
	root, err := hdf5.Open(content[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", weightsEntry, err)
	}
	return read("Keras", content[0], &archived{root: root, count: make(map[string]int)})
}

// ReadHDF5 reads a .h5 file: a whole model, or weights.
func ReadHDF5(data []byte) (*Model, error) {
	m, err := readHDF5(data)
	if err != nil {
		return nil, fmt.Errorf("keras: %w", err)
	}
	return m, nil
}

func readHDF5(data []byte) (*Model, error) {
	root, err := hdf5.Open(data)
	if err != nil {
		return nil, err
	}
	config, whole, err := root.Text("model_config")
	if err != nil {
		return nil, err
	}
	if !whole {
		return weightsAlone(root)
	}
	weights, err := root.Find("model_weights")
	if err == nil && weights == nil {
		err = errors.New("it has a model's configuration, but no weights: model.save(\"net.h5\") writes both")
	}
	if err != nil {
		return nil, err
	}
	return read("Keras (HDF5)", []byte(config), named{weights})
}

// read makes a model of its configuration and its weights.
func read(format string, config []byte, w weights) (*Model, error) {
	layers, err := parse(config)
	if err != nil {
		return nil, err
	}
	b := &builder{weights: w, model: &Model{Format: format, Stack: &rnn.Stack{}}}
	for _, y := range layers {
		if err := b.layer(y); err != nil {
			return nil, fmt.Errorf("layer %q: %w", y.name(), err)
		}
	}
	return b.finish()
}

// A configuration is that of a model or of a layer, as far as it is read.
type configuration struct {
	Class  string          `json:"class_name"`
	Config json.RawMessage `json:"config"`
	Nodes  json.RawMessage `json:"inbound_nodes"`

	settings
}

// settings are those of any layer; each has some of them.
type settings struct {
	Name                string          `json:"name"`
	Activation          json.RawMessage `json:"activation"`
	RecurrentActivation json.RawMessage `json:"recurrent_activation"`
	ResetAfter          *bool           `json:"reset_after"`
	ReturnSequences     bool            `json:"return_sequences"`
	ReturnState         bool            `json:"return_state"`
	GoBackwards         bool            `json:"go_backwards"`
	TimeMajor           bool            `json:"time_major"`
	MaskZero            bool            `json:"mask_zero"`
	MaskValue           float64         `json:"mask_value"`
	MergeMode           string          `json:"merge_mode"`
	Axis                *axis           `json:"axis"`
	Epsilon             *float32        `json:"epsilon"`
	Scale               *bool           `json:"scale"`
	Center              *bool           `json:"center"`
	RMSScaling          bool            `json:"rms_scaling"`
	Layer               *configuration  `json:"layer"`
	Backward            *configuration  `json:"backward_layer"`
	Shape               []*int          `json:"batch_shape"`
	OldShape            []*int          `json:"batch_input_shape"`
}

func (c *configuration) name() string {
	if c.settings.Name != "" {
		return c.settings.Name
	}
	return c.Class
}

// maxLayers is more than a recurrent network has.
const maxLayers = 1000

// parse returns the layers of a model in the order in which they run.
func parse(data []byte) ([]*configuration, error) {
	var whole configuration
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	var model struct {
		Layers []*configuration `json:"layers"`
		Output json.RawMessage  `json:"output_layers"`
	}
	err := json.Unmarshal(whole.Config, &model)
	if err != nil && whole.Class == "Sequential" { // the oldest have but a list
		err = json.Unmarshal(whole.Config, &model.Layers)
	}
	if err != nil || len(model.Layers) == 0 || len(model.Layers) > maxLayers {
		return nil, fmt.Errorf("configuration: a model of class %q with %d layers: %v; only Sequential and functional models say what their layers are; %s", whole.Class, len(model.Layers), err, instead)
	}
	for _, y := range model.Layers {
		if y == nil {
			return nil, errors.New("configuration: a layer is null")
		}
		if err := y.unpack(maxNested); err != nil {
			return nil, fmt.Errorf("configuration of layer %q: %w", y.name(), err)
		}
	}
	switch whole.Class {
	case "Sequential":
		return model.Layers, nil
	case "Functional", "Model":
		return chain(model.Layers, model.Output)
	}
	return nil, fmt.Errorf("a model of class %q: only Sequential and functional models say how their layers run; %s", whole.Class, instead)
}

// maxNested is how deep layers are read that stand in others: in Bidirectional and the like.
const maxNested = 2

// unpack reads the settings of a layer and of those inside it.
func (c *configuration) unpack(depth int) error {
	if depth == 0 {
		return fmt.Errorf("layers in more than %d others; %s", maxNested, instead)
	}
	if len(c.Config) > 0 {
		if err := json.Unmarshal(c.Config, &c.settings); err != nil && known[c.Class] {
			return err
		}
	}
	for _, inner := range []*configuration{c.Layer, c.Backward} {
		if inner != nil {
			if err := inner.unpack(depth - 1); err != nil {
				return err
			}
		}
	}
	return nil
}
