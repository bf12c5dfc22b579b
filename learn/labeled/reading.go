package labeled

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Reading says how a file was read: what its lines told, or were taken to tell.
type Reading struct {
	Format    Format   `json:"format"`
	Gzip      bool     `json:"gzip,omitempty"`
	Separator string   `json:"separator,omitempty"` // of columns: comma, tab or semicolon
	Header    bool     `json:"header,omitempty"`    // whether the first line names the columns
	Word      string   `json:"word,omitempty"`      // which column or key holds words
	Label     string   `json:"label,omitempty"`     // and which labels; empty: none does
	Accepts   []string `json:"accepts,omitempty"`   // labels that were met, as they are written
	Rejects   []string `json:"rejects,omitempty"`
	Symbols   string   `json:"symbols"` // characters, names or numbers
	Words     int      `json:"words"`
	Labeled   int      `json:"labeled"`           // words that have a label
	Ignored   []string `json:"ignored,omitempty"` // columns or keys that are not used
	Notes     []string `json:"notes,omitempty"`   // what else was guessed
}

// note adds a guess to what is said of a file.
func (b *builder) note(format string, args ...any) {
	b.reading.Notes = append(b.reading.Notes, fmt.Sprintf(format, args...))
}

// ignored notes that a column or key is not used.
func (b *builder) ignored(what string) {
	if len(b.reading.Ignored) == mostIgnored {
		what = "others"
	}
	if !slices.Contains(b.reading.Ignored, what) && len(b.reading.Ignored) <= mostIgnored {
		b.reading.Ignored = append(b.reading.Ignored, what)
	}
}

// mostIgnored is how many columns or keys that are not used are named.
const mostIgnored = 10

// String says it in one line.
func (r Reading) String() string {
	parts := []string{string(r.Format)}
	if r.Separator != "" {
		parts[0] += " with " + r.Separator + "s"
	}
	if r.Gzip {
		parts[0] += ", compressed"
	}
	if r.Word != "" {
		parts = append(parts, "words in "+r.Word)
	}
	labels := "no labels"
	if r.Label != "" {
		labels = "labels in " + r.Label
	} else if r.Labeled > 0 {
		labels = "labels"
	}
	var mean []string
	if len(r.Accepts) > 0 {
		mean = append(mean, strings.Join(r.Accepts, ", ")+" accepts")
	}
	if len(r.Rejects) > 0 {
		mean = append(mean, strings.Join(r.Rejects, ", ")+" rejects")
	}
	if len(mean) > 0 {
		labels += " (" + strings.Join(mean, "; ") + ")"
	}
	parts = append(parts, labels, map[string]string{
		"characters": "every character a symbol", "names": "symbols with blanks between them", "lists": "lists of symbols",
	}[r.Symbols])
	if len(r.Ignored) > 0 {
		parts = append(parts, "not used: "+strings.Join(r.Ignored, ", "))
	}
	parts = append(parts, r.Notes...)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// What columns and keys are called by people.
var (
	wordNames = []string{
		"word", "words", "string", "strings", "str", "sequence", "sequences", "seq", "input", "inputs", "text", "texts",
		"symbols", "sentence", "trace", "tokens", "input_ids", "sample", "example", "x",
	}
	classNames = []string{
		"label", "labels", "accept", "accepts", "accepted", "class", "output", "outputs", "target", "targets", "y",
		"category", "outcome", "result", "answer", "truth", "is_accepted", "member", "membership", "in_language", "valid", "positive",
	}
	// rejectNames are of columns in which 1 is for words that are rejected.
	rejectNames = []string{
		"reject", "rejects", "rejected", "negative", "neg", "invalid", "false", "is_rejected", "is_negative", "is_invalid",
	}
)

// namedLabel returns the first of the fields that is called as labels are, or -1.
func namedLabel(fields []string) int {
	if l := named(fields, classNames); l >= 0 {
		return l
	}
	return named(fields, rejectNames)
}

// named returns the first of the fields that is called by one of the names, or -1.
func named(fields, names []string) int {
	return slices.IndexFunc(fields, func(f string) bool {
		return slices.Contains(names, strings.ToLower(strings.TrimSpace(f)))
	})
}

// labels by what they are called in files. Numbers are read as numbers.
var labelNames = map[string]Label{
	"1": Accept, "true": Accept, "+": Accept, "accept": Accept, "accepted": Accept, "yes": Accept, "positive": Accept, "pos": Accept,
	"0": Reject, "false": Reject, "-": Reject, "reject": Reject, "rejected": Reject, "no": Reject, "negative": Reject, "neg": Reject,
	"t": Accept, "y": Accept, "in": Accept, "valid": Accept,
	"f": Reject, "n": Reject, "out": Reject, "invalid": Reject,
	"?": Unknown, "": Unknown, "nan": Unknown, "null": Unknown, "none": Unknown, "unknown": Unknown,
}

func parseLabel(text string) (Label, bool) {
	if l, ok := labelNames[text]; ok {
		return l, true
	}
	text = strings.ToLower(strings.TrimSpace(text))
	if l, ok := labelNames[text]; ok {
		return l, true
	}
	switch x, err := strconv.ParseFloat(text, 64); {
	case err != nil || math.Abs(x) > 1:
		return Unknown, false
	case x == 1:
		return Accept, true
	case x == 0 || x == -1:
		return Reject, true
	}
	return Unknown, false
}

// kinds are labels that go together: in a file they are of one kind mostly. Numbers are another one.
var kinds = [][]string{
	{"true", "false", "t", "f"},
	{"yes", "no", "y", "n"},
	{"+", "-"},
	{"accept", "reject", "accepted", "rejected"},
	{"positive", "negative", "pos", "neg"},
	{"in", "out"},
	{"valid", "invalid"},
}

// Kinds beside those, and the first of those.
const (
	noKind      = -2 // of no label, or of one that is unknown
	numberKind  = -1
	lastAnswers = 1 // up to this, labels answer a question: what the name of their column says
	signKind    = 2
)

// labelKind returns of which kind a label is.
func labelKind(text string) int {
	if l, ok := parseLabel(text); !ok || l == Unknown {
		return noKind
	}
	text = strings.ToLower(strings.TrimSpace(text))
	if i := slices.IndexFunc(kinds, func(k []string) bool { return slices.Contains(k, text) }); i >= 0 {
		return i
	}
	return numberKind
}

// turned returns what a label means in a column, or under a key, that is called as rejected words are: there 1, true and yes say that
// a word is rejected. A name such as reject says it itself; what a sign says nobody knows.
func (b *builder) turned(text string, l Label, where string) (Label, bool) {
	switch kind := labelKind(text); {
	case kind == signKind:
		return l, false
	case kind == noKind || kind > lastAnswers:
		return l, true
	}
	if note := where + " says which words are rejected"; !slices.Contains(b.reading.Notes, note) {
		b.note("%s", note)
	}
	return Of(l == Reject), true
}

const labelHelp = "1 or 0, 1 or -1, true or false, + or -, accept or reject, positive or negative, pos or neg, yes or no; ? for unknown"

// isNumber reports whether a label is a number, and which.
func isNumber(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil
}

// mean notes what a label was taken to mean. Labels 0 and -1 in one file are an error: one
// of the two may stand for an unknown label.
func (b *builder) mean(text string, l Label, line int) error {
	list := &b.reading.Accepts
	switch l {
	case Unknown:
		return nil
	case Reject:
		list = &b.reading.Rejects
	}
	text = strings.TrimSpace(text)
	if slices.Contains(*list, text) {
		return nil
	}
	if x, ok := isNumber(text); ok {
		for _, other := range *list {
			if y, ok := isNumber(other); ok && x != y {
				return errorAt(line, "the label %s, where others are %s: one of them would mean unknown; write ? for that", text, other)
			}
		}
	}
	*list = append(*list, strings.Clone(text))
	return nil
}

// column names a column for people. The first line may have fewer columns than those below.
func column(header []string, at int) string {
	if at < 0 {
		return ""
	}
	if at >= len(header) {
		return fmt.Sprintf("column %d", at+1)
	}
	return fmt.Sprintf("column %d (%.40s)", at+1, strings.TrimSpace(header[at]))
}
