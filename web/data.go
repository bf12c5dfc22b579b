package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quotient/extract"
)

// fromData begins the names of files of words that were sent.
const fromData = "data:"

// maxData bounds such a file, in bytes: whoever asks for an extraction with it makes the
// network read it.
const maxData = 4 << 20

// A dataFile is words of a user's. What they mean depends on the network, so they are read
// when one is asked about.
type dataFile struct {
	Name  string `json:"name"`  // by which requests refer to it
	Title string `json:"title"` // as its owner calls it
	text  []byte
}

// takeData takes a file of words, as a form.
func (s *Server) takeData(r *http.Request) (*dataFile, error) {
	select {
	case s.sending <- struct{}{}:
		defer func() { <-s.sending }()
	default:
		return nil, badf("%d other files are on their way; try again in a moment", maxSending)
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxData+maxField)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, badRequest{err}
	}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil, badf("there is no file in the form")
		}
		if err != nil {
			return nil, tooLong(err, maxData)
		}
		if part.FormName() != "file" {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, maxData+1))
		if err == nil && len(text) > maxData {
			err = &http.MaxBytesError{Limit: maxData}
		}
		if err != nil {
			return nil, tooLong(err, maxData)
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %s", part.FileName(), text))
		f := &dataFile{Name: fromData + hex.EncodeToString(sum[:8]), Title: part.FileName(), text: text}
		return s.data.Get(r.Context(), f.Name, func(context.Context) (*dataFile, error) { return f, nil })
	}
}

// checkData refuses names of files: what is on the server's disk is nobody's business.
func checkData(name string) error {
	if name != "" && !strings.HasPrefix(name, fromData) {
		return badf("data %s: files are not read here; send the file to /api/data, which answers with a name for it", name)
	}
	return nil
}

// withData puts the words that settings name into options.
func (s *Server) withData(ctx context.Context, o extract.Options) (extract.Options, error) {
	if o.Data == "" {
		return o, nil
	}
	f, err := s.data.Get(ctx, o.Data, func(context.Context) (*dataFile, error) {
		return nil, badf("%s is not known (any longer): choose the file of words again", o.Data)
	})
	if err != nil {
		return o, err
	}
	o.Data, o.DataText = f.Title, f.text
	return o, nil
}
