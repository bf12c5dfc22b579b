package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"quotient/extract"
	"quotient/learn/labeled"
)

// A dataFile is a file of words that a sweep names in some line.
type dataFile struct {
	name string
	line int
}

// dataFiles returns the files of words that the sweep names, each once.
func (f *File) dataFiles() (files []dataFile) {
	seen := map[string]bool{"": true} // which stands for none
	add := func(name string, line int) {
		if !seen[name] {
			files = append(files, dataFile{name, line})
		}
		seen[name] = true
	}
	for _, b := range f.blocks {
		for _, g := range b.extracts {
			a := g.find("data")
			for _, v := range a.values {
				var name string
				json.Unmarshal(v, &name) // a string, as was checked
				add(name, a.line)
			}
		}
	}
	for _, want := range f.list {
		add(want.Extract.Data, 0)
	}
	return files
}

// dataError returns an error about a file of words with the place where the sweep names it.
func (f *File) dataError(d dataFile, err error) error {
	if f.path == "" {
		return fmt.Errorf("data: %w", err)
	}
	return fmt.Errorf("%s:%d: data: %w", f.path, d.line, err)
}

// Recall lets digests of files of words, by the names of these, stand in for those files that are not there any more, or have
// changed. Then it is known which results a sweep had, though not how to compute others. The names of such files are
// returned. One that is gone and of which there is no digest either is an error.
func (f *File) Recall(digests map[string]string) (gone, changed []string, err error) {
	f.recalled = map[string]string{}
	for _, name := range f.Changed(digests) {
		f.recalled[name] = digests[name]
		changed = append(changed, name)
	}
	for _, d := range f.dataFiles() {
		if _, err := os.Stat(d.name); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if digests[d.name] == "" {
			return nil, changed, f.dataError(d, fmt.Errorf("there is no file %s, and no run has noted what stood in it, by which results are found; "+
				"put it back as it was to see them", d.name))
		}
		f.recalled[d.name] = digests[d.name]
		gone = append(gone, d.name)
	}
	return gone, changed, nil
}

// Changed returns the names of the files of words that do not have the digests which they had.
func (f *File) Changed(digests map[string]string) (names []string) {
	for _, d := range f.dataFiles() {
		text, err := readData(d.name)
		if was := digests[d.name]; err == nil && was != "" && digest(text) != was {
			names = append(names, d.name)
		}
	}
	return names
}

// readAllData reads all files of words before anything else: who trains for hours does not hear only then that
// there is no such file.
func (p *planner) readAllData() error {
	for _, d := range p.dataFiles() {
		if p.data[d.name] != "" { // it was recalled
			continue
		}
		text, err := readData(d.name)
		if err == nil {
			err = extract.CheckData(d.name, text)
		}
		if err != nil {
			return p.dataError(d, err)
		}
		if err := p.takeData(d.name, text); err != nil {
			return err
		}
	}
	return nil
}

// takeData notes the digest of a file of words, and hands the file on.
func (p *planner) takeData(name string, text []byte) error {
	p.data[name] = digest(text)
	if p.put == nil {
		return nil
	}
	return p.put(DataObject(p.data[name]), text)
}

// readData reads a file of words.
func readData(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", name)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // a pipe might never end, and can be read once
		return nil, fmt.Errorf("%s is no file", name)
	case info.Size() > labeled.MaxSize:
		return nil, fmt.Errorf("%s: longer than %d bytes, the most that is read", name, labeled.MaxSize)
	}
	return os.ReadFile(name)
}

func digest(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}
