package codec

import (
	"unicode/utf8"

	"quotient/automaton"
)

// Documents as programs write them, without an escape in a name, are read in one pass, in a tenth
// of the time that encoding/json takes to hand out one element after the other (BenchmarkReadJSON).
// Whatever is unusual or wrong, the quick reader leaves alone, and the plain one reads all of it again
// and says what is the matter.

// A jsonScanner stands in a text. Once something is not as it expects, it has failed and reads
// nothing more.
type jsonScanner struct {
	text   string
	at     int
	failed bool
}

// peek returns the next byte behind white space, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// take reads a byte, which must be there.
func (s *jsonScanner) take(c byte) {
	if s.peek() != c {
		s.failed = true
		return
	}
	s.at++
}

// more reports whether a list or an object goes on, which ends with the given byte: behind the
// elements that were read there is a comma.
func (s *jsonScanner) more(end byte, read int) bool {
	switch c := s.peek(); {
	case s.failed:
		return false
	case c == end:
		s.at++
		return false
	case read > 0:
		s.take(',')
	}
	return !s.failed
}

// string reads a string without escapes.
func (s *jsonScanner) string() string {
	s.take('"')
	start := s.at
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start : s.at-1]
		case c == '\\' || c < ' ':
			s.failed = true
			return ""
		}
	}
	s.failed = true
	return ""
}

// number reads a number that is not negative, has no leading zero and at most 18 digits.
func (s *jsonScanner) number() int64 {
	s.peek()
	start, n := s.at, int64(0)
	for ; s.at < len(s.text) && s.text[s.at]-'0' <= 9; s.at++ {
		n = 10*n + int64(s.text[s.at]-'0')
	}
	digits := s.at - start
	if digits == 0 || digits > 18 || digits > 1 && s.text[start] == '0' {
		s.failed = true
	}
	return n
}

// word reads true, false or null.
func (s *jsonScanner) word(w string) {
	if len(s.text)-s.at < len(w) || s.text[s.at:s.at+len(w)] != w {
		s.failed = true
		return
	}
	s.at += len(w)
}

// A quickReader reads a document from its beginning to its end.
type quickReader struct {
	jsonScanner
	*builder
	start []int64
	ids   map[int64]automaton.State // those that are not small
}

// readJSONQuickly reports whether it could read a document; if so, the automaton is the one that
// readJSONPlainly returns.
func readJSONQuickly(text string) (*automaton.NFA, bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	r := &quickReader{jsonScanner: jsonScanner{text: text}, builder: newBuilder(len(text)), ids: map[int64]automaton.State{}}
	seen := map[string]bool{}
	r.take('{')
	for r.more('}', len(seen)) {
		name := r.string()
		r.take(':')
		if r.failed || seen[name] || name == "transitions" && !(seen["alphabet"] && seen["states"]) {
			return nil, false
		}
		seen[name] = true
		r.field(name)
	}
	for _, id := range r.start {
		r.nfa.Start = append(r.nfa.Start, r.known(id))
	}
	if r.peek(); r.failed || r.at < len(text) || len(seen) != 6 {
		return nil, false
	}
	n, err := r.finish()
	return n, err == nil
}

// field reads what stands in a field.
func (r *quickReader) field(name string) {
	switch name {
	case "format":
		r.failed = r.string() != jsonName || r.failed
	case "version":
		r.failed = r.number() != jsonVersion || r.failed
	case "alphabet":
		r.declared = false
		r.list(func() { r.failed = r.declare(r.string()) != nil || r.failed })
		r.declared = true
	case "states":
		r.list(r.addState)
	case "start":
		r.list(func() { r.start = append(r.start, r.number()) })
	case "transitions":
		r.list(r.addTransition)
	default:
		r.failed = true
	}
}

// list reads a list whose elements the function reads.
func (r *quickReader) list(element func()) {
	r.take('[')
	for n := 0; r.more(']', n); n++ {
		element()
	}
}

func (r *quickReader) addState() {
	id, accept := int64(-1), false
	r.take('{')
	for n := 0; r.more('}', n); n++ {
		name := r.string()
		r.take(':')
		switch c := r.peek(); {
		case name == "id":
			id = r.number()
		case name == "accept" && c == 't':
			r.word("true")
			accept = true
		case name == "accept" && c == 'f':
			r.word("false")
			accept = false
		default:
			r.failed = true
		}
	}
	place := r.place(id)
	if r.failed || place == nil && r.ids[id] != automaton.Dead || place != nil && *place != automaton.Dead {
		r.failed = true // no id, or one that another state has
		return
	}
	q := r.nfa.AddState(accept)
	if place != nil {
		*place = q
	} else {
		r.ids[id] = q
	}
}

// place returns where a small id is kept, nil if it is not small.
func (r *quickReader) place(id int64) *automaton.State {
	if id < 0 || uint64(id) >= r.small {
		r.failed = r.failed || id < 0
		return nil
	}
	if missing := int(id) + 1 - len(r.numbered); missing > 0 {
		r.numbered = append(r.numbered, make([]automaton.State, missing)...)
	}
	return &r.numbered[id]
}

// known returns the state with the given id, which must be there.
func (r *quickReader) known(id int64) automaton.State {
	q := automaton.Dead
	if id >= 0 && id < int64(len(r.numbered)) {
		q = r.numbered[id]
	} else if id >= 0 {
		q = r.ids[id]
	}
	if q == automaton.Dead {
		r.failed = true
	}
	return q
}

func (r *quickReader) addTransition() {
	from, to, on := int64(-1), int64(-1), automaton.Epsilon
	r.take('{')
	for n := 0; r.more('}', n); n++ {
		name := r.string()
		r.take(':')
		switch c := r.peek(); {
		case name == "from":
			from = r.number()
		case name == "to":
			to = r.number()
		case name == "on" && c == '"':
			s, err := r.symbol(r.string())
			on = s
			r.failed = err != nil || r.failed
		case name == "on":
			r.word("null")
			on = automaton.Epsilon
		default:
			r.failed = true
		}
	}
	p, q := r.known(from), r.known(to)
	if !r.failed {
		r.nfa.AddEdge(p, on, q)
	}
}
