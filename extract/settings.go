package extract

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"quotient/automaton"
	"quotient/learn/active"
	"quotient/merge"
	"quotient/oracle"
	"quotient/sample"
)

// ChosenKappa asks for a kappa that is chosen by evidence.
const ChosenKappa = 0

// Options say how to extract. Zero values stand for the defaults, which may differ from
// method to method.
type Options struct {
	Method      string             // by its name; auto
	Kappa       float64            // states whose cosine is over 1-Kappa may merge; ChosenKappa
	Order       merge.Order        // in which nodes are enumerated
	Strings     int                // words in the sample
	Length      int                // of its words
	WordsFrom   string             // language that valid words are drawn from; empty: the network's own
	Data        string             // file of the user's words, a part of which the method uses and a part judges; empty: none
	Seed        uint64             // of everything that is drawn
	Limit       int                // states of a determinized automaton
	Clusters    int                // of k-means
	Rank        int                // of the weighted automaton of spectral learning; 0: chosen by evidence
	Equivalence active.Equivalence // how L* and TTT look for words of difference
	Low, High   int                // lengths of the words on which explore must agree, and up to which L* and TTT test
	MaxStates   int                // that a search may open
	Work        int                // symbols that the network may read in a search; 0: by the size of the network
	Time        time.Duration      // after which a search stops; 0: never
	States      int                // of the trade-off of explore, the best automaton of at most so many states; 0: as it chooses
	Error       float64            // the smallest that errs on at most this share of words; 0: as it chooses
	Pursue      bool               // explore spends states on every disagreement
	Budget      int                // words that the network may be asked about, evaluation included; 0: any number

	// What is no setting: it changes nothing about the result.

	// Prepare, if not nil, stands in for [Prepare], to use a sample again.
	Prepare func(q *oracle.Inquiry, o Options) (*Prepared, error)

	// DataText, if not nil, is what stands in the file Data, which is not opened then.
	DataText []byte

	// Tell, if not nil, is told now and then how many states there are so far, and about
	// how many words the network was asked.
	Tell func(states, words int)

	source *sample.Source   // of WordsFrom
	data   *Data            // of Data; nil: none
	known  []*automaton.DFA // that may be the answer as well
}

// general are the defaults of methods that have no others.
var general = Options{
	Method: Best, Order: merge.Breadth, Strings: 300, Length: 10, Limit: 20_000, Clusters: 20,
	Equivalence: active.Auto, High: 30, MaxStates: 200, Seed: DefaultSeed,
}

// A Setting is something that users may say about an extraction.
type Setting struct {
	Name string
	Doc  string
	Type string                              // of its values, in a word; empty: yes or no
	Set  func(o *Options, text string) error // reads a value
	Get  func(o *Options) string             // writes it
	of   func(o *Options) []any              // pointers to the fields that it is about
}

// Settings are all there are. What a value means to a method stands in [Methods].
var Settings = []Setting{
	{
		Name: "kappa", Type: "number", Doc: "states merge if their cosine is over 1-kappa; a number in (0, 2], or auto",
		of:  func(o *Options) []any { return []any{&o.Kappa} },
		Set: func(o *Options, text string) (err error) { o.Kappa, err = ParseKappa(text); return err },
		Get: func(o *Options) string {
			if o.Kappa == ChosenKappa {
				return "auto"
			}
			return strconv.FormatFloat(o.Kappa, 'g', -1, 64)
		},
	},
	oneOf("order", "order in which states are enumerated", merge.Orders, func(o *Options) *merge.Order { return &o.Order }),
	number("strings", "words in the sample", func(o *Options) *int { return &o.Strings }),
	number("length", "length of the words", func(o *Options) *int { return &o.Length }),
	{
		Name: "words-from", Type: "language", Doc: "language that valid words are drawn from (default: words that the network accepts); lstar and ttt try them first",
		of:  func(o *Options) []any { return []any{&o.WordsFrom} },
		Set: func(o *Options, text string) error { o.WordsFrom = text; return nil },
		Get: func(o *Options) string { return o.WordsFrom },
	},
	{
		Name: "data", Type: "file", Doc: "words of yours, labeled or not, as learn reads them: four fifths of them lead the method, the others are held out and judge the answer",
		of:  func(o *Options) []any { return []any{&o.Data} },
		Set: func(o *Options, text string) error { o.Data = text; return nil },
		Get: func(o *Options) string { return o.Data },
	},
	{
		Name: "seed", Type: "number", Doc: "seed of all random words",
		of: func(o *Options) []any { return []any{&o.Seed} },
		Set: func(o *Options, text string) (err error) {
			if o.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
				err = fmt.Errorf("seed %s: it is a whole number from 0 on", text)
			}
			return err
		},
		Get: func(o *Options) string { return strconv.FormatUint(o.Seed, 10) },
	},
	number("budget", "words that the network may be asked about in all, evaluation included (default: as many as it takes)", func(o *Options) *int { return &o.Budget }),
	number("limit", "most states when determinizing", func(o *Options) *int { return &o.Limit }),
	number("clusters", "clusters of k-means", func(o *Options) *int { return &o.Clusters }),
	number("rank", "states of the weighted automaton (default: chosen on words held out)", func(o *Options) *int { return &o.Rank }),
	oneOf("equivalence", "how to look for words of difference", active.Equivalences, func(o *Options) *active.Equivalence { return &o.Equivalence }),
	{
		Name: "lengths", Type: "low-high", Doc: "lengths of the words on which explore must agree, as LOW-HIGH; lstar and ttt test with words up to HIGH",
		of:  func(o *Options) []any { return []any{&o.Low, &o.High} },
		Set: func(o *Options, text string) (err error) { o.Low, o.High, err = parseLengths(text); return err },
		Get: func(o *Options) string { return fmt.Sprintf("%d-%d", o.Low, o.High) },
	},
	number("max-states", "most states that a search may open", func(o *Options) *int { return &o.MaxStates }),
	number("work", "symbols that the network may read until a search ends; what begins and closes it comes on top (default: 200 million for explore, 2 billion for lstar and ttt, by the numbers of a state)", func(o *Options) *int { return &o.Work }),
	number("states", "take the best automaton of at most so many states that explore has met; max-states is at least that", func(o *Options) *int { return &o.States }),
	{
		Name: "error", Type: "share", Doc: "take the smallest automaton met by explore that errs on at most this share of words, as 0.01 or 1%; with data, of words recombined from those, and not of the certificate's",
		of: func(o *Options) []any { return []any{&o.Error} },
		Set: func(o *Options, text string) (err error) {
			if o.Error = 0; text == "" {
				return nil
			}
			if o.Error, err = ParseShare(text); err != nil || !(o.Error > 0 && o.Error < 1) {
				err = fmt.Errorf("error %s: it is a share such as 0.01 or 1%%", text)
			}
			return err
		},
		Get: func(o *Options) string {
			if o.Error == 0 {
				return ""
			}
			return strconv.FormatFloat(o.Error, 'g', -1, 64)
		},
	},
	{
		Name: "time", Type: "duration", Doc: "time after which a search stops (default none; 30s for lstar and ttt if the network runs elsewhere and has no budget)",
		of: func(o *Options) []any { return []any{&o.Time} },
		Set: func(o *Options, text string) (err error) {
			if o.Time = 0; text == "" {
				return nil
			}
			if o.Time, err = time.ParseDuration(text); err != nil || o.Time <= 0 {
				err = fmt.Errorf("time %s: it is a time such as 30s or 2m, and more than nothing", text)
			}
			return err
		},
		Get: func(o *Options) string {
			if o.Time == 0 {
				return ""
			}
			return o.Time.String()
		},
	},
	{
		Name: "pursue", Doc: "spend states on every disagreement, not only on likely words",
		of: func(o *Options) []any { return []any{&o.Pursue} },
		Set: func(o *Options, text string) (err error) {
			if o.Pursue, err = strconv.ParseBool(text); err != nil {
				err = fmt.Errorf("pursue %s: it is true or false", text)
			}
			return err
		},
		Get: func(o *Options) string { return strconv.FormatBool(o.Pursue) },
	},
}

// ParseShare reads a share of something, as 0.01 or 1%.
func ParseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	return x, err
}

// number is a setting that counts things; nothing stands for 0, which is the default.
func number(name, doc string, field func(*Options) *int) Setting {
	return Setting{
		Name: name, Type: "number", Doc: doc,
		of: func(o *Options) []any { return []any{field(o)} },
		Set: func(o *Options, text string) error {
			n, err := strconv.Atoi(text)
			switch {
			case text == "":
			case err != nil:
				return fmt.Errorf("%s %s: it must be a whole number", name, text)
			case n < 1:
				return fmt.Errorf("%s %s: it must be at least 1", name, text)
			}
			*field(o) = n
			return nil
		},
		Get: func(o *Options) string {
			if *field(o) == 0 {
				return ""
			}
			return strconv.Itoa(*field(o))
		},
	}
}

// oneOf is a setting that is one of some words.
func oneOf[T ~string](name, doc string, all []T, field func(*Options) *T) Setting {
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	either := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	return Setting{
		Name: name, Type: "word", Doc: doc + ": " + either,
		of: func(o *Options) []any { return []any{field(o)} },
		Set: func(o *Options, text string) error {
			if !slices.Contains(words, text) {
				return fmt.Errorf("%s %s: it is %s", name, text, either)
			}
			*field(o) = T(text)
			return nil
		},
		Get: func(o *Options) string { return string(*field(o)) },
	}
}

// ParseKappa reads a kappa, or auto.
func ParseKappa(text string) (float64, error) {
	if text == "auto" {
		return ChosenKappa, nil
	}
	kappa, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("kappa %s: it is a number in (0, 2], or auto", text)
	}
	return kappa, merge.CheckKappa(kappa)
}

// parseLengths reads LOW-HIGH.
func parseLengths(text string) (low, high int, err error) {
	a, b, _ := strings.Cut(text, "-")
	low, err1 := strconv.Atoi(a)
	high, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || low < 0 || high < max(low, 1) {
		return 0, 0, fmt.Errorf("lengths %s: it is two numbers, as in 0-30", text)
	}
	const longest = 1000
	if high > longest {
		return 0, 0, fmt.Errorf("lengths %s: words of at most %d symbols are compared", text, longest)
	}
	return low, high, nil
}

// FindSetting returns a setting by its name, or nil.
func FindSetting(name string) *Setting {
	for i := range Settings {
		if Settings[i].Name == name {
			return &Settings[i]
		}
	}
	return nil
}

// isZero reports whether the options say nothing about the setting.
func (s *Setting) isZero(o *Options) bool {
	return !slices.ContainsFunc(s.of(o), func(field any) bool { return !reflect.ValueOf(field).Elem().IsZero() })
}

// copy takes the setting over from other options.
func (s *Setting) copy(to *Options, from Options) {
	source := s.of(&from)
	for i, field := range s.of(to) {
		reflect.ValueOf(field).Elem().Set(reflect.ValueOf(source[i]).Elem())
	}
}

// Default returns the value that a setting has for a method if nothing is said.
func (s *Setting) Default(m *Method) string {
	o := Options{Method: m.Name, Seed: DefaultSeed}.Normal()
	return s.Get(&o)
}

// Help returns the setting's documentation with its defaults, those of exceptional methods
// last.
func (s *Setting) Help() string {
	usual := s.Get(&Options{})
	if o := general; s.Get(&o) != usual && s.Type != "" {
		usual = s.Get(&o)
	} else if s.Name != "kappa" {
		return s.Doc
	}
	text := s.Doc + " (default " + usual
	others := map[string][]string{}
	for _, name := range Using(s.Name) {
		if m, _ := Find(name); s.Default(m) != usual {
			others[s.Default(m)] = append(others[s.Default(m)], name)
		}
	}
	for _, value := range slices.Sorted(maps.Keys(others)) {
		text += "; " + value + " for " + strings.Join(others[value], ", ")
	}
	return text + ")"
}

// DefaultSeed is the seed where nobody asks for another. Zero is a seed like any other.
const DefaultSeed = 1

// Read returns the options that settings ask for, given by their names, method among them,
// as users write them. Where the method is left open, what is said of a sample means that
// one is folded.
func Read(said map[string]string) (Options, error) {
	o := Options{Method: cmp.Or(said["method"], Best), Seed: DefaultSeed}
	if o.Method == Best && slices.ContainsFunc([]string{"strings", "length", "order"}, func(name string) bool { return said[name] != "" }) {
		o.Method = Fold
	}
	if _, err := Find(o.Method); err != nil {
		return o, err
	}
	for i := range Settings {
		if text := said[Settings[i].Name]; text != "" {
			if err := Settings[i].Set(&o, text); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// Unused returns the first of some settings, in the order of the table, that means nothing
// to a method, or nothing if all do.
func Unused(method string, said map[string]string) string {
	m, err := Find(method)
	for _, s := range Settings {
		if err == nil && said[s.Name] != "" && !m.Reads(s.Name) {
			return s.Name
		}
	}
	return ""
}

// Normal returns the options with the defaults filled in, and without what means nothing to
// the method: options that ask for the same are then equal. Options whose method there is
// not are returned as they are.
func (o Options) Normal() Options {
	if o.Method == "" {
		o.Method = Best
	}
	m, err := Find(o.Method)
	if err != nil {
		return o
	}
	for i := range Settings {
		s := &Settings[i]
		switch {
		case !m.Reads(s.Name):
			s.copy(&o, Options{})
		case !s.isZero(&o) || s.Name == "seed":
		case !s.isZero(&m.Defaults):
			s.copy(&o, m.Defaults)
		default:
			s.copy(&o, general)
		}
	}
	if o.High == 0 && m.Reads("lengths") { // only Low was given
		o.High = max(general.High, o.Low)
	}
	return o
}

// A Value is a setting as it was used.
type Value struct{ Name, Text string }

// Said returns the method and those settings that mean something to it.
func (o Options) Said() []Value {
	o = o.Normal()
	list := []Value{{"method", o.Method}}
	m, err := Find(o.Method)
	if err != nil {
		return list
	}
	for _, s := range Settings {
		if m.Reads(s.Name) {
			list = append(list, Value{s.Name, s.Get(&o)})
		}
	}
	return list
}

// check reports what is wrong with normal options.
func (o Options) check(symbols int) error {
	for _, s := range Settings {
		if s.Type == "number" {
			if err := s.Set(&o, s.Get(&o)); err != nil {
				return err
			}
		}
	}
	if o.States > 0 && o.Error > 0 {
		return errors.New("states and error are two ways to say which automaton to take: leave one out")
	}
	m, err := Find(o.Method)
	if err != nil || m.Kind != Merges {
		return err
	}
	if words := power(symbols, o.Length, o.Strings); words < o.Strings {
		advice := "ask for fewer or for longer ones"
		if symbols < 2 {
			advice = fmt.Sprintf("ask for one long word: strings 1, length %d", 10*o.Length)
		}
		return fmt.Errorf("%d words were asked for, but there are only %d of length %d over %d symbols; %s",
			o.Strings, words, o.Length, symbols, advice)
	}
	return nil
}

// power returns base to the given exponent, or anything from enough on if that is
// reached.
func power(base, exponent, enough int) int {
	p := 1
	for ; exponent > 0 && p < enough && base != 1; exponent-- {
		p *= base
	}
	return p
}
