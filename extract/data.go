package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"quotient/internal/text"
	"quotient/learn/labeled"
	"quotient/sample"
	"quotient/word"
)

// Data are words that a user has, from a file, over a network's alphabet. They are split in
// two: seeds, which lead a method, and held-out words, which judge its result. All that is
// one word is on one side, so that held-out words had no part in the extraction.
type Data struct {
	File    string
	Words   int             // in the file
	LeftOut int             // of these, that the network cannot be asked about
	Labeled int             // of the others, with a label
	Seeds   []word.Word     // that methods may use, all different, in random order
	Held    *labeled.Set    // all that are none of the seeds, with their labels
	Reading labeled.Reading // how the file was read

	Warnings []string
}

// ReadData reads the words of the options and splits them by the seed. Reads says which words over its alphabet the
// network can be asked about; nil: all.
func ReadData(o Options, a *word.Alphabet, reads func(word.Word) bool) (*Data, error) {
	set, err := readSet(o, a)
	if err != nil {
		return nil, err
	}
	d := &Data{File: o.Data, Words: len(set.Words), Reading: set.Reading}
	var fit []int
	odd, hint := "", "" // the first word that does not fit, why, and what would
	over := false       // whether one does not though it is over the alphabet
	for i, w := range set.Words {
		at := slices.IndexFunc(w, func(s word.Symbol) bool { return int(s) >= a.Len() })
		switch {
		case at >= 0:
			if odd == "" {
				hint = "; its alphabet is " + text.Shorten(a.String(), 100)
			}
			odd = cmp.Or(odd, fmt.Sprintf("%s: the network has no symbol %s", set.Place(i), word.QuoteName(set.Alphabet.Name(w[at]))))
		case reads != nil && !reads(w):
			over = true
			odd = cmp.Or(odd, fmt.Sprintf("%s: the network cannot be asked about words of %s", set.Place(i), text.Plural(len(w), "symbol")))
		default:
			fit = append(fit, i)
		}
	}
	d.LeftOut = d.Words - len(fit)
	but := "" // the empty word is over any alphabet, and so says nothing about this one
	if len(fit) > 0 {
		but = " but the empty one"
	}
	switch {
	case d.LeftOut == 0 || slices.ContainsFunc(fit, func(i int) bool { return len(set.Words[i]) > 0 }):
	case over:
		return nil, fmt.Errorf("%s, and it can be asked about no other word of the file%s", odd, but)
	default:
		return nil, fmt.Errorf("%s, and no other word of the file%s is over its alphabet either, which is %s; "+
			"a symbol is a single character, or a name with spaces around it", odd, but, a)
	}
	if d.LeftOut > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("of the %d words of %s %s left out: %s%s", d.Words, o.Data, text.Plural(d.LeftOut, "is", "are"), odd, hint))
	}
	set = set.Subset(fit)
	set.Alphabet = a
	d.split(set, o.Seed)
	d.look(set)
	return d, nil
}

// CheckData says what is wrong with a file of words, whatever the network.
func CheckData(name string, text []byte) error {
	_, err := readSet(Options{Data: name, DataText: text}, &word.Alphabet{})
	return err
}

// readSet reads the words, of which there must be some. The network's symbols come first in their alphabet.
func readSet(o Options, a *word.Alphabet) (*labeled.Set, error) {
	all := o.DataText
	if all == nil {
		file, err := os.Open(o.Data)
		if err != nil {
			return nil, fmt.Errorf("data %w", err)
		}
		defer file.Close()
		if all, err = io.ReadAll(io.LimitReader(file, labeled.MaxSize+1)); err != nil {
			return nil, fmt.Errorf("data %w", err)
		}
	}
	set, err := labeled.Read(bytes.NewReader(all), o.Data, labeled.Options{Symbols: a.Names()})
	if err == nil && !set.Labeled() && !slices.ContainsFunc(set.Words, func(w word.Word) bool { return len(w) > 0 }) { // blank lines at most
		err = fmt.Errorf("%s: there is no word in it; every line has one, and its label behind it if that is known, as in abab,1", o.Data)
	}
	return set, err
}

// split makes four fifths of the different words seeds. The order of the file changes
// nothing, and neither does how often a word is in it.
func (d *Data) split(set *labeled.Set, seed uint64) {
	all := slices.SortedFunc(slices.Values(set.Words), word.Compare)
	all = slices.CompactFunc(all, slices.Equal[word.Word])
	order := sample.Rand(seed, sample.Data).Perm(len(all))
	isSeed := map[string]bool{}
	for _, i := range order[:len(all)*4/5] {
		d.Seeds = append(d.Seeds, all[i])
		isSeed[all[i].Key()] = true
	}
	var held []int
	for i, w := range set.Words {
		if !isSeed[w.Key()] {
			held = append(held, i)
		}
	}
	d.Held = set.Subset(held)
}

// look counts the labels, and warns if they are all the same or contradict each other.
func (d *Data) look(set *labeled.Set) {
	var n [labeled.Accept + 1]int
	first, contrary := map[string]labeled.Label{}, map[string]bool{}
	for i, l := range set.Labels {
		if n[l]++; l == labeled.Unknown {
			continue
		}
		key := set.Words[i].Key()
		if before, ok := first[key]; !ok {
			first[key] = l
		} else if before != l {
			contrary[key] = true
		}
	}
	if len(contrary) > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("labels of %s contradict each other: %s in it both as accepted and as rejected",
			d.File, text.Plural(len(contrary), "word is", "words are")))
	}
	if d.Labeled = n[labeled.Reject] + n[labeled.Accept]; d.Labeled == 0 {
		return
	}
	for l, missing := range map[labeled.Label]string{labeled.Reject: "rejected", labeled.Accept: "accepted"} {
		if n[l] == 0 {
			d.Warnings = append(d.Warnings, fmt.Sprintf("no word of %s is labeled as %s: of such words its labels say nothing", d.File, missing))
		}
	}
}

// Lead returns the words that methods may use; none without data.
func (d *Data) Lead() []word.Word {
	if d == nil {
		return nil
	}
	return d.Seeds
}

// take returns the first of some words, at most n and of so many symbols together, and the
// others.
func take(words []word.Word, n, symbols int) (first, rest []word.Word) {
	for i, w := range words {
		if symbols -= len(w); i == n || symbols < 0 {
			return words[:i:i], words[i:]
		}
	}
	return words, nil
}
