// Package strictjson reads documents of a format of our own: one value and nothing behind it, no
// field that the format does not have, and errors with the line that they are in.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Decode reads a document, the only value of the data.
func Decode(data []byte, document any) error {
	if !utf8.Valid(data) {
		return errors.New("this is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(document); err != nil {
		return placed(data, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the automaton")
	}
	return nil
}

// placed says in which line an error of the decoder is, where that is known.
func placed(data []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	var at int64
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &mismatch):
		at = mismatch.Offset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		at, err = int64(len(data)), errors.New("the document ends too early")
	default:
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(at, int64(len(data)))], []byte("\n")), err)
}
