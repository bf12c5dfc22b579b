package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"quotient/word"
)

// A journal is a file of answers: lines of JSON, the first of which says whose they are. Lines are
// only ever added, all of a request at once, so whatever ends the program leaves at most the
// beginning of a line, which the next run removes.
type journal struct {
	file   *os.File
	lines  bytes.Buffer // that are still to be written
	failed error        // the first that could not be; nothing is written from then on
}

// A heading is the first line.
type heading struct {
	Version int      `json:"quotient_answers"`
	Model   string   `json:"model"`
	Symbols []string `json:"symbols"`
}

// An entry is any other: an answer, or how long words may be.
type entry struct {
	Word        word.Word `json:"word"`
	Probability numbers   `json:"probability"` // one, or those of what comes next
	State       []number  `json:"state"`
	Longest     int       `json:"max_length"`
}

// recall reads the answers in a file, as many as memory holds, and adds to them from now on. If
// there is no such file it begins one.
func (c *Client) recall(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("answers: %w", err)
	}
	c.journal = &journal{file: file}
	size, err := c.readAnswers(bufio.NewReader(file), name)
	if err != nil {
		return err
	}
	if err = file.Truncate(size); err == nil {
		_, err = file.Seek(size, io.SeekStart)
	}
	if err == nil && size == 0 {
		text, _ := json.Marshal(heading{version, c.name, c.alphabet.Names()})
		_, err = file.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("answers: %w", err)
	}
	return nil
}

// readAnswers returns how many bytes the complete lines have.
func (c *Client) readAnswers(r *bufio.Reader, name string) (size int64, err error) {
	for line := 1; ; line++ {
		text, err := wholeLine(r, 1<<20+perNumber*(c.dim+c.outputs))
		if errors.Is(err, io.EOF) {
			if line == 1 && len(text) > 0 && text[0] != '{' {
				return 0, fmt.Errorf("%s: this is no file of answers, and nothing is written into it; give another name", name)
			}
			return size, nil // the beginning of a line may be there, which was cut off
		}
		if err == nil && line == 1 {
			err = c.checkHeading(text)
		} else if err == nil {
			err = c.readEntry(text)
		}
		if err != nil {
			return 0, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		size += int64(len(text))
	}
}

// wholeLine returns a line with its end, or what is left and [io.EOF].
func wholeLine(r *bufio.Reader, limit int) ([]byte, error) {
	var text []byte
	for {
		piece, err := r.ReadSlice('\n')
		if text = append(text, piece...); len(text) > limit {
			return nil, errTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

func (c *Client) checkHeading(text []byte) error {
	var h heading
	if err := json.Unmarshal(text, &h); err != nil || h.Version != version {
		return errors.New("this is no file of answers, and nothing is written into it; give another name")
	}
	if h.Model != c.name || !slices.Equal(h.Symbols, c.alphabet.Names()) {
		return fmt.Errorf("these are the answers of %q over %d symbols, and the model is %q over %s; give another name",
			h.Model, len(h.Symbols), c.name, c.alphabet)
	}
	return nil
}

func (c *Client) readEntry(text []byte) error {
	var e entry
	if err := json.Unmarshal(text, &e); err != nil {
		return fmt.Errorf("this is no answer (%w); remove the line, or the file", err)
	}
	if e.Longest > 0 {
		c.limit.longest, c.limit.why = min(c.limit.longest, e.Longest), "see the file of answers"
		return nil
	}
	strange := slices.ContainsFunc(e.Word, func(s word.Symbol) bool { return int(s) >= c.alphabet.Len() })
	if strange || c.checkProbabilities(e.Word, e.Probability) != nil || e.State != nil && len(e.State) != c.dim {
		return errors.New("this is no answer of this model; remove the line, or the file")
	}
	if c.memory > maxMemory/2 { // the rest is asked again
		return nil
	}
	if slices.ContainsFunc(e.State, func(x number) bool { return math.Abs(float64(x)) > math.MaxFloat32 }) {
		return errors.New("this is no answer of this model; remove the line, or the file")
	}
	r := remembered{answer: normalized(e.Probability)}
	if e.State != nil {
		r.state = narrow(e.State)
	}
	c.remember(e.Word.Key(), r)
	return nil
}

// add keeps an answer until the lines are written.
func (j *journal) add(w word.Word, r remembered) {
	if j == nil || j.failed != nil || len(w) > maxSymbols/8 { // a line is not longer than readers allow
		return
	}
	b := appendWord(append(j.lines.AvailableBuffer(), `{"word":`...), w)
	b = append(b, `,"probability":`...)
	if len(r.answer) == 1 {
		b = strconv.AppendFloat(b, float64(r.answer[0]), 'g', -1, 32)
	} else {
		b = appendNumbers(b, r.answer)
	}
	if r.state != nil {
		b = appendNumbers(append(b, `,"state":`...), r.state)
	}
	j.lines.Write(append(b, '}', '\n'))
}

func appendNumbers(b []byte, list []float32) []byte {
	b = append(b, '[')
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	return append(b, ']')
}

// bound keeps how long words may be.
func (j *journal) bound(longest int) {
	if j != nil && j.failed == nil {
		fmt.Fprintf(&j.lines, `{"max_length":%d}`+"\n", longest)
		j.flush()
	}
}

func (j *journal) flush() {
	if j != nil && j.failed == nil {
		_, j.failed = j.file.Write(j.lines.Bytes())
		j.lines.Reset()
	}
}

func (j *journal) close() {
	if j != nil {
		j.file.Close()
	}
}
