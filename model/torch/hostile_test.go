package torch

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Pickles by hand: pieces of text that are joined.

func global(module, name string) string { return "c" + module + "\n" + name + "\n" }
func text(s string) string              { return "X" + number(4, uint64(len(s))) + s }
func integer(n uint64) string           { return "\x8a\x08" + number(8, n) }
func get(i int) string                  { return "h" + string(rune(i)) }
func put(i int) string                  { return "q" + string(rune(i)) }

func number(bytes int, x uint64) string {
	return string(binary.LittleEndian.AppendUint64(nil, x)[:bytes])
}

// array is a tensor over storage key with a shape and strides.
func array(key string, size, offset uint64, dims, strides string) string {
	return global("torch._utils", "_rebuild_tensor_v2") + "((" + text("storage") + global("torch", "FloatStorage") + text(key) +
		text("cpu") + integer(size) + "tQ" + integer(offset) + "(" + dims + "t(" + strides + "t\x89)tR"
}

// module is an instance of a class with children, names and values in turn.
func module(children string) string {
	return global("net", "Net") + ")\x81}(" + text("_modules") + "}(" + children + "u" + "ub"
}

type entry struct {
	name, content string
	method        uint16
}

// archive packs entries as they are told.
func archive(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: e.method})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, e.content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// zipped is a file with a model and a storage "0" of four numbers.
func zipped(t testing.TB, pickle string) []byte {
	four := number(4, 0x3f800000) + number(4, 0x40000000) + number(4, 0x40400000) + number(4, 0x40800000)
	return archive(t, entry{name: "m/data.pkl", content: pickle}, entry{name: "m/data/0", content: four})
}

// lying changes what an archive says of the size of its first entry.
func lying(data []byte, size uint32) []byte {
	at := bytes.Index(data, []byte("PK\x01\x02")) // the directory
	binary.LittleEndian.PutUint32(data[at+24:], size)
	return data
}

// allocated returns how many bytes f asks for, all told.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bounded reads a file and fails if it takes more than a small multiple of its length.
func bounded(t testing.TB, data []byte) (m *Model, err error) {
	t.Helper()
	took := allocated(func() { m, err = Read(data) })
	if limit := uint64(4*freeMemory + 4*memoryFactor*len(data)); took > limit {
		t.Errorf("%d bytes took %d bytes of memory, more than %d", len(data), took, limit)
	}
	return m, err
}

func TestViews(t *testing.T) {
	tensor := func(offset uint64, dims, strides string) string {
		return "\x80\x02}" + text("x") + array("0", 4, offset, dims, strides) + "s."
	}
	for _, c := range []struct {
		pickle string
		want   string
	}{
		{tensor(0, "K\x02K\x02", "K\x02K\x01"), "[2 2] [1 2 3 4]"},
		{tensor(0, "K\x02K\x02", "K\x01K\x02"), "[2 2] [1 3 2 4]"},
		{tensor(1, "K\x03", "K\x01"), "[3] [2 3 4]"},
		{tensor(3, "", ""), "[] [4]"},
		{tensor(2, "K\x02K\x03", "K\x01K\x00"), "[2 3] [3 3 3 4 4 4]"},
		{tensor(0, "K\x00K\x05", "K\x05K\x01"), "[0 5] []"},
		{tensor(0, "K\x01K\x04", integer(1<<40)+"K\x01"), "[1 4] [1 2 3 4]"},
	} {
		m, err := bounded(t, zipped(t, c.pickle))
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		if got := fmt.Sprint(m.Tensors[0].Dims, " ", m.Tensors[0].Data); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestBigEndian(t *testing.T) {
	pickle := "\x80\x02}" + text("x") + array("0", 1, 0, "K\x01", "K\x01") + "s."
	data := archive(t, entry{name: "data.pkl", content: pickle}, entry{name: "data/0", content: "\x3f\x80\x00\x00"}, entry{name: "byteorder", content: "big"})
	if m, err := Read(data); err != nil || m.Tensors[0].Data[0] != 1 {
		t.Error(m, err)
	}
}

// A file that would run anything is refused by the name of what it would call.
func TestCalls(t *testing.T) {
	for _, c := range []struct{ pickle, callee string }{
		{global("os", "system") + text("true") + "\x85R.", "os.system"},
		{text("posix") + text("system") + "\x93" + text("true") + "\x85R.", "posix.system"},
		{global("__builtin__", "eval") + text("1") + "\x85R.", "builtins.eval"},
		{global("builtins", "exec") + text("1") + "\x85R.", "builtins.exec"},
		{global("builtins", "getattr") + global("os", "path") + text("join") + "\x86R.", "builtins.getattr of os.path"},
		{global("builtins", "getattr") + global("torch", "hub") + text("load") + "\x86R" + text("x") + "\x85R.", "torch.hub.load"},
		{global("subprocess", "Popen") + text("true") + "\x85R.", "subprocess.Popen"},
		{global("subprocess", "Popen") + text("true") + "\x85\x81.", "subprocess.Popen"},
		{global("subprocess", "Popen") + text("true") + "\x85}\x92.", "subprocess.Popen"},
		{"(" + text("true") + "ios\nsystem\n.", "os.system"},
		{"(" + global("os", "system") + text("true") + "o.", "os.system"},
		{global("functools", "partial") + global("os", "system") + "\x85R)R.", "an instance of functools.partial of os.system"},
		{"(" + global("functools", "partial") + global("os", "system") + "\x85R" + text("true") + "o.", "an instance of functools.partial of os.system"},
		{global("net", "Net") + ")\x81" + put(0) + global("builtins", "getattr") + get(0) + text("run") + "\x86R)R.", "net.Net.run"},
		{global("copyreg", "__newobj__") + global("os", "system") + text("true") + "\x86R.", "copyreg.__newobj__ of os.system"},
		{global("copy_reg", "_reconstructor") + global("os", "_Environ") + global("__builtin__", "object") + "N\x87R.", "copyreg._reconstructor of os._Environ"},
		{global("cloudpickle.cloudpickle", "_make_function") + "NN\x86R)R.", "an instance of cloudpickle.cloudpickle._make_function"},
		{global("cloudpickle.cloudpickle", "_builtin_type") + text("FunctionType") + "\x85R.", "cloudpickle.cloudpickle._builtin_type"},
		{global("cloudpickle.cloudpickle", "_make_skeleton_class") + ")R.", "cloudpickle.cloudpickle._make_skeleton_class"},
		{global("cloudpickle.cloudpickle", "_class_setstate") + ")R.", "cloudpickle.cloudpickle._class_setstate"},
		{global("cloudpickle.cloudpickle", "dynamic_subimport") + text("x") + "\x85R.", "cloudpickle.cloudpickle.dynamic_subimport"},
		{global("cloudpickle.cloudpickle", "os.system") + text("x") + "\x85R.", "cloudpickle.cloudpickle.os.system"},
		{global("cloudpickle.cloudpickle", "_make_skeleton_class") + "(N" + text("system") + "N}" + text("__module__") + text("os") + "st" + "R)\x81.", "os.system"},
		{global("net", "Config") + ")R.", "net.Config"},
		{"}" + text("state_dict") + global("runpy", "run_path") + text("x") + "\x85Rs.", "runpy.run_path"},
	} {
		_, err := bounded(t, zipped(t, "\x80\x04"+c.pickle))
		var call *CallError
		if !errors.As(err, &call) || call.Callee != c.callee {
			t.Errorf("error %v, want a refusal to call %s", err, c.callee)
		}
	}
}

// Records are inert whatever they are records of.
func TestRecords(t *testing.T) {
	weights := text("w") + array("0", 4, 0, "K\x04", "K\x01")
	child := global("torch.nn.modules.linear", "Linear") + ")\x81}(" + text("_parameters") + "}" + weights + "s" +
		text("_modules") + "}" + text("out_features") + "K\x01" + text("device") + global("torch", "device") + text("cpu") + "\x85Rub"
	m, err := bounded(t, zipped(t, "\x80\x02"+module(text("fc")+child)+"."))
	if err != nil {
		t.Fatal(err)
	}
	if m.Class != "net.Net" || len(m.Parts) != 2 || m.Parts[1].Class != "torch.nn.modules.linear.Linear" || m.Parts[1].Path != "fc" {
		t.Errorf("%+v", m.Parts)
	}
	if len(m.Tensors) != 1 || m.Tensors[0].Name != "fc.w" || fmt.Sprint(m.Parts[1].Facts) != "map[out_features:1]" {
		t.Errorf("%+v", m)
	}
}

// Classes that a file defines are names, as if it only referred to them, and attributes of
// instances are names, too.
func TestByValue(t *testing.T) {
	for _, module := range []string{"cloudpickle.cloudpickle", "cloudpickle.cloudpickle_fast"} {
		code := global(module, "_builtin_type") + text("CodeType") + "\x85R" + "C\x02xx\x85R"
		function := global(module, "_make_function") + code + "}\x86R"
		class := global(module, "_make_skeleton_class") + "(" + global("builtins", "type") + text("Net") + ")}" + text("__module__") + text("mine") + "stR" + put(0) +
			"0" + global(module, "_class_setstate") + get(0) + "}" + text("forward") + function + "s\x86R"
		m, err := bounded(t, zipped(t, "\x80\x02"+class+")\x81"+put(1)+"}("+text("_modules")+"}"+text("run")+
			global("builtins", "getattr")+get(1)+text("forward")+"\x86Rub."))
		if err != nil {
			t.Error(err)
		} else if m.Class != "mine.Net" || fmt.Sprint(m.Parts[0].Facts) != "map[run:mine.Net.forward]" {
			t.Errorf("%+v", m)
		}
	}
}

// A model may be saved in parts, and its weights among other things.
func TestParts(t *testing.T) {
	x := "}" + text("x") + array("0", 4, 0, "K\x04", "K\x01") + "s"
	y := "}" + text("y") + array("0", 4, 2, "K\x02", "K\x01") + "s"
	for _, c := range []struct{ pickle, want string }{
		{x, "x"},
		{"}(" + text("one") + x + text("two") + y + text("epoch") + "K\x01u", "one.x two.y"},
		{"}(" + text("best") + x + text("model") + y + "u", "y"},
		{"}(" + text("loss") + array("0", 1, 0, "", "") + text("state_dict") + y + "u", "y"},
		{"}(" + text("rng") + array("0", 4, 0, "K\x04", "K\x01") + text("weights of mine") + "}" + text("m") + array("0", 4, 0, "K\x02K\x02", "K\x02K\x01") + "su", "m"},
		{"}(" + text("loss") + array("0", 1, 0, "", "") + text("best") + "}u", "loss"},
		{"}(" + text("x") + array("0", 4, 0, "K\x04", "K\x01") + text("x2") + array("0", 4, 0, "K\x04", "K\x01") + "u", "x; x2 again x"},
	} {
		m, err := bounded(t, zipped(t, "\x80\x02"+c.pickle+"."))
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		var names []string
		for _, tensor := range m.Tensors {
			names = append(names, tensor.Name)
		}
		for _, a := range m.Again {
			names = append(names[:a.At:a.At], "; "+a.Name+" again "+a.Before)
		}
		if got := strings.ReplaceAll(strings.Join(names, " "), " ;", ";"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestHostileFiles(t *testing.T) {
	tensor := func(size, offset uint64, dims, strides string) string {
		return "\x80\x02}" + text("x") + array("0", size, offset, dims, strides) + "s."
	}
	deep := module("")
	for range 100 {
		deep = module(text("a") + deep)
	}
	shared := module("") + put(0)
	for range 40 {
		shared += "0" + module(text("a")+get(0)+text("b")+get(0)) + put(0)
	}
	tuples := ")" + strings.Repeat("\x85", 200_000) + "."
	doubling := ")" + put(0) + strings.Repeat("0"+get(0)+get(0)+"\x86"+put(0), 1000) + "."
	grow := "(" + strings.Repeat("NN", 2000) + "d" + put(0) + strings.Repeat("0"+global("collections", "OrderedDict")+get(0)+"\x85R", 20_000) + "."
	dictionaries := "}" + put(0)
	for range 3 {
		dictionaries += "0}" + put(1) + "("
		for i := range 5000 {
			dictionaries += text(fmt.Sprint(i)) + get(0)
		}
		dictionaries += "u" + put(0)
	}
	// Views of nothing need no storage, and its name may be long.
	name := strings.Repeat("n", 500_000)
	storage := "(" + text("storage") + global("torch", "FloatStorage") + text(name) + text("cpu") + "K\x00tQ" + put(0) + "0"
	views := global("torch._utils", "_rebuild_tensor_v2") + put(1) + "0}("
	for i := range 5000 {
		views += text(fmt.Sprint(i)) + get(1) + "(" + get(0) + integer(uint64(i)) + "(K\x00t(K\x01t\x89tR"
	}
	// One dictionary of many entries under many names takes long to look through.
	wide := "}(" + strings.Repeat("NN", 10_000) + "u" + put(0) + "0}("
	for i := range 2000 {
		wide += text(fmt.Sprint(i)) + get(0)
	}
	for _, c := range []struct {
		what string
		data []byte
		want string
	}{
		{"a long name of a storage", zipped(t, storage+views+"u."), "more memory"},
		{"a wide dictionary that is shared", zipped(t, wide+"u."), "more memory"},
		{"nothing", nil, "the file is empty"},
		{"a text", []byte("hello, world, this is no model"), "not a file of torch.save"},
		{"a pickle", []byte("\x80\x02}."), "magic number is missing"},
		{"half an archive", zipped(t, "}.")[:60], "zip archive"},
		{"no pickle", archive(t, entry{name: "a/b"}), "no data.pkl"},
		{"two pickles", archive(t, entry{name: "a/data.pkl"}, entry{name: "b/data.pkl"}), "could be the model"},
		{"one name twice", archive(t, entry{name: "a/data.pkl"}, entry{name: "a/x"}, entry{name: "a/x"}), "occurs twice"},
		{"TorchScript", archive(t, entry{name: "a/data.pkl"}, entry{name: "a/constants.pkl"}), "TorchScript"},
		{"an empty pickle", zipped(t, ""), "ends in the middle"},
		{"no value", zipped(t, "\x80\x02."), "missing on the stack"},
		{"protocol 9", zipped(t, "\x80\x09."), "protocol 9"},
		{"a number", zipped(t, "K\x01."), "neither a module nor a dictionary of tensors"},
		{"protocol 0", zipped(t, "I1\n."), "operation 0x49"},
		{"of pickle.dump", zipped(t, global("torch.storage", "_load_from_bytes")+"C\x00\x85R."), "written by pickle.dump"},
		{"a quantized tensor", zipped(t, global("torch._utils", "_rebuild_qtensor")+")R."), "_rebuild_qtensor: quantized tensors"},
		{"a text that lies", zipped(t, "X\xff\xff\xff\xff."), "ends in the middle"},
		{"a text that overflows", zipped(t, "\x8d\xff\xff\xff\xff\xff\xff\xff\xff."), "too large"},
		{"no mark", zipped(t, "t."), "mark is missing"},
		{"below a mark", zipped(t, "N(\x85."), "missing"},
		{"an unknown memo", zipped(t, "h\x05."), "used before it is made"},
		{"a key alone", zipped(t, "}(Nu."), "key has no value"},
		{"no list", zipped(t, "NNa."), "not to a list"},
		{"no dictionary", zipped(t, "NNNs."), "not in a dictionary"},
		{"a state for nothing", zipped(t, "N}b."), "state is given to None"},
		{"a reference", zipped(t, "NQ."), "outside the pickle"},
		{"a storage that is missing", zipped(t, "\x80\x02}"+text("x")+array("7", 4, 0, "K\x04", "K\x01")+"s."), `"m/data/7" is missing`},
		{"a storage that lies", zipped(t, tensor(5, 0, "K\x05", "K\x01")), "should have 5 numbers from 0 on, but has 4"},
		{"a storage that overflows", zipped(t, tensor(1<<62, 0, "K\x04", "K\x01")), "should have"},
		{"an offset outside", zipped(t, tensor(4, 4, "K\x01", "K\x01")), "does not fit into 4"},
		{"an offset that overflows", zipped(t, tensor(4, 1<<63-1, "K\x02", "K\x01")), "does not fit"},
		{"rows outside", zipped(t, tensor(4, 0, "K\x05", "K\x01")), "does not fit"},
		{"strides outside", zipped(t, tensor(4, 0, "K\x02K\x02", "K\x03K\x01")), "does not fit"},
		{"strides that overflow", zipped(t, tensor(4, 0, "K\x03K\x02", integer(1<<62)+"K\x01")), "does not fit"},
		{"a shape that overflows", zipped(t, tensor(4, 0, integer(1<<33)+integer(1<<33), "K\x00K\x00")), "too large"},
		{"one number many times", zipped(t, tensor(4, 0, integer(1<<30), "K\x00")), "more memory"},
		{"a negative size", zipped(t, tensor(4, 0, integer(1<<63), "K\x01")), "make no tensor"},
		{"too many dimensions", zipped(t, tensor(4, 0, strings.Repeat("K\x01", 9), strings.Repeat("K\x01", 9))), "make no tensor"},
		{"a bomb", archive(t, entry{"data.pkl", strings.Repeat("N", 16<<20), zip.Deflate}), "more memory"},
		{"an entry that ends early", lying(zipped(t, "}."), 1<<31-1), "bytes at byte"},
		{"a stream that goes on", lying(archive(t, entry{"data.pkl", strings.Repeat("N", 1000), zip.Deflate}), 10), "data.pkl"},
		{"a stream that ends early", lying(archive(t, entry{"data.pkl", strings.Repeat("N", 1000), zip.Deflate}), 2000), "data.pkl"},
		{"modules in modules", zipped(t, deep+"."), "nested more than"},
		{"modules that are shared", zipped(t, shared+"."), "more than 10000"},
		{"tuples in tuples", zipped(t, tuples), "more memory"},
		{"tuples that are shared", zipped(t, doubling), "neither a module nor"},
		{"copies of a dictionary", zipped(t, grow), "more memory"},
		{"dictionaries that are shared", zipped(t, dictionaries+"."), "more than 10000"},
		{"a module within itself", zipped(t, global("n", "M")+")\x81"+put(0)+"}("+text("_modules")+"}"+text("a")+get(0)+"sub."), "nested more than"},
		{"not a number", archive(t, entry{name: "data.pkl", content: "\x80\x02}" + text("x") + array("0", 1, 0, "K\x01", "K\x01") + "s."},
			entry{name: "data/0", content: "\x00\x00\xc0\x7f"}), "holds NaN at position 0"},
		{"no byte order", archive(t, entry{name: "data.pkl", content: "}."}, entry{name: "byteorder", content: "middle"}), "neither little nor big"},
	} {
		_, err := bounded(t, c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.what, err, c.want)
		}
	}
}

// files returns the committed networks.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	list, _ := filepath.Glob(filepath.Join("..", "testdata", "*.pt"))
	for _, name := range []string{"arrays", "items", "parameters", "averaged", "requires-grad", "namespace"} {
		list = append(list, filepath.Join("..", "testdata", "styles", name+".pt"))
	}
	if len(list) < 10 {
		t.Fatalf("%d files", len(list))
	}
	all := make(map[string][]byte)
	for _, file := range list {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = data
	}
	return all
}

// A file that was cut off is an error, wherever that was.
func TestCutOff(t *testing.T) {
	for name, data := range files(t) {
		if _, err := Read(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := 0; n < len(data); n += 1 + len(data)/200 {
			if _, err := Read(data[:n]); err == nil {
				t.Errorf("%s: its first %d bytes are read without an error", name, n)
			}
		}
	}
}

// FuzzRead reads anything without a panic and in little memory. What can be read is
// complete: every tensor has the numbers that its shape says.
func FuzzRead(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Add(zipped(f, module(text("a")+module(""))+"."))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := bounded(t, data)
		if err != nil {
			return
		}
		for _, x := range m.Tensors {
			n := 1
			for _, d := range x.Dims {
				n *= d
			}
			if n != len(x.Data) {
				t.Errorf("tensor %q of shape %v has %d numbers", x.Name, x.Dims, len(x.Data))
			}
		}
	})
}

// FuzzPickle is FuzzRead for what is inside an archive.
func FuzzPickle(f *testing.F) {
	f.Add([]byte("\x80\x02" + module(text("a")+module("")) + "."))
	f.Add([]byte("\x80\x02}" + text("x") + array("0", 4, 0, "K\x02K\x02", "K\x01K\x02") + "s."))
	for _, data := range files(f) {
		if r, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
			for _, e := range r.File {
				if strings.HasSuffix(e.Name, "data.pkl") {
					in, _ := e.Open()
					pickle, _ := io.ReadAll(in)
					f.Add(pickle)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, pickle []byte) { bounded(t, zipped(t, string(pickle))) })
}
