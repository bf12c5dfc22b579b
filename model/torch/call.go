package torch

import (
	"fmt"
	"slices"
	"strings"
)

// A CallError says that a file is more than data: reading it with Python would call
// something.
type CallError struct {
	Callee string // as "os.system"
}

func (e *CallError) Error() string {
	return fmt.Sprintf("the file wants to call %s, which no weights need; it is not loaded (torch.save(model.state_dict(), FILE) writes a file that calls nothing)", e.Callee)
}

// call performs the operations that in Python look up names and call them.
func (m *machine) call(op byte) error {
	switch op {
	case 'c', 'i': // GLOBAL; INST, which calls at once
		return m.global(op == 'i')
	case 0x93: // STACK_GLOBAL
		return m.stackGlobal()
	case 'o': // OBJ: the class and its arguments since the mark
		items, err := m.sinceMark()
		if err != nil {
			return err
		}
		if len(items) == 0 {
			return fmt.Errorf("a call of nothing")
		}
		return refusal(items[0], items[1:])
	case 'R': // REDUCE
		items, err := m.popN(2)
		if err != nil {
			return err
		}
		args, ok := items[1].(tuple)
		if !ok {
			return fmt.Errorf("a call with %s in place of arguments", describe(items[1]))
		}
		value, err := m.reduce(items[0], args)
		return m.pushed(value, err)
	case 0x81: // NEWOBJ: an instance, made without its __init__
		return m.instance(2)
	case 0x92: // NEWOBJ_EX: the same with arguments that have names
		return m.instance(3)
	case 'b': // BUILD: give an instance its state
		state, err := m.pop()
		if err != nil {
			return err
		}
		top, err := m.top()
		if err != nil {
			return err
		}
		return restore(top, state)
	case 'Q': // BINPERSID
		id, err := m.pop()
		if err != nil {
			return err
		}
		value, err := m.persistent(id)
		return m.pushed(value, err)
	}
	return fmt.Errorf("operation 0x%02x, which no model needs", op)
}

// global reads the name of a class, which a file may want to call.
func (m *machine) global(calls bool) error {
	module, err := m.line()
	if err != nil {
		return err
	}
	name, err := m.line()
	if err != nil {
		return err
	}
	if calls {
		return &CallError{module + "." + name}
	}
	return m.push(canonical(module, name))
}

// stackGlobal takes the name of a class from the stack.
func (m *machine) stackGlobal() error {
	items, err := m.popN(2)
	if err != nil {
		return err
	}
	module, ok := items[0].(string)
	name, ok2 := items[1].(string)
	if !ok || !ok2 {
		return fmt.Errorf("a class is named by %s and %s, not by two texts", describe(items[0]), describe(items[1]))
	}
	if err := m.budget.spend(len(module) + len(name)); err != nil {
		return err
	}
	return m.push(canonical(module, name))
}

// refusal names what a file wants to call and, since there are functions that call
// others, what the first argument names.
func refusal(callee any, args tuple) error {
	text := describe(callee)
	if r, ok := callee.(*record); ok {
		args = r.args
	}
	if len(args) > 0 {
		if name, ok := args[0].(Name); ok {
			text += " of " + string(name)
		}
	}
	return &CallError{text}
}

// canonical joins a name, with modules that were renamed under their name of today.
func canonical(module, name string) Name {
	switch module {
	case "__builtin__":
		module = "builtins"
	case "copy_reg":
		module = "copyreg"
	}
	return Name(strings.Replace(module, "numpy._core.", "numpy.core.", 1) + "." + name)
}

// instance makes a record of a class, whichever that is.
func (m *machine) instance(operands int) error {
	items, err := m.popN(operands)
	if err != nil {
		return err
	}
	class, ok := items[0].(Name)
	args, ok2 := items[1].(tuple)
	if !ok || !ok2 {
		return fmt.Errorf("an instance of %s with %s as arguments", describe(items[0]), describe(items[1]))
	}
	if runs(class) {
		return &CallError{string(class)}
	}
	return m.push(&record{class: class, args: args})
}

// runs reports whether a name is of a module that holds functions to run things and
// no class that a network could be an instance of. An instance alone would do no harm
// here, but says that the file is no model.
func runs(name Name) bool {
	switch module, _, _ := strings.Cut(string(name), "."); module {
	case "os", "posix", "nt", "subprocess", "sys", "socket", "shutil", "runpy", "importlib", "ctypes", "pty", "webbrowser", "builtins":
		return !slices.Contains(plain, name) && name != "builtins.object"
	}
	return false
}

// restore gives a record its state. Dictionaries that are instances have attributes,
// too, as the _metadata of a state_dict, which nothing here needs.
func restore(to, state any) error {
	switch to := to.(type) {
	case *record:
		to.state = state
	case *dict, *list, *tensor:
	default:
		return fmt.Errorf("a state is given to %s", describe(to))
	}
	return nil
}

// plain lists what becomes a record of its arguments when it is called. Calling these
// does nothing but make a value, and none of them matters to a network.
var plain = []Name{
	"builtins.int", "builtins.float", "builtins.bool", "builtins.str", "builtins.complex", "builtins.bytes", "builtins.bytearray", "builtins.slice", "builtins.range",
	"builtins.property", "builtins.classmethod", "builtins.staticmethod", "types.CodeType",
	"datetime.datetime", "datetime.date", "datetime.timedelta", "functools.partial", "pathlib.PosixPath", "pathlib.PurePosixPath",
	"pathlib.WindowsPath", "pathlib.PureWindowsPath", "pathlib._local.PosixPath", "pathlib._local.WindowsPath", "uuid.UUID",
	"torch.device", "torch.torch_version.TorchVersion", "torch._C.Generator", "builtins.xrange",
	"numpy.dtype", "numpy.core.multiarray.scalar", reconstruct, fromBuffer, "numpy.ndarray", "_codecs.encode",
	"numpy.random._pickle.__randomstate_ctor", "numpy.random._pickle.__generator_ctor", "numpy.random._pickle.__bit_generator_ctor",
	"numpy.random.bit_generator.__pyx_unpickle_SeedSequence", "numpy.random._mt19937.MT19937", "numpy.random._pcg64.PCG64", "decimal.Decimal", "fractions.Fraction", "datetime.time", "datetime.timezone", "types.SimpleNamespace",
}

// reduce stands in for a call, where it is known what the call would return.
func (m *machine) reduce(callee any, args tuple) (any, error) {
	name, ok := callee.(Name)
	if !ok {
		return nil, refusal(callee, args)
	}
	if value, known := m.byValue(name, args); known {
		return value, m.budget.spend(perOperation)
	}
	switch name {
	case "collections.OrderedDict", "collections.defaultdict", "collections.Counter", "builtins.dict":
		return m.entries(args)
	case "collections.deque":
		return &list{}, nil // its items follow
	case "builtins.set", "builtins.frozenset", "builtins.list", "builtins.tuple", "torch.Size":
		if len(args) == 1 {
			return args[0], nil
		}
		return tuple(nil), nil
	case "torch.jit._pickle.restore_type_tag", "torch.jit._pickle.build_intlist", "torch.jit._pickle.build_doublelist",
		"torch.jit._pickle.build_boollist", "torch.jit._pickle.build_tensorlist":
		if len(args) > 0 {
			return args[0], nil // with a type that nothing here needs
		}
	case "copyreg._reconstructor":
		if len(args) == 3 {
			if class, ok := args[0].(Name); ok && args[1] == any(Name("builtins.object")) && !runs(class) {
				return &record{class: class}, nil
			}
		}
	case "builtins.getattr": // how Python names torch.tanh, a part of something of torch, and methods of instances
		if len(args) == 2 {
			whole, ok := args[0].(Name)
			ok = ok && strings.HasPrefix(string(whole), "torch.")
			if r, is := args[0].(*record); is {
				whole, ok = r.class, true
			}
			if part, is := args[1].(string); is && ok {
				return whole + "." + Name(part), m.budget.spend(len(whole) + len(part))
			}
		}
	}
	if slices.Contains(plain, name) {
		return &record{class: name, args: args}, nil
	}
	return m.rebuild(name, args)
}

// rebuild stands in for the functions that make tensors.
func (m *machine) rebuild(name Name, args tuple) (any, error) {
	switch name {
	case "torch._utils._rebuild_tensor", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor_v3":
		return rebuildTensor(name, args)
	case "torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state":
		if len(args) == 0 {
			return nil, fmt.Errorf("a parameter without a tensor")
		}
		return args[0], nil
	case "torch._tensor._rebuild_from_type_v2": // of a tensor with attributes: (function, class, its arguments, attributes)
		if len(args) == 4 {
			function, ok := args[0].(Name)
			inner, ok2 := args[2].(tuple)
			if ok && ok2 && function != name {
				return m.reduce(function, inner)
			}
		}
	case "torch.serialization._get_layout":
		if len(args) == 1 && args[0] == "torch.strided" { // the plain one
			return Name("torch.strided"), nil
		}
		return nil, fmt.Errorf("%s: sparse tensors are not supported; save them as plain ones, of to_dense()", name)
	case "torch.storage._load_from_bytes":
		return nil, fmt.Errorf("%s: the file was written by pickle.dump; torch.save(model.state_dict(), FILE) writes one that is read", name)
	case "torch._utils._rebuild_qtensor", "torch._utils._rebuild_sparse_tensor", "torch._utils._rebuild_meta_tensor_no_storage":
		return nil, fmt.Errorf("%s: quantized tensors, sparse ones and those without numbers are not supported; save them as plain ones", name)
	}
	return nil, refusal(name, args)
}

// entries makes the dictionary that is called with another, or with a list of pairs.
func (m *machine) entries(args tuple) (any, error) {
	d := &dict{}
	for _, arg := range args {
		switch from := arg.(type) {
		case *dict:
			if err := m.budget.spend(perOperation * len(from.keys)); err != nil {
				return nil, err
			}
			d.keys, d.values = append(d.keys, from.keys...), append(d.values, from.values...)
		case *list:
			if err := m.budget.spend(perOperation * len(from.items)); err != nil {
				return nil, err
			}
			for _, item := range from.items {
				if pair := sequence(item); len(pair) == 2 {
					d.keys, d.values = append(d.keys, pair[0]), append(d.values, pair[1])
				}
			}
		}
	}
	return d, nil
}

// sequence returns the items of a tuple or a list.
func sequence(value any) []any {
	switch v := value.(type) {
	case tuple:
		return v
	case *list:
		return v.items
	}
	return nil
}

// rebuildTensor makes a view of a storage: (storage, offset, dims, strides, ...). The
// third version, for rare types of numbers, names the type behind two more.
func rebuildTensor(name Name, args tuple) (any, error) {
	if len(args) < 4 {
		return nil, fmt.Errorf("%s with %d arguments", name, len(args))
	}
	s, ok := args[0].(*storage)
	offset, ok2 := args[1].(int64)
	dims, ok3 := integers(args[2])
	strides, ok4 := integers(args[3])
	if !ok || !ok2 || !ok3 || !ok4 || offset < 0 || len(dims) != len(strides) {
		return nil, fmt.Errorf("%s with arguments that make no tensor", name)
	}
	t := &tensor{storage: s, kind: s.kind, offset: int(offset), dims: dims, strides: strides}
	if name == "torch._utils._rebuild_tensor_v3" && len(args) > 6 {
		if dtype, ok := args[6].(Name); ok {
			t.kind = dtype.Base()
		}
	}
	return t, nil
}

// maxDims is more than any tensor here needs, and small enough to be copied freely.
const maxDims = 8

// integers returns a tuple of sizes and reports whether it is one.
func integers(value any) ([]int, bool) {
	items := sequence(value)
	if len(items) > maxDims {
		return nil, false
	}
	out := make([]int, len(items))
	for i, item := range items {
		x, ok := item.(int64)
		if !ok || x < 0 {
			return nil, false
		}
		out[i] = int(x)
	}
	return out, true
}
