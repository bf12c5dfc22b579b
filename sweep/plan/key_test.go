package plan

import (
	"os"
	"testing"

	"pgregory.net/rapid"

	"quotient/extract"
	"quotient/learn/active"
	"quotient/merge"
)

// drawExtraction draws an extraction in which anything may be said.
func drawExtraction(t *rapid.T, label string) Extraction {
	number := func(name string) int { return rapid.IntRange(0, 40).Draw(t, label+name) }
	return Extraction{
		Kappa: rapid.SampledFrom([]float64{0, 0.01, 0.5}).Draw(t, label+"kappa"), Strings: number("strings"), Length: number("length"),
		Order:    rapid.SampledFrom(append([]merge.Order{""}, merge.Orders...)).Draw(t, label+"order"),
		Clusters: number("clusters"), Rank: number("rank"), Limit: number("limit"), MaxStates: number("max-states"),
		Equivalence: rapid.SampledFrom(append([]active.Equivalence{""}, active.Equivalences...)).Draw(t, label+"equivalence"),
		Lengths:     rapid.SampledFrom([]string{"", "0-30", "5-9"}).Draw(t, label+"lengths"), Pursue: rapid.Bool().Draw(t, label+"pursue"),
		WordsFrom: rapid.SampledFrom([]Source{FromLanguage, FromNetwork}).Draw(t, label+"words-from"),
	}
}

// Settings that a method does not read change no key, and those that it does read do.
func TestKeysAreAboutWhatIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, err := extract.Find(rapid.SampledFrom(extract.Names()).Draw(t, "method"))
		if err != nil {
			t.Fatal(err)
		}
		x, y := drawExtraction(t, ""), drawExtraction(t, "other ")
		x.Method, y.Method = m.Name, m.Name
		// y takes over from x what the method reads, and nothing else.
		a, b := x.Options("it").Normal(), y.Options("it").Normal()
		same := true
		for _, s := range extract.Settings {
			if m.Reads(s.Name) && s.Get(&a) != s.Get(&b) {
				same = false
			}
		}
		keyX, keyY := Task{Extract: &x}.Key(), Task{Extract: &y}.Key()
		if same != (keyX == keyY) {
			t.Fatalf("%s: %+v and %+v have keys %s and %s", m.Name, x, y, keyX, keyY)
		}
		z := y
		take(&z, x, m)
		if (Task{Extract: &z}).Key() != keyX {
			t.Fatalf("%s: %+v is %+v but for what is not read", m.Name, z, x)
		}
	})
}

// take gives to what a method reads the values of from.
func take(to *Extraction, from Extraction, m *extract.Method) {
	for name, copy := range map[string]func(){
		"kappa": func() { to.Kappa = from.Kappa }, "order": func() { to.Order = from.Order },
		"strings": func() { to.Strings = from.Strings }, "length": func() { to.Length = from.Length },
		"clusters": func() { to.Clusters = from.Clusters }, "rank": func() { to.Rank = from.Rank },
		"limit": func() { to.Limit = from.Limit }, "max-states": func() { to.MaxStates = from.MaxStates },
		"equivalence": func() { to.Equivalence = from.Equivalence }, "lengths": func() { to.Lengths = from.Lengths },
		"pursue": func() { to.Pursue = from.Pursue }, "words-from": func() { to.WordsFrom = from.WordsFrom },
	} {
		if m.Reads(name) {
			copy()
		}
	}
}

// A value that a method has by default is the same whether it is said or not.
func TestDefaultsChangeNoKey(t *testing.T) {
	said := Task{Extract: &Extraction{Method: extract.Fold, Strings: 300, Length: 10, Order: merge.Breadth, Clusters: 30}}
	silent := Task{Extract: &Extraction{Method: extract.Fold, Clusters: 20}}
	if said.Key() != silent.Key() {
		t.Error("300 words of length 10 are what fold takes anyway")
	}
}

// A file of words counts by what stands in it, whatever its name, and by that it is handed on.
func TestKeysOfData(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.csv": "ab,1\nb,0\n", "same.csv": "ab,1\nb,0\n", "other.csv": "ab,1\nb,1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	keys := func(text string) (list []string) {
		f, err := Read("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for task, err := range f.Tasks(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, task.Key())
		}
		return list
	}
	for _, method := range extract.Names() {
		k := keys("model: zoo:tomita1\nextract: {method: " + method + ", data: [a.csv, same.csv, other.csv, '']}")
		if len(k) != 4 || k[0] != k[1] || k[0] == k[2] || k[0] == k[3] || k[2] == k[3] {
			t.Errorf("%s: %v", method, k)
		}
	}
	f, err := Read("x.yaml", []byte("train: {language: tomita1}\nextract: {data: [a.csv, same.csv, other.csv]}"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	put := func(object string, file []byte) error { files[object] = string(file); return nil }
	for n, err := range f.Networks(put) {
		if err != nil {
			t.Fatal(err)
		}
		for task, err := range n.Extractions(t.Context()) {
			if err != nil || files[DataObject(task.Data)] == "" {
				t.Errorf("%v: %v", task, err)
			}
		}
	}
	if len(files) != 2 {
		t.Errorf("handed on: %v", files)
	}
}
