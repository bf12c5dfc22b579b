package torch

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A machine interprets a pickle: a program for a small stack machine that builds
// values. See CPython's Lib/pickletools.py for the operations. Python's own machine can
// call any function that the program names; this one knows a few by name (see call.go),
// calls none, and refuses the rest.
//
// Every operation takes at least one byte of the file and makes at most one value, all
// of which are paid for out of a budget.
type machine struct {
	data   []byte
	at     int
	stack  []any
	marks  []int // heights of the stack
	memo   map[int]any
	budget *budget

	// persistent returns what stands outside the pickle: a tensor's numbers.
	persistent func(id any) (any, error)
}

// A budget is how many bytes of memory a file may still take.
type budget struct{ left int }

func (b *budget) spend(n int) error {
	if n < 0 || n > b.left {
		return fmt.Errorf("it would take far more memory than the file is long")
	}
	b.left -= n
	return nil
}

// perOperation is what an operation costs at most beside the text it carries: a record,
// its place on the stack and in the memo, and room for slices to grow.
const perOperation = 160

// unpickle interprets the pickle at the start of data and returns its value and its
// length.
func unpickle(data []byte, b *budget, persistent func(any) (any, error)) (value any, n int, err error) {
	m := &machine{data: data, memo: make(map[int]any), budget: b, persistent: persistent}
	for {
		begin := m.at
		op, err := m.take(1)
		if err == nil {
			err = b.spend(perOperation)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("byte %d of the pickle: %w", begin, err)
		}
		if op[0] == '.' {
			value, err := m.pop()
			return value, m.at, err
		}
		if err := m.step(op[0]); err != nil {
			return nil, 0, fmt.Errorf("byte %d of the pickle: %w", begin, err)
		}
	}
}

// operand is the length in bytes of the number behind an operation: a value, a length or
// a place in the memo.
var operand = map[byte]int{
	'K': 1, 'M': 2, 'J': 4, // BININT1, BININT2, BININT
	0x8a: 1, 0x8b: 4, // LONG1, LONG4
	0x8c: 1, 'X': 4, 0x8d: 8, // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8
	'U': 1, 'T': 4, // SHORT_BINSTRING, BINSTRING: text of Python 2
	'C': 1, 'B': 4, 0x8e: 8, 0x96: 8, // SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8
	'q': 1, 'r': 4, // BINPUT, LONG_BINPUT
	'h': 1, 'j': 4, // BINGET, LONG_BINGET
}

// step performs one operation.
func (m *machine) step(op byte) error {
	switch op {
	case 0x80: // PROTO
		version, err := m.take(1)
		if err == nil && version[0] > 5 {
			err = fmt.Errorf("pickle protocol %d: 2 to 5 are known", version[0])
		}
		return err
	case 0x95: // FRAME
		_, err := m.take(8)
		return err

	case 'N': // NONE
		return m.push(nil)
	case 0x88: // NEWTRUE
		return m.push(true)
	case 0x89: // NEWFALSE
		return m.push(false)
	case 'K', 'M', 'J':
		return m.integer(operand[op])
	case 0x8a, 0x8b:
		return m.long(operand[op])
	case 'G': // BINFLOAT
		b, err := m.take(8)
		if err != nil {
			return err
		}
		return m.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case 0x8c, 'X', 0x8d, 'U', 'T':
		text, err := m.text(operand[op])
		return m.pushed(text, err)
	case 'C', 'B', 0x8e, 0x96:
		text, err := m.text(operand[op])
		return m.pushed(raw(text), err)
	}
	return m.move(op)
}

// move performs the operations on the stack and on what is remembered.
func (m *machine) move(op byte) error {
	switch op {
	case '(': // MARK
		m.marks = append(m.marks, len(m.stack))
		return nil
	case '0', '1': // POP, POP_MARK
		if op == '1' || len(m.marks) > 0 && m.marks[len(m.marks)-1] == len(m.stack) {
			_, err := m.sinceMark()
			return err
		}
		_, err := m.pop()
		return err
	case '2': // DUP
		top, err := m.top()
		return m.pushed(top, err)
	case 'q', 'r':
		i, err := m.number(operand[op])
		if err != nil {
			return err
		}
		return m.remember(i)
	case 0x94: // MEMOIZE
		return m.remember(len(m.memo))
	case 'h', 'j':
		i, err := m.number(operand[op])
		if err != nil {
			return err
		}
		value, ok := m.memo[i]
		if !ok {
			return fmt.Errorf("value %d is used before it is made", i)
		}
		return m.push(value)
	}
	return m.build(op)
}

// build performs the operations that make composite values.
func (m *machine) build(op byte) error {
	switch op {
	case ']', 0x8f: // EMPTY_LIST, EMPTY_SET
		return m.push(&list{})
	case '}': // EMPTY_DICT
		return m.push(&dict{})
	case ')': // EMPTY_TUPLE
		return m.push(tuple(nil))
	case 0x85, 0x86, 0x87: // TUPLE1, TUPLE2, TUPLE3
		items, err := m.popN(int(op - 0x84))
		return m.pushed(tuple(items), err)
	case 't': // TUPLE
		items, err := m.sinceMark()
		return m.pushed(tuple(items), err)
	case 'l', 0x91: // LIST, FROZENSET
		items, err := m.sinceMark()
		return m.pushed(&list{items}, err)
	case 'd': // DICT
		items, err := m.sinceMark()
		if err != nil {
			return err
		}
		d := &dict{}
		if err := set(d, items); err != nil {
			return err
		}
		return m.push(d)
	case 'a': // APPEND
		item, err := m.pop()
		if err != nil {
			return err
		}
		return m.extend([]any{item})
	case 'e', 0x90: // APPENDS, ADDITEMS
		items, err := m.sinceMark()
		if err != nil {
			return err
		}
		return m.extend(items)
	case 's': // SETITEM
		items, err := m.popN(2)
		if err != nil {
			return err
		}
		return m.set(items)
	case 'u': // SETITEMS
		items, err := m.sinceMark()
		if err != nil {
			return err
		}
		return m.set(items)
	}
	return m.call(op)
}

// take returns the next n bytes.
func (m *machine) take(n int) ([]byte, error) {
	if n < 0 || n > len(m.data)-m.at {
		return nil, fmt.Errorf("the file ends in the middle of the pickle")
	}
	m.at += n
	return m.data[m.at-n : m.at], nil
}

// number reads an unsigned integer, least byte first.
func (m *machine) number(bytes int) (int, error) {
	b, err := m.take(bytes)
	if err != nil {
		return 0, err
	}
	var x uint64
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	if x > math.MaxInt {
		return 0, fmt.Errorf("the number %d is too large", x)
	}
	return int(x), nil
}

func (m *machine) integer(bytes int) error {
	x, err := m.number(bytes)
	if bytes == 4 {
		x = int(int32(x)) // the only one with a sign
	}
	return m.pushed(int64(x), err)
}

// long reads an integer of any length: in two's complement, behind its length.
func (m *machine) long(bytes int) error {
	text, err := m.text(bytes)
	if err != nil || len(text) > 8 {
		return m.pushed(raw(text), err)
	}
	var x int64
	for i := len(text) - 1; i >= 0; i-- {
		x = x<<8 | int64(text[i])
	}
	unused := 64 - 8*len(text)
	return m.push(x << unused >> unused)
}

// text reads bytes behind their length, a number of so many bytes.
func (m *machine) text(bytes int) (string, error) {
	n, err := m.number(bytes)
	if err != nil {
		return "", err
	}
	b, err := m.take(n)
	if err != nil {
		return "", err
	}
	return string(b), m.budget.spend(n)
}

// line reads text up to the end of a line.
func (m *machine) line() (string, error) {
	begin := m.at
	for {
		b, err := m.take(1)
		if err != nil {
			return "", err
		}
		if b[0] == '\n' {
			text := string(m.data[begin : m.at-1])
			return text, m.budget.spend(len(text))
		}
	}
}

func (m *machine) push(value any) error {
	m.stack = append(m.stack, value)
	return nil
}

// pushed pushes a value unless there was an error in making it.
func (m *machine) pushed(value any, err error) error {
	if err != nil {
		return err
	}
	return m.push(value)
}

// floor is how far the stack may be emptied: operations do not reach below a mark.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) top() (any, error) {
	if len(m.stack) <= m.floor() {
		return nil, fmt.Errorf("a value is missing on the stack")
	}
	return m.stack[len(m.stack)-1], nil
}

func (m *machine) pop() (any, error) {
	value, err := m.top()
	if err == nil {
		m.stack = m.stack[:len(m.stack)-1]
	}
	return value, err
}

// popN returns a copy of the topmost n values, the lowest first.
func (m *machine) popN(n int) ([]any, error) {
	at := len(m.stack) - n
	if at < m.floor() {
		return nil, fmt.Errorf("%d values are missing on the stack", m.floor()-at)
	}
	items := append([]any(nil), m.stack[at:]...)
	m.stack = m.stack[:at]
	return items, nil
}

// sinceMark returns the values above the last mark and removes both.
func (m *machine) sinceMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, fmt.Errorf("a mark is missing on the stack")
	}
	items, err := m.popN(len(m.stack) - m.floor())
	m.marks = m.marks[:len(m.marks)-1]
	return items, err
}

func (m *machine) remember(i int) error {
	value, err := m.top()
	if err == nil {
		m.memo[i] = value
	}
	return err
}

// extend adds items to the list on top of the stack.
func (m *machine) extend(items []any) error {
	top, err := m.top()
	if err != nil {
		return err
	}
	switch to := top.(type) {
	case *list:
		to.items = append(to.items, items...)
	case *record:
		to.list.items = append(to.list.items, items...)
	default:
		return fmt.Errorf("items are added to %s, not to a list", describe(top))
	}
	return nil
}

// set adds keys and values, in turn, to the dictionary on top of the stack.
func (m *machine) set(items []any) error {
	top, err := m.top()
	if err != nil {
		return err
	}
	switch to := top.(type) {
	case *dict:
		return set(to, items)
	case *record:
		return set(&to.items, items)
	}
	return fmt.Errorf("keys are set in %s, not in a dictionary", describe(top))
}

func set(d *dict, items []any) error {
	if len(items)%2 != 0 {
		return fmt.Errorf("a key has no value")
	}
	for i := 0; i < len(items); i += 2 {
		d.keys = append(d.keys, items[i])
		d.values = append(d.values, items[i+1])
	}
	return nil
}

// describe says what kind of value it is, never how it goes on inside.
func describe(value any) string {
	switch v := value.(type) {
	case Name:
		return string(v)
	case *record:
		return "an instance of " + string(v.class)
	case nil:
		return "None"
	case string, raw:
		return "a text"
	case int64, float64, bool:
		return fmt.Sprintf("the number %v", v)
	case tuple:
		return "a tuple"
	case *tensor, *storage:
		return "a tensor"
	}
	return "a list or dictionary"
}
