package torch

import "strings"

// MLflow pickles with cloudpickle, which writes classes of a script or a notebook by
// value: as calls that would make the class and its methods, out of their compiled code.
// The functions for that stand in cloudpickle/cloudpickle.py, and before version 3 in
// cloudpickle_fast.py. They define things and run nothing of them. Here the class becomes
// its name, and its methods are records like any other.

// byValue stands in for the functions of cloudpickle and reports whether it knows this one.
func (m *machine) byValue(name Name, args tuple) (value any, known bool) {
	if module := strings.TrimSuffix(string(name), "."+name.Base()); module != "cloudpickle.cloudpickle" && module != "cloudpickle.cloudpickle_fast" {
		return nil, false
	}
	switch name.Base() {
	case "_make_skeleton_class": // (metaclass, name, bases, {"__module__": ...}, ...)
		return skeleton(args), len(args) > 3
	case "_class_setstate", "_function_setstate", "_rehydrate_skeleton_class", "_fill_function":
		if len(args) > 0 {
			return args[0], true
		}
	case "_builtin_type": // the class of compiled code has no other name
		if len(args) == 1 && args[0] == "CodeType" {
			return Name("types.CodeType"), true
		}
	case "_make_function", "_make_skel_func", "_make_cell", "_make_empty_cell", "subimport":
		return &record{class: name, args: args}, true
	}
	return nil, false
}

// skeleton names a class as if the file only referred to it.
func skeleton(args tuple) any {
	if len(args) < 4 {
		return nil
	}
	class, _ := args[1].(string)
	module := "__main__"
	if facts, ok := args[3].(*dict); ok {
		if told, ok := facts.get("__module__"); ok {
			module, _ = told.(string)
		}
	}
	return canonical(module, class)
}
